package io.nightjar.pipeline.decide;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.decide.SmallOrders.Txn;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.predicate.SearchConditions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Verdicts on tables without versions, whose predicate reads are guards, against every order of snapshots and commits. */
@Tag(Seeds.TAG)
class SearchesTest {

    private static final int HISTORIES = 6_000;
    private static final int ROWS = 3;
    private static final int NUMBERS = 3;

    private static final Set<IsolationLevel> LEVELS = EnumSet.copyOf(IsolationLevel.all());

    static {
        LEVELS.add(IsolationLevel.STRICT_SERIALIZABLE);
    }

    @Test
    void everyStrongLevelIsDecidedAsDefined() {
        Map<String, Integer> verdicts = new TreeMap<>();
        for (long seed : Seeds.upTo(HISTORIES)) {
            List<Txn<Op>> txns = history(new Random(seed * 0x9E3779B97F4A7C15L));
            if (difference(txns, verdicts) != null) {
                List<Txn<Op>> smaller = SmallOrders.shrunk(txns, part -> difference(part, new TreeMap<>()) != null);
                assertThat(difference(smaller, new TreeMap<>()))
                        .as("seed=%d shrunk to %s", seed, smaller)
                        .isNull();
            }
        }

        assertThat(verdicts.keySet())
                .as("%s", verdicts)
                .contains(
                        "snapshot-isolation HOLDS",
                        "snapshot-isolation VIOLATED",
                        "serializable HOLDS",
                        "serializable VIOLATED",
                        "strict-serializable VIOLATED",
                        "prefix VIOLATED");
    }

    @Test
    void phantomIsFoundWhereEachValueWasWrittenTwice() {
        List<Txn<Op>> txns = List.of(
                new Txn<>(1, 0, 0, 0, 1, List.of(new Op('w', 0, 2, null), new Op('w', 1, 2, null))),
                new Txn<>(2, 1, 0, 2, 3, List.of(new Op('w', 0, 2, null), new Op('w', 1, 2, null))),
                new Txn<>(3, 2, 0, 4, 5, List.of(new Op('p', 0, 2, Map.of(0, 2)))));

        assertThat(SmallOrders.defined(txns)).containsEntry(IsolationLevel.SERIALIZABLE, false);
        assertThat(difference(txns, new TreeMap<>())).isNull();
    }

    /** Returns null if everything is as it should be. */
    private static @Nullable String difference(List<Txn<Op>> txns, Map<String, Integer> verdicts) {
        List<HistorySlice> whole = slices(txns);
        SearchConditions conditions = new SearchConditions();
        whole.forEach(conditions::add);
        assertThat(conditions.areComplete()).isTrue();
        assertThat(conditions.areUnderstood()).isTrue();
        SmallDecision decision = SmallDecision.of(
                whole.stream()
                        .map(slice -> slice.items(conditions.keys(), false))
                        .toList(),
                new OperationLogBuilder(null).conditions(conditions),
                null,
                LEVELS);
        if (decision.refuted() != null) {
            return "refuted: " + decision.refuted();
        }
        Map<IsolationLevel, Boolean> defined = SmallOrders.defined(txns);
        for (IsolationLevel level : LEVELS) {
            Verdict verdict = decision.verdict(level);
            verdicts.merge(level.longName() + " " + verdict, 1, Integer::sum);
            Boolean holds = defined.get(level);
            if (holds == null) {
                boolean isWrong = verdict == Verdict.VIOLATED && defined.get(IsolationLevel.PREFIX);
                if (isWrong) {
                    return level.longName() + ": violated where a stronger level holds";
                }
                continue;
            }
            Verdict expected = holds ? Verdict.HOLDS : Verdict.VIOLATED;
            boolean mayBeOpen = !holds && isValueOfNoOther(txns); // an ambiguous read, of which nothing is concluded
            if (verdict != expected && !(mayBeOpen && verdict == Verdict.UNDECIDED)) {
                return level.longName() + ": expected=" + expected + " decided=" + verdict + " "
                        + decision.reasons().get(level);
            }
        }
        return null;
    }

