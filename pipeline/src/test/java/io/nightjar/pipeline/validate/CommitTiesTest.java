package io.nightjar.pipeline.validate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SliceBuilder;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CommitTiesTest {

    private int passes;

    @Test
    void commitTimestampsThatDifferTakeOnePass() {
        CommitTies ties =
                passed(new Rows().txn(writes("x", 5)).txn(writes("x", 3)).txn(writes("x", 4)));

        assertThat(passes).isEqualTo(1);
        assertThat(ties.tiedCount()).isZero();
        assertThat(ties.findings()).isEmpty();
    }

    @Test
    void twoWritersOfKeyAtOneCommitTimestampAreWarning() {
        CommitTies ties = passed(new Rows()
                .txn(writes("x", 5))
                .txn(writes("y", 5))
                .txn(writes("x", 5))
                .txn(writes("x", 6)));

        LintFinding finding = Rows.only(LintRule.COMMIT_TIE, ties.findings());
        assertThat(ties.tiedCount()).isEqualTo(3);
        assertThat(finding.ruleId()).isEqualTo("L07");
        assertThat(finding.count()).isEqualTo(1);
        assertThat(finding.example()).isEqualTo("[t.jsonl row=3] txn_id=3 other-txn_id=1 key=x commit_ts=5");
        assertThat(finding.message())
                .isEqualTo("1 time two committed transactions wrote one key at one commit_ts;"
                        + " a check by timestamps reports NOCONFLICT");
    }

    @Test
    void writersOfDifferentKeysMayShareACommitTimestamp() {
        CommitTies ties = passed(new Rows().txn(writes("x", 5)).txn(writes("y", 5)));

        assertThat(ties.tiedCount()).isEqualTo(2);
        assertThat(ties.findings()).isEmpty();
    }

    @Test
    void oneTransactionThatWritesAKeyTwiceIsNoTie() {
        CommitTies ties = passed(new Rows().txn(writes("x", 5).andThen(builder -> Rows.write(builder, "x", 9))));

        assertThat(ties.findings()).isEmpty();
    }

    @Test
    void readersAndAbortedWritersDoNotTie() {
        CommitTies ties = passed(new Rows()
                .txn(writes("x", 5))
                .txn(writes("x", 5).andThen(Rows::aborted))
                .txn(builder -> Rows.readNothing(builder.timestamps(4, 5), "x")));

        assertThat(ties.tiedCount()).isZero();
    }

    @Test
    void increasingTimestampsThatDoNotFitAreForgotten() {
        Rows rows = new Rows().rowsPerSlice(100);
        for (int i = 0; i < 5000; i++) {
            rows.txn(writes("x", i));
        }

        passed(rows, new CommitTies(1));

        assertThat(passes).isEqualTo(1);
    }

    @Test
    void aTieBehindManyIncreasingTimestampsIsFound() {
        Rows rows = new Rows().rowsPerSlice(100);
        for (int i = 0; i < 1000; i++) {
            rows.txn(writes("x", i == 999 ? 7 : i));
        }

        CommitTies ties = passed(rows, new CommitTies(1));

        assertThat(Rows.only(LintRule.COMMIT_TIE, ties.findings()).example())
                .isEqualTo("[t.jsonl row=1000] txn_id=1000 other-txn_id=8 key=x commit_ts=7");
        assertThat(ties.tiedCount()).isEqualTo(2);
    }

    @Test
    void findingsAreTheSameInOnePassAndInMany() {
        Rows rows = new Rows().rowsPerSlice(100);
        for (int i = 0; i < 2000; i++) {
            rows.txn(writes("k" + i % 7, i * 7919 % 700));
        }
        CommitTies roomy = passed(rows);
        assertThat(passes).isEqualTo(2);

        CommitTies tight = passed(rows, new CommitTies(1 << 12));

        assertThat(passes).isGreaterThan(7);
        assertThat(tight.tiedCount()).isEqualTo(roomy.tiedCount()).isEqualTo(2000);
        assertThat(tight.findings()).isEqualTo(roomy.findings()).hasSize(1);
    }

    @Test
    void oneTimestampForAllIsHandledInBoundedMemory() {
        Rows rows = new Rows().rowsPerSlice(100);
        for (int i = 0; i < 1000; i++) {
            rows.txn(writes("k" + i % 500, 4));
        }

        CommitTies ties = passed(rows, new CommitTies(1));

        assertThat(ties.tiedCount()).isEqualTo(1000);
        assertThat(Rows.only(LintRule.COMMIT_TIE, ties.findings()).count()).isEqualTo(500);
    }

    private static Consumer<SliceBuilder> writes(String key, long commit) {
        return builder -> Rows.write(builder.timestamps(0, commit), key, 1);
    }

    private CommitTies passed(Rows rows) {
        return passed(rows, new CommitTies(1 << 20));
    }

    private CommitTies passed(Rows rows, CommitTies ties) {
        passes = 0;
        do {
            passes++;
            for (HistorySlice slice : rows.slices()) {
                ties.add(slice);
            }
        } while (ties.needsAnotherPass());
        return ties;
    }
}
