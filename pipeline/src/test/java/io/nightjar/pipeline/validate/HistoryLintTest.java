package io.nightjar.pipeline.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class HistoryLintTest {

    @Test
    void aCleanHistoryHasNoFindings() {
        Validation validation = new Rows()
                .row(1, 1, 0, at(1, 2).andThen(writes()))
                .row(2, 1, 1, at(3, 3).andThen(reads()))
                .validated();

        assertThat(validation.findings()).isEmpty();
    }

    @Test
    void commitBeforeStartIsAWarningWithItsRow() {
        Validation validation = new Rows()
                .txn(at(1, 2).andThen(writes()).andThen(reads()))
                .txn(at(9, 5).andThen(writes()))
                .validated();

        LintFinding finding = Rows.only(LintRule.COMMIT_BEFORE_START, validation.findings());
        assertThat(finding.ruleId()).isEqualTo("L06");
        assertThat(finding.severity()).isEqualTo(LintSeverity.WARNING);
        assertThat(finding.count()).isEqualTo(1);
        assertThat(finding.example()).isEqualTo("[t.jsonl row=2] txn_id=2 start_ts=9 commit_ts=5");
        assertThat(finding.message())
                .isEqualTo("1 committed transaction with commit_ts before start_ts;"
                        + " a check by timestamps reports TIMESTAMP-ORDER");
    }

    @Test
    void commitBeforeStartOfAnAbortedTransactionIsNothing() {
        Validation validation = new Rows()
                .txn(at(1, 2).andThen(writes()).andThen(reads()))
                .txn(at(9, 5).andThen(Rows::aborted))
                .validated();

        assertThat(validation.findings()).extracting(LintFinding::rule).containsExactly(LintRule.NOT_COMMITTED);
    }

    @Test
    void fewAbortedTransactionsAreInformation() {
        Rows rows = new Rows().txn(Rows::aborted);
        for (int i = 0; i < 9; i++) {
            rows.txn(reads());
        }

        LintFinding finding = Rows.only(LintRule.NOT_COMMITTED, rows.validated().findings());

        assertThat(finding.severity()).isEqualTo(LintSeverity.INFO);
        assertThat(finding.message())
                .isEqualTo("not committed: aborted=1 (10 %) unknown=0 (0.0 %); their reads are not checked");
    }

    @Test
    void manyUnknownTransactionsAreAWarning() {
        Rows rows = new Rows().txn(Rows::unknown).txn(reads()).txn(reads());

        LintFinding finding = Rows.only(LintRule.NOT_COMMITTED, rows.validated().findings());

        assertThat(finding.severity()).isEqualTo(LintSeverity.WARNING);
        assertThat(finding.count()).isEqualTo(1);
    }

    @Test
    void aHistoryOfWritesOnlyIsAWarning() {
        Rows rows = new Rows().txn(writes()).txn(reads().andThen(Rows::aborted));

        LintFinding finding = Rows.only(LintRule.FEW_READS, rows.validated().findings());

        assertThat(finding.ruleId()).isEqualTo("L12");
        assertThat(finding.message()).startsWith("no reads in committed transactions; anomalies of reads cannot");
    }

    @Test
    void aHistoryWithoutCommittedTransactionsIsAWarning() {
        LintFinding finding = Rows.only(
                LintRule.NOTHING_COMMITTED,
                new Rows().txn(writes().andThen(Rows::aborted)).validated().findings());

        assertThat(finding.severity()).isEqualTo(LintSeverity.WARNING);
        assertThat(finding.message()).isEqualTo("no committed transaction among 1; no transaction is checked");
    }

    @Test
    void aHistoryWithoutRowsIsAWarning() {
        assertThat(new Rows().validated().findings())
                .extracting(LintFinding::rule)
                .containsExactly(LintRule.NOTHING_COMMITTED);
    }

    @Test
    void timestampsThatOnlySomeHaveAreAWarning() {
        Validation validation = new Rows()
                .txn(at(1, 2).andThen(writes()))
                .txn(at(3, HistorySlice.NONE).andThen(writes()))
                .txn(at(4, HistorySlice.NONE).andThen(reads()))
                .validated();

        LintFinding finding = Rows.only(LintRule.TIMESTAMPS_MISSING, validation.findings());
        assertThat(finding.count()).isEqualTo(1);
        assertThat(finding.example()).isEqualTo("[t.jsonl row=2] txn_id=2");
        assertThat(validation.facts().areTimestampsComplete()).isFalse();
    }

    @Test
    void absentTimestampsAreNoFinding() {
        Validation validation = new Rows().txn(writes()).txn(reads()).validated();

        assertThat(validation.findings()).isEmpty();
        assertThat(validation.facts().areTimestampsAbsent()).isTrue();
    }

    @Test
    void setsAndCountersAreAWarning() {
        Validation validation = new Rows()
                .txn(builder -> Rows.op(builder, OpKind.ADD, "s", 1))
                .txn(builder -> Rows.readList(builder, "s", 1))
                .txn(builder -> Rows.op(builder, OpKind.INCREMENT, "c", 1))
                .validated();

        LintFinding finding = Rows.only(LintRule.SETS_AND_COUNTERS, validation.findings());
        assertThat(finding.count()).isEqualTo(2);
        assertThat(finding.example()).isEqualTo("[t.jsonl row=1] txn_id=1");
    }

    @Test
    void writersThatStartAtTheirCommitAreAWarning() {
        Rows rows = new Rows();
        for (int i = 0; i < 20; i++) {
            rows.row(i, 1, i, at(i, i < 15 ? i : i + 1).andThen(writes()).andThen(reads()));
        }

        LintFinding finding =
                Rows.only(LintRule.START_IS_COMMIT, rows.validated().findings());

        assertThat(finding.count()).isEqualTo(15);
        assertThat(finding.message())
                .isEqualTo("15 of 20 writers with start_ts equal to commit_ts;"
                        + " start_ts is perhaps not the read snapshot");
    }

    @Test
    void oneSessionForEverythingIsAWarning() {
        Rows one = new Rows();
        Rows two = new Rows();
        for (int i = 0; i < 12; i++) {
            one.row(i, 1, i, writes());
            two.row(i, i % 2, i, writes());
        }

        assertThat(Rows.only(LintRule.ONE_SESSION, one.validated().findings()).message())
                .startsWith("all 12 transactions are in one session");
        assertThat(two.validated().findings()).extracting(LintFinding::ruleId).doesNotContain("L34");
    }

    @Test
    void clocksThatWereSetBackAreAWarning() {
        Validation validation = new Rows()
                .txn(writes().andThen(builder -> builder.clientTimes(10, 20)))
                .txn(writes().andThen(builder -> builder.clientTimes(30, 25)))
                .validated();

        LintFinding finding = Rows.only(LintRule.CLOCK_STEP, validation.findings());
        assertThat(finding.count()).isEqualTo(1);
        assertThat(finding.example()).isEqualTo("[t.jsonl row=2] txn_id=2 invoke_ns=30 complete_ns=25");
    }

    @Test
    void rowsSetAsideAreAWarning() {
        LintFinding finding = HistoryLint.rowsSetAside(2, "[t.jsonl row=3] unknown op kind: kind=x");

        assertThat(finding.ruleId()).isEqualTo("L21");
        assertThat(finding.message()).isEqualTo("2 bad rows skipped; no level can hold");
    }

    @Test
    void operationsAreCountedByKindAndStatusInTransactionsOfAnyLength() {
        Validation validation = new Rows()
                .txn(builder -> {
                    for (int i = 0; i < 1000; i++) {
                        Rows.write(builder, "x", i);
                        Rows.read(builder, "x", i);
                        Rows.readNothing(builder, "y");
                    }
                })
                .txn(writes().andThen(Rows::aborted))
                .validated();

        HistoryFacts facts = validation.facts();
        assertThat(facts.opCount()).isEqualTo(3001);
        assertThat(facts.opCount(OpKind.WRITE)).isEqualTo(1001);
        assertThat(facts.committedOpCount(OpKind.WRITE)).isEqualTo(1000);
        assertThat(facts.committedReadCount()).isEqualTo(2000);
        assertThat(facts.committedWriterCount()).isEqualTo(1);
        assertThat(facts.txnCount(TxnStatus.ABORTED)).isEqualTo(1);
    }

    @Test
    void findingsComeInTheOrderOfTheirRules() {
        Validation validation = new Rows()
                .row(1, 1, 0, at(9, 5).andThen(writes()))
                .row(2, 1, 4, at(3, 4).andThen(writes()))
                .row(3, 1, 2, at(3, HistorySlice.NONE).andThen(writes()))
                .validated();

        assertThat(validation.findings())
                .extracting(LintFinding::ruleId)
                .containsExactly("L06", "L08", "L12", "L15", "L16", "L18");
    }

    @Test
    void aDuplicateIdInALaterSliceIsRejectedByTheWholeValidation() {
        Rows rows = new Rows().rowsPerSlice(2);
        for (int i = 0; i < 10; i++) {
            rows.row(i == 9 ? 0 : i, 1, i == 8 ? 20 : i);
        }

        assertThatThrownBy(rows::validated)
                .hasMessageStartingWith("[t.jsonl row=10] duplicate transaction id: txn_id=0")
                .hasMessageContaining("first-row=[t.jsonl row=1]");
    }

    @Test
    void aDuplicatePositionInALaterSliceIsRejectedByTheWholeValidation() {
        Rows rows = new Rows().rowsPerSlice(2);
        for (int i = 0; i < 10; i++) {
            rows.row(i, 1, i == 9 ? 0 : i);
        }

        assertThatThrownBy(rows::validated)
                .hasMessageStartingWith("[t.jsonl row=10] duplicate position in a session: session_id=1 session_seq=0");
    }

    private static Consumer<SliceBuilder> at(long start, long commit) {
        return builder -> builder.timestamps(start, commit);
    }

    private static Consumer<SliceBuilder> writes() {
        return builder -> Rows.write(builder, "x", 1);
    }

    private static Consumer<SliceBuilder> reads() {
        return builder -> Rows.readNothing(builder, "x");
    }
}
