package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import io.nightjar.jobs.RunResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of predicate reads planted into clean histories: exactly these are found and named. */
class PlantedPredicateFaultsTest {

    private static final int TRANSACTIONS = 200;
    private static final int IDS = 40;
    private static final int COLUMN = 20;

    /**
     * The injected fault, and the verdicts of snapshot isolation, of repeatable read and of serializability by
     * versions.
     */
    private enum Fault {
        ROW_LEFT_OUT("result-set-mismatch", "undecided", "undecided"),
        ROW_TOO_MANY("result-set-mismatch", "garbage-read", "garbage-read"),
        STALE_ROW("result-set-mismatch", "G-single-item read-skew", "G-single-item read-skew"),
        WRONG_AGGREGATE("result-set-mismatch", "undecided", "undecided"),
        PHANTOM("result-set-mismatch", "holds", "G-single phantom"),
        PREDICATE_WRITE_SKEW("holds", "holds", "G2 phantom");

        private final String atSnapshots;
        private final String atItems;
        private final String atAll;

        Fault(String atSnapshots, String atItems, String atAll) {
            this.atSnapshots = atSnapshots;
            this.atItems = atItems;
            this.atAll = atAll;
        }
    }

    /** A version of a row. */
    private record Row(int id, int column, long version) {

        String text() {
            return "r(t/%d,'{\"c\":%d}')@%d".formatted(id, column, version);
        }
    }

    /** A predicate read of the rows of a range; with an answer only their number was requested. */
    private static final class PredicateRead {
        final int from;
        final int to;
        final List<Row> rows;
        Integer answer;

        PredicateRead(int from, int to, List<Row> rows) {
            this.from = from;
            this.to = to;
            this.rows = rows;
        }

        String text() {
            String range = "c >= ? AND c <= ?\",[" + from + ',' + to + ']';
            if (answer != null) {
                return "p[t](\"count(*) WHERE " + range + ",0)=\"" + answer + '"';
            }
            StringBuilder text = new StringBuilder("p[t](\"" + range + ',' + rows.size() + ')');
            rows.forEach(row -> text.append(' ').append(row.text()));
            return text.toString();
        }
    }

    @TempDir
    private Path folder;

    private final Map<Integer, Row> rows = new TreeMap<>(); // current rows
    private final Map<Integer, Long> versionOf = new TreeMap<>();
    private final List<String> lines = new ArrayList<>();
    private long now;

