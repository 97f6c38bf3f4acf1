package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Small histories with predicate reads, deletions and computed answers and without versions and timestamps, as
 * applications produce them: each verdict agrees with an enumeration of all orders.
 */
@Tag(Seeds.TAG)
class PredicatesWithoutVersionsTest {

    private static final int HISTORIES = Integer.getInteger("nightjar.unordered", 200);
    private static final int KEYS = 3;

    @TempDir
    private Path folder;

    /**
     * A row is (id, g), and its key, with id 0 once it is deleted; {@code p} reads the rows of one g, {@code c} for
     * their number and {@code m} for the greatest id: {@code key} is that g then, {@code seen} ids by key.
     */
    private record Op(char kind, int key, int id, int[] seen) {}

    private record Txn(int session, List<Op> ops) {
        boolean writes(int key) {
            return ops.stream().anyMatch(op -> (op.kind == 'w' || op.kind == 'd') && op.key == key);
        }
    }

    @Test
    void verdictsAreThoseOfAllOrders() throws IOException {
        List<List<Txn>> histories = new ArrayList<>();
        List<String> arguments = new ArrayList<>(List.of("check", "--level", "si,ser", "--lake", "none", "--json"));
        for (long seed : Seeds.upTo(HISTORIES)) {
            List<Txn> history = history(new Random(seed));
            histories.add(history);
            Path file = folder.resolve("seed-" + seed + ".jsonl");
            arguments.add(Files.writeString(file, text(history)).toString());
        }

        List<String> lines =
                CommandRun.of(arguments.toArray(String[]::new)).out().lines().toList();

        Map<String, Integer> met = new TreeMap<>();
        for (int i = 0; i < histories.size(); i++) {
            RunResult result = RunResultJson.read(lines.get(i));
            String where = result.history() + "\n" + text(histories.get(i));
            for (IsolationLevel level : result.levels().keySet()) {
                boolean isExplained = isExplained(histories.get(i), level == IsolationLevel.SERIALIZABLE);
                String verdict = result.levels().get(level).verdict().word();
                String kinds = kinds(histories.get(i));
                met.merge(
                        level.longName() + kinds + " " + verdict + (isExplained ? " explained" : ""), 1, Integer::sum);
                assertThat(verdict).as(where).isEqualTo(isExplained ? "holds" : "violated");
            }
        }
        System.out.println("without versions: " + met);
        if (Seeds.areAll()) {
            assertThat(met)
                    .containsKeys(
                            "serializable holds explained",
                            "serializable violated",
                            "snapshot-isolation holds explained",
                            "snapshot-isolation violated");
        }
    }

    private static String kinds(List<Txn> history) {
        boolean deletes = history.stream().flatMap(txn -> txn.ops.stream()).anyMatch(op -> op.kind == 'd');
        boolean computes = history.stream().flatMap(txn -> txn.ops.stream()).anyMatch(op -> "cm".indexOf(op.kind) >= 0);
        return (deletes ? " deletes" : "") + (computes ? " computes" : "");
    }

