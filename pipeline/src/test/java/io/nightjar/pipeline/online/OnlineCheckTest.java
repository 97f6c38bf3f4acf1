package io.nightjar.pipeline.online;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens at once, what is taken back, and what a seal makes final. Rows arrive in the order in which they stand. */
class OnlineCheckTest {

    private static final List<IsolationLevel> SI = List.of(IsolationLevel.SNAPSHOT_ISOLATION);
    private static final List<IsolationLevel> SER = List.of(IsolationLevel.COMMIT_ORDER_SERIALIZABLE);

    @Test
    void innerWriterArrivingLastConflictsOnceWithOuterWriter() {
        assertThat(
                        changes(
                                SI,
                                """
                s1 T1 [1,10]: w(x,1)
                s2 T2 [3,5]: w(x,2)
                """))
                .containsExactly("final NOCONFLICT x T2 T1");
    }

    @Test
    void intervalsThatTouchDoNotConflict() {
        assertThat(
                        changes(
                                SI,
                                """
                s1 T1 [1,5]: w(x,1)
                s2 T2 [5,9]: w(x,2)
                """))
                .isEmpty();
    }

    @Test
    void lateMiddleTransactionOfSessionRaisesNoFalseFinding() {
        assertThat(changes(
                        SI,
                        """
                s1 T1 [1,2]: w(x,1)
                s1 T2 [3,4]: w(x,2)
                s1 T3 [5,6]: r(x,2)
                """,
                        0,
                        2,
                        1))
                .containsExactly("raised EXT x T3 T1", "withdrawn EXT x T3 T2");
    }

    @Test
    void middleTransactionOfSessionWithdrawsEarlierFinding() {
        assertThat(changes(
                        SI,
                        """
                s1 T1 [1,6]: w(x,1)
                s1 T2 [2,3]: w(y,1)
                s1 T3 [4,9]: r(z,_)
                """,
                        0,
                        2,
                        1))
                .containsExactly(
                        "raised SESSION null T3 T1",
                        "raised SESSION null T2 T1",
                        "withdrawn SESSION null T3 T2",
                        "final SESSION null T2 T1");
    }

    @Test
    void readArrivingBeforeItsVersionIsWrongUntilVersionArrives() {
        assertThat(
                        changes(
                                SI,
                                """
                s1 T2 [3,4]: r(x,1)
                s2 T1 [1,2]: w(x,1)
                """))
                .containsExactly("raised EXT x T2 -", "withdrawn EXT x T2 T1");
    }

    @Test
    void transactionsAddedTogetherAreNeverProvisionallyWrong() {
        RecordedFindings found = new RecordedFindings();
        OnlineCheck check = new OnlineCheck(SI, null, found);
        for (HistorySlice slice : SmallHistory.parse(
                        """
                s3 T4 [7,8]: r(x,1)
                s1 T2 [3,4]: r(x,1)
                s2 T1 [1,2]: w(x,1)
                s2 T3 [5,6]: w(x,2)
                """)
                .slices(1)) {
            check.buffer(slice, 0);
        }
        assertThat(found.changes).isEmpty();

        check.placeBuffered();

        assertThat(found.changes).containsExactly("raised EXT x T4 T3");
    }

    @Test
    void lateWriteAffectsReadsUpToNextVersionOnly() {
        assertThat(
                        changes(
                                SI,
                                """
                s1 T1 [1,2]: w(x,1)
                s2 T4 [7,8]: w(x,4)
                s3 T3 [5,6]: r(x,1)
                s4 T5 [9,9]: r(x,4)
                s5 T2 [3,4]: w(x,2)
                """))
                .containsExactly("raised EXT x T3 T2", "final EXT x T3 T2");
    }

    @Test
    void commitAndStartAtOneTimestampArriveInAnyOrder() {
        assertThat(
                        changes(
                                SI,
                                """
                s1 T1 [1,5]: w(x,1)
                s2 T2 [5,6]: r(x,1)
                """))
                .isEmpty();
        assertThat(
                        changes(
                                SI,
                                """
                s2 T2 [5,6]: r(x,_)
                s1 T1 [1,5]: w(x,1)
                """))
                .containsExactly("raised EXT x T2 T1", "final EXT x T2 T1");
    }

    @Test
    void startAfterCommitIsFindingAndItsWriteCounts() {
        assertThat(
                        changes(
                                SI,
                                """
                s1 T1 [9,2]: w(x,1) r(y,7)
                s2 T2 [3,4]: r(x,1)
                """))
                .containsExactly("final TIMESTAMP-ORDER null T1 -");
    }

    @Test
    void keysMayLieFarApart() {
        assertThat(
                        changes(
                                SI,
                                """
                s1 T1 [1,2]: w(30000000,1) w(-9000000000000000000,2)
                s2 T2 [3,4]: r(30000000,1) r(-9000000000000000000,3)
                """))
                .containsExactly("raised EXT -9000000000000000000 T2 T1", "final EXT -9000000000000000000 T2 T1");
    }

    @Test
    void writeBehindTheWatermarkIsLeftToItsSegment() {
        RecordedFindings found = new RecordedFindings();
        OnlineCheck check = new OnlineCheck(SI, null, found);
        add(check, "s1 T2 [3,4]: r(x,1)\n");
        check.seal(10);
        add(check, "s2 T1 [1,2]: w(x,1)\n");
        check.seal(20);

        assertThat(found.changes).containsExactly("raised EXT x T2 -", "final EXT x T2 -");
        assertThat(check.leftToSegments()).isEqualTo(1);
        assertThat(check.needsSegmentCheck()).isTrue();
        assertThat(check.lateCount()).isEqualTo(1);
        check.beginSegmentCheck();
        assertThat(check.needsSegmentCheck()).isFalse();
    }