    @Test
    void cleanHistoriesHold() throws IOException {
        for (long seed = 1; seed <= 3; seed++) {
            for (String level : List.of("si", "ser", "PL-1,PL-2,PL-2.99,PL-SI,PL-3", "sser")) {
                String expected = level.equals("sser") ? "undecided" : "holds"; // without client times
                assertThat(found(history(seed, null), level))
                        .as("seed=%d %s", seed, level)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void theOrderThatProvesALevelMayBeGivenBack() throws IOException {
        Path history = history(1, null);
        Path witness = folder.resolve("witness.jsonl");
        String[] proving = {
            "check", history.toString(), "--level", "ser", "--lake", "none", "--witness", witness.toString()
        };
        assertThat(CommandRun.of(proving).code()).isZero();
        assertThat(Files.readAllLines(witness)).hasSize(1 + lines.size());

        String[] given = {"check", history.toString(), "--level", "ser", "--lake", "none", "--order", witness.toString()
        };
        assertThat(CommandRun.of(given).code()).isZero();
        List<String> turned = new ArrayList<>(Files.readAllLines(witness));
        Collections.reverse(turned.subList(1, turned.size()));
        Files.write(witness, turned);
        assertThat(CommandRun.of(given).code()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void aFaultIsFoundAndNamedAndNothingElseIs(Fault fault) throws IOException {
        for (long seed = 1; seed <= 3; seed++) {
            Path history = history(seed, fault);

            assertThat(found(history, "si")).as("si seed=%d", seed).isEqualTo(fault.atSnapshots);
            assertThat(found(history, "PL-2.99")).as("PL-2.99 seed=%d", seed).isEqualTo(fault.atItems);
            assertThat(found(history, "PL-3")).as("PL-3 seed=%d", seed).isEqualTo(fault.atAll);
        }
    }

    // ---------------------------------------------------------------- histories

    /** Returns a serializable history: writers execute one after the other, and read-only transactions at any time. */
    private Path history(long seed, Fault fault) throws IOException {
        Random random = new Random(seed);
        rows.clear();
        versionOf.clear();
        lines.clear();
        now = 1;
        int victim = TRANSACTIONS / 2 + random.nextInt(TRANSACTIONS / 4);
        List<String> first = new ArrayList<>();
        for (int id = 0; id < IDS; id += 2) {
            first.add(write(id, random.nextInt(COLUMN)));
        }
        txn(now, first);
        boolean isPlanted = fault == null;
        for (int i = 0; i < TRANSACTIONS; i++) {
            if (i >= victim && !isPlanted) {
                isPlanted = plant(fault, random);
            } else {
                step(random);
            }
        }
        assertThat(isPlanted).isTrue();
        return Files.write(folder.resolve("h.txt"), lines);
    }

    private void txn(long start, List<String> ops) {
        int id = lines.size() + 1;
        now += 2;
        boolean writes = ops.stream().anyMatch(op -> op.startsWith("w") || op.startsWith("d"));
        String commit = writes ? String.valueOf(now) : "_";
        lines.add("s%d T%d [%d,%s]: %s".formatted(id, id, start, commit, String.join(" ", ops)));
    }

    private String write(int id, int column) {
        long version = versionOf.merge(id, 1L, Long::sum);
        rows.put(id, new Row(id, column, version));
        return "w(t/%d,'{\"c\":%d}')@%d".formatted(id, column, version);
    }

    private void step(Random random) {
        List<String> ops = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            PredicateRead predicateRead = readFrom(random.nextInt(COLUMN));
            predicateRead.answer = random.nextInt(5) == 0 ? predicateRead.rows.size() : null;
            ops.add(predicateRead.text());
        }
        int id = random.nextInt(IDS);
        int kind = random.nextInt(4);
        long start = now;
        if (kind == 0 && rows.containsKey(id)) {
            rows.remove(id);
            ops.add("d(t/%d)@%d".formatted(id, versionOf.merge(id, 1L, Long::sum)));
        } else if (kind < 3) {
            ops.add(write(id, random.nextInt(COLUMN)));
        }
        txn(start, ops);
    }

    private PredicateRead readFrom(int from) {
        List<Row> found = new ArrayList<>();
        int to = Math.min(COLUMN, from + 5);
        rows.values().stream()
                .filter(row -> row.column() >= from && row.column() <= to)
                .forEach(found::add);
        return new PredicateRead(from, to, found);
    }

    // ---------------------------------------------------------------- faults

    /** Returns whether the history had a suitable place. */
    private boolean plant(Fault fault, Random random) {
        PredicateRead predicateRead = readFrom(random.nextInt(COLUMN - 5));
        if (predicateRead.rows.isEmpty()) {
            return false;
        }
        Row victim = predicateRead.rows.get(random.nextInt(predicateRead.rows.size()));
        int unused = IDS + 1;
        switch (fault) {
            case ROW_LEFT_OUT -> predicateRead.rows.remove(victim);
            case WRONG_AGGREGATE -> predicateRead.answer = predicateRead.rows.size() + 1;
            case ROW_TOO_MANY -> {
                Row other = rows.values().stream()
                        .filter(row -> row.column() > predicateRead.to)
                        .findFirst()
                        .orElse(null);
                if (other == null) {
                    return false;
                }
                predicateRead.rows.add(other);
            }
            case STALE_ROW -> { // and the new row of another key written with it
                Row other = predicateRead.rows.get(predicateRead.rows.size() - 1);
                if (other.id() == victim.id()) {
                    return false;
                }
                int changed = victim.column() == predicateRead.from ? predicateRead.from + 1 : predicateRead.from;
                txn(now, List.of(write(victim.id(), changed), write(other.id(), changed)));
                PredicateRead later = readFrom(predicateRead.from);
                later.rows.removeIf(row -> row.id() == victim.id());
                later.rows.add(victim);
                txn(now, List.of(later.text()));
                return true;
            }
            case PHANTOM -> {
                String before = predicateRead.text();
                long start = now;
                txn(now, List.of(write(unused, predicateRead.from)));
                txn(start, List.of(before, readFrom(predicateRead.from).text()));
                return true;
            }
            default -> {
                long start = now;
                String seen = predicateRead.text();
                txn(start, List.of(seen, write(unused, predicateRead.from)));
                txn(start, List.of(seen, write(unused + 1, predicateRead.from)));
                return true;
            }
        }
        txn(now, List.of(predicateRead.text()));
        return true;
    }

    // ---------------------------------------------------------------- verdicts

    /** Returns the anomalies of a level, or the verdict; verifies that the sentence of an anomaly is complete. */
    private static String found(Path history, String level) {
        CommandRun run = CommandRun.of("check", history.toString(), "--level", level, "--lake", "none", "--json");
        assertThat(run.err()).isEmpty();
        RunResult result = RunResultJson.read(run.out());
        List<ListedAnomaly> anomalies = result.anomalies();
        if (anomalies.isEmpty()) {
            return result.verdict().word();
        }
        assertThat(anomalies).hasSize(1);
        ListedAnomaly only = anomalies.get(0);
        if (!only.type().equals("G-single-item")) { // whose steps are reads of rows
            assertThat(only.explanation()).contains("c >= ? AND c <= ? [").containsPattern("t/\\d+|got \\d+");
        }
        return only.type() + (only.pattern() == null ? "" : " " + only.pattern());
    }
}
