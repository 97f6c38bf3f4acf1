package io.nightjar.pipeline.check.timestamp;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.TransactionScan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a window and a few versions of each key cannot tell is left to lanes. */
class InOrderSweepTest {

    private static final IsolationLevel SI = IsolationLevel.SNAPSHOT_ISOLATION;
    private static final int WRITERS = 60;

    @Test
    void readOfDroppedVersionIsLeftToLanes() {
        assertThat(lateReader("r(x,3)").inTime()).isEmpty();
        assertThat(lateReader("r(x,4)").inTime()).hasSize(1);
        assertThat(lateReader("r(x,_)").inTime()).hasSize(1);
        assertThat(lateReader("r(x,0)").inTime()).hasSize(1); // the initial value
    }

    /** Short writers of x, then a transaction that ran since the third of them; another key has no part in that. */
    private static Findings lateReader(String read) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= WRITERS; i++) {
            text.append("s1 T%d [%d,%d]: w(x,%d)%n".formatted(i, 10 * i, 10 * i + 1, i));
        }
        text.append("s2 T1000 [35,%d]: %s r(y,_)%n".formatted(20 * WRITERS, read));
        SmallHistory history =
                new SmallHistory(SmallHistory.parse(text.toString()).txns(), "0");
        SmallCheck check = SmallCheck.of(history).levels(SI).txnsPerSlice(1).inOrder(1);
        Findings found = check.run();
        assertThat(check.sweep().suspectKeys()).isEqualTo(1);
        assertThat(check.sweep().keyCount()).isEqualTo(2);
        return found;
    }

    @Test
    void versionsThatARunningTransactionMayReadAreKept() {
        StringBuilder text = new StringBuilder("s9 T2000 [1,7]: w(z,1)%n".formatted());
        for (int i = 1; i <= WRITERS; i++) {
            text.append("s1 T%d [%d,%d]: w(x,%d)%n".formatted(i, 10 * i, 10 * i + 1, i));
            int seen = Math.max(1, i - 20);
            text.append("s%d T%d [%d,%d]: r(x,%d)%n".formatted(9 + i, 1000 + i, 10 * seen + 1, 10 * i + 2, seen));
        }
        SmallCheck check = SmallCheck.of(SmallHistory.parse(text.toString()))
                .levels(SI)
                .txnsPerSlice(3)
                .inOrder(4);
        Findings found = check.run();
        assertThat(found.inTime()).isEmpty();
        assertThat(check.sweep().suspectKeys()).as("keys in doubt").isZero();
    }

    @Test
    void tooLateRowLeavesKeysToLanes() {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= WRITERS; i++) {
            text.append("s1 T%d [%d,%d]: w(x,%d)%n".formatted(i, 10 * i, 10 * i + 1, i));
        }
        text.append("s2 T1000 [32,33]: w(y,1)%ns3 T1001 [34,34]: r(x,3) r(y,1)%n".formatted());
        SmallCheck check = SmallCheck.of(SmallHistory.parse(text.toString()))
                .levels(SI, IsolationLevel.COMMIT_ORDER_SERIALIZABLE)
                .txnsPerSlice(1)
                .inOrder(1);
        Findings found = check.run();
        assertThat(found.inTime()).isEmpty();
        assertThat(check.sweep().suspectKeys()).isEqualTo(2);
    }

    @Test
    void rowAfterRemovalOfItsTimestampLeavesKeysToLanes() {
        // at one timestamp who starts and commits at it goes by id, and after those who started before
        String reader = "s1 T2 [10,10]: w(x,1)%ns2 T3 [20,20]: w(y,1)%ns3 T1 [10,10]: r(x,1)";
        String writer = "s1 T2 [10,10]: r(x,_) w(z,1)%ns2 T3 [20,20]: w(y,1)%ns3 T4 [9,10]: w(x,1)";
        for (String rows : List.of(reader, writer)) {
            SmallCheck check = SmallCheck.of(SmallHistory.parse(rows.formatted()))
                    .levels(SI)
                    .txnsPerSlice(1)
                    .inOrder(1);
            assertThat(check.run().inTime()).as(rows).hasSize(1);
            assertThat(check.sweep().suspectKeys()).as(rows).isEqualTo(1);
        }
    }

    @Test
    void sweepEndsWithManyDoubtsOrTooLittleMemory() {
        assertThat(longHistory(3, 1L << 26).abandonReason()).contains("in doubt");
        assertThat(longHistory(1, 1L << 26).abandonReason()).isNull();
        assertThat(longHistory(1, 1L << 14).abandonReason()).contains("do not fit");
    }

    /** Writers of one key that overlap, or follow each other where the step is one. */
    private static InOrderSweep longHistory(int duration, long memoryBytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= 30_000; i++) {
            text.append("s%d T%d [%d,%d]: w(x,%d) w(y%d,1) w(z,%d)%n"
                    .formatted(i, i, 10 * i, 10 * i + 9 * duration, i, i % 500, i));
        }
        InOrderSweep sweep =
                new InOrderSweep(Map.of(SI, Axiom.of(SI)), false, null, memoryBytes, 16, new SuspectShare());
        TransactionScan scan = new TransactionScan(1, null);
        for (HistorySlice slice : SmallHistory.parse(text.toString()).slices(500)) {
            scan.scan(slice);
            sweep.add(scan.exchange(0, sweep.emptyChunk()));
        }
        sweep.finish();
        return sweep;
    }

    @Test
    void sweepEndsBeforeCopiedValueTableExceedsMemory() {
        long memoryBytes = 4 << 20;
        InOrderSweep sweep =
                new InOrderSweep(Map.of(SI, Axiom.of(SI)), false, null, memoryBytes, 16, new SuspectShare());
        TransactionScan scan = new TransactionScan(1, null);
        int txns = 0;
        while (sweep.abandonReason() == null && txns < 20_000) {
            StringBuilder text = new StringBuilder();
            for (int end = txns + 50; txns < end; txns++) {
                String value = "v".repeat(600) + txns;
                text.append("s1 T%d [%d,%d]: w(k%d,\"%s\")%n".formatted(txns, 10 * txns, 10 * txns + 1, txns, value));
            }
            scan.scan(SmallHistory.parse(text.toString()).slices(50).get(0));
            LaneChunk chunk = scan.exchange(0, sweep.emptyChunk());
            sweep.add(chunk);
            boolean isHeldWithNames = !sweep.isGivenUp() && chunk.valueNames != null;
            assertThat(isHeldWithNames).as("%d transactions", txns).isFalse();
        }
        assertThat(sweep.abandonReason()).contains("do not fit");
        assertThat(sweep.valueNameBytes()).isBetween(memoryBytes / 8, memoryBytes / 2);
    }

    @Test
    void unreferencedStringValuesAreEvicted() {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= 4_000; i++) {
            text.append("s1 T%d [%d,%d]: r(k%d,%s) w(k%d,\"value-%d\")%n"
                    .formatted(i, 10 * i, 10 * i + 1, i % 7, i <= 7 ? "_" : "\"value-" + (i - 7) + "\"", i % 7, i));
        }
        InOrderSweep sweep = new InOrderSweep(Map.of(SI, Axiom.of(SI)), false, null, 1L << 20, 4, new SuspectShare());
        TransactionScan scan = new TransactionScan(1, null);
        for (HistorySlice slice : SmallHistory.parse(text.toString()).slices(10)) {
            scan.scan(slice);
            sweep.add(scan.exchange(0, sweep.emptyChunk()));
        }
        sweep.finish();
        assertThat(sweep.abandonReason()).isNull();
        assertThat(sweep.keyCount()).isEqualTo(7);
        assertThat(sweep.suspectKeys()).isZero();
        assertThat(sweep.valueNameBytes()).isLessThan(1 << 18);
    }
}