    @Test
    void readBeforeRemovedVersionIsLeftToSegment() {
        RecordedFindings found = new RecordedFindings();
        OnlineCheck check = new OnlineCheck(SI, null, found);
        add(check, "s1 T1 [1,2]: w(x,1)\ns1 T2 [3,4]: w(x,2)\n");
        check.seal(10);
        add(check, "s1 T4 [11,12]: w(x,4)\n"); // removes the version of T1
        add(check, "s2 T3 [3,30]: r(x,5)\n");

        assertThat(found.changes).isEmpty();
        assertThat(check.needsSegmentCheck())
                .as("more may come before its commit")
                .isFalse();
        check.seal(30);
        assertThat(check.needsSegmentCheck()).isTrue();
    }

    @Test
    void rowsAfterWatermarkAreFinalOnceSealedAgain() {
        RecordedFindings found = new RecordedFindings();
        OnlineCheck check = new OnlineCheck(SI, null, found);
        add(check, "s1 T1 [1,2]: w(x,1)\ns1 T2 [8,9]: w(x,2)");
        check.seal(9);
        assertThat(check.hasLate()).isFalse();
        add(check, "s2 T3 [3,4]: r(x,2)");
        assertThat(check.hasLate()).isTrue();

        check.seal(9);

        assertThat(check.hasLate()).isFalse();
        assertThat(found.changes).containsExactly("raised EXT x T3 T1", "final EXT x T3 T1");
    }

    @Test
    void transactionSpanningWatermarkIsNotLate() {
        RecordedFindings found = new RecordedFindings();
        OnlineCheck check = new OnlineCheck(SI, null, found);
        add(check, "s1 T1 [1,2]: w(x,1)\ns1 T2 [5,8]: w(x,2)\n");
        check.seal(10);
        add(check, "s2 T3 [4,12]: r(x,1) w(x,3)\n");
        check.seal(20);

        assertThat(found.changes).containsExactly("final NOCONFLICT x T2 T3");
        assertThat(check.lateCount()).isZero();
        assertThat(check.leftToSegments()).isZero();
    }

    @Test
    void listsAreJudgedWhenTheyAreSealed() {
        assertThat(
                        changes(
                                SI,
                                """
                s1 T1 [1,2]: append(l,1)
                s2 T3 [5,6]: r(l,[1])
                s1 T2 [3,4]: append(l,2)
                """))
                .containsExactly("final EXT l T3 T2");
    }

    @Test
    void findingsOfSetKeysAreDeferredToSegments() {
        RecordedFindings found = new RecordedFindings();
        OnlineCheck check = new OnlineCheck(SI, null, found);
        add(check, "s1 T1 [1,2]: w(x,1)\ns2 T2 [3,4]: r(x,5)\n");
        check.seal(10);
        add(check, "s3 T3 [11,12]: add(x,5)\n");

        assertThat(found.changes).containsExactly("raised EXT x T2 T1", "final EXT x T2 T1");
        assertThat(check.needsSegmentCheck()).isTrue();
        assertThat(check.unjudgedKeys()).isEqualTo(1);
    }

    @Test
    void nothingStaysInMemoryBehindTheWatermark() {
        RecordedFindings found = new RecordedFindings();
        OnlineCheck check = new OnlineCheck(SI, null, found);
        StringBuilder rows = new StringBuilder();
        for (int i = 1; i < 500; i++) {
            rows.append("s1 T%d [%d,%d]: r(x,%s) w(x,%d)%n".formatted(i, i * 2, i * 2 + 1, i == 1 ? "_" : i - 1, i));
        }
        add(check, rows.toString());
        assertThat(check.openByteSize()).isGreaterThan(998 * 24);
        assertThat(check.openTxns()).isEqualTo(499);
        check.seal(Long.MAX_VALUE);

        assertThat(check.openByteSize()).as("pages and the last of its session").isLessThan(6_000);
        assertThat(check.openTxns()).isZero();
        assertThat(found.changes).isEmpty();
    }

    /** What is told of rows that arrive one by one, as they stand or in the order given, and are sealed at the end. */
    private static List<String> changes(List<IsolationLevel> levels, String rows, int... order) {
        RecordedFindings found = new RecordedFindings();
        OnlineCheck check = new OnlineCheck(levels, null, found);
        List<HistorySlice> slices = SmallHistory.parse(rows).slices(1);
        for (int i = 0; i < slices.size(); i++) {
            check.add(slices.get(order.length == 0 ? i : order[i]), 0);
        }
        check.seal(Long.MAX_VALUE);
        Collections.sort(found.changes.subList(found.sealedFrom(), found.changes.size()));
        return found.changes;
    }

    private static void add(OnlineCheck check, String rows) {
        for (HistorySlice slice : SmallHistory.parse(rows).slices(100)) {
            check.add(slice, 0);
        }
    }

    private static final class RecordedFindings implements OnlineListener {

        private final List<String> changes = new ArrayList<>();

        @Override
        public void changed(OnlineFinding.Change change, OnlineFinding finding, boolean isWrong) {
            changes.add("%s %s %s T%d %s"
                    .formatted(
                            change.word(),
                            finding.anomaly().spelling(),
                            finding.key(),
                            finding.subject().txnId(),
                            finding.other() == null
                                    ? "-"
                                    : "T" + finding.other().txnId()));
        }

        /** Where the final findings begin that were told last. */
        int sealedFrom() {
            int from = changes.size();
            while (from > 0 && changes.get(from - 1).startsWith("final")) {
                from--;
            }
            return from;
        }

        @Override
        public boolean wantsProvisional() {
            return true;
        }
    }
}
