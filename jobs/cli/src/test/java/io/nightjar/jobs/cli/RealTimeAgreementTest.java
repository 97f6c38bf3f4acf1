package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Strict serializability of registers agrees with trying every order that keeps sessions and real time. */
@Tag(Seeds.TAG)
class RealTimeAgreementTest {

    private static final int KEYS = 2;
    private static final Pattern ENDED = Pattern.compile("T(\\d+) had completed at \\d+ when T(\\d+) was invoked");

    @TempDir
    private Path folder;

    /** One operation; a value of 0 is the initial state. */
    private record Op(boolean isWrite, int key, int value) {}

    private record Txn(int session, int seq, int invoke, int complete, List<Op> ops) {}

    @Test
    void orderOfVersionsThatOnlyRealTimeShowsIsFound() throws IOException {
        Path file = Files.writeString(
                folder.resolve("order.jsonl"),
                """
                {"txn":1,"session":1,"invoke":0,"complete":3,"ops":[["w",1,1]]}
                {"txn":2,"session":2,"invoke":1,"complete":6,"ops":[["w",0,2],["r",1,1]]}
                {"txn":3,"session":3,"invoke":2,"complete":5,"ops":[["w",0,3]]}
                {"txn":4,"session":4,"invoke":4,"complete":8,"ops":[["r",0,3],["w",1,4]]}
                {"txn":5,"session":5,"invoke":7,"complete":9,"ops":[["r",0,2]]}
                """);

        CommandRun run = CommandRun.of("check", "--json", "--level", "ser,sser", "--lake", "none", file.toString());

        assertThat(verdicts(run.out().strip())).isEqualTo("holds violated");
        assertThat((String) firstAnomaly(run.out().strip()).get("explanation"))
                .contains("- T1 < T4, because T1 had completed at 3 when T4 was invoked at 4.\n")
                .contains("- T3 < T5, because T3 had completed at 5 when T5 was invoked at 7.\n")
                .contains("- T3 < T2, because T5 read T2's 0=2 while T3's 0=3 was visible to it");
    }

    @Test
    void everySmallHistoryIsDecidedAsAllOrdersSay() throws IOException {
        List<List<Txn>> histories = new ArrayList<>();
        List<String> arguments = new ArrayList<>(
                List.of("check", "--json", "--level", "ser,sser", "--evidence", "values", "--lake", "none"));
        for (long seed : Seeds.upTo(300)) {
            List<Txn> history = randomHistory(new Random(seed * 0x9E3779B97F4A7C15L));
            histories.add(history);
            arguments.add(Files.writeString(folder.resolve("h" + seed + ".jsonl"), json(history))
                    .toString());
        }

        List<String> lines =
                CommandRun.of(arguments.toArray(String[]::new)).out().lines().toList();

        int strictOnly = 0;
        for (int i = 0; i < histories.size(); i++) {
            boolean isSerial = hasOrder(histories.get(i), false);
            boolean isStrict = hasOrder(histories.get(i), true);
            assertThat(verdicts(lines.get(i)))
                    .as("%s%n%s", json(histories.get(i)), lines.get(i))
                    .isEqualTo((isSerial ? "holds " : "violated ") + (isStrict ? "holds" : "violated"));
            if (isSerial && !isStrict) {
                strictOnly++;
                assertThat(isContradiction(histories.get(i), lines.get(i)))
                        .as("what is told of %s%n%s", json(histories.get(i)), lines.get(i))
                        .isTrue();
            }
        }
        assertThat(strictOnly).as("serializable, but not in real time").isPositive();
    }

