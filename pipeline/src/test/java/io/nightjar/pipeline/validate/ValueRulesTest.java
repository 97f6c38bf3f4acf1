package io.nightjar.pipeline.validate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ValueRulesTest {

    private static final long ROOMY = 64 << 20;

    private int passes;

    @Test
    void cleanValuesTakeOnePassAndHaveNoFindings() {
        Rows rows = new Rows()
                .txn(builder -> Rows.read(builder, "x", 1))
                .txn(builder -> Rows.write(builder, "x", 1))
                .txn(builder -> Rows.write(builder, "y", 1))
                .txn(builder -> Rows.readNothing(builder, "z"));

        assertThat(findings(rows, null)).isEmpty();
        assertThat(passes).isEqualTo(1);
    }

    @Test
    void aValueWrittenTwiceToAKeyIsAnError() {
        Rows rows = new Rows()
                .txn(builder -> Rows.write(builder, "x", 1))
                .txn(builder -> Rows.write(Rows.write(builder, "y", 1), "x", 1))
                .txn(builder -> Rows.write(builder, "x", 1));

        LintFinding finding = Rows.only(LintRule.DUPLICATE_WRITE, findings(rows, null));

        assertThat(finding.ruleId()).isEqualTo("L01");
        assertThat(finding.severity()).isEqualTo(LintSeverity.ERROR);
        assertThat(finding.count()).isEqualTo(1);
        assertThat(finding.example()).isEqualTo("[t.jsonl row=2] txn_id=2 key=x value=1");
        assertThat(finding.message())
                .isEqualTo(
                        "1 value written to a key more than once; a read of such a value may be of any of the writes,"
                                + " so values decide less");
    }

    @Test
    void aValueWrittenAgainByAnAbortedTransactionIsWrittenTwice() {
        Rows rows = new Rows()
                .txn(builder -> Rows.write(builder, "x", 1))
                .txn(builder -> Rows.aborted(Rows.write(builder, "x", 1)));

        assertThat(Rows.only(LintRule.DUPLICATE_WRITE, findings(rows, null)).count())
                .isEqualTo(1);
    }

    @Test
    void anElementAppendedTwiceIsWrittenTwice() {
        Rows rows = new Rows()
                .txn(builder -> Rows.op(builder, OpKind.APPEND, "l", 4))
                .txn(builder -> Rows.op(builder, OpKind.APPEND, "l", 4));

        assertThat(findings(rows, null)).hasSize(1);
    }

    @Test
    void anIncrementRepeatedIsNoDuplicateAndItsSumsAreNoGarbage() {
        Rows rows = new Rows()
                .txn(builder -> Rows.read(builder, "c", 2))
                .txn(builder -> Rows.op(builder, OpKind.INCREMENT, "c", 1))
                .txn(builder -> Rows.op(builder, OpKind.INCREMENT, "c", 1));

        assertThat(findings(rows, null)).isEmpty();
    }

    @Test
    void readOfUnwrittenValueIsErrorWithRow() {
        Rows rows = new Rows()
                .txn(builder -> Rows.write(builder, "x", 1))
                .txn(builder -> Rows.read(builder, "x", 2))
                .txn(builder -> Rows.read(builder, "x", 2));

        LintFinding finding = Rows.only(LintRule.GARBAGE_READ, findings(rows, null));

        assertThat(finding.ruleId()).isEqualTo("L02");
        assertThat(finding.severity()).isEqualTo(LintSeverity.ERROR);
        assertThat(finding.count()).isEqualTo(1);
        assertThat(finding.example()).isEqualTo("[t.jsonl row=2] txn_id=2 key=x value=2");
        assertThat(finding.message()).isEqualTo("1 value read that no transaction wrote");
        assertThat(passes).isEqualTo(2);
    }

    @Test
    void garbageIsNotJudgedInTransactionsThatDidNotCommit() {
        Rows rows = new Rows()
                .txn(builder -> Rows.aborted(Rows.read(builder, "x", 2)))
                .txn(builder -> Rows.unknown(Rows.read(builder, "x", 3)));

        assertThat(findings(rows, null)).isEmpty();
    }

    @Test
    void aValueWrittenByAnAbortedTransactionIsNoGarbage() {
        Rows rows = new Rows()
                .txn(builder -> Rows.read(builder, "x", 2))
                .txn(builder -> Rows.aborted(Rows.write(builder, "x", 2)));

        assertThat(findings(rows, null)).isEmpty();
    }

    @Test
    void unappendedElementIsGarbage() {
        Rows rows = new Rows()
                .txn(builder -> Rows.op(builder, OpKind.APPEND, "l", 4))
                .txn(builder -> Rows.readList(builder, "l", 4))
                .txn(builder -> Rows.readList(builder, "l", 4, 9))
                .txn(builder -> Rows.readList(builder, "l", 4, 9));

        LintFinding finding = Rows.only(LintRule.GARBAGE_READ, findings(rows, null));

        assertThat(finding.count()).isEqualTo(1);
        assertThat(finding.example()).isEqualTo("[t.jsonl row=3] txn_id=3 key=l value=9");
    }

    @Test
    void stringValuesAreTheSameInEverySlice() {
        Rows rows = new Rows()
                .rowsPerSlice(1)
                .txn(builder -> Rows.named(builder, OpKind.WRITE, "x", "one"))
                .txn(builder -> Rows.named(Rows.named(builder, OpKind.WRITE, "y", "two"), OpKind.READ, "x", "one"))
                .txn(builder -> Rows.named(builder, OpKind.READ, "x", "two"));

        LintFinding finding = Rows.only(LintRule.GARBAGE_READ, findings(rows, null));

        assertThat(finding.example()).isEqualTo("[t.jsonl row=3] txn_id=3 key=x value=two");
        assertThat(finding.count()).isEqualTo(1);
    }

    @Test
    void oneUnwrittenValueOnManyKeysLooksLikeTheInitialState() {
        Rows rows = new Rows()
                .txn(builder -> Rows.read(Rows.read(builder, "x", 0), "y", 0))
                .txn(builder -> Rows.write(Rows.read(builder, "z", 0), "z", 1));

        List<LintFinding> findings = findings(rows, null);

        LintFinding finding = Rows.only(LintRule.INITIAL_VALUE, findings);
        assertThat(finding.ruleId()).isEqualTo("L05");
        assertThat(finding.severity()).isEqualTo(LintSeverity.WARNING);
        assertThat(finding.count()).isEqualTo(3);
        assertThat(finding.message())
                .isEqualTo("value 0 is read on 3 keys and written on none of them;"
                        + " if it means the initial state, add --initial-value 0");
        assertThat(Rows.only(LintRule.GARBAGE_READ, findings).count()).isEqualTo(3);
    }

    @Test
    void differentUnwrittenValuesDoNotLookLikeTheInitialState() {
        Rows rows = new Rows().txn(builder -> Rows.read(Rows.read(builder, "x", 7), "y", 8));

        assertThat(findings(rows, null)).extracting(LintFinding::rule).containsExactly(LintRule.GARBAGE_READ);
    }

    @Test
    void theInitialValueIsNoGarbageOnceItIsSaid() {
        Rows rows = new Rows()
                .txn(builder -> Rows.read(Rows.read(builder, "x", 0), "y", 0))
                .txn(builder -> Rows.read(builder, "z", 0));

        assertThat(findings(rows, "0")).isEmpty();
    }

    @Test
    void aStringCanBeTheInitialValue() {
        Rows rows = new Rows().txn(builder -> Rows.named(builder, OpKind.READ, "x", "init"));

        assertThat(findings(rows, "init")).isEmpty();
    }

    @Test
    void anInitialValueThatIsAlsoWrittenIsAWarning() {
        Rows rows = new Rows().txn(builder -> Rows.read(builder, "x", 0)).txn(builder -> Rows.write(builder, "y", 0));

        LintFinding finding = Rows.only(LintRule.INITIAL_VALUE, findings(rows, "0"));

        assertThat(finding.example()).isEqualTo("[t.jsonl row=2] txn_id=2 key=y value=0");
        assertThat(finding.message())
                .isEqualTo("the initial value 0 is also written, by 1 committed operation;"
                        + " reads of it on such keys mean the write");
    }

    @Test
    void anInitialValueOfAnotherTypeIsAWarning() {
        Rows rows = new Rows().txn(builder -> Rows.write(builder, "x", 1));

        assertThat(Rows.only(LintRule.INITIAL_VALUE, findings(rows, "nil")).message())
                .isEqualTo("initial value nil cannot occur: values are int64");
    }

    @Test
    void findingsAreTheSameInOnePassAndInMany() {
        Rows rows = randomRows(Long.getLong("nightjar.seed", 3));
        List<LintFinding> roomy = findings(rows, null);
        assertThat(passes).isEqualTo(2);

        List<LintFinding> tight = findings(rows, null, 1 << 13);

        assertThat(passes).isGreaterThan(7);
        assertThat(tight).isEqualTo(roomy);
        assertThat(roomy).hasSize(2);
    }

    @Test
    void aHistoryFarTooLargeIsSampled() {
        Rows rows = randomRows(Long.getLong("nightjar.seed", 3));
        ValueRules rules = new ValueRules(null, 1, 3);

        List<LintFinding> findings = passed(rows, rules);

        assertThat(passes).isEqualTo(4);
        assertThat(rules.comparedShare()).isBetween(0.001, 0.5);
        assertThat(findings).extracting(LintFinding::ruleId).containsExactly("L01", "L02", "L24");
        assertThat(findings.get(2).message())
                .endsWith("of all values were compared, for want of memory; L01, L02 and L05 cover only these");
    }

    static Rows randomRows(long seed) {
        Random random = new Random(seed);
        Rows rows = new Rows().rowsPerSlice(37);
        for (int i = 0; i < 500; i++) {
            rows.txn(builder -> {
                for (int op = 0; op < 4; op++) {
                    String key = "k" + random.nextInt(200);
                    boolean isRead = random.nextBoolean();
                    Rows.op(builder, isRead ? OpKind.READ : OpKind.WRITE, key, random.nextInt(50));
                }
            });
        }
        return new FixedRows(rows.slices());
    }

    /** Rows whose content is drawn only once. */
    private static final class FixedRows extends Rows {
        private final List<HistorySlice> slices;

        private FixedRows(List<HistorySlice> slices) {
            this.slices = slices;
        }

        @Override
        List<HistorySlice> slices(Set<ColumnGroup> wanted) {
            return slices;
        }
    }

    private List<LintFinding> findings(Rows rows, String initialText) {
        return findings(rows, initialText, ROOMY);
    }

    private List<LintFinding> findings(Rows rows, String initialText, long memoryBytes) {
        return passed(rows, new ValueRules(initialText, memoryBytes, 1000));
    }

    private List<LintFinding> passed(Rows rows, ValueRules rules) {
        passes = 0;
        do {
            passes++;
            for (HistorySlice slice : rows.slices()) {
                rules.add(slice);
            }
        } while (rules.needsAnotherPass());
        return rules.findings();
    }
}
