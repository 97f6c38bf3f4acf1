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

/** Verdicts on histories with conditional writes, against every order of snapshots and commits. */
@Tag(Seeds.TAG)
class ConditionalWritesTest {

    private static final int HISTORIES = 6_000;

    private static final Set<IsolationLevel> LEVELS = EnumSet.copyOf(IsolationLevel.all());

    static {
        LEVELS.add(IsolationLevel.STRICT_SERIALIZABLE);
    }

    private static final Set<IsolationLevel> EXACT = EnumSet.of(
            IsolationLevel.PREFIX,
            IsolationLevel.SNAPSHOT_ISOLATION,
            IsolationLevel.SERIALIZABLE,
            IsolationLevel.STRICT_SERIALIZABLE);

    @Test
    void everyStrongLevelIsDecidedAsDefined() {
        Map<String, Integer> verdicts = new TreeMap<>();
        for (long seed : Seeds.upTo(HISTORIES)) {
            List<Txn> txns = new Store(seed).run();
            if (difference(txns, verdicts) != null) {
                List<Txn> smaller = shrunk(txns);
                assertThat(difference(smaller, new TreeMap<>()))
                        .as("seed=%d shrunk to%n%s", seed, text(smaller))
                        .isNull();
            }
        }

        for (IsolationLevel level : EXACT) {
            assertThat(verdicts.keySet())
                    .as("%s", verdicts)
                    .contains(level + " " + Verdict.HOLDS, level + " " + Verdict.VIOLATED);
        }
    }

    @Test
    void twoSuccessesOfOneCompareAndSetAreNotSerializable() {
        List<Txn> txns = List.of(
                new Txn(1, 0, 0, 0, 1, List.of(Op.write(0, 1))),
                new Txn(2, 1, 0, 2, 5, List.of(Op.cas(0, 1, 2, true))),
                new Txn(3, 2, 0, 3, 4, List.of(Op.cas(0, 1, 0, true))));

        assertThat(new Orders(txns, false, true).exists()).isFalse();
        assertThat(difference(txns, new TreeMap<>())).isNull();
    }

    @Test
    void deletionDoneTwiceIsNotSerializable() {
        List<Txn> txns = List.of(
                new Txn(1, 0, 0, 0, 1, List.of(Op.insert(0, 1, true))),
                new Txn(2, 1, 0, 2, 5, List.of(Op.delete(0, true))),
                new Txn(3, 2, 0, 3, 4, List.of(Op.delete(0, true), Op.read(0, NOTHING))));

        assertThat(new Orders(txns, false, true).exists()).isFalse();
        assertThat(difference(txns, new TreeMap<>())).isNull();
    }

    @Test
    void refusedInsertionBeforeTheOnlyWriterIsNotSerializable() {
        List<Txn> txns = List.of(
                new Txn(1, 0, 0, 0, 1, List.of(Op.insert(0, 1, false), Op.write(1, 1))),
                new Txn(2, 1, 0, 2, 5, List.of(Op.read(1, 1), Op.insert(0, 2, true))));

        assertThat(new Orders(txns, false, true).exists()).isFalse();
        assertThat(difference(txns, new TreeMap<>())).isNull();
    }

    /** Returns null if everything is as it should be. */
    private static @Nullable String difference(List<Txn> txns, Map<String, Integer> verdicts) {
        SmallDecision decision = SmallDecision.of(slices(txns), null, LEVELS);
        if (decision.refuted() != null) {
            return "refuted: " + decision.refuted();
        }
        Map<IsolationLevel, Boolean> defined = new HashMap<>();
        defined.put(IsolationLevel.PREFIX, new Orders(txns, true, false).exists());
        defined.put(IsolationLevel.SNAPSHOT_ISOLATION, new Orders(txns, true, true).exists());
        defined.put(IsolationLevel.SERIALIZABLE, new Orders(txns, false, true).exists());
        defined.put(
                IsolationLevel.STRICT_SERIALIZABLE,
                new Orders(txns, false, true).inRealTime().exists());
        for (IsolationLevel level : LEVELS) {
            Verdict verdict = decision.verdict(level);
            verdicts.merge(level + " " + verdict, 1, Integer::sum);
            boolean holds = defined.getOrDefault(level, verdict == Verdict.HOLDS);
            Verdict expected = holds ? Verdict.HOLDS : Verdict.VIOLATED;
            boolean mayBeOpen = verdict == Verdict.UNDECIDED && hasUnexplainedRead(txns);
            if (EXACT.contains(level) && verdict != expected && !mayBeOpen) {
                return level.longName() + ": expected=" + expected + " decided=" + verdict + " "
                        + decision.reasons().get(level);
            }
            boolean isWeak = !EXACT.contains(level);
            if (isWeak && verdict == Verdict.VIOLATED && defined.get(IsolationLevel.PREFIX)) {
                return level.longName() + ": violated where a stronger level holds";
            }
        }
        return null;
    }

