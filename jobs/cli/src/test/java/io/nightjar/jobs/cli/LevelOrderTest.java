package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In one run no level holds while a weaker one is violated on the same evidence. */
@Tag(Seeds.TAG)
class LevelOrderTest {

    private static final int SEEDS = 250;
    private static final int MAX_TXNS = 6;
    private static final String ASSUMED = "--version-order";

    @TempDir
    private Path folder;

    /** The verdict of one level. */
    private record Reported(IsolationLevel level, String verdict, String evidence, String reason) {}

    @Test
    void noLevelHoldsWhileAWeakerOneIsViolated() throws IOException {
        List<Path> files = files();

        for (String line : check(files)) {
            assertThat(contradictions(line))
                    .as("%s%n%s", line, text(line, files))
                    .isEmpty();
        }
    }

    @Test
    void whereAnOrderOfVersionsIsAssumedAContradictionNamesIt() throws IOException {
        List<Path> files = files();

        int named = 0;
        for (String line : check(files, ASSUMED, "wfr,session,realtime")) {
            for (Reported violated : contradictions(line)) {
                assertThat(violated.reason)
                        .as("%s%n%s", line, text(line, files))
                        .startsWith(ASSUMED);
                named++;
            }
        }

        assertThat(named).as("contradictions that an assumption explains").isPositive();
    }

    /** Returns levels that are violated although a stronger one holds. */
    private static List<Reported> contradictions(String line) {
        Map<IsolationLevel, Reported> levels = new EnumMap<>(IsolationLevel.class);
        Map<String, Map<String, Object>> reported = JsonTree.at(JsonTree.object(line), "levels");
        reported.forEach((name, level) -> levels.put(
                IsolationLevel.byName(name),
                new Reported(
                        IsolationLevel.byName(name),
                        (String) level.get("verdict"),
                        (String) level.get("evidence"),
                        (String) level.get("reason"))));
        assertThat(levels).as(line).hasSize(IsolationLevel.values().length);
        List<Reported> contradictions = new ArrayList<>();
        levels.forEach((stronger, strong) -> levels.forEach((weaker, weak) -> {
            if (strong.verdict.equals("holds")
                    && weak.verdict.equals("violated")
                    && strong.evidence.equals(weak.evidence)
                    && LevelLattice.implies(stronger, weaker)) {
                contradictions.add(weak);
            }
        }));
        return contradictions;
    }

    private static String text(String line, List<Path> files) throws IOException {
        String name = JsonTree.at(JsonTree.object(line), "history");
        Path file = files.stream()
                .filter(one -> one.toString().equals(name))
                .findFirst()
                .orElseThrow();
        return Files.readString(file);
    }

    private static List<String> check(List<Path> files, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("check", "--json", "--evidence", "values", "--lake", "none", "--level"));
        arguments.add(Arrays.stream(IsolationLevel.values())
                .map(IsolationLevel::longName)
                .collect(Collectors.joining(",")));
        arguments.addAll(List.of(more));
        files.forEach(file -> arguments.add(file.toString()));
        List<String> lines =
                CommandRun.of(arguments.toArray(String[]::new)).out().lines().toList();
        assertThat(lines).hasSameSizeAs(files);
        return lines;
    }

    // ---------------------------------------------------------------- histories with clients' clocks

    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        for (long seed : Seeds.upTo(SEEDS)) {
            SmallHistory history = seed % 2 == 0 ? RandomReads.of(seed) : RandomHistory.of(seed, MAX_TXNS);
            files.add(Files.writeString(folder.resolve("h" + seed + ".jsonl"), json(history, new Random(seed))));
        }
        return files;
    }

    private static String json(SmallHistory history, Random random) {
        boolean areNumbers = history.txns().stream()
                .flatMap(txn -> txn.ops().stream())
                .flatMap(LevelOrderTest::values)
                .allMatch(value -> value.matches("[0-9]+"));
        StringBuilder text = new StringBuilder();
        for (Txn txn : history.txns()) {
            boolean hasTimes = txn.start() != HistorySlice.NONE && txn.commit() != HistorySlice.NONE;
            long invoke = hasTimes ? Math.min(txn.start(), txn.commit()) : 3 * txn.seq() + random.nextInt(4);
            long complete = hasTimes ? Math.max(txn.start(), txn.commit()) : invoke + random.nextInt(6);
            StringJoiner ops = new StringJoiner(",", "[", "]");
            txn.ops().forEach(op -> ops.add(json(op, areNumbers)));
            text.append(
                    "{\"txn\":%d,\"session\":%d,\"seq\":%d,\"status\":\"%s\",\"invoke\":%d,\"complete\":%d,\"ops\":%s}\n"
                            .formatted(
                                    txn.id(),
                                    txn.session(),
                                    txn.seq(),
                                    TxnStatus.name(txn.status()),
                                    invoke,
                                    complete,
                                    ops));
        }
        return text.toString();
    }

    private static Stream<String> values(Op op) {
        return op.elements() != null ? op.elements().stream() : Stream.ofNullable(op.value());
    }

    private static String json(Op op, boolean areNumbers) {
        String quote = areNumbers ? "" : "\"";
        String value = values(op).map(one -> quote + one + quote).collect(Collectors.joining(","));
        value = op.elements() != null ? "[" + value + "]" : value.isEmpty() ? "null" : value;
        String word = op.isRead() ? "r" : OpKind.name(op.kind());
        return "[\"%s\",\"%s\",%s]".formatted(word, op.key(), value);
    }
}
