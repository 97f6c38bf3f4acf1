package io.nightjar.jobs.read;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SourceRemark;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.validate.HistoryFacts;
import io.nightjar.pipeline.validate.HistoryLint;
import io.nightjar.pipeline.validate.LintFinding;
import io.nightjar.pipeline.validate.Validation;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * What validation found out about a history that its verdicts and tables need.
 *
 * @param committedCount transactions that committed
 * @param unknownCount transactions whose outcome the client never learned
 * @param timestampedCount committed transactions with the timestamps that they need
 * @param predicateCount predicate reads
 * @param deletionCount deletions of rows
 * @param relationalCount both, and rows that were looked at
 * @param areVersionsComplete whether the order of versions and all writers are known
 * @param lint the cheap findings in the order of rule ids
 * @param sourceDoubt why nothing of what the source says makes a level hold; null if it can
 */
public record HistorySummary(
        long txnCount,
        long opCount,
        long committedCount,
        long unknownCount,
        long timestampedCount,
        long predicateCount,
        long deletionCount,
        long relationalCount,
        boolean areVersionsComplete,
        long sessionCount,
        ValueType keyType,
        ValueType valueType,
        List<LintFinding> lint,
        String sourceDoubt)
        implements Serializable {

    public HistorySummary {
        lint = List.copyOf(lint);
    }

    /** @param validation all its passes are done */
    public static HistorySummary of(Validation validation) {
        HistoryFacts facts = validation.facts();
        return new HistorySummary(
                facts.txnCount(),
                facts.opCount(),
                facts.committedCount(),
                facts.txnCount(TxnStatus.UNKNOWN),
                facts.timestampedCount(),
                facts.predicateCount(),
                facts.opCount(OpKind.DELETE),
                facts.relationalCount(),
                facts.areVersionsComplete(),
                validation.sessionCount(),
                validation.keyType(),
                validation.valueType(),
                validation.findings(),
                null);
    }

    /** The same with what its source found odd while it was read. */
    public HistorySummary with(List<SourceRemark> remarks) {
        if (remarks.isEmpty()) {
            return this;
        }
        return new HistorySummary(
                txnCount,
                opCount,
                committedCount,
                unknownCount,
                timestampedCount,
                predicateCount,
                deletionCount,
                relationalCount,
                areVersionsComplete,
                sessionCount,
                keyType,
                valueType,
                HistoryLint.with(lint, remarks),
                remarks.stream()
                        .map(SourceRemark::doubt)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(sourceDoubt));
    }

    /** The same of as many transactions, for what was validated in parts. */
    public HistorySummary ofAll(
            long txns,
            long ops,
            long committed,
            long unknown,
            long timestamped,
            long sessions,
            List<SourceRemark> remarks) {
        HistorySummary all = new HistorySummary(
                txns,
                ops,
                committed,
                unknown,
                timestamped,
                predicateCount,
                deletionCount,
                relationalCount,
                areVersionsComplete,
                sessions,
                keyType,
                valueType,
                List.of(),
                sourceDoubt);
        return all.with(remarks);
    }

    /** The same without committed transactions that have timestamps, write only and are sessions of their own. */
    public HistorySummary without(long txns, long ops) {
        return new HistorySummary(
                txnCount - txns,
                opCount - ops,
                committedCount - txns,
                unknownCount,
                timestampedCount - txns,
                predicateCount,
                deletionCount,
                relationalCount,
                areVersionsComplete,
                sessionCount - txns,
                keyType,
                valueType,
                lint,
                sourceDoubt);
    }

    /** Whether timestamps can be evidence: every committed transaction has them. */
    public boolean areTimestampsComplete() {
        return timestampedCount == committedCount;
    }
}
