package io.nightjar.pipeline.validate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SliceBuilder;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class VersionTiesTest {

    private int passes;

    @Test
    void versionOfKeyByTwoTransactionsIsWarning() {
        VersionTies ties = passed(
                new Rows().txn(writes("x", 1)).txn(writes("y", 1)).txn(writes("x", 1)), new VersionTies(1 << 20));

        LintFinding finding = Rows.only(LintRule.VERSION_TIE, ties.findings());
        assertThat(passes).isEqualTo(1);
        assertThat(finding.ruleId()).isEqualTo("L42");
        assertThat(finding.severity()).isEqualTo(LintSeverity.WARNING);
        assertThat(finding.count()).isEqualTo(1);
        assertThat(finding.example()).isEqualTo("[t.jsonl row=3] txn_id=3 other-txn_id=1 key=x version=1");
        assertThat(finding.message())
                .startsWith("1 time two committed transactions gave a version of a key one number;")
                .endsWith("leave the column out, or count on for each key");
    }

    @Test
    void abortedRepeatedOrReadVersionIsNoTie() {
        VersionTies ties = passed(
                new Rows()
                        .txn(writes("x", 1).andThen(writes("x", 1)))
                        .txn(writes("x", 1).andThen(Rows::aborted))
                        .txn(numbered(builder -> Rows.read(builder, "x", 1), 1)),
                new VersionTies(1 << 20));

        assertThat(ties.findings()).isEmpty();
    }

    @Test
    void findingsAreTheSameInOnePassAndInMany() {
        Rows rows = new Rows().rowsPerSlice(100);
        for (int i = 0; i < 2000; i++) {
            rows.txn(writes("k" + i % 7, i * 7919 % 1400));
        }
        VersionTies roomy = passed(rows, new VersionTies(1 << 20));
        assertThat(passes).isEqualTo(1);

        VersionTies tight = passed(rows, new VersionTies(1));

        assertThat(passes).isGreaterThan(7);
        assertThat(tight.findings()).isEqualTo(roomy.findings()).hasSize(1);
    }

    private static Consumer<SliceBuilder> writes(String key, long version) {
        return numbered(builder -> Rows.write(builder, key, 1), version);
    }

    private static Consumer<SliceBuilder> numbered(Consumer<SliceBuilder> op, long version) {
        return op.andThen(builder -> builder.version(version));
    }

    private VersionTies passed(Rows rows, VersionTies ties) {
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
