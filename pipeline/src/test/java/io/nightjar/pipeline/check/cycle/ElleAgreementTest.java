package io.nightjar.pipeline.check.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.cycle.DependencyChecker.Options;
import io.nightjar.pipeline.infer.OperationLog;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What Elle finds is found here too. */
class ElleAgreementTest {

    @Test
    void explore() throws IOException {
        assumeTrue(Files.isDirectory(ElleCase.FOLDER), "no folder of shared cases");
        List<String> missed = new ArrayList<>();
        List<String> more = new ArrayList<>();
        List<String> names = new ArrayList<>();
        Map<String, OperationLog> logs = new HashMap<>();
        int same = 0;
        for (ElleCase example : ElleCase.all()) {
            boolean isOurs =
                    example.model().equals("list-append") || example.model().equals("rw-register");
            if (!isOurs || example.isGivenAnOrder()) {
                continue;
            }
            OperationLog log;
            try {
                log = logs.containsKey(example.file()) ? logs.get(example.file()) : example.log();
            } catch (RuntimeException bad) {
                names.add("BAD " + example.file() + " " + bad.getMessage());
                continue;
            }
            logs.put(example.file(), log);
            IsolationLevel level = example.level();
            List<IsolationLevel> asked = level == null ? List.of() : List.of(level);
            Options options = new Options(
                    example.sources(), LevelLattice.needsSessionOrder(asked), LevelLattice.needsRealTime(asked));
            DependencyAnswer answer = DependencyChecker.check(log, options, Budget.unlimited());
            Set<Anomaly> found = answer.found();
            boolean violated = level != null && found.stream().anyMatch(a -> LevelLattice.rulesOut(a, level));
            for (String name : example.anomalies()) {
                Anomaly anomaly = Anomaly.bySpelling(name);
                if (anomaly != null && !found.contains(anomaly)) {
                    names.add(example + ": " + name + " not in " + found + " elle=" + example.counts());
                }
            }
            if (level == null) {
                continue;
            }
            if (example.valid().equals("false") && !violated) {
                missed.add(example + " elle=" + example.counts() + " ours=" + found);
            } else if (example.valid().equals("true") && violated) {
                more.add(example + " ours=" + found + " "
                        + answer.cycles().stream().map(DependencyCycle::anomaly).toList());
            } else {
                same++;
            }
        }
        System.err.println("SAME " + same);
        missed.forEach(x -> System.err.println("MISSED " + x));
        more.forEach(x -> System.err.println("MORE " + x));
        names.forEach(x -> System.err.println("NAME " + x));
        assertThat(missed).isEmpty();
    }
}
