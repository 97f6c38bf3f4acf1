package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.PublishedCases;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.pipeline.infer.VersionSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * For the models that Elle checked, the engine misses nothing that Elle found; where it reports more, the case is
 * named.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ElleHistoriesTest {

    /** Elle's names for levels, where our names have another meaning. */
    private static final Map<String, IsolationLevel> LEVELS = Map.of(
            "read-uncommitted", IsolationLevel.PL_1,
            "read-committed", IsolationLevel.PL_2,
            "repeatable-read", IsolationLevel.PL_2_99,
            "snapshot-isolation", IsolationLevel.PL_SI,
            "serializable", IsolationLevel.PL_3);

    /** Anomaly types that rule out a history which Elle calls valid. */
    private static final Map<String, Set<String>> RULED_OUT_HERE_ALONE = Map.of(
            // registers are searched for orders of their versions, which Elle does not do
            "elle/rw-register/checker-test--cyclic-version-order.edn", Set.of("commit-order-cycle"),
            "elle/rw-register/checker-test--g0-1.edn", Set.of("commit-order-cycle"),
            "elle/gen/rw-si-5.edn", Set.of("commit-order-cycle"),
            // and where a transaction writes a key twice, its versions too follow real time
            "elle/gen/rw-si-3.edn", Set.of("commit-order-cycle", "G2-item"),
            "elle/gen/rw-si-9.edn", Set.of("commit-order-cycle", "G2-item"),
            // Elle's registers may have values that no transaction wrote
            "elle/rw-register/checker-test--g2-item.edn", Set.of("garbage-read"),
            "elle/rw-register/checker-test--read-doesn-t-return-what-was-just-been-written.edn", Set.of("garbage-read"),
            "elle/rw-register/type-sanity.edn", Set.of("garbage-read"));

    /** Elle can check anomalies alone; the weakest level that forbids them must not hold where it finds some. */
    private static final Map<String, IsolationLevel> WEAKEST_WITHOUT = Map.of(
            "G0", IsolationLevel.PL_1,
            "G1", IsolationLevel.PL_2,
            "G-single", IsolationLevel.byName("consistent-view"),
            "G2", IsolationLevel.PL_3);

    private final List<Asked> answers = new ArrayList<>();
    private final List<Asked> answersOnAnomalies = new ArrayList<>();

    private record Asked(
            String file, IsolationLevel level, String elleSays, Set<String> elleRulesOut, RunResult result) {

        LevelResult answer() {
            return result.levels().get(level);
        }

        Set<String> ruledOut() {
            Set<String> names = new TreeSet<>();
            if (result.ruledOut() != null) {
                names.addAll(result.ruledOut().not());
                names.addAll(result.ruledOut().alsoNot());
            }
            return names;
        }

        @Override
        public String toString() {
            return file + " " + level.longName() + " elle=" + elleSays + " " + elleRulesOut + " here=" + answer() + " "
                    + ruledOut();
        }
    }

    @BeforeAll
    void askAll() throws IOException {
        for (Map<String, Object> example : PublishedCases.of("elle-verdicts.json")) {
            Map<String, Object> options = JsonTree.at(example, "options");
            String model = JsonTree.at(example, "model");
            boolean isCycleModel = model.equals("list-append") || model.equals("rw-register");
            boolean asksForLevel = options.get("consistency-models") != null || !options.containsKey("anomalies");
            if (isCycleModel && asksForLevel && !options.containsKey("transaction-order")) {
                answers.add(ask(example, options, level(options)));
            } else if (isCycleModel && !asksForLevel) {
                List<String> anomalies = JsonTree.at(options, "anomalies");
                answersOnAnomalies.add(ask(example, options, WEAKEST_WITHOUT.get(anomalies.get(0))));
            }
        }
    }

    private static IsolationLevel level(Map<String, Object> options) {
        List<String> models = JsonTree.at(options, "consistency-models");
        String name = models == null ? "strict-serializable" : models.get(0);
        return LEVELS.containsKey(name) ? LEVELS.get(name) : IsolationLevel.byName(name);
    }

    private static Asked ask(Map<String, Object> example, Map<String, Object> options, IsolationLevel level)
            throws IOException {
        String file = JsonTree.at(example, "file");
        RunResult result = new TestOptions()
                .evidence(Evidence.AUTO)
                .levels(level)
                .versionOrders(sources(options))
                .check(PublishedCases.at(file));
        return new Asked(
                file,
                level,
                String.valueOf(JsonTree.<Object>at(example, "expected", "valid")),
                ruledOut(example),
                result);
    }

    private static Set<VersionSource> sources(Map<String, Object> options) {
        Set<VersionSource> sources = EnumSet.noneOf(VersionSource.class);
        if (options.containsKey("wfr-keys?")) {
            sources.add(VersionSource.WRITES_FOLLOW_READS);
        }
        if (options.containsKey("sequential-keys?")) {
            sources.add(VersionSource.SESSION);
        }
        if (options.containsKey("linearizable-keys?")) {
            sources.add(VersionSource.REALTIME);
        }
        return sources;
    }

    private static Set<String> ruledOut(Map<String, Object> example) {
        Set<String> names = new TreeSet<>();
        for (String list : List.of("not", "also_not")) {
            List<String> some = JsonTree.at(example, "expected", list);
            if (some != null) {
                names.addAll(some);
            }
        }
        return names;
    }

    @Test
    void allHistoriesAreAsked() {
        assertThat(answers).hasSizeGreaterThan(900);
    }

    @Test
    void levelsRuledOutByElleAreViolated() {
        assertThat(answers)
                .filteredOn(asked -> asked.elleSays().equals("false"))
                .allMatch(asked -> asked.answer().verdict() == Verdict.VIOLATED);
    }

    @Test
    void anomaliesThatElleWasAskedForAreFound() {
        assertThat(answersOnAnomalies)
                .hasSize(11)
                .filteredOn(asked -> asked.elleSays().equals("false"))
                .hasSizeGreaterThan(4)
                .allMatch(asked -> asked.answer().verdict() == Verdict.VIOLATED)
                .allMatch(asked -> asked.ruledOut().containsAll(asked.elleRulesOut()));
    }

    /** {@code checker-test--g-single-transaction-order.edn}: Elle is given the order, here the versions have it. */
    @Test
    void versionsExpressTransactionOrderGivenToElle(@TempDir Path folder) throws IOException {
        Path history = Files.writeString(
                folder.resolve("history.jsonl"),
                """
                {"txn":0,"session":0,"seq":0,"ops":[["r","x",null],["w","y",2,{"version":2}]]}
                {"txn":1,"session":0,"seq":1,"ops":[["w","x",3,{"version":1}],["w","y",4,{"version":1}]]}
                """);
        RunResult result = new TestOptions()
                .evidence(Evidence.AUTO)
                .levels(IsolationLevel.PL_3)
                .check(history);

        assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(result.levels().get(IsolationLevel.PL_3).types()).containsOnlyKeys("G-single-item");
    }

    @Test
    void everyLevelThatElleRulesOutIsRuledOut() {
        assertThat(answers).allMatch(asked -> asked.ruledOut().containsAll(asked.elleRulesOut()));
    }

    @Test
    void historiesValidForElleAreViolatedOnlyForKnownReasons() {
        assertThat(answers)
                .filteredOn(asked -> asked.elleSays().equals("true"))
                .filteredOn(asked -> asked.answer().verdict() == Verdict.VIOLATED)
                .filteredOn(asked -> !RULED_OUT_HERE_ALONE
                        .getOrDefault(asked.file(), Set.of())
                        .containsAll(asked.answer().types().keySet()))
                .isEmpty();
    }

    @Test
    void onlyUndecidedLevelsHaveReasons() {
        assertThat(answers).allMatch(asked -> switch (asked.answer().verdict()) {
            case UNDECIDED -> asked.answer().reason() != null;
            case HOLDS -> asked.answer().reason() == null;
            case VIOLATED ->
                asked.answer().reason() == null || asked.answer().reason().startsWith("--version-order ");
        });
    }
}
