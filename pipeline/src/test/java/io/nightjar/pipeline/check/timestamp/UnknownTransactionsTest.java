package io.nightjar.pipeline.check.timestamp;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.level.IsolationLevel;
import org.junit.jupiter.api.Test;

/** Which unknown transactions count as committed, from timestamps. */
class UnknownTransactionsTest {

    private static final IsolationLevel SI = IsolationLevel.SNAPSHOT_ISOLATION;
    private static final IsolationLevel SER = IsolationLevel.COMMIT_ORDER_SERIALIZABLE;

    @Test
    void oneCountsWhoseValueSomebodyWritesAgainLater() {
        String history =
                """
                s1 T1? [1,2]: w(x,4)
                s2 T2 [3,4]: r(x,4)
                s3 T3 [5,6]: w(x,4)
                """;

        assertThat(answer(history, SI)).isEqualTo("holds with [1]");
        assertThat(answer(history, SER)).isEqualTo("holds with [1]");
    }

    @Test
    void oneCountsWhoseElementSomebodyAppendsAgainLater() {
        String history =
                """
                s1 T1? [1,2]: append(x,4)
                s2 T2 [3,4]: r(x,[4])
                s3 T3 [5,6]: append(x,4)
                s4 T4 [7,8]: r(x,[4,4])
                """;

        assertThat(answer(history, SI)).isEqualTo("holds with [1]");
        assertThat(answer(history, SER)).isEqualTo("holds with [1]");
    }

    @Test
    void unknownWriterOfCommittedValueIsNotPromoted() {
        String history =
                """
                s1 T1 [1,2]: w(x,4)
                s2 T2? [3,4]: w(x,4) w(y,1)
                s3 T3 [5,6]: r(x,4) r(y,_)
                """;

        assertThat(answer(history, SI)).isEqualTo("holds with []");
    }

    @Test
    void choiceBetweenTwoUnconstrainedUnknownsDoesNotMatter() {
        String history =
                """
                s1 T1? [1,2]: w(x,4)
                s2 T2? [3,4]: w(x,4)
                s3 T3 [5,6]: r(x,4)
                """;

        assertThat(answer(history, SI)).isEqualTo("holds with [1]");
    }

    @Test
    void choiceIsOpenIfOnlyOneUnknownConflicts() {
        String history =
                """
                s1 T1? [1,2]: w(x,4)
                s2 T2? [3,6]: w(x,4) w(y,1)
                s3 T3 [4,5]: w(y,2)
                s4 T4 [7,8]: r(x,4)
                """;

        assertThat(answer(history, SI)).isEqualTo("open with [1]");
        assertThat(answer(history, SER)).isEqualTo("holds with [1]");
    }

    @Test
    void aLevelIsViolatedWhereEachOfTwoConflicts() {
        String history =
                """
                s1 T1? [1,4]: w(x,4) w(y,1)
                s2 T2? [1,4]: w(x,4) w(z,1)
                s3 T3 [2,3]: w(y,2) w(z,2)
                s4 T4 [7,8]: r(x,4)
                """;

        assertThat(answer(history, SI)).isEqualTo("violated with [1]");
    }

    @Test
    void anotherReadMayTellWhichOfTwoCommitted() {
        String history =
                """
                s1 T1? [1,2]: w(x,4) w(y,1)
                s2 T2? [3,6]: w(x,4) w(y,2)
                s3 T3 [4,5]: w(z,2)
                s4 T4 [7,8]: r(x,4) r(y,_)
                s5 T5? [1,3]: w(x,4)
                """;

        assertThat(answer(history, SI)).isEqualTo("holds with [5]");
    }

    @Test
    void aReadAfterAnotherOfTheSameKeyTellsToo() {
        String history =
                """
                s1 T1? [1,2]: w(x,4) w(y,7)
                s2 T2 [3,4]: r(x,_) r(x,4)
                s3 T3 [5,6]: r(y,7)
                """;

        assertThat(answer(history, SI)).isEqualTo("violated with [1]");
    }

    @Test
    void unknownWriterWithoutTimestampsLeavesReadUndecided() {
        String history =
                """
                s1 T1? [1,_]: w(x,4)
                s2 T2 [3,4]: r(x,4)
                s3 T3 [5,6]: w(x,4)
                """;

        assertThat(answer(history, SI)).isEqualTo("open with []");
        assertThat(answer(history, SER)).isEqualTo("open with []");
    }

    @Test
    void snapshotMayNeedPromotionThatSerialOrderDoesNot() {
        String history =
                """
                s1 T1? [1,2]: w(x,4)
                s2 T2 [3,6]: r(x,4)
                s3 T3 [4,5]: w(x,4)
                """;

        assertThat(answer(history, SI)).isEqualTo("holds with [1]");
        assertThat(answer(history, SER)).isEqualTo("holds with []");
    }

    @Test
    void theInitialValueMayBeWrittenAgainByOne() {
        String history =
                """
                # initial-value: 0
                s1 T1 [1,2]: r(x,0)
                s2 T2 [3,4]: w(x,5)
                s3 T3? [5,6]: w(x,0)
                s4 T4 [7,8]: r(x,0)
                """;

        assertThat(answer(history, SI)).isEqualTo("holds with [3]");
    }

    private static String answer(String notation, IsolationLevel level) {
        SmallCheck check = SmallCheck.of(SmallHistory.parse(notation)).levels(level);
        boolean isViolated = check.run().total() > 0;
        String answer = isViolated ? "violated" : check.isDoubtful(level) ? "open" : "holds";
        return answer + " with "
                + check.unknown().counted(level).longStream().sorted().boxed().toList();
    }
}
