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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
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
            List<Txn> txns = history(new Random(seed * 0x9E3779B97F4A7C15L));
            if (difference(txns, verdicts) != null) {
                List<Txn> smaller = shrunk(txns);
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
        List<Txn> txns = List.of(
                new Txn(1, 0, 0, 0, 1, List.of(new Op(true, 0, 1, 1L))),
                new Txn(2, 1, 0, 2, 3, List.of(new Op(true, 0, 1, 1L))),
                new Txn(3, 2, 0, 4, 5, List.of(new Op(false, 0, 0, 1L))));

        assertThat(new Orders(txns, false, true, false).exists()).isFalse();
        assertThat(difference(txns, new TreeMap<>())).isNull();
    }

    /** Returns null if everything is as it should be. */
    private static @Nullable String difference(List<Txn> txns, Map<String, Integer> verdicts) {
        SmallDecision decision = SmallDecision.of(slices(txns), null, LEVELS);
        if (decision.refuted() != null) {
            return "refuted: " + decision.refuted();
        }
        Map<IsolationLevel, Boolean> defined = new HashMap<>();
        defined.put(IsolationLevel.PREFIX, new Orders(txns, true, false, false).exists());
        defined.put(IsolationLevel.SNAPSHOT_ISOLATION, new Orders(txns, true, true, false).exists());
        defined.put(IsolationLevel.SERIALIZABLE, new Orders(txns, false, true, false).exists());
        defined.put(IsolationLevel.STRICT_SERIALIZABLE, new Orders(txns, false, true, true).exists());
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

    private static List<Txn> shrunk(List<Txn> txns) {
        for (int i = 0; i < txns.size(); i++) {
            List<Txn> fewer = new ArrayList<>(txns);
            Txn txn = fewer.remove(i);
            if (difference(fewer, new TreeMap<>()) != null) {
                return shrunk(fewer);
            }
            for (int op = 0; op < txn.ops.size(); op++) {
                List<Op> ops = new ArrayList<>(txn.ops);
                ops.remove(op);
                List<Txn> changed = new ArrayList<>(txns);
                changed.set(i, new Txn(txn.id, txn.session, txn.seq, txn.invoke, txn.complete, ops));
                if (difference(changed, new TreeMap<>()) != null) {
                    return shrunk(changed);
                }
            }
        }
        return txns;
    }

    // ---------------------------------------------------------------- model

    /**
     * An increment, or a read.
     *
     * @param result the value read, or after the increment; null if it is unknown
     */
    private record Op(boolean isIncrement, int counter, long delta, @Nullable Long result) {

        boolean fits(Map<Integer, Long> state) {
            return result == null || state.getOrDefault(counter, 0L) + delta == result;
        }

        void apply(Map<Integer, Long> state) {
            state.merge(counter, delta, Long::sum);
        }
    }

    private record Txn(long id, int session, int seq, long invoke, long complete, List<Op> ops) {}

    private static List<HistorySlice> slices(List<Txn> txns) {
        SliceBuilder slice = new SliceBuilder("counters");
        slice.keysAreLongs();
        slice.valuesAreLongs();
        for (Txn txn : txns) {
            slice.beginTxn(txn.id, txn.id, txn.session, txn.seq);
            slice.status(TxnStatus.COMMITTED).clientTimes(txn.invoke, txn.complete);
            for (Op op : txn.ops) {
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

    /** Depth-first search of all orders of snapshots and commits in which each result is right. */
    private record Orders(
            List<Txn> txns, boolean hasSnapshots, boolean forbidsOverlap, boolean keepsRealTime, Set<String> failed) {

        Orders(List<Txn> txns, boolean hasSnapshots, boolean forbidsOverlap, boolean keepsRealTime) {
            this(txns, hasSnapshots, forbidsOverlap, keepsRealTime, new HashSet<>());
        }

        boolean exists() {
            return exists(new int[txns.size()], new TreeMap<>());
        }

        /** @param stage by transaction: 0 before its snapshot, 1 before its commit, 2 after it */
        private boolean exists(int[] stage, Map<Integer, Long> state) {
            if (Arrays.stream(stage).allMatch(of -> of == 2)) {
                return true;
            }
            if (!failed.add(Arrays.toString(stage) + state)) {
                return false;
            }
            for (int i = 0; i < stage.length; i++) {
                int[] next = stage.clone();
                if (stage[i] == 0 && mayBegin(i, stage) && isRight(txns.get(i), state)) {
                    next[i] = hasSnapshots ? 1 : 2;
                } else if (stage[i] == 1) {
                    next[i] = 2;
                } else {
                    continue;
                }
                Map<Integer, Long> left = new TreeMap<>(state);
                if (next[i] == 2) {
                    txns.get(i).ops.forEach(op -> op.apply(left));
                }
                if (exists(next, left)) {
                    return true;
                }
            }
            return false;
        }

        private boolean mayBegin(int txn, int[] stage) {
            for (int other = 0; other < stage.length; other++) {
                Txn a = txns.get(other);
                Txn b = txns.get(txn);
                boolean isBefore = a.session == b.session && a.seq < b.seq || keepsRealTime && a.complete < b.invoke;
                boolean conflicts = forbidsOverlap
                        && stage[other] == 1
                        && a.ops.stream()
                                .anyMatch(x -> x.isIncrement
                                        && b.ops.stream().anyMatch(y -> y.isIncrement && y.counter == x.counter));
                if (isBefore && stage[other] < 2 || conflicts) {
                    return false;
                }
            }
            return true;
        }

        private static boolean isRight(Txn txn, Map<Integer, Long> state) {
            Map<Integer, Long> seen = new TreeMap<>(state);
            for (Op op : txn.ops) {
                if (!op.fits(seen)) {
                    return false;
                }
                op.apply(seen);
            }
            return true;
        }
    }

    // ---------------------------------------------------------------- histories

    /** Returns a history of a serial store, or one with snapshots, some of whose results are changed. */
    private static List<Txn> history(Random random) {
        int counters = 1 + random.nextInt(2);
        double wrongShare = new double[] {0, 0, 0.1, 0.3}[random.nextInt(4)];
        boolean hasSnapshots = random.nextBoolean();
        int count = 3 + random.nextInt(3);
        int sessions = 2 + random.nextInt(3);
        int[] seqs = new int[sessions];
        int[] seenBy = new int[sessions];
        List<Map<Integer, Long>> states = new ArrayList<>(List.of(new TreeMap<>()));
        List<Txn> txns = new ArrayList<>();
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
            txns.add(new Txn(id, session, seqs[session]++, invoke, 10L * id + random.nextInt(25), ops));
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
