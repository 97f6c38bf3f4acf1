package io.nightjar.pipeline.check.timestamp;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.level.IsolationLevel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The reference itself is held against cases worked out by hand, sentence by sentence of the fine print. */
class ReferenceChronosTest {

    // ---------------------------------------------------------------- what a snapshot holds

    @Test
    void commitIsVisibleToStartAtTheSameTimestamp() {
        String history =
                """
                s1 T1 [1,5]: w(x,1)
                s2 T2 [5,6]: r(x,1)
                """;

        assertThat(si(history)).isEmpty();
    }

    @Test
    void commitAfterStartIsNotVisible() {
        String history =
                """
                s1 T1 [1,5]: w(x,1)
                s2 T2 [4,9]: r(x,1)
                """;

        assertThat(si(history)).containsExactly("EXT(T2,x) expected _ observed 1 of T1 future slack 1");
    }

    @Test
    void laterCommitOfTwoIsTheFrontier() {
        String history =
                """
                s1 T1 [1,5]: w(x,1)
                s2 T2 [6,7]: w(x,2)
                s3 T3 [9,9]: r(x,1)
                """;

        assertThat(si(history)).containsExactly("EXT(T3,x) expected 2 of T2 observed 1 of T1 stale slack -3");
    }

    @Test
    void instantCommitFollowsEarlierStartedCommitsOfSameTimestamp() {
        String history =
                """
                s1 T9 [1,5]: w(x,9)
                s2 T1 [5,5]: w(x,1)
                s3 T3 [5,6]: r(x,1)
                """;

        assertThat(si(history)).containsExactly("NOCONFLICT(T1,T9,x) slack 0");
    }

    @Test
    void commitsOfOneTimestampAreOrderedById() {
        String history =
                """
                s1 T2 [1,5]: w(x,2)
                s2 T1 [2,5]: w(x,1)
                s3 T3 [5,6]: r(x,1)
                """;

        assertThat(si(history))
                .containsExactlyInAnyOrder(
                        "NOCONFLICT(T1,T2,x) slack 4", "EXT(T3,x) expected 2 of T2 observed 1 of T1 stale");
    }

    @Test
    void commitWithEarlierStartIsVisibleToInstantTransaction() {
        String history =
                """
                s1 T9 [1,5]: w(x,9)
                s2 T1 [5,5]: r(x,9)
                """;

        assertThat(si(history)).isEmpty();
    }

    @Test
    void instantTransactionSeesInstantWritersOfSmallerIdOnly() {
        String history =
                """
                s1 T1 [5,5]: r(x,2)
                s2 T2 [5,5]: w(x,2)
                s3 T3 [5,5]: r(x,2)
                """;

        assertThat(si(history)).containsExactly("EXT(T1,x) expected _ observed 2 of T2 future slack 0");
    }

    @Test
    void transactionNeverSeesItself() {
        String history = """
                s1 T1 [5,5]: r(x,1) w(x,1)
                """;

        assertThat(si(history)).containsExactly("EXT(T1,x) expected _ observed 1 of T1 future");
        assertThat(ser(history)).containsExactly("EXT(T1,x) expected _ observed 1 of T1 future");
    }

    @Test
    void lackingCommitOfReadOnlyTransactionIsItsStart() {
        String history =
                """
                s1 T1 [1,5]: w(x,1)
                s2 T2 [4,_]: r(x,_)
                s3 T3 [5,0]: r(x,1)
                """;

        assertThat(si(history)).isEmpty();
        assertThat(ser(history)).isEmpty();
    }

    @Test
    void lastWriteOfTransactionIsVisible() {
        String history =
                """
                s1 T1 [1,2]: w(x,1) w(x,2)
                s2 T2 [3,4]: r(x,2)
                """;

        assertThat(si(history)).isEmpty();
    }

    @Test
    void valueWrittenTwiceIsComparedByValue() {
        String history =
                """
                s1 T1 [1,2]: w(x,1)
                s1 T2 [3,4]: w(x,1)
                s2 T3 [5,6]: r(x,1)
                """;

        assertThat(si(history)).isEmpty();
    }

