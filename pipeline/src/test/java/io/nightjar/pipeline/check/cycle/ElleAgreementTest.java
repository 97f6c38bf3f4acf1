package io.nightjar.pipeline.check.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.cycle.DependencyChecker.Options;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.ReadResolution;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What Elle finds is found here too; where more is found, it is known why. */
class ElleAgreementTest {

    private static final String THIN_AIR =
            "it reads values that nobody wrote: Elle takes them for good in registers, here they are garbage reads";

    private static final String FORWARD =
            "a key that goes forward in sessions or in real time goes forward inside a transaction, from what it read to"
                    + " what it wrote; Elle leaves that out unless asked for wfr-keys, with which it finds the write skew"
                    + " of this store itself";

    /** Violations that Elle does not see, by history and sources. */
    private static final Map<String, String> MORE = Map.of(
            "elle/rw-register/checker-test--read-doesn-t-return-what-was-just-been-written.edn", THIN_AIR,
            "elle/rw-register/checker-test--g2-item.edn", THIN_AIR,
            "elle/rw-register/type-sanity.edn", THIN_AIR,
            "elle/gen/rw-si-3.edn [SESSION]", FORWARD,
            "elle/gen/rw-si-9.edn [SESSION]", FORWARD,
            "elle/gen/rw-si-9.edn [REALTIME]", FORWARD);

    /** Anomalies that Elle reports and that are not there, by history and name. */
    private static final Map<String, String> LESS = Map.of(
            "elle/list-append/checker-test--duplicated-elements.edn G-single-item",
            "the list holds 1 twice; Elle takes its last place for the version order, here its first place counts and"
                    + " nothing is inferred from the second");

    private final Map<String, OperationLog> logs = new HashMap<>();

    @Test
    void noViolationThatElleFindsIsMissed() throws IOException {
        List<ElleCase> missed = new ArrayList<>();
        int violated = 0;
        for (ElleCase example : cases()) {
            if (example.level() != null && example.valid().equals("false")) {
                violated++;
                if (!isViolated(example)) {
                    missed.add(example);
                }
            }
        }

        assertThat(missed).isEmpty();
        assertThat(violated).isGreaterThan(300);
    }

    @Test
    void historiesValidForElleAreViolatedOnlyForKnownReasons() throws IOException {
        Set<String> more = new TreeSet<>();
        int valid = 0;
        for (ElleCase example : cases()) {
            if (example.level() != null && example.valid().equals("true")) {
                valid++;
                if (isViolated(example)) {
                    boolean isKnown = MORE.containsKey(example.file());
                    more.add(isKnown ? example.file() : example.file() + " " + example.sources());
                }
            }
        }

        assertThat(more).containsExactlyInAnyOrderElementsOf(MORE.keySet());
        assertThat(valid).isGreaterThan(450);
    }

    @Test
    void everyElleAnomalyIsFoundUnderSameOrWeakerName() throws IOException {
        Set<String> missing = new TreeSet<>();
        for (ElleCase example : cases()) {
            Set<Anomaly> found = check(example).found();
            for (String name : example.anomalies()) {
                Anomaly anomaly = Anomaly.bySpelling(name); // null for names that say only that some cycle exists
                String plain = name.replaceAll("-(process|realtime)$", "");
                if (anomaly != null && !found.contains(anomaly) && !found.contains(Anomaly.bySpelling(plain))) {
                    missing.add(example.file() + " " + name);
                }
            }
        }

        assertThat(missing).containsExactlyInAnyOrderElementsOf(LESS.keySet());
    }

    /** Histories of lists and registers, without those for which Elle was given an order from outside. */
    private static List<ElleCase> cases() throws IOException {
        List<ElleCase> cases = ElleCase.all();
        cases.removeIf(example ->
                !example.model().equals("list-append") && !example.model().equals("rw-register"));
        cases.removeIf(ElleCase::isGivenAnOrder);
        assertThat(cases).hasSizeGreaterThan(900);
        return cases;
    }

    private boolean isViolated(ElleCase example) throws IOException {
        IsolationLevel level = example.level();
        for (Anomaly anomaly : check(example).found()) {
            if (LevelLattice.rulesOut(anomaly, level)) {
                return true;
            }
        }
        return false;
    }

    private DependencyAnswer check(ElleCase example) throws IOException {
        OperationLog log = logs.get(example.file());
        if (log == null) {
            log = example.log();
            logs.put(example.file(), log);
        }
        List<IsolationLevel> asked = example.level() == null ? List.of() : List.of(example.level());
        Options options = new Options(
                example.sources(), LevelLattice.needsSessionOrder(asked), LevelLattice.needsRealTime(asked));
        return DependencyChecker.check(ReadResolution.of(log), options, Budget.unlimited());
    }
}
