package io.nightjar.pipeline.check.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.cycle.DependencyChecker.Options;
import io.nightjar.pipeline.infer.ReadResolution;
import io.nightjar.pipeline.infer.VersionSource;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DependencyCheckerTest {

    private static final Set<VersionSource> WFR = EnumSet.of(VersionSource.WRITES_FOLLOW_READS);

    // ---------------------------------------------------------------- cycles

    @Test
    void twoThatOverwriteEachOtherInBothOrdersAreG0() {
        assertThat(plain(
                        "s0 T1: append(x,1) append(y,1)",
                        "s1 T2: append(x,2) append(y,2)",
                        "s2 T3: r(x,[1,2]) r(y,[2,1])"))
                .containsExactly(Anomaly.G0);
    }

    @Test
    void twoThatReadFromEachOtherAreG1c() {
        assertThat(plain("s0 T1: w(x,1) r(y,1)", "s1 T2: w(y,1) r(x,1)")).containsExactly(Anomaly.G1C);
    }

    @Test
    void readerOfHalfATransactionIsGSingle() {
        assertThat(plain("s0 T1: append(x,1) append(y,1)", "s1 T2: r(x,[1]) r(y,[])"))
                .containsExactly(Anomaly.G_SINGLE_ITEM);
    }

    @Test
    void twoReadersWhoDisagreeAboutTwoWritersAreGNonadjacent() {
        assertThat(plain(
                        "s0 T1: append(x,1)",
                        "s1 T2: append(y,1)",
                        "s2 T3: r(x,[1]) r(y,[])",
                        "s3 T4: r(x,[]) r(y,[1])"))
                .containsExactly(Anomaly.G_NONADJACENT_ITEM);
    }

    @Test
    void twoThatMissEachOtherAreG2() {
        assertThat(plain("s0 T1: r(x,_) w(y,1)", "s1 T2: r(y,_) w(x,1)")).containsExactly(Anomaly.G2_ITEM);
    }

    @Test
    void cycleThroughASessionIsOnlyOneOfProcesses() {
        assertThat(all(Set.of(), "s0 T1: w(x,1)", "s0 T2: r(x,_)")).containsExactly(Anomaly.G_SINGLE_ITEM_PROCESS);
        assertThat(plain("s0 T1: w(x,1)", "s0 T2: r(x,_)")).isEmpty();
    }

    @Test
    void cycleThroughTheClockIsOnlyOneOfRealTime() {
        assertThat(all(Set.of(), "s0 T1 [1,2]: w(x,1)", "s1 T2 [3,4]: r(x,_)"))
                .containsExactly(Anomaly.G_SINGLE_ITEM_REALTIME);
    }

    @Test
    void transactionThatBeginsAtAnEndDoesNotFollow() {
        assertThat(all(Set.of(), "s0 T1 [1,2]: w(x,1)", "s1 T2 [2,4]: r(x,_)")).isEmpty();
    }

    @Test
    void readsRevealOverwritesOfRegisters() {
        String[] history = {"s0 T1: w(x,1)", "s1 T2: r(x,1) w(x,2) r(y,_)", "s2 T3: w(y,1)", "s3 T4: r(y,1) r(x,1)"};

        assertThat(all(WFR, history)).containsExactly(Anomaly.G2_ITEM);
        assertThat(plain(history)).isEmpty();
    }

    @Test
    void sessionsOrderVersionsOnRequest() {
        Set<VersionSource> sessions = EnumSet.of(VersionSource.SESSION);

        assertThat(all(sessions, "s0 T1: w(x,1)", "s0 T2: w(x,2) w(y,1)", "s1 T3: r(y,1) r(x,1)"))
                .containsExactly(Anomaly.G_SINGLE_ITEM);
    }

    @Test
    void commitTimestampsOrderVersionsOnRequest() {
        Set<VersionSource> timestamps = EnumSet.of(VersionSource.TIMESTAMP);

        DependencyAnswer answer = check(
                new Options(timestamps, false, false),
                "s0 T1 [1,2]: w(x,1)",
                "s1 T2 [3,4]: w(x,2) w(y,1)",
                "s2 T3 [5,6]: r(y,1) r(x,1)");

        assertThat(answer.found()).containsExactly(Anomaly.G_SINGLE_ITEM);
        assertThat(answer.unorderedKeys()).isZero();
    }

    @Test
    void setElementMissingInReadIsAddedLater() {
        assertThat(plain("s0 T1: add(s,1) w(x,1)", "s1 T2: r(x,1) r(s,[])")).containsExactly(Anomaly.G_SINGLE_ITEM);
    }

    // ---------------------------------------------------------------- without cycles

    @Test
    void abortedAppendCausesG1aAndDirtyUpdate() {
        assertThat(plain("s0 T1!: append(x,1)", "s1 T2: append(x,2)", "s2 T3: r(x,[1,2])"))
                .containsExactly(Anomaly.G1A, Anomaly.DIRTY_UPDATE);
    }

    @Test
    void readOfAReplacedWriteIsG1b() {
        assertThat(plain("s0 T1: w(x,1) w(x,2)", "s1 T2: r(x,1)")).containsExactly(Anomaly.G1B);
    }

    @Test
    void readThatForgetsAnOwnAppendIsInternal() {
        assertThat(plain("s0 T1: append(x,1) r(x,[])")).containsExactly(Anomaly.INTERNAL);
    }

    @Test
    void twoReadsOfOneRegisterThatDifferAreInternal() {
        assertThat(plain("s0 T1: w(x,1)", "s1 T2: r(x,_) r(x,1)")).contains(Anomaly.INTERNAL);
    }

    @Test
    void readOfLaterAppendIsFutureRead() {
        assertThat(plain("s0 T1: r(x,[1]) append(x,1)")).contains(Anomaly.FUTURE_READ);
    }

    @Test
    void elementThatStandsTwiceIsADuplicate() {
        assertThat(plain("s0 T1: append(x,1)", "s1 T2: r(x,[1,1])")).contains(Anomaly.DUPLICATE_ELEMENTS);
    }

    @Test
    void listsThatAreNoPrefixesOfEachOtherAreIncompatible() {
        assertThat(plain("s0 T1: append(x,1)", "s1 T2: append(x,2)", "s2 T3: r(x,[1,2])", "s3 T4: r(x,[2])"))
                .contains(Anomaly.INCOMPATIBLE_ORDER);
    }

    @Test
    void twoThatReplacedOneVersionLostAnUpdate() {
        DependencyAnswer answer =
                check(Options.plain(), "s0 T1: r(x,_) w(x,1)", "s1 T2: r(x,_) w(x,2)", "s2 T3: r(x,_) w(x,3)");

        assertThat(answer.count(Anomaly.LOST_UPDATE)).isEqualTo(1);
    }

    @Test
    void valueFromNowhereIsGarbage() {
        assertThat(plain("s0 T1: r(x,7)")).containsExactly(Anomaly.GARBAGE_READ);
    }

    @Test
    void valueWrittenTwiceLeavesEverythingUnproved() {
        DependencyAnswer answer = check(Options.plain(), "s0 T1: w(x,1)", "s1 T2: w(x,1)", "s2 T3: r(x,1)");

        assertThat(answer.found()).containsExactly(Anomaly.DUPLICATE_WRITE);
        assertThat(answer.unproved()).contains(Anomaly.G0, Anomaly.G1A, Anomaly.G2_ITEM);
    }

    @Test
    void cyclicVersionOrderOfSourceIsIgnoredForKey() {
        DependencyAnswer answer = check(
                new Options(EnumSet.of(VersionSource.WRITES_FOLLOW_READS, VersionSource.SESSION), false, false),
                "s0 T1: r(x,1) w(x,2)",
                "s1 T2: w(x,1)",
                "s2 T3: r(x,2)",
                "s2 T4: r(x,1)");

        assertThat(answer.found()).containsExactly(Anomaly.CYCLIC_VERSIONS);
        assertThat(answer.orders().cyclicVersions().get(0).sources())
                .containsExactly(VersionSource.INITIAL_STATE, VersionSource.WRITES_FOLLOW_READS, VersionSource.SESSION);
    }

    // ---------------------------------------------------------------- unknown outcomes

    @Test
    void unknownTransactionThatSomebodyReadFromCounts() {
        assertThat(plain("s0 T1?: append(x,1) append(y,1)", "s1 T2: r(x,[1]) r(y,[])"))
                .containsExactly(Anomaly.G_SINGLE_ITEM);
    }

    @Test
    void unreadUnknownTransactionIsOmitted() {
        assertThat(plain("s0 T1?: w(x,1) w(y,2)", "s1 T2: r(x,_) w(y,1)", "s2 T3: r(y,_)"))
                .isEmpty();
    }

    @Test
    void initialValueOfPossibleCommittedWriterHasNoWriter() {
        DependencyAnswer answer = check(
                Options.plain(),
                "# initial-value: 0",
                "s0 T1?: w(x,1) w(y,0)",
                "s1 T2: r(x,1) r(y,0) w(y,2)",
                "s2 T3: r(y,0) w(y,3)");

        assertThat(answer.found()).isEmpty();
        assertThat(answer.unproved()).contains(Anomaly.G0, Anomaly.LOST_UPDATE);
    }

    @Test
    void initialValueOfUnknownWriterHasNoWriter() { // the order T2, T1, T3 explains it
        DependencyAnswer answer = check(
                Options.plain(),
                "# initial-value: 0",
                "s0 T1?: w(y,0)",
                "s1 T2: r(y,0) w(y,2)",
                "s2 T3: r(y,0) w(y,3)");

        assertThat(answer.found()).isEmpty();
        assertThat(answer.unproved()).contains(Anomaly.LOST_UPDATE);
    }

    @Test
    void noTransactionIsOrderedAfterEndOfUnknownTransaction() {
        assertThat(all(Set.of(), "s0 T1? [1,2]: w(x,1)", "s1 T2 [3,4]: r(x,_)", "s2 T3 [3,9]: r(x,1)"))
                .isEmpty();
    }

    // ---------------------------------------------------------------- what is proved

    @Test
    void unreadAppendsCanHaveAnyOrder() {
        DependencyAnswer answer = check(
                Options.plain(),
                "s0 T1: append(x,1)",
                "s1 T2: append(x,2) append(y,1)",
                "s2 T3: append(x,3) append(y,2)",
                "s3 T4: r(x,[1])");

        assertThat(answer.found()).isEmpty();
        assertThat(answer.unproved()).doesNotContain(Anomaly.G0, Anomaly.G_SINGLE_ITEM, Anomaly.G2_ITEM);
        assertThat(answer.unorderedKeys()).isZero();
    }

    @Test
    void unreadAppendsAreOrderedHeuristicallyIfLevelAllowsCycles() {
        DependencyAnswer answer = check(
                Options.plain(),
                "s0 T1: r(x,[]) append(y,1) append(z,1)",
                "s1 T2: r(y,[]) append(x,1)",
                "s2 T3: append(z,2)");

        assertThat(answer.found()).containsExactly(Anomaly.G2_ITEM);
        assertThat(answer.unproved()).doesNotContain(Anomaly.G_SINGLE_ITEM, Anomaly.G_NONADJACENT_ITEM);
    }

    @Test
    void registerOfSeveralWritersThatWasReadLeavesMissesUnproved() {
        DependencyAnswer answer = check(Options.plain(), "s0 T1: w(x,1)", "s1 T2: w(x,2)", "s2 T3: r(x,1)");

        assertThat(answer.unproved()).contains(Anomaly.G_SINGLE_ITEM, Anomaly.G2_ITEM);
        assertThat(answer.unproved()).doesNotContain(Anomaly.G0, Anomaly.G1C);
        assertThat(answer.reason()).isEqualTo("the order of versions is not known for 1 of 1 key");
    }

    @Test
    void registerOfOneWriterIsOrdered() {
        DependencyAnswer answer = check(Options.plain(), "s0 T1: w(x,1)", "s1 T2: r(x,1)", "s2 T3: r(x,_)");

        assertThat(answer.unproved()).doesNotContain(Anomaly.G_SINGLE_ITEM, Anomaly.G2_ITEM);
        assertThat(answer.reason()).isNull();
    }

    @Test
    void realTimeIsUnprovedWithoutClientTimes() {
        DependencyAnswer answer = check(new Options(Set.of(), true, true), "s0 T1: append(x,1)", "s1 T2: r(x,[1])");

        assertThat(answer.unproved()).contains(Anomaly.G0_REALTIME, Anomaly.G2_ITEM_REALTIME);
        assertThat(answer.unproved()).doesNotContain(Anomaly.G2_ITEM_PROCESS);
        assertThat(answer.reason()).isEqualTo("not every transaction has client times");
    }

    @Test
    void keyOfTwoUsesIsLeftUnproved() {
        DependencyAnswer answer = check(Options.plain(), "s0 T1: w(x,1) append(x,2)", "s1 T2: r(x,[2])");

        assertThat(answer.found()).isEmpty();
        assertThat(answer.unproved()).contains(Anomaly.G2_ITEM);
        assertThat(answer.unorderedKeys()).isEqualTo(1);
    }

    @Test
    void counterThatWasReadIsLeftUnproved() {
        DependencyAnswer answer = check(Options.plain(), "s0 T1: inc(c,1)", "s1 T2: r(c,1)");

        assertThat(answer.found()).isEmpty();
        assertThat(answer.unproved()).contains(Anomaly.G2_ITEM);
    }

    @Test
    void historyWithoutTransactionsProvesEverything() {
        DependencyAnswer answer = check(Options.plain(), "s0 T1!: w(x,1)");

        assertThat(answer.found()).isEmpty();
        assertThat(answer.unproved()).doesNotContain(Anomaly.G2_ITEM);
    }

    // ---------------------------------------------------------------- budget and size

    @Test
    void spentBudgetStillShowsACycle() {
        Budget spent = Budget.ofNanos(0);

        DependencyAnswer answer = DependencyChecker.check(
                ReadResolution.of(SmallLogs.parse("s0 T1: r(x,_) w(y,1)", "s1 T2: r(y,_) w(x,1)")),
                Options.plain(),
                spent);

        assertThat(answer.found()).containsExactly(Anomaly.G2_ITEM);
        assertThat(answer.isExhausted()).isFalse();
        assertThat(answer.reason())
                .isEqualTo("the search for cycles ran out of budget after 0 of 1 components, with 1 anomaly found");
    }

    @Test
    void thousandsWhoReplacedOneVersionAreOneLostUpdate() {
        int count = 4000;
        String[] lines = new String[count];
        for (int i = 0; i < count; i++) {
            lines[i] = "s%d T%d: r(x,_) w(x,%d)".formatted(i, i + 1, i + 1);
        }

        DependencyAnswer answer = check(Options.plain(), lines);

        assertThat(answer.count(Anomaly.LOST_UPDATE)).isEqualTo(1);
        assertThat(answer.count(Anomaly.G2_ITEM)).isPositive();
    }

    @Test
    void strongestLevelWithoutItsAnomaliesIsProved() {
        DependencyAnswer answer = check(
                new Options(Set.of(), true, true),
                "s0 T1 [1,2]: append(x,1)",
                "s1 T2 [3,4]: r(x,[1]) append(x,2)",
                "s0 T3 [5,6]: r(x,[1,2])");

        Set<Anomaly> forbidden = LevelLattice.forbiddenBy(IsolationLevel.STRICT_SERIALIZABLE);
        assertThat(answer.found()).isEmpty();
        assertThat(answer.unproved()).doesNotContainAnyElementsOf(forbidden);
    }

    private static Set<Anomaly> plain(String... lines) {
        return check(Options.plain(), lines).found();
    }

    private static Set<Anomaly> all(Set<VersionSource> sources, String... lines) {
        return check(new Options(sources, true, true), lines).found();
    }

    private static DependencyAnswer check(Options options, String... lines) {
        return DependencyChecker.check(ReadResolution.of(SmallLogs.parse(lines)), options, Budget.unlimited());
    }
}
