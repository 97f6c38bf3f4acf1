package io.nightjar.datasets.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.NaiveChecker;
import io.nightjar.datasets.NaiveHistory;
import io.nightjar.datasets.NaiveHistory.Op;
import io.nightjar.datasets.NaiveHistory.Txn;
import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HistoryGeneratorTest {

    private static final int SEEDS = 300;

    @Tag(Seeds.TAG)
    @Test
    void snapshotStoreSatisfiesSnapshotIsolation() throws IOException {
        for (long seed : Seeds.upTo(SEEDS)) {
            GeneratorOptions options =
                    randomSmallOptions(seed).store(StoreKind.SI).build();

            assertThat(NaiveChecker.check(generate(options), IsolationLevel.SNAPSHOT_ISOLATION))
                    .as("seed=%d options=%s", seed, options)
                    .isEmpty();
        }
    }

    @Test
    void tenantsHaveSessionsAndKeysOfTheirOwn() throws IOException {
        GeneratorOptions options = GeneratorOptions.builder()
                .workload(GeneratorOptions.TENANTS_WORKLOAD)
                .sessions(20)
                .keys(100)
                .transactions(2_000)
                .build();
        List<HistorySlice> slices = new ArrayList<>();
        HistoryGenerator.generate(options, slices::add);

        Map<Long, Set<Long>> tenantsOfKey = new HashMap<>();
        Set<Long> sessions = new HashSet<>();
        for (HistorySlice slice : slices) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                sessions.add(slice.sessionId[txn]);
                for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                    tenantsOfKey
                            .computeIfAbsent(slice.key[op], unseen -> new HashSet<>())
                            .add(slice.sessionId[txn] % options.tenants());
                }
            }
        }
        assertThat(options.tenants()).isEqualTo(5);
        assertThat(sessions).hasSize(20);
        assertThat(tenantsOfKey).hasSize(100);
        assertThat(tenantsOfKey.values())
                .allSatisfy(tenants -> assertThat(tenants).hasSize(1));
    }

    @Tag(Seeds.TAG)
    @Test
    void serializableStoreSatisfiesSnapshotIsolationAndSerializability() throws IOException {
        for (long seed : Seeds.upTo(SEEDS)) {
            GeneratorOptions options =
                    randomSmallOptions(seed).store(StoreKind.SER).build();
            NaiveHistory history = generate(options);

            assertThat(NaiveChecker.check(history, IsolationLevel.SNAPSHOT_ISOLATION))
                    .as("si seed=%d options=%s", seed, options)
                    .isEmpty();
            assertThat(NaiveChecker.check(history, IsolationLevel.COMMIT_ORDER_SERIALIZABLE))
                    .as("ser seed=%d options=%s", seed, options)
                    .isEmpty();
        }
    }

    @Test
    void snapshotStoreAllowsWriteSkew() throws IOException {
        NaiveHistory history = generate(
                small().keys(10).ops(4).concurrency(8).store(StoreKind.SI).build());

        assertThat(NaiveChecker.check(history, IsolationLevel.COMMIT_ORDER_SERIALIZABLE))
                .isNotEmpty();
    }

    @Test
    void sameOptionsGiveTheSameSlices() throws IOException {
        for (DataModel model : DataModel.values()) {
            GeneratorOptions options = small().model(model).transactions(10_000).build();

            assertThat(fingerprint(generate(options))).isEqualTo(fingerprint(generate(options)));
        }
    }

    @Test
    void anotherSeedGivesAnotherHistory() throws IOException {
        assertThat(fingerprint(generate(small().seed(2).build())))
                .isNotEqualTo(fingerprint(generate(small().seed(3).build())));
    }

    @Test
    void theDefaultHistoryIsTheSameInEveryRelease() throws IOException {
        GeneratorOptions registers =
                GeneratorOptions.builder().transactions(10_000).build();
        GeneratorOptions lists = GeneratorOptions.builder()
                .transactions(10_000)
                .model(DataModel.LIST)
                .store(StoreKind.SER)
                .distribution(KeyDistribution.ZIPFIAN)
                .build();

        assertThat(fingerprint(generate(registers))).isEqualTo("cdbbe0f491080576");
        assertThat(fingerprint(generate(lists))).isEqualTo("9f2589e0d8cc8ad1");
    }

    @Test
    void transactionsCountsRowsAbortedOnesIncluded() throws IOException {
        NaiveHistory history = new NaiveHistory();
        GeneratedHistory generated =
                HistoryGenerator.generate(small().transactions(5_000).build(), history::add);

        long aborted = history.txns.stream().filter(txn -> !txn.isCommitted()).count();
        assertThat(history.txns).hasSize(5_000);
        assertThat(aborted).isPositive();
        assertThat(generated.transactions()).isEqualTo(5_000);
        assertThat(generated.aborted()).isEqualTo(aborted);
        assertThat(generated.operations()).isEqualTo(5_000 * 6);
    }

    @Test
    void abortedTransactionsCanBeLeftOut() throws IOException {
        NaiveHistory history =
                generate(small().transactions(2_000).recordAborted(false).build());

        assertThat(history.txns).hasSize(2_000).allMatch(Txn::isCommitted);
        assertThat(NaiveChecker.check(history, IsolationLevel.SNAPSHOT_ISOLATION))
                .isEmpty();
    }

    @Test
    void rowsComeInOrderOfTheirEndsWithConsecutiveIds() throws IOException {
        NaiveHistory history = generate(small().transactions(10_000).build());

        assertThat(history.txns).extracting(Txn::id).isSorted().startsWith(1L).endsWith(10_000L);
        assertThat(history.txns.stream().filter(Txn::isCommitted).map(Txn::commit))
                .isSorted();
    }

    @Test
    void committedTransactionsHaveBothTimestampsAndAbortedOnesOnlyTheirStart() throws IOException {
        NaiveHistory history = generate(small().build());

        for (Txn txn : history.txns) {
            assertThat(txn.start()).isPositive();
            if (txn.status() == TxnStatus.COMMITTED) {
                assertThat(txn.commit()).isGreaterThan(txn.start());
            } else {
                assertThat(txn.commit()).isEqualTo(HistorySlice.NONE);
            }
        }
    }

    @Test
    void everyTimestampIsUnique() throws IOException {
        NaiveHistory history = generate(small().transactions(3_000).build());
        Set<Long> seen = new HashSet<>();

        for (Txn txn : history.txns) {
            assertThat(seen.add(txn.start())).isTrue();
            assertThat(!txn.isCommitted() || seen.add(txn.commit())).isTrue();
        }
    }

    @Test
    void everyWrittenValueIsUnique() throws IOException {
        NaiveHistory history = generate(small().build());
        Set<Long> seen = new HashSet<>();

        for (Txn txn : history.txns) {
            for (Op op : txn.ops()) {
                assertThat(!op.isWrite() || seen.add(op.value())).isTrue();
            }
        }
    }

    @Test
    void aSessionRunsOneTransactionAtATimeWithoutGapsInItsSequence() throws IOException {
        NaiveHistory history = generate(small().sessions(3).build());
        Map<Long, Txn> lastOf = new HashMap<>();
        List<Txn> bySession = new ArrayList<>(history.txns);
        bySession.sort(Comparator.comparingLong(Txn::session).thenComparingLong(Txn::seq));

        for (Txn txn : bySession) {
            Txn previous = lastOf.put(txn.session(), txn);
            assertThat(txn.seq()).isEqualTo(previous == null ? 0 : previous.seq() + 1);
            assertThat(previous == null || !previous.isCommitted() || previous.commit() < txn.start())
                    .isTrue();
        }
        assertThat(lastOf).hasSize(3);
    }

    @Test
    void noMoreTransactionsAreOpenThanConcurrencyAllows() throws IOException {
        NaiveHistory history = generate(small().concurrency(3).build());
        TreeMap<Long, Integer> changes = new TreeMap<>();
        for (Txn txn : history.txns) {
            if (txn.isCommitted()) {
                changes.put(txn.start(), 1);
                changes.put(txn.commit(), -1);
            }
        }

        int open = 0;
        int max = 0;
        for (int change : changes.values()) {
            open += change;
            max = Math.max(max, open);
        }
        assertThat(max).isEqualTo(3);
    }

    @Test
    void clientTimesEncloseTheTransactionAndAgreeWithTheSchedule() throws IOException {
        NaiveHistory history = generate(small().transactions(1_000).build());
        long lastCompletion = 0;

        for (HistorySlice slice : history.slices) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                assertThat(slice.invokeNs[txn]).isLessThan(slice.completeNs[txn]);
                assertThat(slice.completeNs[txn]).isGreaterThan(lastCompletion);
                lastCompletion = slice.completeNs[txn];
            }
        }
    }

    @Test
    void aLoneSlotNeverAborts() throws IOException {
        NaiveHistory history = generate(small().concurrency(1).build());

        assertThat(history.txns).allMatch(Txn::isCommitted);
    }

    @Test
    void automaticConcurrencyAbortsFewTransactionsOfTheDefaultWorkload() throws IOException {
        for (StoreKind store : StoreKind.withTimestamps()) {
            GeneratedHistory generated = HistoryGenerator.generate(
                    GeneratorOptions.builder().store(store).transactions(20_000).build(), slice -> {});

            assertThat(generated.aborted()).isBetween(1_000L, 6_000L);
        }
    }

    @Test
    void concurrencyIsNeverMoreThanSessions() {
        GeneratorOptions options =
                GeneratorOptions.builder().sessions(4).concurrency(100).build();

        assertThat(HistoryGenerator.concurrencyOf(options)).isEqualTo(4);
    }

    @Test
    void aListTakesNoMoreAppendsThanItsLimit() throws IOException {
        NaiveHistory history =
                generate(small().model(DataModel.LIST).appendsPerKey(5).build());
        Map<String, Integer> appendsOf = new HashMap<>();
        int maxLength = 0;

        for (Txn txn : history.txns) {
            for (Op op : txn.ops()) {
                if (op.isWrite()) {
                    appendsOf.merge(op.key(), 1, Integer::sum);
                } else if (op.elements() != null) {
                    maxLength = Math.max(maxLength, op.elements().size());
                }
            }
        }
        assertThat(appendsOf.values()).allMatch(count -> count <= 5);
        assertThat(maxLength).isEqualTo(5);
    }

    // ---------------------------------------------------------------- histories

    private static GeneratorOptions.Builder small() {
        return GeneratorOptions.builder()
                .transactions(500)
                .sessions(6)
                .ops(6)
                .keys(30)
                .concurrency(4);
    }

    private static GeneratorOptions.Builder randomSmallOptions(long seed) {
        SeededRandom random = new SeededRandom(seed);
        return GeneratorOptions.builder()
                .seed(seed)
                .model(DataModel.values()[random.below(2)])
                .distribution(KeyDistribution.values()[random.below(3)])
                .transactions(1 + random.below(200))
                .sessions(1 + random.below(8))
                .ops(1 + random.below(8))
                .reads(random.fraction())
                .keys(1 + random.below(25))
                .concurrency(1 + random.below(8))
                .appendsPerKey(1 + random.below(10));
    }

    private static NaiveHistory generate(GeneratorOptions options) throws IOException {
        NaiveHistory history = new NaiveHistory();
        HistoryGenerator.generate(options, history::add);
        return history;
    }

    private static String fingerprint(NaiveHistory history) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (HistorySlice slice : history.slices) {
                for (int txn = 0; txn < slice.txnCount; txn++) {
                    digest.update(ByteBuffer.allocate(16)
                            .putLong(slice.invokeNs[txn])
                            .putLong(slice.completeNs[txn])
                            .array());
                }
            }
            for (Txn txn : history.txns) {
                digest.update(txn.toString().getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("cannot happen: every JDK has SHA-256", impossible);
        }
    }
}