    // ---------------------------------------------------------------- EXT and INT, once each

    @Test
    void onlyFirstReadOfAKeyIsExternal() {
        String history = """
                s1 T1 [1,2]: r(x,7) r(x,7)
                """;

        assertThat(si(history)).containsExactly("EXT(T1,x) expected _ observed 7 never");
    }

    @Test
    void readAfterOwnWriteIsInternal() {
        String history = """
                s1 T1 [1,2]: w(x,1) r(x,_)
                """;

        assertThat(si(history)).containsExactly("INT(T1,x) expected 1 of T1 observed _ stale");
        assertThat(ser(history)).containsExactly("INT(T1,x) expected 1 of T1 observed _ stale");
    }

    @Test
    void internalMismatchCountsOnceForATransactionAndKey() {
        String history = """
                s1 T1 [1,2]: w(x,1) r(x,2) r(x,3) w(y,1) r(y,2)
                """;

        assertThat(si(history))
                .containsExactlyInAnyOrder(
                        "INT(T1,x) expected 1 of T1 observed 2 never", "INT(T1,y) expected 1 of T1 observed 2 never");
    }

    @Test
    void secondReadThatDiffersFromTheFirstIsInternal() {
        String history =
                """
                s1 T1 [1,2]: w(x,1)
                s2 T2 [2,9]: r(x,1) r(x,3)
                s1 T3 [3,4]: w(x,3)
                """;

        assertThat(si(history)).containsExactly("INT(T2,x) expected 1 observed 3 of T3 future");
    }

    @Test
    void repeatedInitialReadWithoutWriterHasNoOrigin() {
        String history = """
                s1 T1 [1,2]: r(x,5) r(x,_)
                """;

        assertThat(si(history))
                .containsExactlyInAnyOrder("EXT(T1,x) expected _ observed 5 never", "INT(T1,x) expected 5 observed _");
    }

    // ---------------------------------------------------------------- initial value

    @Test
    void initialValueMeansTheInitialState() {
        String history =
                """
                # initial-value: 0
                s1 T1 [1,2]: r(x,0) r(x,_)
                s2 T2 [2,3]: w(x,1)
                s3 T3 [4,5]: r(x,0)
                """;

        assertThat(si(history)).containsExactly("EXT(T3,x) expected 1 of T2 observed 0 stale slack -2");
    }

    @Test
    void writtenInitialValueIsOrdinaryValueOfKey() {
        String history =
                """
                # initial-value: 0
                s1 T1 [1,2]: r(x,0) r(y,0)
                s2 T2 [5,6]: w(x,0) w(x,1)
                """;

        assertThat(si(history)).containsExactly("EXT(T1,x) expected _ observed 0 of T2 intermediate");
    }

    // ---------------------------------------------------------------- conflicts

    @Test
    void intervalsThatOnlyTouchDoNotConflict() {
        String history =
                """
                s1 T1 [1,5]: w(x,1)
                s2 T2 [5,8]: w(x,2)
                """;

        assertThat(si(history)).isEmpty();
    }

    @Test
    void overlappingWritersOfOneKeyConflict() {
        String history =
                """
                s1 T1 [1,5]: w(x,1) w(y,1)
                s2 T2 [4,8]: w(x,2) append(l,1)
                s3 T3 [7,9]: append(l,2)
                """;

        assertThat(si(history)).containsExactlyInAnyOrder("NOCONFLICT(T1,T2,x) slack 1", "NOCONFLICT(T2,T3,l) slack 1");
        assertThat(ser(history)).isEmpty();
    }

    @Test
    void writersWithOneCommitTimestampConflict() {
        String history =
                """
                s1 T1 [5,5]: w(x,1)
                s2 T2 [5,5]: w(x,2)
                """;

        assertThat(si(history)).containsExactly("NOCONFLICT(T1,T2,x) slack 0");
    }

    @Test
    void instantWriterInsideAnotherConflicts() {
        String history =
                """
                s1 T1 [1,9]: w(x,1)
                s2 T2 [5,5]: w(x,2)
                """;

        assertThat(si(history)).containsExactly("NOCONFLICT(T1,T2,x) slack 4");
    }