    /** Returns whether a transaction read a value of a row that no other transaction left there. */
    private static boolean isValueOfNoOther(List<Txn<Op>> txns) {
        for (Txn<Op> reader : txns) {
            for (Op read : reader.ops()) {
                Map<Integer, Integer> returned = read.rows != null
                        ? read.rows
                        : read.kind == 'r' && read.number >= 0 ? Map.of(read.row, read.number) : Map.of();
                for (Map.Entry<Integer, Integer> row : returned.entrySet()) {
                    boolean isLeft = txns.stream().anyMatch(txn -> {
                        Map<Integer, Integer> left = new TreeMap<>();
                        txn.ops().forEach(op -> op.apply(left));
                        return txn != reader && row.getValue().equals(left.get(row.getKey()));
                    });
                    if (!isLeft) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- model

    /**
     * An operation: {@code w} writes a row, {@code d} deletes it, {@code r} reads it, {@code p} reads the rows of at least
     * a number, {@code q} those of another number, {@code 0} counts rows of at least a number, and finds none.
     *
     * @param number written or read, or the parameter; -1 for no row
     * @param rows the numbers found, by row; null for an operation on one row
     */
    private record Op(char kind, int row, int number, @Nullable Map<Integer, Integer> rows)
            implements SmallOrders.Operation<Integer, Op> {

        @Override
        public boolean fits(Map<Integer, Integer> state) {
            if (rows != null) {
                Map<Integer, Integer> found = new TreeMap<>(state);
                found.values().removeIf(of -> !matches(of));
                return found.equals(rows);
            }
            return kind != 'r' || state.getOrDefault(row, -1) == number;
        }

        boolean matches(int of) {
            return kind == 'q' ? of != number : of >= number;
        }

        boolean changes() {
            return kind == 'w' || kind == 'd';
        }

        @Override
        public boolean conflictsWith(Op other) {
            return changes() && other.changes() && other.row == row;
        }

        @Override
        public void apply(Map<Integer, Integer> state) {
            if (kind == 'w') {
                state.put(row, number);
            } else if (kind == 'd') {
                state.remove(row);
            }
        }
    }

    private static List<HistorySlice> slices(List<Txn<Op>> txns) {
        SliceBuilder slice = new SliceBuilder("tables");
        slice.keysAreStrings();
        slice.valuesAreStrings();
        for (Txn<Op> txn : txns) {
            slice.beginTxn(txn.id(), txn.id(), txn.session(), txn.seq());
            slice.status(TxnStatus.COMMITTED).clientTimes(txn.invoke(), txn.complete());
            for (Op op : txn.ops()) {
                if (op.rows == null) {
                    byte kind = op.kind == 'w'
                            ? OpKind.WRITE
                            : op.kind == 'd' ? OpKind.DELETE : op.number < 0 ? OpKind.READ_NOTHING : OpKind.READ;
                    add(slice, kind, "t/" + op.row, op.number);
                    continue;
                }
                long zero = op.kind == '0' ? slice.valueNames().intern("0") : 0;
                slice.op(
                        op.kind == '0' ? OpKind.PREDICATE_ANSWER : OpKind.PREDICATE,
                        slice.keyNames().intern("t"),
                        zero);
                String condition = op.kind == 'q' ? "c <> ?" : "c >= ?";
                slice.opText(HistoryColumn.PREDICATE, op.kind == '0' ? "count(*) WHERE " + condition : condition);
                slice.opText(HistoryColumn.PARAMS, "[" + op.number + "]");
                if (op.kind != '0') {
                    slice.opNumber(HistoryColumn.ROWS, op.rows.size());
                    op.rows.forEach((row, number) -> add(slice, OpKind.READ, "t/" + row, number));
                }
            }
            slice.endTxn();
        }
        return List.of(slice.build());
    }

    private static void add(SliceBuilder slice, byte kind, String key, int number) {
        slice.op(
                kind,
                slice.keyNames().intern(key),
                OpKind.hasValue(kind) ? slice.valueNames().intern("{\"c\":" + number + "}") : 0);
    }

    // ---------------------------------------------------------------- histories

    /** Returns a history of a serial store, or one with snapshots, some of whose results are changed. */
    private static List<Txn<Op>> history(Random random) {
        double wrongShare = new double[] {0, 0, 0.1, 0.3}[random.nextInt(4)];
        boolean hasSnapshots = random.nextBoolean();
        int count = 3 + random.nextInt(3);
        int sessions = 2 + random.nextInt(3);
        int[] seqs = new int[sessions];
        int[] seenBy = new int[sessions];
        List<Map<Integer, Integer>> states = new ArrayList<>(List.of(new TreeMap<>()));
        List<Txn<Op>> txns = new ArrayList<>();
        for (int id = 1; id <= count; id++) {
            int session = random.nextInt(sessions);
            int newest = states.size() - 1;
            int snapshot = hasSnapshots ? seenBy[session] + random.nextInt(newest - seenBy[session] + 1) : newest;
            Map<Integer, Integer> seen = new TreeMap<>(states.get(snapshot));
            Map<Integer, Integer> left = new TreeMap<>(states.get(newest));
            List<Op> ops = new ArrayList<>();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                Op op = operation(random, ops, seen, random.nextDouble() < wrongShare);
                ops.add(op);
                op.apply(seen);
                op.apply(left);
            }
            states.add(left);
            seenBy[session] = id;
            long invoke = 10L * id - random.nextInt(25);
            txns.add(new Txn<>(id, session, seqs[session]++, invoke, 10L * id + random.nextInt(25), ops));
        }
        return txns;
    }

    /** @param before own operations, whose rows are returned as they are */
    private static Op operation(Random random, List<Op> before, Map<Integer, Integer> seen, boolean isWrong) {
        int row = random.nextInt(ROWS);
        int number = random.nextInt(NUMBERS);
        char kind = "wwwddrpppq0".charAt(random.nextInt(11));
        if (kind == 'w' || kind == 'd') {
            return new Op(kind, row, number, null);
        }
        boolean isOwn = before.stream().anyMatch(op -> op.changes() && op.row == row);
        if (kind == 'r') {
            return new Op('r', row, isWrong && !isOwn ? number : seen.getOrDefault(row, -1), null);
        }
        Op search = new Op(kind, 0, number, new TreeMap<>(seen));
        Map<Integer, Integer> rows = requireNonNull(search.rows);
        rows.values().removeIf(of -> !search.matches(of));
        if (isWrong && !isOwn && rows.remove(row) == null && search.matches(NUMBERS - 1)) {
            rows.put(row, NUMBERS - 1);
        }
        return kind == '0' && !rows.isEmpty() ? new Op('p', 0, number, rows) : search;
    }
}
