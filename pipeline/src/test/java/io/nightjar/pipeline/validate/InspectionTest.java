package io.nightjar.pipeline.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InspectionTest {

    @Test
    void aCleanHistoryIsReadOnce() {
        Rows rows = new Rows()
                .row(1, 1, 0, builder -> Rows.write(builder.timestamps(1, 2), "x", 1))
                .row(2, 1, 1, builder -> Rows.read(builder.timestamps(3, 3), "x", 1));

        Inspection inspection = inspected(rows, null, 1 << 20);

        assertThat(rows.openCount).isEqualTo(1);
        assertThat(inspection.findings()).isEmpty();
    }

    @Test
    void findingsOfAllRulesComeInTheirOrder() {
        Rows rows = new Rows()
                .row(1, 1, 0, builder -> Rows.write(builder.timestamps(1, 5), "x", 1))
                .row(2, 1, 3, builder -> Rows.write(builder.timestamps(1, 5), "x", 1))
                .row(3, 1, 1, builder -> Rows.read(builder.timestamps(9, 8), "x", 7))
                .row(4, 2, 0, builder -> Rows.aborted(Rows.op(builder, OpKind.APPEND, "x", 3)));

        assertThat(inspected(rows, null, 1 << 20).findings())
                .extracting(LintFinding::ruleId)
                .containsExactly("L01", "L02", "L06", "L07", "L08", "L11", "L15", "L16", "L19");
    }

    @Test
    void operationsATransactionAreSpread() {
        Rows rows = new Rows()
                .txn(builder -> {})
                .txn(builder -> Rows.write(builder, "x", 1))
                .txn(builder -> Rows.readNothing(Rows.readList(builder, "l"), "x"))
                .txn(builder -> Rows.readList(Rows.readList(Rows.readNothing(builder, "z"), "l", 4), "l", 4, 5, 6));

        OperationSpread spread = inspected(rows, null, 1 << 20).spread();

        assertThat(spread.minOps()).isZero();
        assertThat(spread.medianOps()).isEqualTo(1);
        assertThat(spread.maxOps()).isEqualTo(3);
        assertThat(spread.maxListLength()).isEqualTo(3);
        assertThat(spread.emptyReadCount()).isEqualTo(3);
    }

    @Test
    void anEmptyHistoryHasASpreadOfNothing() {
        OperationSpread spread = inspected(new Rows(), null, 1 << 20).spread();

        assertThat(spread.minOps()).isZero();
        assertThat(spread.medianOps()).isZero();
        assertThat(spread.maxOps()).isZero();
    }

    @Test
    void aContradictionIsRejectedThoughOtherRulesWantMorePasses() {
        Rows rows = new Rows().rowsPerSlice(2);
        for (int i = 0; i < 50; i++) {
            int value = i;
            rows.row(i == 49 ? 3 : i, i, 0, builder -> Rows.read(builder, "k", value));
        }

        assertThatThrownBy(() -> inspected(rows, null, 1 << 20))
                .hasMessageStartingWith("[t.jsonl row=50] duplicate transaction id: txn_id=3");
    }

    @Test
    void everythingIsTheSameInLittleMemory() {
        Rows rows = ValueRulesTest.randomRows(Long.getLong("nightjar.seed", 5));

        Inspection roomy = inspected(rows, null, 1 << 24);
        Inspection tight = inspected(rows, null, 1);

        assertThat(tight.passCount()).isGreaterThan(roomy.passCount());
        assertThat(tight.findings()).isEqualTo(roomy.findings());
        assertThat(tight.capabilities()).isEqualTo(roomy.capabilities());
        assertThat(tight.keys().keyCount()).isEqualTo(roomy.keys().keyCount());
        assertThat(tight.validation().sessionCount())
                .isEqualTo(roomy.validation().sessionCount());
    }

    @Test
    void ruleIdsAreUnique() {
        Set<String> ids = new HashSet<>();
        for (LintRule rule : LintRule.values()) {
            assertThat(ids.add(rule.id())).as(rule.id()).isTrue();
            assertThat(rule.title()).isNotBlank();
        }
    }

    @Test
    void theForecastGrowsWithTheHistory() {
        CostForecast small = CostForecast.of(1000, 15_000, 100, 10, 1 << 20, true, false);
        CostForecast large = CostForecast.of(1_000_000, 15_000_000, 100, 10, 1 << 30, true, false);

        assertThat(large.memoryBytes()).isGreaterThan(small.memoryBytes());
        assertThat(large.cpuSeconds()).isGreaterThan(small.cpuSeconds());
    }

    static Inspection inspected(Rows rows, String initialText, long memoryBytes) {
        Inspection inspection = new Inspection(initialText, memoryBytes, 1000);
        do {
            try (SliceReader reader = rows.open(0, inspection.columns(), BadRowHandler.REJECT)) {
                for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                    inspection.add(slice);
                }
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        } while (inspection.needsAnotherPass());
        return inspection;
    }
}
