package io.nightjar.pipeline.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceBuilder;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SessionRulesTest {

    private int passes;

    @Test
    void sessionsInOrderTakeOnePassAndHaveNoFindings() {
        SessionRules rules =
                passed(new Rows().row(1, 1, 0).row(2, 2, 0).row(3, 1, 1).row(4, 2, 1));

        assertThat(passes).isEqualTo(1);
        assertThat(rules.findings()).isEmpty();
        assertThat(rules.sessionCount()).isEqualTo(2);
    }

    @Test
    void rowsInReverseOrderTakeOnePass() {
        SessionRules rules = passed(new Rows().row(1, 1, 2).row(2, 1, 1).row(3, 1, 0));

        assertThat(passes).isEqualTo(1);
        LintFinding finding = Rows.only(LintRule.SESSION_ROWS, rules.findings());
        assertThat(finding.message())
                .isEqualTo("2 rows after a later row of the session; session_seq determines the order");
        assertThat(finding.example()).isEqualTo("[t.jsonl row=2] session_id=1 session_seq=1 after=2");
        assertThat(rules.findings()).hasSize(1);
    }

    @Test
    void aGapIsLint() {
        SessionRules rules = passed(new Rows().row(1, 1, 0).row(2, 1, 3).row(3, 2, 5));

        LintFinding finding = Rows.only(LintRule.SESSION_GAP, rules.findings());
        assertThat(finding.ruleId()).isEqualTo("L15");
        assertThat(finding.count()).isEqualTo(2);
        assertThat(finding.example()).isEqualTo("session_id=1 first=0 last=3 transactions=2");
        assertThat(finding.message())
                .isEqualTo("2 positions missing in 1 session; transactions that were not recorded are not checked");
    }

    @Test
    void aGapThatALaterRowFillsIsNone() {
        SessionRules rules = passed(new Rows().row(1, 1, 0).row(2, 1, 2).row(3, 1, 1));

        assertThat(passes).isEqualTo(2);
        assertThat(rules.findings()).extracting(LintFinding::rule).containsExactly(LintRule.SESSION_ROWS);
    }

    @Test
    void extremePositionsAreCountedWithoutOverflow() {
        SessionRules rules = passed(new Rows().row(1, 1, Long.MIN_VALUE).row(2, 1, Long.MAX_VALUE));

        assertThat(Rows.only(LintRule.SESSION_GAP, rules.findings()).count()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aRepeatedLastPositionIsRejectedWithBothRows() {
        assertThatThrownBy(() -> passed(new Rows().row(1, 7, 0).row(2, 7, 1).row(3, 7, 1)))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[t.jsonl row=3] duplicate position in a session: session_id=7 session_seq=1"
                        + " first-row=[t.jsonl row=2]; number the transactions of a session one after another");
    }

    @Test
    void repeatedPositionInOtherSliceIsRejectedWithBothRows() {
        Rows rows = new Rows()
                .rowsPerSlice(1)
                .row(1, 7, 0)
                .row(2, 7, 1)
                .row(3, 8, 0)
                .row(4, 7, 0);

        assertThatThrownBy(() -> passed(rows))
                .hasMessageStartingWith("[t.jsonl row=4] duplicate position")
                .hasMessageContaining("first-row=[t.jsonl row=1]");
    }

    @Test
    void repeatedPositionAfterGapIsRejectedWithBothRows() {
        Rows rows = new Rows()
                .rowsPerSlice(1)
                .row(1, 7, 0)
                .row(2, 7, 5)
                .row(3, 7, 9)
                .row(4, 7, 5);

        assertThatThrownBy(() -> passed(rows))
                .hasMessageStartingWith("[t.jsonl row=4] duplicate position")
                .hasMessageContaining("session_seq=5 first-row=[t.jsonl row=2]");
    }

    @Test
    void aRepeatedSparsePositionIsRejectedWithBothRows() {
        Rows rows = new Rows()
                .rowsPerSlice(1)
                .row(1, 7, 0)
                .row(2, 7, 1L << 40)
                .row(3, 7, 1L << 41)
                .row(4, 7, 1L << 40);

        assertThatThrownBy(() -> passed(rows))
                .hasMessageStartingWith("[t.jsonl row=4] duplicate position")
                .hasMessageContaining("first-row=[t.jsonl row=2]");
    }

    @Test
    void onePositionInTwoSessionsIsNoDuplicate() {
        passed(new Rows().row(1, 7, 3).row(2, 8, 3).row(3, 9, 3));

        assertThat(passes).isEqualTo(1);
    }

    @Test
    void startBeforePreviousCommitIsLint() {
        SessionRules rules = passed(new Rows()
                .row(1, 1, 0, at(10, 20))
                .row(2, 1, 1, at(15, 30))
                .row(3, 1, 2, at(30, 31))
                .row(4, 2, 0, at(5, 6)));

        LintFinding finding = Rows.only(LintRule.SESSION_ORDER, rules.findings());
        assertThat(finding.count()).isEqualTo(1);
        assertThat(finding.example())
                .isEqualTo("[t.jsonl row=2] txn_id=2 session_id=1 start_ts=15 previous-commit_ts=20");
        assertThat(finding.message())
                .isEqualTo("1 committed transaction with a start_ts before the commit_ts of its session"
                        + " predecessor; a check by timestamps reports SESSION");
    }

    @Test
    void anAbortedTransactionIsNotComparedByTimestamps() {
        SessionRules rules = passed(new Rows()
                .row(1, 1, 0, at(10, 20))
                .row(2, 1, 1, at(12, 13).andThen(Rows::aborted))
                .row(3, 1, 2, at(20, 21)));

        assertThat(rules.findings()).isEmpty();
    }

    @Test
    void aReadOnlyTransactionWithoutCommitCommitsAtItsStart() {
        Consumer<SliceBuilder> reads = builder -> Rows.readNothing(builder, "x");
        SessionRules rules = passed(new Rows()
                .row(1, 1, 0, at(10, 0).andThen(reads))
                .row(2, 1, 1, at(9, HistorySlice.NONE).andThen(reads)));

        assertThat(Rows.only(LintRule.SESSION_ORDER, rules.findings()).example())
                .endsWith("previous-commit_ts=10");
    }

    @Test
    void invocationBeforePreviousCompletionIsLint() {
        SessionRules rules = passed(new Rows()
                .row(1, 1, 0, builder -> builder.clientTimes(100, 200))
                .row(2, 1, 1, builder -> builder.clientTimes(150, 250))
                .row(3, 1, 2, builder -> builder.clientTimes(250, 300)));

        LintFinding finding = Rows.only(LintRule.SESSION_OVERLAP, rules.findings());
        assertThat(finding.count()).isEqualTo(1);
        assertThat(finding.example())
                .isEqualTo("[t.jsonl row=2] txn_id=2 session_id=1 invoke_ns=150 previous-complete_ns=200");
    }

    @Test
    void findingsAreTheSameWhenSessionsDoNotFit() {
        Rows rows = new Rows().rowsPerSlice(50);
        for (int i = 0; i < 2000; i++) {
            rows.row(i, i % 500, i / 500 * (i % 500 % 3 + 1), at(10 * i - (i % 7 == 0 ? 6000 : 0), 10 * i + 5));
        }
        SessionRules roomy = passed(rows);
        assertThat(passes).isEqualTo(1);

        SessionRules tight = passed(rows, new SessionRules(80 * SessionState.BYTES));

        assertThat(passes).isGreaterThan(4);
        assertThat(tight.sessionCount()).isEqualTo(roomy.sessionCount()).isEqualTo(500);
        assertThat(tight.findings())
                .extracting(LintFinding::rule, LintFinding::count)
                .containsExactlyElementsOf(roomy.findings().stream()
                        .map(finding -> org.assertj.core.groups.Tuple.tuple(finding.rule(), finding.count()))
                        .toList());
        assertThat(roomy.findings()).hasSize(2);
    }

    @Test
    void verdictIsThatOfAPlainSet() {
        long seed = Long.getLong("nightjar.seed", 11);
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            int count = 1 + random.nextInt(60);
            int stride = random.nextInt(3) == 0 ? 1000 : 1;
            boolean hasDuplicate = false;
            Set<List<Long>> seen = new HashSet<>();
            Rows rows = new Rows().rowsPerSlice(1 + random.nextInt(20));
            for (int i = 0; i < count; i++) {
                long session = random.nextInt(6);
                long seq = (long) stride * random.nextInt(200);
                hasDuplicate |= !seen.add(List.of(session, seq));
                rows.row(i, session, seq);
            }

            boolean isRejected = false;
            try {
                passed(rows, new SessionRules(1L << random.nextInt(16)));
            } catch (MalformedHistoryException rejection) {
                isRejected = true;
            }

            assertThat(isRejected).as("seed=%d round=%d", seed, round).isEqualTo(hasDuplicate);
        }
    }

    private static Consumer<SliceBuilder> at(long start, long commit) {
        return builder -> builder.timestamps(start, commit);
    }

    private SessionRules passed(Rows rows) {
        return passed(rows, new SessionRules());
    }

    private SessionRules passed(Rows rows, SessionRules rules) {
        passes = 0;
        do {
            passes++;
            for (HistorySlice slice : rows.slices()) {
                rules.add(slice);
            }
        } while (rules.needsAnotherPass());
        return rules;
    }
}
