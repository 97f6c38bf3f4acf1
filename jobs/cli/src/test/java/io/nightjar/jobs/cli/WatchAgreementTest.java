package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.command.ExitCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * In every order of arrival and with any provisional verdicts, a watch ends with the verdict of a check of the same
 * rows.
 */
@Tag(Seeds.TAG)
class WatchAgreementTest {

    private static final long FIRST_SEED = Long.getLong("nightjar.seed", 1);
    private static final int HISTORIES = Seeds.rounds(60);

    @TempDir
    private Path folder;

    @Test
    void aWatchEndsWithWhatACheckSays() throws IOException {
        int violated = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            SmallHistory history = RandomHistory.of(seed, 30).shuffled(seed);
            Path file = folder.resolve("h" + seed + ".jsonl");
            write(history, file);
            List<String> common = new ArrayList<>(List.of("--json", "--lake", "none", "--max-anomalies", "10000"));
            if (history.initialValue() != null) {
                common.addAll(List.of("--initial-value", history.initialValue()));
            }
            boolean isKept = seed % 2 == 0;
            CommandRun check = run("check", file, common, "--evidence", "timestamps");
            CommandRun watch =
                    watchStream(file, common, "" + (1 << seed % 3), isKept ? folder.resolve("kept" + seed) : null);

            assertThat(watch.code()).as("seed=%d%n%s%n%s", seed, history, watch).isEqualTo(check.code());
            if (check.code() == ExitCode.REJECTED || check.code() == ExitCode.USAGE) {
                continue;
            }
            List<Map<String, Object>> lines = JsonTree.lines(watch.out());
            Map<String, Object> verdict = lines.get(lines.size() - 1);
            Map<String, Object> expected = JsonTree.lines(isKept ? check.out() : withoutGuesses(check.out()))
                    .get(0);
            assertThat(without(verdict)).as("seed=%d%n%s", seed, history).isEqualTo(without(expected));
            assertThat(standing(lines.subList(0, lines.size() - 1)))
                    .as("seed=%d%n%s%n%s", seed, history, watch.out())
                    .isEqualTo(anomalies(expected));
            violated += watch.code() == ExitCode.VIOLATED ? 1 : 0;
        }
        assertThat(violated).isGreaterThan(HISTORIES / 4);
    }

    @Test
    void anotherSerialOrderThanThatOfCommitsIsFound() throws IOException {
        Path file = Files.writeString(
                folder.resolve("h.jsonl"),
                """
                {"txn":0,"session":1,"seq":0,"start":1,"commit":2,"ops":[["w","x",0],["w","y",0]]}
                {"txn":1,"session":2,"seq":0,"start":3,"commit":6,"ops":[["r","x",0],["w","y",1]]}
                {"txn":2,"session":3,"seq":0,"start":4,"commit":5,"ops":[["w","x",1]]}
                """);
        List<String> common = List.of("--json", "--lake", "none", "--level", "ser");

        CommandRun watch = watchStream(file, common, "1", null);

        CommandRun check = run("check", file, common, "--evidence", "timestamps");
        assertThat(watch.code()).isEqualTo(ExitCode.HOLDS);
        assertThat(without(JsonTree.lines(watch.out()).get(0)))
                .isEqualTo(without(JsonTree.lines(check.out()).get(0)));
    }

    /** Only a check that keeps every row can prove that no transaction ever wrote a value. */
    private static String withoutGuesses(String verdicts) {
        return verdicts.replace("No transaction wrote that value.", "The writer of that value is unknown.");
    }

    private static CommandRun run(String command, Path file, List<String> common, String... more) {
        List<String> args = new ArrayList<>(List.of(command, file.toString()));
        args.addAll(common);
        args.addAll(List.of(more));
        return CommandRun.of(args.toArray(new String[0]));
    }

    private static CommandRun watchStream(Path file, List<String> common, String threads, Path archive)
            throws IOException {
        List<String> more = new ArrayList<>(List.of("--lateness", "1ts", "--changes", "all", "--threads", threads));
        if (archive != null) {
            more.addAll(List.of("--archive", archive.toString()));
        }
        InputStream stdin = System.in;
        System.setIn(new ByteArrayInputStream(Files.readAllBytes(file)));
        try {
            return run("watch", Path.of("-"), common, more.toArray(new String[0]));
        } finally {
            System.setIn(stdin);
        }
    }

    private static void write(SmallHistory history, Path file) throws IOException {
        try (HistoryWriter writer = Histories.create(file, null)) {
            for (HistorySlice slice : history.slices(100)) {
                writer.write(slice);
            }
            writer.finish();
        }
    }

    private static Map<String, Object> without(Map<String, Object> verdict) {
        verdict.remove("seconds");
        verdict.remove("history");
        return verdict;
    }

    /** Returns the final state after all changes, each by level, type and key. */
    private static TreeSet<String> standing(List<Map<String, Object>> changes) {
        TreeSet<String> standing = new TreeSet<>();
        long seq = 0;
        for (Map<String, Object> change : changes) {
            assertThat(change.get("change_seq")).isEqualTo(++seq);
            boolean isFinal =
                    change.get("change").equals("final") || change.get("change").equals("corrected");
            String name = change.get("level") + " " + change.get("anomaly_type") + " " + change.get("object_key") + " "
                    + change.get("txn_id");
            if (isFinal && change.get("stands").equals(true)) {
                standing.add(name);
            } else if (isFinal && !change.get("anomaly_type").equals("NOCONFLICT")) {
                standing.remove(name);
            }
        }
        return standing;
    }

    private static TreeSet<String> anomalies(Map<String, Object> verdict) {
        TreeSet<String> anomalies = new TreeSet<>();
        for (Object each : (List<?>) verdict.get("anomalies")) {
            Map<?, ?> anomaly = (Map<?, ?>) each;
            anomalies.add(anomaly.get("level") + " " + anomaly.get("type") + " " + anomaly.get("key") + " "
                    + ((List<?>) anomaly.get("transactions")).get(0));
        }
        return anomalies;
    }
}
