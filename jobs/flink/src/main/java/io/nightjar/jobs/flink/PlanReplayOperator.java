package io.nightjar.jobs.flink;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.jobs.run.Confirmation;
import io.nightjar.pipeline.verify.ReplayRowSelection;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * Start of stage 6, one task: receives the findings of all tasks, and requests the rows needed to replay them. If these
 * depend on rows of participants, it requests those first.
 */
final class PlanReplayOperator extends OutcomeOperator {

    private static final long serialVersionUID = 1;

    PlanReplayOperator(JobSpec spec) {
        super(spec, FetchRowsOperator.WORD);
    }

    @Override
    public void endInput() throws IOException {
        try {
            PlanMessage plan = outcome.plan();
            if (plan.badRows().rejection() == null && plan.misuse() == null) {
                ask(outcome.conclusion());
            }
        } catch (AssertionError fault) {
            throw new SuppressRestartsException(fault); // it would be the same again
        }
    }

    private void ask(Conclusion conclusion) throws IOException {
        if (!outcome.areRowsFetched(conclusion)) {
            return;
        }
        List<Finding> findings = conclusion.findings().inTime();
        if (findings.isEmpty()) {
            return;
        }
        ReplayRowSelection rows = new ReplayRowSelection(findings, initialValue());
        Set<ColumnGroup> columns = Confirmation.columns(conclusion, initialValue(), findings);
        if (outcome.plan().badRows().size() > 0) {
            columns.addAll(spec.columns()); // a bad row must be read as before to be skipped again
        }
        FetchPlan first = new FetchPlan(rows, columns, null);
        if (rows.asksParticipants()) {
            first.send(outcome.readings(), spec.parallelism, chunk -> emit(PARTICIPANTS, chunk, FIRST));
            first.send(outcome.readings(), 1, chunk -> emit(OPEN_PLAN, chunk, FIRST));
        } else {
            first.with(new byte[0]).send(outcome.readings(), spec.parallelism, this::emit);
        }
    }
}
