package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.PublishedCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Elle's histories of closed predicates. */
class ClosedPredicatesTest {

    private static final Map<String, String> ELLES = Map.of(
            "serializable", "PL-3",
            "snapshot-isolation", "PL-SI",
            "repeatable-read", "PL-2.99",
            "read-committed", "PL-2",
            "read-uncommitted", "PL-1");

    @TempDir
    private Path folder;

    /** Elle's own files; where the result differs from Elle's, the page on predicates states the reason. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "failure-to-observe                        | PL-3    | violated {predicate-read-miss=2}",
                "failure-to-observe                        | PL-2.99 | holds {}",
                "g1c-predicate-read-unseen-universe-delete | PL-2    | violated {G1c=1}",
                "g2-predicate-read-unseen                  | PL-2.99 | holds {}",
                "g2-predicate-read-unseen                  | PL-3    | violated {internal=2, G2=1}",
                "init-g-single-pred                        | PL-2    | holds {}",
                "init-g-single-pred                        | PL-SI   | violated {G-single-item=1}",
                "wr-g1c-item                               | PL-2    | violated {G1c=1}",
                "ww-wr-rw-item                             | PL-2.99 | violated {G-single-item=1}",
            })
    void closedPredicatesOfElleAreJudged(String file, String level, String verdict) throws IOException {
        Path path = PublishedCases.at("elle/closed-predicate/" + file + "-test.edn");
        CommandRun run = CommandRun.of("check", "--json", "--lake", "none", "--level", level, path.toString());

        assertThat(TableVerdicts.of(run)).isEqualTo(verdict);
    }

    @Test
    void closedPredicateWithoutResultIsReported() throws IOException {
        Path file = Files.writeString(
                folder.resolve("nil.edn"),
                """
                {:type :ok, :process 4, :f :init, :value {7 1}}
                {:type :ok, :process 7, :f :txn, :value [[:rp :true nil] [:r 7 1]]}
                """);
        CommandRun run = CommandRun.of("check", "--json", "--lake", "none", "--level", "PL-3", file.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out())
                .contains("predicate read with neither rows nor a snapshot: [")
                .contains("row=2");
    }

    /** The levels that Elle distinguishes for its own files, one by one. */
    @Test
    void everyLevelMatchesElleExceptDocumentedDifferences() throws IOException {
        List<String> others = new ArrayList<>();
        for (Map<String, Object> file : PublishedCases.of("elle-verdicts.json")) {
            Map<String, Object> options = JsonTree.at(file, "options");
            if (!file.get("suite").equals("closed-predicate") || options.isEmpty()) {
                continue;
            }
            String level =
                    JsonTree.<List<String>>at(options, "consistency-models").get(0);
            String asked = ELLES.getOrDefault(level, level);
            Path path = PublishedCases.at((String) file.get("file"));
            CommandRun run = CommandRun.of("check", "--json", "--lake", "none", "--level", asked, path.toString());
            String answer = TableVerdicts.of(run).replaceAll(" .*", "");
            Object isValid = JsonTree.<Map<String, Object>>at(file, "expected").get("valid");
            String expected = isValid instanceof Boolean valid ? valid ? "holds" : "violated" : "unknown";
            if (!answer.equals(expected)) {
                others.add(path.getFileName() + " " + level + " " + expected + " " + answer);
            }
        }
        String empty = "failure-to-observe-test.edn %s unknown holds"; // no transaction depends on another
        String open =
                // because of rows that a predicate read may have missed
                "failure-to-observe-test.edn %s unknown undecided";
        String own = "g2-predicate-read-unseen-test.edn %s holds violated"; // by internal
        String missed =
                "failure-to-observe-test.edn %s %s violated"; // a row that was there from the start, in no snapshot
        assertThat(others)
                .containsExactlyInAnyOrder(
                        missed.formatted("strong-snapshot-isolation", "holds"),
                        missed.formatted("strong-session-snapshot-isolation", "unknown"),
                        open.formatted("snapshot-isolation"),
                        empty.formatted("repeatable-read"),
                        empty.formatted("read-committed"),
                        empty.formatted("read-uncommitted"),
                        own.formatted("strong-session-snapshot-isolation"),
                        own.formatted("snapshot-isolation"));
    }
}
