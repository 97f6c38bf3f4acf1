package io.nightjar.pipeline.decide;

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

/** Verdicts on counters, against every order of snapshots and commits. */
@Tag(Seeds.TAG)
class CountersTest {

    private static final int HISTORIES = 6_000;

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
    void lostIncrementIsNotSerializable() {
        List<Txn<Op>> txns = List.of(
                new Txn<>(1, 0, 0, 0, 1, List.of(new Op(true, 0, 1, 1L))),
                new Txn<>(2, 1, 0, 2, 3, List.of(new Op(true, 0, 1, 1L))),
                new Txn<>(3, 2, 0, 4, 5, List.of(new Op(false, 0, 0, 1L))));

        assertThat(SmallOrders.defined(txns)).containsEntry(IsolationLevel.SERIALIZABLE, false);
        assertThat(difference(txns, new TreeMap<>())).isNull();
    }

    /** Returns null if everything is as it should be. */
    private static @Nullable String difference(List<Txn<Op>> txns, Map<String, Integer> verdicts) {
        SmallDecision decision = SmallDecision.of(slices(txns), null, LEVELS);
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
            if (verdict != expected) {
                return level.longName() + ": expected=" + expected + " decided=" + verdict + " "
                        + decision.reasons().get(level);
            }
        }
        return null;
    }

    // ---------------------------------------------------------------- model

    /**
     * An increment, or a read.
     *
     * @param result the value read, or after the increment; null if it is unknown
     */
    private record Op(boolean isIncrement, int counter, long delta, @Nullable Long result)
            implements SmallOrders.Operation<Long, Op> {

        @Override
        public boolean fits(Map<Integer, Long> state) {
            return result == null || state.getOrDefault(counter, 0L) + delta == result;
        }

        @Override
        public boolean conflictsWith(Op other) {
            return isIncrement && other.isIncrement && other.counter == counter;
        }

        @Override
        public void apply(Map<Integer, Long> state) {
            state.merge(counter, delta, Long::sum);
        }
    }

    private static List<HistorySlice> slices(List<Txn<Op>> txns) {
        SliceBuilder slice = new SliceBuilder("counters");
        slice.keysAreLongs();
        slice.valuesAreLongs();
        for (Txn<Op> txn : txns) {
            slice.beginTxn(txn.id(), txn.id(), txn.session(), txn.seq());
            slice.status(TxnStatus.COMMITTED).clientTimes(txn.invoke(), txn.complete());
            for (Op op : txn.ops()) {
                byte read = op.result == null || op.result == 0 ? OpKind.READ_NOTHING : OpKind.READ;
                slice.op(op.isIncrement ? OpKind.INCREMENT : read, op.counter, op.isIncrement ? op.delta : value(op));
                if (op.isIncrement && op.result != null) {
                    slice.opNumber(HistoryColumn.RESULT, op.result);
                }
            }
            slice.endTxn();
        }
        return List.of(slice.build().items());
    }

    private static long value(Op op) {
        return op.result == null ? 0 : op.result;
    }

    // ---------------------------------------------------------------- histories

    /** Returns a history of a serial store, or one with snapshots, some of whose results are changed. */
    private static List<Txn<Op>> history(Random random) {
        int counters = 1 + random.nextInt(2);
        double wrongShare = new double[] {0, 0, 0.1, 0.3}[random.nextInt(4)];
        boolean hasSnapshots = random.nextBoolean();
        int count = 3 + random.nextInt(3);
        int sessions = 2 + random.nextInt(3);
        int[] seqs = new int[sessions];
        int[] seenBy = new int[sessions];
        List<Map<Integer, Long>> states = new ArrayList<>(List.of(new TreeMap<>()));
        List<Txn<Op>> txns = new ArrayList<>();
        for (int id = 1; id <= count; id++) {
            int session = random.nextInt(sessions);
            int newest = states.size() - 1;
            int snapshot = hasSnapshots ? seenBy[session] + random.nextInt(newest - seenBy[session] + 1) : newest;
            Map<Integer, Long> seen = new TreeMap<>(states.get(snapshot));
            Map<Integer, Long> left = new TreeMap<>(states.get(newest));
            List<Op> ops = new ArrayList<>();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                Op op = operation(random, random.nextInt(counters), seen, random.nextDouble() < wrongShare);
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

    private static Op operation(Random random, int counter, Map<Integer, Long> seen, boolean isWrong) {
        long before = seen.getOrDefault(counter, 0L) + (isWrong ? 1 + random.nextInt(2) : 0);
        long delta = new long[] {1, 1, 2, 3, -1, 5}[random.nextInt(6)];
        return switch (random.nextInt(4)) {
            case 0 -> new Op(true, counter, delta, null);
            case 1, 2 -> new Op(true, counter, delta, before + delta);
            default -> new Op(false, counter, 0, before);
        };
    }
}
