package io.nightjar.jobs.read;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.validate.HistoryFacts;
import io.nightjar.pipeline.validate.HistoryLint;
import io.nightjar.pipeline.validate.LintFinding;
import io.nightjar.pipeline.validate.ValidationResult;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of validation that the verdicts and tables of a history need.
 *
 * @param areVersionsComplete whether the order of versions and all writers are known
 * @param lint the cheap findings in the order of rule ids
 * @param hasConditions whether it has conditional writes, some of which timestamps may not decide
 * @param sourceDoubt the reason in the source why no level can hold; null if none
 */
public record HistorySummary(
        Counts counts,
        long sessionCount,
        boolean areVersionsComplete,
        boolean hasConditions,
        ValueType keyType,
        ValueType valueType,
        List<LintFinding> lint,
        @Nullable String sourceDoubt)
        implements Serializable {

    public HistorySummary {
        lint = List.copyOf(lint);
    }

    /**
     * Transactions and operations.
     *
     * @param unknown transactions whose outcome the client never learned
     * @param timestamped committed transactions with the timestamps that they need
     * @param predicates predicate reads
     * @param deletions of rows
     * @param relational both, and rows that were scanned
     */
    public record Counts(
            long txns,
            long ops,
            long committed,
            long unknown,
            long timestamped,
            long predicates,
            long deletions,
            long relational)
            implements Serializable {}

    /** @param history complete, and without doubt */
    public static HistorySummary of(ValidationResult history) {
        HistoryFacts facts = history.facts();
        Counts counts = new Counts(
                facts.txnCount(),
                facts.opCount(),
                facts.committedCount(),
                facts.txnCount(TxnStatus.UNKNOWN),
                facts.timestampedCount(),
                facts.predicateCount(),
                facts.opCount(OpKind.DELETE),
                facts.relationalCount());
        return new HistorySummary(
                counts,
                history.sessionCount(),
                facts.areVersionsComplete(),
                facts.conditionalCount() > 0,
                history.keyType(),
                history.valueType(),
                history.findings(),
                null);
    }

    /** Returns a copy with the diagnostics of its source. */
    public HistorySummary with(List<SourceDiagnostic> remarks) {
        if (remarks.isEmpty()) {
            return this;
        }
        String doubt = sourceDoubt;
        for (int i = remarks.size() - 1; i >= 0; i--) {
            String of = remarks.get(i).doubt();
            doubt = of == null ? doubt : of;
        }
        return new HistorySummary(
                counts,
                sessionCount,
                areVersionsComplete,
                hasConditions,
                keyType,
                valueType,
                HistoryLint.with(lint, remarks),
                doubt);
    }

    /** Returns a copy with other numbers of transactions, for a history that was validated in segments. */
    public HistorySummary ofAll(
            long txns,
            long ops,
            long committed,
            long unknown,
            long timestamped,
            long sessions,
            List<SourceDiagnostic> remarks) {
        Counts all = new Counts(
                txns, ops, committed, unknown, timestamped, counts.predicates, counts.deletions, counts.relational);
        return new HistorySummary(
                        all, sessions, areVersionsComplete, hasConditions, keyType, valueType, List.of(), sourceDoubt)
                .with(remarks);
    }

    /** Returns a copy without committed transactions that have timestamps, only write, and have separate sessions. */
    public HistorySummary without(long txns, long ops) {
        Counts others = new Counts(
                counts.txns - txns,
                counts.ops - ops,
                counts.committed - txns,
                counts.unknown,
                counts.timestamped - txns,
                counts.predicates,
                counts.deletions,
                counts.relational);
        return new HistorySummary(
                others, sessionCount - txns, areVersionsComplete, hasConditions, keyType, valueType, lint, sourceDoubt);
    }

    public long txnCount() {
        return counts.txns;
    }

    public long opCount() {
        return counts.ops;
    }

    public long committedCount() {
        return counts.committed;
    }

    public long unknownCount() {
        return counts.unknown;
    }

    public long predicateCount() {
        return counts.predicates;
    }

    public long deletionCount() {
        return counts.deletions;
    }

    public long relationalCount() {
        return counts.relational;
    }

    /** Returns whether timestamps can be evidence: every committed transaction has them. */
    public boolean areTimestampsComplete() {
        return counts.timestamped == counts.committed;
    }
}
