package io.nightjar.datasets.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.NaiveChecker;
import io.nightjar.datasets.NaiveHistory;
import io.nightjar.datasets.generate.GeneratedHistory;
import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The behavior of every application at every store, and the invariants that a store keeps. */
class WorkloadsTest {

    private static final Pattern BALANCE = Pattern.compile("\"balance\":(-?\\d+)");

    @Test
    void workloadWithSameSeedGeneratesSameHistoryAtEveryStore() throws IOException {
        for (Workloads workload : Workloads.values()) {
            for (StoreKind store : StoreKind.values()) {
                GeneratorOptions options =
                        small(workload, store).transactions(300).build();

                List<String> rows = rows(options);

                assertThat(rows).as("%s %s", workload, store).hasSize(300).isEqualTo(rows(options));
            }
        }
    }

    @Test
    void everyValueThatIsWrittenIsDifferent() throws IOException {
        for (Workloads workload : Workloads.values()) {
            Set<String> seen = new HashSet<>();
            for (HistorySlice slice : slices(small(workload, StoreKind.CC).build())) {
                for (int op = 0; op < slice.opCount; op++) {
                    assertThat(!OpKind.isWriteOfValue(slice.kind[op]) || seen.add(slice.valueText(slice.value[op])))
                            .as("%s", workload)
                            .isTrue();
                }
            }
            assertThat(seen).as("%s", workload).isNotEmpty();
        }
    }

    @Test
    void storesOfSnapshotsKeepTheirLevelByTimestamps() throws IOException {
        for (Workloads workload : List.of(Workloads.HOT_KEYS, Workloads.BLIND_WRITES)) {
            NaiveHistory history = new NaiveHistory();
            HistoryGenerator.generate(small(workload, StoreKind.SER).build(), history::add);

            assertThat(NaiveChecker.check(history, IsolationLevel.COMMIT_ORDER_SERIALIZABLE))
                    .isEmpty();
            assertThat(NaiveChecker.check(history, IsolationLevel.SNAPSHOT_ISOLATION))
                    .isEmpty();
        }
    }

    @Test
    void bankSumIsWholeOnlyInReadAtomicSnapshots() throws IOException {
        assertThat(sums(small(Workloads.BANK, StoreKind.SER), 10)).isNotEmpty().containsOnly(1000L);
        assertThat(sums(small(Workloads.BANK, StoreKind.SI), 10)).isNotEmpty().containsOnly(1000L);
        assertThat(sums(small(Workloads.BANK, StoreKind.RC), 10)).anyMatch(sum -> sum != 1000);
    }

    @Test
    void accountPairsFallBelowZeroWithWriteSkew() throws IOException {
        assertThat(sums(small(Workloads.WRITE_SKEW, StoreKind.SER), 2))
                .isNotEmpty()
                .allMatch(sum -> sum >= 0);
        assertThat(sums(small(Workloads.WRITE_SKEW, StoreKind.SI).transactions(20_000), 2))
                .anyMatch(sum -> sum < 0);
    }

    @Test
    void belowSnapshotIsolationOnlyProgramsRollBack() throws IOException {
        for (StoreKind store : List.of(StoreKind.RC, StoreKind.RA, StoreKind.CC, StoreKind.PC)) {
            GeneratedHistory generated = HistoryGenerator.generate(
                    small(Workloads.SHOPPING_CART, store).build(), slice -> {});

            assertThat(generated.aborted()).as("%s", store).isZero();
        }
    }

    private static GeneratorOptions.Builder small(Workloads workload, StoreKind store) {
        return GeneratorOptions.builder()
                .workload(workload.word())
                .store(store)
                .transactions(2_000)
                .sessions(5)
                .ops(4)
                .keys(10)
                .concurrency(4);
    }

    private static List<HistorySlice> slices(GeneratorOptions options) throws IOException {
        List<HistorySlice> slices = new ArrayList<>();
        HistoryGenerator.generate(options, slices::add);
        return slices;
    }

    private static List<String> rows(GeneratorOptions options) throws IOException {
        List<String> rows = new ArrayList<>();
        for (HistorySlice slice : slices(options)) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                StringBuilder row = new StringBuilder();
                row.append(slice.sessionId[txn]).append(slice.status[txn]).append(slice.invokeNs[txn]);
                for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                    row.append(' ').append(slice.kind[op]).append(slice.keyText(op));
                    row.append(slice.kind[op] == OpKind.READ_NOTHING ? "" : slice.valueText(slice.value[op]));
                }
                rows.add(row.toString());
            }
        }
        return rows;
    }

    /**
     * Returns the sums of accounts that committed transactions observed which begin by reading that number of accounts.
     */
    private static List<Long> sums(GeneratorOptions.Builder options, int accounts) throws IOException {
        List<Long> sums = new ArrayList<>();
        for (HistorySlice slice : slices(options.build())) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                int first = slice.firstOpOf[txn];
                long sum = 0;
                int reads = 0;
                for (int op = first; op < slice.firstOpOf[txn + 1] && OpKind.isRead(slice.kind[op]); op++) {
                    sum += slice.kind[op] == OpKind.READ_NOTHING ? 100 : balance(slice, op);
                    reads++;
                }
                if (reads == accounts && slice.status[txn] == TxnStatus.COMMITTED) {
                    sums.add(sum);
                }
            }
        }
        return sums;
    }

    private static long balance(HistorySlice slice, int op) {
        Matcher matcher = BALANCE.matcher(slice.valueText(slice.value[op]));
        assertThat(matcher.find()).isTrue();
        return Long.parseLong(matcher.group(1));
    }
}