    @Test
    void conflictCountsOnceForEachPairAndKey() {
        String history =
                """
                s1 T1 [1,9]: w(x,1) w(x,2) w(y,1)
                s2 T2 [2,8]: w(x,3) w(y,3)
                s3 T3 [3,7]: w(x,4)
                """;

        assertThat(si(history).stream().map(text -> text.replaceFirst(" .*", "")))
                .containsExactlyInAnyOrder(
                        "NOCONFLICT(T1,T2,x)", "NOCONFLICT(T1,T2,y)", "NOCONFLICT(T1,T3,x)", "NOCONFLICT(T2,T3,x)");
    }

    // ---------------------------------------------------------------- sessions

    @Test
    void startBeforePreviousCommitViolatesSession() {
        String history =
                """
                s1 T1 [1,5]: w(x,1)
                s1 T2 [4,9]: w(y,1)
                s1 T3 [9,9]:
                """;

        assertThat(si(history)).containsExactly("SESSION(T2) slack 1");
        assertThat(ser(history)).isEmpty();
    }

    @Test
    void abortedTransactionIsNotThePreviousOne() {
        String history =
                """
                s1 T1 [1,5]: w(x,1)
                s1 T2! [6,20]: w(y,1)
                s1 T3 [7,8]: w(z,1)
                """;

        assertThat(si(history)).isEmpty();
    }

    @Test
    void equalSessionCommitsViolateSerUnlessLaterIsReadOnly() {
        String history =
                """
                s1 T1 [1,5]: w(x,1)
                s1 T2 [5,5]: w(y,1)
                s2 T3 [1,5]: w(z,1)
                s2 T4 [5,5]: r(q,_)
                """;

        assertThat(si(history)).isEmpty();
        assertThat(ser(history)).containsExactly("SESSION(T2) slack 0");
    }

    // ---------------------------------------------------------------- start after commit

    @Test
    void startAfterCommitIsJudgedByNothingElseAtSi() {
        String history =
                """
                s1 T1 [9,4]: r(y,7) r(y,8) w(x,1)
                s2 T2 [3,5]: w(x,2)
                """;

        assertThat(si(history)).containsExactly("TIMESTAMP-ORDER(T1) slack -5");
    }

    @Test
    void startAfterCommitWritesAtItsCommit() {
        String history =
                """
                s1 T1 [9,4]: w(x,1)
                s2 T2 [4,5]: r(x,1)
                """;

        assertThat(si(history)).containsExactly("TIMESTAMP-ORDER(T1) slack -5");
    }

    @Test
    void startAfterCommitBreaksItsSessionAsAnyOther() {
        String history =
                """
                s1 T1 [9,4]: w(x,1)
                s1 T2 [3,5]: w(y,1)
                """;

        assertThat(si(history)).containsExactlyInAnyOrder("TIMESTAMP-ORDER(T1) slack -5", "SESSION(T2) slack 1");
    }

    @Test
    void startAfterCommitIsAnOrdinaryTransactionAtSer() {
        String history = """
                s1 T1 [9,4]: r(y,7) w(x,1)
                """;

        assertThat(ser(history)).containsExactly("EXT(T1,y) expected _ observed 7 never");
    }

    // ---------------------------------------------------------------- SER

    @Test
    void serReplaysByCommit() {
        String history =
                """
                s1 T1 [1,5]: w(x,1)
                s2 T2 [2,9]: r(x,_)
                s3 T3 [2,9]: r(x,1)
                """;

        assertThat(ser(history)).containsExactly("EXT(T2,x) expected 1 of T1 observed _ stale slack -5");
    }

    @Test
    void serPutsWritersBeforeReadOnlyTransactionsAtOneTimestamp() {
        String history =
                """
                s1 T1 [1,5]: r(x,1)
                s2 T2 [1,5]: w(x,1)
                """;

        assertThat(ser(history)).isEmpty();
    }