    /** Returns whether a transaction read a value that was written but that no transaction left to others. */
    private static boolean hasUnexplainedRead(List<Txn> txns) {
        for (Txn txn : txns) {
            for (int i = 0; i < txn.ops.size(); i++) {
                Op read = txn.ops.get(i);
                int value = read.valueRead();
                boolean isOwn = txn.ops.subList(0, i).stream().anyMatch(op -> op.key == read.key && op.writes());
                boolean isWritten = txns.stream()
                        .flatMap(writer -> writer.ops.stream())
                        .anyMatch(op -> op.key == read.key && op.writes() && op.value == value);
                boolean isLeft = txns.stream().anyMatch(writer -> writer != txn && writer.lastValue(read.key) == value);
                if (value != NOTHING && !isOwn && isWritten && !isLeft) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<Txn> shrunk(List<Txn> txns) {
        List<Txn> small = txns;
        boolean isSmaller = true;
        while (isSmaller) {
            isSmaller = false;
            for (List<Txn> candidate : smaller(small)) {
                if (difference(candidate, new TreeMap<>()) != null) {
                    small = candidate;
                    isSmaller = true;
                    break;
                }
            }
        }
        return small;
    }

    private static List<List<Txn>> smaller(List<Txn> txns) {
        List<List<Txn>> smaller = new ArrayList<>();
        for (int i = 0; i < txns.size(); i++) {
            List<Txn> without = new ArrayList<>(txns);
            without.remove(i);
            smaller.add(without);
            for (int op = 0; op < txns.get(i).ops.size(); op++) {
                List<Op> fewer = new ArrayList<>(txns.get(i).ops);
                fewer.remove(op);
                List<Txn> changed = new ArrayList<>(txns);
                changed.set(i, txns.get(i).withOps(fewer));
                smaller.add(changed);
            }
        }
        return smaller;
    }

    private static String text(List<Txn> txns) {
        StringBuilder text = new StringBuilder();
        txns.forEach(txn -> text.append(txn).append('\n'));
        return text.toString();
    }

    // ---------------------------------------------------------------- model

    private static final int NOTHING = -1;

    /**
     * An operation.
     *
     * @param value the value read or written; {@link #NOTHING} for a read of nothing
     * @param old the old value of a compare-and-set
     */
    private record Op(byte kind, int key, int value, int old, boolean isDone) {

        static Op read(int key, int value) {
            return new Op(OpKind.READ, key, value, 0, false);
        }

        static Op write(int key, int value) {
            return new Op(OpKind.WRITE, key, value, 0, false);
        }

        static Op cas(int key, int old, int value, boolean isDone) {
            return new Op(OpKind.CAS, key, value, old, isDone);
        }

        static Op insert(int key, int value, boolean isDone) {
            return new Op(OpKind.INSERT, key, value, NOTHING, isDone);
        }

        static Op update(int key, int value, boolean isDone) {
            return new Op(OpKind.UPDATE, key, value, NOTHING, isDone);
        }

        static Op delete(int key, boolean isDone) {
            return new Op(OpKind.DELETE_PRESENT, key, NOTHING, NOTHING, isDone);
        }

        /** Returns whether the result is right for a current value. */
        boolean fits(int current) {
            return switch (kind) {
                case OpKind.READ -> current == value;
                case OpKind.WRITE -> true;
                case OpKind.UPDATE, OpKind.DELETE_PRESENT -> (current != NOTHING) == isDone;
                default -> (current == old) == isDone;
            };
        }

        boolean writes() {
            return kind == OpKind.WRITE || kind != OpKind.READ && isDone;
        }

        /** Returns the value that the operation found, or {@link #NOTHING} if it found none or shows none. */
        int valueRead() {
            return kind == OpKind.READ ? value : kind == OpKind.CAS && isDone ? old : NOTHING;
        }
    }

    private record Txn(long id, int session, int seq, long invoke, long complete, List<Op> ops) {

        Txn withOps(List<Op> other) {
            return new Txn(id, session, seq, invoke, complete, other);
        }

        boolean writes(int key) {
            return ops.stream().anyMatch(op -> op.key == key && op.writes());
        }

        int lastValue(int key) {
            return ops.stream()
                    .filter(op -> op.key == key && op.writes())
                    .mapToInt(Op::value)
                    .reduce(NOTHING, (before, last) -> last);
        }
    }

    private static List<HistorySlice> slices(List<Txn> txns) {
        SliceBuilder slice = new SliceBuilder("conditional");
        slice.keysAreLongs();
        slice.valuesAreLongs();
        for (Txn txn : txns) {
            slice.beginTxn(txn.id, txn.id, txn.session, txn.seq);
            slice.status(TxnStatus.COMMITTED).clientTimes(txn.invoke, txn.complete);
            for (Op op : txn.ops) {
                boolean isNothing = op.kind == OpKind.READ && op.value == NOTHING;
                boolean hasNoValue = isNothing || op.kind == OpKind.DELETE_PRESENT;
                slice.op(isNothing ? OpKind.READ_NOTHING : op.kind, op.key, hasNoValue ? 0 : op.value);
                if (op.kind == OpKind.CAS) {
                    slice.opText(HistoryColumn.PARAMS, op.old == NOTHING ? "[null]" : "[" + op.old + "]");
                }
                if (OpKind.isConditional(op.kind)) {
                    slice.opNumber(HistoryColumn.DONE, op.isDone ? 1 : 0);
                }
            }
            assertThat(slice.conditionFault(TxnStatus.COMMITTED)).isNull();
            slice.endTxn();
        }
        return List.of(slice.build().items());
    }

    // ---------------------------------------------------------------- the definition

    /** Depth-first search of all orders of snapshots and commits in which each result is right. */
    private static final class Orders {

        private final List<Txn> txns;
        private final boolean hasSnapshots;
        private final boolean forbidsOverlap;
        private boolean keepsRealTime;
        private final Set<String> failed = new HashSet<>();

        Orders(List<Txn> txns, boolean hasSnapshots, boolean forbidsOverlap) {
            this.txns = txns;
            this.hasSnapshots = hasSnapshots;
            this.forbidsOverlap = forbidsOverlap;
        }

        Orders inRealTime() {
            keepsRealTime = true;
            return this;
        }

        boolean exists() {
            return exists(new int[txns.size()], new HashMap<>());
        }

        /** @param stage by transaction: 0 before its snapshot, 1 before its commit, 2 after it */
        private boolean exists(int[] stage, Map<Integer, Integer> state) {
            if (Arrays.stream(stage).allMatch(of -> of == 2)) {
                return true;
            }
            if (!failed.add(Arrays.toString(stage) + new TreeMap<>(state))) {
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
                Map<Integer, Integer> left = new HashMap<>(state);
                if (next[i] == 2) {
                    txns.get(i).ops.stream().filter(Op::writes).forEach(op -> left.put(op.key, op.value));
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
                        && a.ops.stream().anyMatch(op -> op.writes() && b.writes(op.key));
                if (isBefore && stage[other] < 2 || conflicts) {
                    return false;
                }
            }
            return true;
        }

        private static boolean isRight(Txn txn, Map<Integer, Integer> state) {
            Map<Integer, Integer> seen = new HashMap<>(state);
            for (Op op : txn.ops) {
                if (!op.fits(seen.getOrDefault(op.key, NOTHING))) {
                    return false;
                }
                if (op.writes()) {
                    seen.put(op.key, op.value);
                }
            }
            return true;
        }
    }

    // ---------------------------------------------------------------- histories

    /** A serial store, or one with snapshots, some of whose results are changed. */
    private static final class Store {

        private final Random random;
        private final int keyCount;
        private final int valueCount;
        private final double wrongShare;
        private final boolean hasSnapshots;
        private final boolean hasDeletions;

        Store(long seed) {
            random = new Random(seed * 0x9E3779B97F4A7C15L);
            keyCount = 1 + random.nextInt(3);
            valueCount = 2 + random.nextInt(4);
            wrongShare = new double[] {0, 0, 0.1, 0.3}[random.nextInt(4)];
            hasSnapshots = random.nextBoolean();
            hasDeletions = random.nextBoolean();
        }

        List<Txn> run() {
            int count = 3 + random.nextInt(3);
            int sessions = 2 + random.nextInt(3);
            int[] seqs = new int[sessions];
            int[] seenBy = new int[sessions];
            List<Map<Integer, Integer>> states = new ArrayList<>(List.of(new HashMap<>()));
            List<Txn> txns = new ArrayList<>();
            for (int id = 1; id <= count; id++) {
                int session = random.nextInt(sessions);
                int newest = states.size() - 1;
                int snapshot = hasSnapshots ? seenBy[session] + random.nextInt(newest - seenBy[session] + 1) : newest;
                Map<Integer, Integer> seen = new HashMap<>(states.get(snapshot));
                Map<Integer, Integer> left = new HashMap<>(states.get(newest));
                List<Op> ops = new ArrayList<>();
                for (int i = 1 + random.nextInt(3); i > 0; i--) {
                    Op op = operation(seen);
                    ops.add(op);
                    if (op.writes()) {
                        seen.put(op.key, op.value);
                        left.put(op.key, op.value);
                    }
                }
                states.add(left);
                seenBy[session] = id;
                long invoke = 10L * id - random.nextInt(25);
                txns.add(new Txn(id, session, seqs[session]++, invoke, 10L * id + random.nextInt(25), ops));
            }
            return txns;
        }

        private Op operation(Map<Integer, Integer> seen) {
            int key = random.nextInt(keyCount);
            int current = seen.getOrDefault(key, NOTHING);
            boolean isWrong = random.nextDouble() < wrongShare;
            int value = random.nextInt(valueCount);
            int old = random.nextBoolean() ? current : random.nextInt(valueCount + 1) - 1;
            return switch (random.nextInt(hasDeletions ? 10 : 6)) {
                case 0, 1 -> Op.read(key, isWrong ? value : current);
                case 2 -> Op.write(key, value);
                case 3 -> Op.insert(key, value, (current == NOTHING) != isWrong);
                case 6, 7 -> Op.update(key, value, (current != NOTHING) != isWrong);
                case 8, 9 -> Op.delete(key, (current != NOTHING) != isWrong);
                default -> Op.cas(key, old, value, (current == old) != isWrong);
            };
        }
    }
}