    /** Returns whether the transactions that an anomaly names have no order, with no more real time than it states. */
    private static boolean isContradiction(List<Txn> history, String line) {
        Map<String, Object> anomaly = firstAnomaly(line);
        List<Txn> named = new ArrayList<>();
        for (Object id : (List<?>) anomaly.get("transactions")) {
            named.add(history.get(((Number) id).intValue() - 1));
        }
        Set<List<Txn>> reported = new HashSet<>();
        Matcher ended = ENDED.matcher((String) anomaly.get("explanation"));
        while (ended.find()) {
            Txn first = history.get(Integer.parseInt(ended.group(1)) - 1);
            Txn second = history.get(Integer.parseInt(ended.group(2)) - 1);
            assertThat(first.complete).isLessThan(second.invoke);
            reported.add(List.of(first, second));
        }
        assertThat(reported).isNotEmpty();
        List<Txn> alone = named.stream().map(txn -> readingOnly(txn, named)).toList();
        Set<List<Txn>> kept = new HashSet<>();
        reported.forEach(pair ->
                kept.add(List.of(alone.get(named.indexOf(pair.get(0))), alone.get(named.indexOf(pair.get(1))))));
        return !hasOrder(alone, new ArrayList<>(), new HashMap<>(), (one, other) -> kept.contains(List.of(one, other)));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> firstAnomaly(String line) {
        return ((List<Map<String, Object>>) JsonTree.object(line).get("anomalies")).get(0);
    }

    /** Returns the transaction without the reads of values that others wrote. */
    private static Txn readingOnly(Txn txn, List<Txn> writers) {
        List<Op> ops = txn.ops.stream()
                .filter(op -> op.isWrite
                        || op.value == 0
                        || writers.stream().anyMatch(writer -> writer.ops.stream()
                                .anyMatch(write -> write.isWrite && write.key == op.key && write.value == op.value)))
                .toList();
        return new Txn(txn.session, txn.seq, txn.invoke, txn.complete, ops);
    }

    private static String verdicts(String line) {
        Map<String, Object> result = JsonTree.object(line);
        return JsonTree.<String>at(result, "levels", "serializable", "verdict") + " "
                + JsonTree.<String>at(result, "levels", "strict-serializable", "verdict");
    }

    private static List<Txn> randomHistory(Random random) {
        int count = 2 + random.nextInt(4);
        int sessions = 1 + random.nextInt(count);
        int[] nextSeq = new int[sessions];
        int[] freeAt = new int[sessions];
        int[] current = new int[KEYS];
        List<Txn> history = new ArrayList<>();
        int value = 0;
        for (int i = 0; i < count; i++) {
            int session = random.nextInt(sessions);
            int invoke = freeAt[session] + 1 + random.nextInt(4);
            int complete = invoke + random.nextInt(6);
            freeAt[session] = complete;
            List<Op> ops = new ArrayList<>();
            for (int key = 0; key < KEYS; key++) {
                if (random.nextInt(3) > 0) {
                    ops.add(new Op(false, key, random.nextInt(3) > 0 ? current[key] : random.nextInt(value + 1)));
                }
                if (random.nextInt(5) < 2) {
                    ops.add(new Op(true, key, ++value));
                }
            }
            for (Op op : ops) {
                current[op.key] = op.isWrite && random.nextInt(4) > 0 ? op.value : current[op.key];
            }
            history.add(new Txn(session, nextSeq[session]++, invoke, complete, withWrittenValues(ops, history)));
        }
        return history;
    }

    /** Changes reads of a value that no transaction wrote to the key into reads of the initial state. */
    private static List<Op> withWrittenValues(List<Op> ops, List<Txn> before) {
        List<Op> kept = new ArrayList<>();
        for (Op op : ops) {
            boolean isWritten = before.stream().anyMatch(txn -> txn.ops.stream()
                    .anyMatch(other -> other.isWrite && other.key == op.key && other.value == op.value));
            kept.add(op.isWrite || isWritten ? op : new Op(false, op.key, 0));
        }
        return kept;
    }

    private static String json(List<Txn> history) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < history.size(); i++) {
            Txn txn = history.get(i);
            text.append("{\"txn\":%d,\"session\":%d,\"seq\":%d,\"invoke\":%d,\"complete\":%d,\"ops\":["
                    .formatted(i + 1, txn.session, txn.seq, txn.invoke, txn.complete));
            for (int op = 0; op < txn.ops.size(); op++) {
                Op it = txn.ops.get(op);
                String value = it.value == 0 ? "null" : Integer.toString(it.value);
                text.append(op == 0 ? "" : ",")
                        .append("[\"%s\",%d,%s]".formatted(it.isWrite ? "w" : "r", it.key, value));
            }
            text.append("]}\n");
        }
        return text.toString();
    }

    // ---------------------------------------------------------------- all orders

    private static boolean hasOrder(List<Txn> history, boolean keepsRealTime) {
        return hasOrder(
                history,
                new ArrayList<>(),
                new HashMap<>(),
                (one, other) -> keepsRealTime && one.complete < other.invoke);
    }

    private static boolean hasOrder(
            List<Txn> history, List<Txn> placed, Map<Integer, Integer> state, BiPredicate<Txn, Txn> isInTime) {
        if (placed.size() == history.size()) {
            return true;
        }
        for (Txn next : history) {
            if (placed.contains(next) || !mayFollow(history, placed, next, isInTime)) {
                continue;
            }
            Map<Integer, Integer> after = apply(next, state);
            if (after != null) {
                placed.add(next);
                boolean found = hasOrder(history, placed, after, isInTime);
                placed.remove(next);
                if (found) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean mayFollow(List<Txn> history, List<Txn> placed, Txn next, BiPredicate<Txn, Txn> isInTime) {
        for (Txn other : history) {
            boolean isInSession = other.session == next.session && other.seq < next.seq;
            if ((isInSession || isInTime.test(other, next)) && !placed.contains(other)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the state after a transaction, or null if it read something else. */
    private static Map<Integer, Integer> apply(Txn txn, Map<Integer, Integer> state) {
        Map<Integer, Integer> after = new HashMap<>(state);
        for (Op op : txn.ops) {
            if (op.isWrite) {
                after.put(op.key, op.value);
            } else if (after.getOrDefault(op.key, 0) != op.value) {
                return null;
            }
        }
        return after;
    }
}