    @Test
    void serOrdersWritersOfOneTimestampById() {
        String history =
                """
                s1 T1 [1,5]: r(x,2) w(x,1)
                s2 T2 [1,5]: r(x,1) w(x,2)
                s3 T3 [1,5]: r(x,2)
                """;

        assertThat(ser(history)).containsExactly("EXT(T1,x) expected _ observed 2 of T2 future slack 0");
    }

    // ---------------------------------------------------------------- lists

    @Test
    void listReadIsTheSnapshotsListWithOwnAppendsBehind() {
        String history =
                """
                s1 T1 [1,2]: append(l,1) append(l,2)
                s2 T2 [3,4]: append(l,3)
                s3 T3 [5,6]: r(l,[1,2,3]) append(l,4) r(l,[1,2,3,4])
                s3 T4 [7,8]: append(l,5) r(l,[1,2,3,4,5])
                """;

        assertThat(si(history)).isEmpty();
        assertThat(ser(history)).isEmpty();
    }

    @Test
    void nothingReadOfAListIsTheEmptyList() {
        String history =
                """
                s1 T1 [1,2]: r(l,_) r(l,[]) append(l,1)
                s2 T2 [3,4]: r(l,_)
                """;

        assertThat(si(history)).containsExactly("EXT(T2,l) expected [1] of T1 observed _ stale slack -2");
    }

    @Test
    void wrongSnapshotPartIsExternalOnly() {
        String history =
                """
                s1 T1 [1,2]: append(l,1)
                s2 T2 [3,4]: append(l,2)
                s3 T3 [5,6]: append(l,3) r(l,[1,3]) r(l,[1,3])
                """;

        assertThat(si(history)).containsExactly("EXT(T3,l) expected [1,2,3] of T2 observed [1,3] of T1 stale slack -2");
    }

    @Test
    void wrongOwnPartIsInternalOnly() {
        String history =
                """
                s1 T1 [1,2]: append(l,1)
                s3 T3 [5,6]: append(l,3) r(l,[1]) r(l,[7])
                """;

        assertThat(si(history)).containsExactly("INT(T3,l) expected [1,3] of T3 observed [1] of T1 stale");
    }

    @Test
    void bothPartsWrongAreBoth() {
        String history =
                """
                s1 T1 [1,2]: append(l,1)
                s3 T3 [5,6]: append(l,3) r(l,[9])
                """;

        assertThat(si(history))
                .containsExactlyInAnyOrder(
                        "EXT(T3,l) expected [1,3] of T1 observed [9] never",
                        "INT(T3,l) expected [1,3] of T3 observed [9] never");
    }

    @Test
    void laterListReadIsFirstReadPlusOwnAppends() {
        String history =
                """
                s1 T1 [1,2]: append(l,1)
                s3 T3 [5,6]: r(l,[]) append(l,3) r(l,[1,3])
                """;

        assertThat(si(history))
                .containsExactlyInAnyOrder(
                        "EXT(T3,l) expected [1] of T1 observed _ stale slack -4",
                        "INT(T3,l) expected [3] of T3 observed [1,3] of T1 stale");
    }

    @Test
    void firstDifferingElementDecidesWhereAListComesFrom() {
        String history =
                """
                s1 T1 [1,2]: append(l,1)
                s2 T2! [2,3]: append(l,2)
                s3 T3 [5,6]: r(l,[1,2])
                s3 T4 [7,8]: r(l,[1,5])
                s1 T5 [9,10]: append(l,5)
                """;

        assertThat(si(history))
                .containsExactlyInAnyOrder(
                        "EXT(T3,l) expected [1] of T1 observed [1,2] of T2 aborted",
                        "EXT(T4,l) expected [1] of T1 observed [1,5] of T5 future slack 3");
    }

    @Test
    void wholeListIsComparedAndNotItsLastElement() {
        String history =
                """
                s1 T1 [1,2]: append(l,1)
                s1 T2 [3,4]: append(l,2)
                s3 T3 [5,6]: r(l,[2])
                """;

        assertThat(si(history)).containsExactly("EXT(T3,l) expected [1,2] of T2 observed [2] of T2 stale");
    }

