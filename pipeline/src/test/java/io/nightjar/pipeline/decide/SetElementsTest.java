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
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Verdicts on sets, with removals and tests of elements or additions only, against every order of snapshots and commits. */
@Tag(Seeds.TAG)
class SetElementsTest {

    private static final int HISTORIES = 6_000;
    private static final int ELEMENTS = 3;

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
    void elementRemovedTwiceIsNotSerializable() {
        List<Txn<Op>> txns = List.of(
                new Txn<>(1, 0, 0, 0, 1, List.of(new Op(OpKind.ADD, 0, 1, null, null))),
                new Txn<>(2, 1, 0, 2, 5, List.of(new Op(OpKind.REMOVE, 0, 1, true, null))),
                new Txn<>(3, 2, 0, 3, 4, List.of(new Op(OpKind.REMOVE, 0, 1, true, null))));

        assertThat(SmallOrders.defined(txns)).containsEntry(IsolationLevel.SERIALIZABLE, false);
        assertThat(difference(txns, new TreeMap<>())).isNull();
    }

    /** Returns null if everything is as it should be. */
    private static @Nullable String difference(List<Txn<Op>> txns, Map<String, Integer> verdicts) {
        String initialValue = txns.size() % 2 == 0 ? "1" : null; // means nothing to sets
        SmallDecision decision = SmallDecision.of(slices(txns), initialValue, LEVELS);
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
     * An operation.
     *
     * @param isDone the outcome; null if it has none
     * @param read the elements read; null unless all elements of the set are
     */
    private record Op(byte kind, int set, int element, @Nullable Boolean isDone, @Nullable Set<Integer> read)
            implements SmallOrders.Operation<Boolean, Op> {

        int of() {
            return set * ELEMENTS + element;
        }

        @Override
        public boolean fits(Map<Integer, Boolean> state) {
            if (read != null) {
                Set<Integer> all = new TreeSet<>();
                state.keySet().stream().filter(of -> of / ELEMENTS == set).forEach(of -> all.add(of % ELEMENTS));
                return all.equals(read);
            }
            return isDone == null || (state.containsKey(of()) != (kind == OpKind.ADD)) == isDone;
        }

        boolean changes() {
            return (kind == OpKind.ADD || kind == OpKind.REMOVE) && (isDone == null || isDone);
        }

        @Override
        public boolean conflictsWith(Op other) {
            return changes() && other.changes() && other.of() == of();
        }

        @Override
        public void apply(Map<Integer, Boolean> state) {
            if (changes() && kind == OpKind.ADD) {
                state.put(of(), true);
            } else if (changes()) {
                state.remove(of());
            }
        }
    }

    private static List<HistorySlice> slices(List<Txn<Op>> txns) {
        SliceBuilder slice = new SliceBuilder("sets");
        slice.keysAreLongs();
        slice.valuesAreLongs();
        for (Txn<Op> txn : txns) {
            slice.beginTxn(txn.id(), txn.id(), txn.session(), txn.seq());
            slice.status(TxnStatus.COMMITTED).clientTimes(txn.invoke(), txn.complete());
            for (Op op : txn.ops()) {
                if (op.read != null) {
                    slice.beginList();
                    op.read.forEach(slice::element);
                    slice.listRead(op.set);
                } else {
                    slice.op(op.kind, op.set, op.element);
                }
                if (op.isDone != null) {
                    slice.opNumber(HistoryColumn.DONE, op.isDone ? 1 : 0);
                }
            }
            assertThat(slice.conditionFault(TxnStatus.COMMITTED)).isNull();
            slice.endTxn();
        }
        return List.of(slice.build().items());
    }

    // ---------------------------------------------------------------- histories

    /** Returns a history of a serial store, or one with snapshots, some of whose results are changed. */
    private static List<Txn<Op>> history(Random random) {
        int sets = 1 + random.nextInt(2);
        double wrongShare = new double[] {0, 0, 0.1, 0.3}[random.nextInt(4)];
        boolean hasSnapshots = random.nextBoolean();
        boolean isGrowing = random.nextInt(3) == 0;
        int count = 3 + random.nextInt(3);
        int sessions = 2 + random.nextInt(3);
        int[] seqs = new int[sessions];
        int[] seenBy = new int[sessions];
        List<Map<Integer, Boolean>> states = new ArrayList<>(List.of(new TreeMap<>()));
        List<Txn<Op>> txns = new ArrayList<>();
        for (int id = 1; id <= count; id++) {
            int session = random.nextInt(sessions);
            int newest = states.size() - 1;
            int snapshot = hasSnapshots ? seenBy[session] + random.nextInt(newest - seenBy[session] + 1) : newest;
            Map<Integer, Boolean> seen = new TreeMap<>(states.get(snapshot));
            Map<Integer, Boolean> left = new TreeMap<>(states.get(newest));
            List<Op> ops = new ArrayList<>();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                Op op = operation(random, isGrowing, random.nextInt(sets), seen, random.nextDouble() < wrongShare);
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

    /** @param isGrowing whether the history only adds elements and reads sets */
    private static Op operation(
            Random random, boolean isGrowing, int set, Map<Integer, Boolean> seen, boolean isWrong) {
        int element = random.nextInt(ELEMENTS);
        boolean isIn = seen.containsKey(set * ELEMENTS + element) != isWrong;
        switch (isGrowing ? random.nextInt(2) * 7 : random.nextInt(8)) {
            case 0, 1 -> {
                return new Op(OpKind.ADD, set, element, null, null);
            }
            case 2 -> {
                return new Op(OpKind.ADD, set, element, !isIn, null);
            }
            case 3 -> {
                return new Op(OpKind.REMOVE, set, element, null, null);
            }
            case 4 -> {
                return new Op(OpKind.REMOVE, set, element, isIn, null);
            }
            case 5 -> {
                return new Op(OpKind.HAS, set, element, isIn, null);
            }
            default -> {
                Set<Integer> read = new TreeSet<>();
                seen.keySet().stream().filter(of -> of / ELEMENTS == set).forEach(of -> read.add(of % ELEMENTS));
                if (isWrong && !read.remove(element)) {
                    read.add(element);
                }
                return new Op(OpKind.READ_LIST, set, 0, null, read);
            }
        }
    }
}
