package io.nightjar.pipeline.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Repeated values whose reads name their writers give the verdicts of the same history with a value for each write. */
@Tag(Seeds.TAG)
class NamedWritersTest {

    private static final int HISTORIES = 2_000;
    private static final Set<IsolationLevel> LEVELS = EnumSet.copyOf(IsolationLevel.all());

    static {
        LEVELS.addAll(EnumSet.of(
                IsolationLevel.PL_1,
                IsolationLevel.PL_2,
                IsolationLevel.PL_2_99,
                IsolationLevel.PL_SI,
                IsolationLevel.PL_3));
    }

    /**
     * An operation on a register.
     *
     * @param writer whom a read is from; 0 for the initial state
     * @param version of the write, or of the write that a read is from
     */
    private record Op(boolean isWrite, int key, long value, long version, long writer) {}

    private record Txn(long id, long session, byte status, List<Op> ops) {}

    @Test
    void cycleOfNamedReadsOfRepeatedValueIsFound() {
        List<Txn> txns = List.of(
                new Txn(1, 1, TxnStatus.COMMITTED, List.of(write(1, 1, 1), new Op(false, 2, 1, 2, 2))),
                new Txn(2, 2, TxnStatus.COMMITTED, List.of(new Op(false, 1, 1, 1, 1), write(2, 1, 2))),
                new Txn(3, 3, TxnStatus.COMMITTED, List.of(write(2, 1, 1))));

        SmallDecision decision =
                decide(txns, EnumSet.of(IsolationLevel.PL_1, IsolationLevel.PL_2, IsolationLevel.PL_3), true);

        assertThat(decision.refuted()).isNull();
        assertThat(decision.verdict(IsolationLevel.PL_1)).isEqualTo(Verdict.HOLDS);
        assertThat(decision.counts().get(IsolationLevel.PL_2)).isEqualTo(Map.of(Anomaly.G1C, 1L));
    }

    @Test
    void repeatedValuesGiveVerdictsOfDistinctOnes() {
        Map<String, Integer> counts = new TreeMap<>();
        int compared = 0;
        for (long seed : Seeds.upTo(HISTORIES)) {
            compared++;
            List<Txn> txns = draw(new Random(seed * 0x9E3779B97F4A7C15L));
            boolean hasVersions = seed % 4 != 0;
            Set<IsolationLevel> levels = seed % 2 == 0 ? LEVELS : EnumSet.of(levelOf(seed));
            SmallDecision repeated = decide(txns, levels, hasVersions);
            SmallDecision distinct = decide(distinct(txns), levels, hasVersions);

            assertThat(repeated.refuted())
                    .as("nightjar.seed=%d%n%s", seed, txns)
                    .isNull();
            for (IsolationLevel level : levels) {
                assertThat(repeated.verdict(level))
                        .as("nightjar.seed=%d %s %s%n%s", seed, level, repeated.reasons(), txns)
                        .isEqualTo(distinct.verdict(level));
                counts.merge(distinct.verdict(level).toString(), 1, Integer::sum);
            }
        }
        if (Seeds.areOfCampaign()) {
            System.out.println("named writers: " + compared + " histories, verdicts: " + counts);
        }
    }

    private static IsolationLevel levelOf(long seed) {
        return List.copyOf(LEVELS).get((int) (seed / 2 % LEVELS.size()));
    }

    private static Op write(int key, long value, long version) {
        return new Op(true, key, value, version, 0);
    }

    // ---------------------------------------------------------------- histories

    /** Transactions that commit in their order and read some committed version; every key has few values. */
    private static List<Txn> draw(Random random) {
        int count = 2 + random.nextInt(5);
        int keys = 1 + random.nextInt(3);
        List<Txn> txns = new ArrayList<>();
        Map<Integer, List<Op>> versionsOf = new HashMap<>();
        for (int txn = 1; txn <= count; txn++) {
            byte status = random.nextInt(8) == 0 ? TxnStatus.ABORTED : TxnStatus.COMMITTED;
            List<Op> ops = new ArrayList<>();
            for (int op = 1 + random.nextInt(4); op > 0; op--) {
                int key = 1 + random.nextInt(keys);
                boolean isWritten = ops.stream().anyMatch(own -> own.key() == key && own.isWrite());
                if (!isWritten && random.nextBoolean()) {
                    ops.add(write(key, 1 + random.nextInt(2), 10L * txn));
                } else if (!isWritten) {
                    ops.add(new Op(false, key, 0, 0, 0)); // from whom is chosen later
                }
            }
            txns.add(new Txn(txn, 1 + random.nextInt(3), status, ops));
            for (Op op : ops) {
                if (op.isWrite() && status == TxnStatus.COMMITTED) {
                    versionsOf
                            .computeIfAbsent(op.key(), unseen -> new ArrayList<>())
                            .add(new Op(false, op.key(), op.value(), op.version(), txn));
                }
            }
        }
        boolean isAnyRead = random.nextInt(3) == 0;
        double newest = random.nextDouble();
        for (int i = 0; i < count; i++) {
            Txn txn = txns.get(i);
            List<Op> ops = new ArrayList<>();
            for (Op op : txn.ops()) {
                List<Op> versions = versionsOf.getOrDefault(op.key(), List.of()).stream()
                        .filter(version -> version.writer() != txn.id() && (isAnyRead || version.writer() < txn.id()))
                        .toList();
                int chosen = random.nextDouble() < newest ? versions.size() : random.nextInt(versions.size() + 1);
                ops.add(op.isWrite() || chosen == 0 ? op : versions.get(chosen - 1));
            }
            txns.set(i, new Txn(txn.id(), txn.session(), txn.status(), ops));
        }
        return txns;
    }

    /** The same with a value for each write, which is its version. */
    private static List<Txn> distinct(List<Txn> txns) {
        return txns.stream()
                .map(txn -> new Txn(
                        txn.id(),
                        txn.session(),
                        txn.status(),
                        txn.ops().stream()
                                .map(op -> new Op(op.isWrite(), op.key(), op.version(), op.version(), op.writer()))
                                .toList()))
                .toList();
    }

    private static SmallDecision decide(List<Txn> txns, Set<IsolationLevel> levels, boolean hasVersions) {
        return SmallDecision.of(List.of(slice(txns, hasVersions)), null, levels);
    }

    private static HistorySlice slice(List<Txn> txns, boolean hasVersions) {
        List<Txn> rows = new ArrayList<>(txns);
        rows.sort(Comparator.comparingLong(Txn::session).thenComparingLong(Txn::id));
        SliceBuilder builder = new SliceBuilder("small.jsonl");
        builder.keysAreLongs();
        builder.valuesAreLongs();
        for (Txn txn : rows) {
            builder.beginTxn(txn.id(), txn.id(), txn.session(), txn.id());
            builder.status(txn.status());
            for (Op op : txn.ops()) {
                boolean isInitial = !op.isWrite() && op.writer() == 0;
                builder.op(
                        isInitial ? OpKind.READ_NOTHING : op.isWrite() ? OpKind.WRITE : OpKind.READ,
                        op.key(),
                        op.value());
                if (!isInitial && hasVersions) {
                    builder.version(op.version());
                }
                if (!isInitial && !op.isWrite()) {
                    builder.writerTxn(op.writer());
                }
            }
            builder.endTxn();
        }
        return builder.build();
    }
}
