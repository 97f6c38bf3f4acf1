package io.nightjar.jobs.lake;

import io.nightjar.formats.finding.AnomalyTitle;
import io.nightjar.pipeline.explain.Blame;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table. Its components are the columns of the table, in their order: component {@code anomalyId} is column
 * {@code anomaly_id}; a component that is a record represents its own components.
 */
public sealed interface LakeRow {

    default LakeTable table() {
        return LakeTable.of(this);
    }

    /** The run of a row, and its history. */
    record Ids(String runId, String historyId) {}

    /** An anomaly of a run. */
    record AnomalyKey(String anomalyId, Ids ids) {}

    /** A run. */
    record Run(
            Ids ids,
            String historyUri,
            String verdict,
            Instant startedAt,
            Instant finishedAt,
            String engine,
            String evidence,
            Counts counts,
            String checkerVersion,
            long schemaVersion,
            String optionsJson,
            @Nullable String inputFingerprint,
            @Nullable String batchId)
            implements LakeRow {

        /** The size of its history. */
        public record Counts(long transactionCount, long operationCount, long sessionCount, long keyCount) {}
    }

    /**
     * The verdict of a run for a level.
     *
     * @param isExact whether the count is of all anomalies that rule it out; false for an undecided level too
     */
    record LevelVerdict(
            Ids ids,
            String level,
            String verdict,
            @Nullable String evidence,
            @Nullable String reason,
            long anomalyCount,
            double seconds,
            boolean isExact)
            implements LakeRow {}

    /** An anomaly. */
    record Anomaly(
            AnomalyKey id,
            String anomalyType,
            @Nullable String pattern,
            @Nullable String levelViolated,
            String algorithm,
            @Nullable String objectKey,
            Extent extent,
            Read read,
            @Nullable Long slack,
            boolean isDependingOnUnknown,
            String fingerprint,
            String explanation,
            @Nullable String relatedAnomalyId)
            implements LakeRow {

        /** The number of participants, and when they committed. */
        public record Extent(
                long txnCount, long sessionCount, @Nullable Long minCommitTs, @Nullable Long maxCommitTs) {}

        /** Progress of reading: expected and read amounts. */
        public record Read(
                @Nullable String expectedValue,
                @Nullable Long expectedWriterTxnId,
                @Nullable String observedValue,
                @Nullable Long observedWriterTxnId,
                @Nullable String observedOrigin) {}

        /** Returns the name that people read. */
        public String title() {
            return AnomalyTitle.of(anomalyType, pattern, read.observedOrigin);
        }

        /** Returns whether the explanation blames a participant. */
        public boolean blames(AnomalyTxn txn) {
            return Blame.isBlamed(anomalyType, txn.role);
        }
    }

    /** A transaction's part in an anomaly. */
    record AnomalyTxn(
            AnomalyKey anomaly,
            long txnSeq,
            String role,
            long txnId,
            @Nullable Long sessionId,
            @Nullable Long sessionSeq,
            @Nullable String status,
            @Nullable Long startTs,
            @Nullable Long commitTs,
            @Nullable Long opIndex,
            @Nullable String opsText,
            @Nullable String sourceFile,
            @Nullable Long sourceRow,
            @Nullable Long invokeNs,
            @Nullable Long completeNs,
            @Nullable String extra)
            implements LakeRow {}

    /** A step between two transactions of an anomaly. */
    record AnomalyEdge(
            AnomalyKey anomaly,
            long edgeSeq,
            long fromTxnId,
            long toTxnId,
            String edgeType,
            @Nullable String objectKey,
            @Nullable String fromValue,
            @Nullable String toValue,
            String evidence,
            @Nullable String reason,
            @Nullable String predicate,
            @Nullable String because)
            implements LakeRow {}

    /**
     * A lint finding of a history.
     *
     * @param severity error, warning or info
     * @param example a location where it occurs; null if none can be named
     */
    record LintFinding(
            Ids ids, String ruleId, String severity, long findingCount, @Nullable String example, String message)
            implements LakeRow {}

    /**
     * A row of the input that was skipped.
     *
     * @param sourceRow counted from 1
     */
    record DeadLetter(Ids ids, String sourceFile, long sourceRow, String reason, @Nullable String rawText)
            implements LakeRow {

        private static final int MAX_RAW_CHARS = 4_000;

        public DeadLetter {
            rawText = ValueText.cut(rawText, MAX_RAW_CHARS);
        }
    }

    /** A component of a history that was checked separately. */
    record Component(
            Ids ids,
            long componentId,
            long sessionCount,
            long txnCount,
            long keyCount,
            String status,
            long searchStates,
            double seconds)
            implements LakeRow {}

    /** Measurements of a stage; null for values that were not measured. */
    record Stage(
            Ids ids,
            String stage,
            double seconds,
            @Nullable Long recordsIn,
            @Nullable Long recordsOut,
            @Nullable Long bytesRead,
            @Nullable Long bytesSpilled,
            @Nullable Long peakMemoryBytes,
            Counters counters)
            implements LakeRow {

        /** Counters of some stages. */
        public record Counters(
                @Nullable Long txnsRead,
                @Nullable Long opsRead,
                @Nullable Long deadLetters,
                @Nullable Long componentsDone,
                @Nullable Long componentsTotal,
                @Nullable Long anomalies,
                @Nullable Long requests) {}
    }

    /** A change of the verdict of a finding while its history was watched. */
    record VerdictChange(
            Ids ids,
            long changeSeq,
            String anomalyId,
            String change,
            String anomalyType,
            String level,
            long txnId,
            @Nullable String objectKey,
            @Nullable String expectedValue,
            @Nullable String observedValue,
            Instant arrivedAt,
            Instant changedAt,
            long flips,
            boolean stands)
            implements LakeRow {}

    /** Measurements of a watch for an interval of some seconds. */
    record WatchInterval(
            Ids ids,
            long intervalSeq,
            Instant endedAt,
            long transactions,
            long operations,
            @Nullable Long watermarkTs,
            Counts counts,
            Times times,
            long heapBytes,
            @Nullable Long rssBytes,
            long diskBytes)
            implements LakeRow {

        /** Transactions and findings by their state. */
        public record Counts(
                long sealed,
                long open,
                long late,
                long corrected,
                long flips,
                long provisional,
                @ColumnName("final") long finals) {}

        /** Latencies of verdicts. */
        public record Times(long lagMs, long verdictP50Us, long verdictP99Us, long finalP99Ms) {}
    }
}