    // ---------------------------------------------------------------- where values come from

    @Test
    void originIsAbortedOnlyWithoutCommittedWriter() {
        String history =
                """
                s1 T1! [1,2]: w(x,1) w(y,1)
                s2 T2 [3,4]: w(y,1) w(y,2)
                s3 T3 [5,6]: r(x,1) r(y,1)
                """;

        assertThat(si(history))
                .containsExactlyInAnyOrder(
                        "EXT(T3,x) expected _ observed 1 of T1 aborted",
                        "EXT(T3,y) expected 2 of T2 observed 1 of T2 intermediate");
    }

    @Test
    void closestOfSeveralWritersGivesTheSlack() {
        String history =
                """
                s1 T1 [1,2]: w(x,7)
                s1 T2 [3,4]: w(x,8)
                s1 T3 [12,13]: w(x,7)
                s2 T4 [10,11]: r(x,7)
                """;

        assertThat(si(history)).containsExactly("EXT(T4,x) expected 8 of T2 observed 7 of T3 future slack 3");
    }

    @Test
    void valueOverwrittenAtItsOwnTimestampHasNoSlack() {
        String history =
                """
                s1 T1 [1,4]: w(x,1)
                s2 T2 [1,4]: w(x,2)
                s3 T3 [5,6]: r(x,1)
                """;

        assertThat(si(history)).contains("EXT(T3,x) expected 2 of T2 observed 1 of T1 stale");
    }

    // ---------------------------------------------------------------- unknown and aborted transactions, other kinds

    @Test
    void unknownTransactionCountsWhenACommittedOneReadFromIt() {
        String history =
                """
                s1 T1? [1,4]: w(x,1) r(y,9)
                s3 T3 [5,6]: r(x,1)
                s3 T4 [7,8]: r(x,_)
                """;

        assertThat(si(history)).containsExactly("EXT(T4,x) expected 1 of T1 observed _ stale slack -4 unknown");
    }

    @Test
    void unknownTransactionCountsThroughAnotherUnknownOne() {
        String history =
                """
                s1 T1? [1,2]: w(x,1)
                s2 T2? [3,4]: r(x,1) w(y,1)
                s3 T3 [5,6]: r(y,1)
                s3 T4 [7,8]: r(x,_)
                """;

        assertThat(si(history)).containsExactly("EXT(T4,x) expected 1 of T1 observed _ stale slack -6 unknown");
    }

    @Test
    void unreadUnknownTransactionIsOmitted() {
        String history =
                """
                s1 T1? [1,4]: w(x,1) r(y,9)
                s3 T3 [5,6]: r(x,_)
                """;

        assertThat(si(history)).isEmpty();
    }

    @Test
    void committedWriterMakesUnknownWriterUnnecessary() {
        String history =
                """
                s1 T1? [1,4]: w(x,1) w(y,1)
                s2 T2 [1,4]: w(x,1)
                s3 T3 [5,6]: r(x,1) r(y,_)
                """;

        assertThat(si(history)).isEmpty();
    }

    @Test
    void readsAndWritesOfAbortedTransactionsAreNotJudged() {
        String history =
                """
                s1 T1! [1,4]: w(x,1) r(x,2) r(y,9)
                s2 T2 [2,3]: w(x,2)
                """;

        assertThat(si(history)).isEmpty();
    }

    @Test
    void setsAndCountersAreNotJudged() {
        String history =
                """
                s1 T1 [1,4]: add(a,1) inc(c,1)
                s2 T2 [2,5]: add(a,2) r(c,7) r(a,[9])
                """;

        assertThat(si(history)).isEmpty();
    }

    private static List<String> si(String history) {
        return violations(history, IsolationLevel.SNAPSHOT_ISOLATION);
    }

    private static List<String> ser(String history) {
        return violations(history, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
    }

    private static List<String> violations(String history, IsolationLevel level) {
        return ReferenceChronos.violations(SmallHistory.parse(history), level).stream()
                .map(ExpectedViolation::inFull)
                .toList();
    }
}
