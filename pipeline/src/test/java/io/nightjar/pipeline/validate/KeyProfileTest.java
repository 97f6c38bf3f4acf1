package io.nightjar.pipeline.validate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.pipeline.validate.KeyProfile.Model;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyProfileTest {

    private HistoryFacts facts;
    private int passes;

    @Test
    void keysAreCountedByModel() {
        KeyProfile keys = profiled(new Rows()
                .rowsPerSlice(2)
                .txn(builder -> Rows.read(Rows.write(builder, "register", 1), "only-read", 4))
                .txn(builder -> Rows.readList(Rows.op(builder, OpKind.APPEND, "list", 1), "list", 1))
                .txn(builder -> Rows.readList(Rows.op(builder, OpKind.ADD, "set", 1), "set", 1))
                .txn(builder -> Rows.read(Rows.op(builder, OpKind.INCREMENT, "counter", 1), "counter", 1))
                .txn(builder -> Rows.write(Rows.op(builder, OpKind.APPEND, "mixed", 1), "mixed", 1))
                .txn(builder -> Rows.readNothing(builder, "unknown"))
                .txn(builder -> Rows.readNothing(builder, "register")));

        assertThat(keys.keyCount()).isEqualTo(7);
        assertThat(keys.keyCount(Model.REGISTER)).isEqualTo(2);
        assertThat(keys.keyCount(Model.LIST)).isEqualTo(1);
        assertThat(keys.keyCount(Model.SET)).isEqualTo(1);
        assertThat(keys.keyCount(Model.COUNTER)).isEqualTo(1);
        assertThat(keys.keyCount(Model.MIXED)).isEqualTo(1);
        assertThat(keys.keyCount(Model.UNKNOWN)).isEqualTo(1);
    }

    @Test
    void aKeyUsedInTwoWaysIsAWarning() {
        KeyProfile keys = profiled(
                new Rows().txn(builder -> Rows.write(builder, "x", 1)).txn(builder -> Rows.readList(builder, "x", 1)));

        LintFinding finding = Rows.only(LintRule.MIXED_MODEL, keys.findings(facts));

        assertThat(finding.ruleId()).isEqualTo("L19");
        assertThat(finding.example()).isEqualTo("[t.jsonl row=2] txn_id=2 key=x");
        assertThat(finding.message())
                .isEqualTo("1 key used in two ways, such as register and list;"
                        + " the result of a read of such a key is undefined");
    }

    @Test
    void keysWrittenOnceAreMentionedIfNearlyAll() {
        Rows rows = new Rows().txn(builder -> Rows.read(builder, "k0", 0));
        for (int i = 0; i < 20; i++) {
            int value = i;
            rows.txn(builder -> Rows.write(builder, "k" + value, value));
        }
        rows.txn(builder -> Rows.write(builder, "k1", 77));

        LintFinding finding = Rows.only(LintRule.FEW_READS, profiled(rows).findings(facts));

        assertThat(finding.ruleId()).isEqualTo("L12");
        assertThat(finding.severity()).isEqualTo(LintSeverity.INFO);
        assertThat(finding.count()).isEqualTo(19);
        assertThat(finding.message())
                .isEqualTo(
                        "95 % of 20 written keys with a single writer; without concurrent writers few anomalies are possible");
    }

    @Test
    void aWriterThatAbortedDoesNotCount() {
        KeyProfile keys = profiled(new Rows()
                .txn(builder -> Rows.write(Rows.write(builder, "x", 1), "x", 2))
                .txn(builder -> Rows.aborted(Rows.write(Rows.write(builder, "x", 3), "y", 1))));

        assertThat(keys.writtenKeyCount()).isEqualTo(1);
        assertThat(keys.singleWriterKeyCount()).isEqualTo(1);
    }

    @Test
    void aKeyWithALargeShareOfOperationsIsMentioned() {
        KeyProfile keys = profiled(skewed());

        LintFinding finding = Rows.only(LintRule.KEY_SKEW, keys.findings(facts));

        assertThat(keys.largestKey()).isEqualTo("hot");
        assertThat(finding.ruleId()).isEqualTo("L14");
        assertThat(finding.severity()).isEqualTo(LintSeverity.INFO);
        assertThat(finding.count()).isEqualTo(750);
        assertThat(finding.message())
                .isEqualTo("key hot has 50 % of all operations; the work on one key cannot be divided");
    }

    @Test
    void theSkewOfASmallHistoryIsNotMentioned() {
        KeyProfile keys = profiled(new Rows()
                .txn(builder -> Rows.write(Rows.write(builder, "x", 1), "x", 2))
                .txn(builder -> Rows.write(builder, "y", 3)));

        assertThat(keys.findings(facts)).isEmpty();
    }

    @Test
    void profileDoesNotDependOnNumberOfPasses() {
        Rows rows = skewed();
        for (int i = 0; i < 100; i++) {
            int value = i;
            rows.txn(builder -> Rows.op(builder, value % 2 == 0 ? OpKind.APPEND : OpKind.READ, "k" + value, value));
        }
        KeyProfile roomy = profiled(rows);
        List<LintFinding> roomyFindings = roomy.findings(facts);
        assertThat(passes).isEqualTo(1);

        KeyProfile tight = profiled(rows, new KeyProfile(50 * KeyState.BYTES));

        assertThat(passes).isGreaterThan(7);
        assertThat(tight.keyCount()).isEqualTo(roomy.keyCount()).isEqualTo(751);
        assertThat(tight.keyCount(Model.MIXED))
                .isEqualTo(roomy.keyCount(Model.MIXED))
                .isEqualTo(50);
        assertThat(tight.largestKey()).isEqualTo(roomy.largestKey());
        assertThat(tight.findings(facts)).isEqualTo(roomyFindings);
    }

    private static Rows skewed() {
        Rows rows = new Rows().rowsPerSlice(100);
        for (int i = 0; i < 750; i++) {
            int value = i;
            rows.txn(builder -> Rows.write(Rows.write(builder, "k" + value, 1000 + value), "hot", value));
        }
        return rows;
    }

    private KeyProfile profiled(Rows rows) {
        return profiled(rows, new KeyProfile(1 << 20));
    }

    private KeyProfile profiled(Rows rows, KeyProfile keys) {
        passes = 0;
        facts = new HistoryFacts();
        do {
            for (HistorySlice slice : rows.slices()) {
                if (passes == 0) {
                    facts.add(slice);
                }
                keys.add(slice);
            }
            passes++;
        } while (keys.needsAnotherPass());
        return keys;
    }
}