    /** Two rows are there, then a third; a transaction that sees the third counts, sums or compares two. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "count(*)                  | 3   | holds",
                "count(*)                  | 2   | violated",
                "count(*) WHERE v > 1      | 2   | holds",
                "count(*) WHERE v > 1      | 3   | violated",
                "sum(v)                    | 6.0 | holds",
                "sum(v)                    | 3   | violated",
                "sum(v) WHERE v < 3        | 3   | holds",
                "max(v)                    | 3   | holds",
                "max(v)                    | 2   | violated",
                "min(v) WHERE v > 1        | 2   | holds",
                "min(v) WHERE v > 1        | 3   | violated",
                "max(v) WHERE v > 5        | 6   | violated",
                "SELECT count(*) WHERE v=3 | 1   | holds",
                "SELECT count(*) WHERE v=3 | 0   | violated",
            })
    void computedAnswerIsComparedWithRows(String condition, String answer, String verdict) throws IOException {
        Path file = Files.writeString(
                folder.resolve("computed.jsonl"),
                """
                {"txn":1,"session":0,"seq":0,"status":"committed","ops":[["w","t/1",{"v":1}],["w","t/2",{"v":2}]]}
                {"txn":2,"session":1,"seq":0,"status":"committed","ops":[["w","t/3",{"v":3}]]}
                {"txn":3,"session":2,"seq":0,"status":"committed","ops":[["r","t/1",{"v":1}],["r","t/3",{"v":3}],                ["p","%s",[],[],{"relation":"t","value":"%s"}]]}
                """
                        .formatted(condition, answer));
        CommandRun run = CommandRun.of("check", "--level", "si,ser", "--lake", "none", "--json", file.toString());

        RunResult result = RunResultJson.read(run.out());
        result.levels()
                .forEach((level, of) ->
                        assertThat(of.verdict().word()).as(level.longName()).isEqualTo(verdict));
    }

    // ---------------------------------------------------------------- histories

    /**
     * Returns a history whose transactions commit in their order; their reads are of a moment that is right, or now and
     * then is not.
     */
    private static List<Txn> history(Random random) {
        double obedience = List.of(0.6, 0.9, 1.0).get(random.nextInt(3));
        boolean isSerial = random.nextBoolean();
        boolean deletes = random.nextInt(3) == 0;
        boolean computes = random.nextInt(3) == 0;
        List<Txn> history = new ArrayList<>();
        List<int[]> after =
                new ArrayList<>(List.of(new int[KEYS])); // [transactions][key]: the id after them, 0 for none
        int ids = 1;
        int count = 3 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            int[] own = new int[KEYS];
            Arrays.fill(own, -1); // nothing written yet
            int[] now = after.get(i).clone();
            int snapshot = isSerial ? i : random.nextInt(i + 1);
            List<Op> ops = new ArrayList<>();
            for (int n = i == 0 ? 2 : 1 + random.nextInt(3); n > 0; n--) {
                int[] shown = after.get(random.nextDouble() < obedience ? snapshot : random.nextInt(i + 1))
                        .clone();
                for (int key = 0; key < KEYS; key++) {
                    shown[key] = own[key] < 0 ? shown[key] : own[key];
                }
                int key = random.nextInt(KEYS);
                if (i == 0 || random.nextInt(3) == 0) {
                    own[key] = ids++;
                    now[key] = own[key];
                    ops.add(new Op('w', key, own[key], null));
                } else if (deletes && shown[key] != 0 && random.nextInt(3) == 0) {
                    own[key] = 0;
                    now[key] = 0;
                    ops.add(new Op('d', key, 0, null));
                } else if (random.nextInt(3) == 0) {
                    ops.add(new Op('r', key, shown[key], null));
                } else {
                    char kind = computes ? "pcm".charAt(random.nextInt(3)) : 'p';
                    ops.add(new Op(kind, key % 2, 0, matching(shown, key % 2)));
                }
            }
            history.add(new Txn(random.nextInt(3), ops));
            after.add(now);
        }
        return history;
    }

    /** Returns the matching ids: rows with uneven and rows with even ids have one g each. */
    private static int[] matching(int[] shown, int g) {
        return Arrays.stream(shown).map(id -> id % 2 == g ? id : 0).toArray();
    }

    private static String text(List<Txn> history) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < history.size(); i++) {
            List<String> ops = history.get(i).ops.stream()
                    .map(PredicatesWithoutVersionsTest::text)
                    .toList();
            text.append("{\"txn\":%d,\"session\":%d,\"ops\":[%s]}\n"
                    .formatted(i + 1, history.get(i).session, String.join(",", ops)));
        }
        return text.toString();
    }

    private static String text(Op op) {
        if (op.kind == 'd') {
            return "[\"d\",\"t/%d\"]".formatted(op.key);
        }
        if (op.kind == 'c' || op.kind == 'm') {
            return "[\"p\",\"%s WHERE g = ?\",[%d],[],{\"relation\":\"t\",\"value\":%s}]"
                    .formatted(op.kind == 'c' ? "count(*)" : "max(id)", op.key, answer(op.kind, op.seen));
        }
        if (op.kind != 'p') {
            return row(op.kind, op.key, op.id);
        }
        List<String> rows = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            if (op.seen[key] != 0) {
                rows.add(row('r', key, op.seen[key]));
            }
        }
        return "[\"p\",\"g = ?\",[%d],[%s],{\"relation\":\"t\"}]".formatted(op.key, String.join(",", rows));
    }

    /** Returns the computed answer for ids by key. */
    private static String answer(char kind, int[] seen) {
        int[] rows = Arrays.stream(seen).filter(id -> id != 0).toArray();
        String computed = kind == 'c'
                ? String.valueOf(rows.length)
                : String.valueOf(Arrays.stream(rows).max().orElse(0));
        return computed.equals("0") && kind == 'm' ? "null" : "\"" + computed + "\"";
    }

    private static String row(char kind, int key, int id) {
        String row = id == 0 ? "null" : "{\"id\":%d,\"g\":%d}".formatted(id, id % 2);
        return "[\"%s\",\"t/%d\",%s]".formatted(kind, key, row);
    }

    // ---------------------------------------------------------------- all orders

    private static boolean isExplained(List<Txn> history, boolean isSerial) {
        return isExplained(history, new ArrayList<>(), isSerial);
    }

    /** Returns whether some order of commits that begins so explains the reads. */
    private static boolean isExplained(List<Txn> history, List<Integer> order, boolean isSerial) {
        if (order.size() == history.size()) {
            return true;
        }
        for (int next = 0; next < history.size(); next++) {
            if (mayFollow(history, order, next) && hasSnapshot(history, order, next, isSerial)) {
                order.add(next);
                if (isExplained(history, order, isSerial)) {
                    return true;
                }
                order.remove(order.size() - 1);
            }
        }
        return false;
    }

    private static boolean mayFollow(List<Txn> history, List<Integer> order, int next) {
        boolean mayFollow = !order.contains(next);
        for (int before = 0; before < next; before++) {
            mayFollow &= history.get(before).session != history.get(next).session || order.contains(before);
        }
        return mayFollow;
    }

    private static boolean hasSnapshot(List<Txn> history, List<Integer> order, int next, boolean isSerial) {
        for (int snapshot = isSerial ? order.size() : 0; snapshot <= order.size(); snapshot++) {
            boolean isFree = true;
            for (int other : order.subList(snapshot, order.size())) {
                isFree &= history.get(other).session != history.get(next).session;
                for (int key = 0; key < KEYS; key++) {
                    isFree &= !(history.get(other).writes(key)
                            && history.get(next).writes(key));
                }
            }
            if (isFree && sees(history, order.subList(0, snapshot), history.get(next))) {
                return true;
            }
        }
        return false;
    }

    private static boolean sees(List<Txn> history, List<Integer> before, Txn txn) {
        int[] shown = new int[KEYS];
        before.forEach(other -> write(history.get(other).ops, shown));
        boolean fits = true;
        for (int at = 0; at < txn.ops.size(); at++) {
            Op op = txn.ops.get(at);
            fits &= switch (op.kind) {
                case 'r' -> shown[op.key] == op.id;
                case 'p' -> Arrays.equals(matching(shown, op.key), op.seen);
                case 'c', 'm' -> answer(op.kind, matching(shown, op.key)).equals(answer(op.kind, op.seen));
                default -> true;
            };
            write(txn.ops.subList(at, at + 1), shown);
        }
        return fits;
    }

    private static void write(List<Op> ops, int[] into) {
        ops.stream().filter(op -> op.kind == 'w' || op.kind == 'd').forEach(op -> into[op.key] = op.id);
    }
}
