package io.nightjar.jobs.flink;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.history.SplitDigest;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.check.TableRun;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.decide.StageListener;
import io.nightjar.pipeline.decide.TimestampMerger;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.partition.GroupedSessions;
import io.nightjar.pipeline.partition.SessionForest;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.validate.CommittedRows;
import io.nightjar.pipeline.validate.MergedValidation;
import io.nightjar.pipeline.validate.SplitFacts;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Stage 2, one task: merges the results of the first reading and of the validation partitions, or validates all rows in
 * order if a partition is in doubt, and determines the rows to read again.
 */
final class ValidateOperator extends StageOperator implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    /*
     * Algorithm. Results of splits are merged in the order of splits, followed by the results of partitions. A
     * partition does not report a contradiction, or an excess of memory: in these cases validateInOrder() reads the
     * rows and reports the first error that a sequential reader would have reported, be it a contradiction, a bad row
     * too many, or a truncated file.
     */

    private static final long serialVersionUID = 1;

    private static final long BYTES_PER_OP_IN_BIN = 150;

    private transient CheckOptions options;
    private transient EvidenceChoice choice;
    private transient MergedValidation merged;
    private transient CommittedRows committed;
    private transient TimestampMerger ofSessions;
    private transient boolean areRowsInOrder;
    private transient boolean startsAfterPrevious;
    private transient @Nullable ValidatingScanner rows; // null unless a partition is in doubt
    private transient BadRowCollector badRows;
    private transient DeadLetters deadLetters;
    private transient SessionForest forest;
    private transient SessionWeights weights;
    private transient ReadingMessage[] readings;
    private transient @Nullable BadRowsMessage[] badRowsOf; // by split
    private transient @Nullable String[] misuseOf; // by split
    private transient Set<SourceDiagnostic> remarks;
    private transient Counter anomalies;
    private transient @Nullable Rejection rejection;
    private transient @Nullable String misuse;

    ValidateOperator(JobSpec spec) {
        super(spec, "validate");
    }

    @Override
    public void open() throws Exception {
        super.open();
        options = spec.options(heapBytes());
        choice = new EvidenceChoice(options);
        merged = new MergedValidation();
        committed = new CommittedRows();
        ofSessions = new TimestampMerger(spec.keptFindings(), heapBytes());
        areRowsInOrder = true;
        startsAfterPrevious = true;
        forest = new SessionForest();
        weights = new SessionWeights();
        readings = new ReadingMessage[spec.plan.splitCount()];
        badRowsOf = new BadRowsMessage[spec.plan.splitCount()];
        misuseOf = new String[spec.plan.splitCount()];
        remarks = new LinkedHashSet<>();
        anomalies = counter("anomalies");
        setNothingAside();
    }

    private void setNothingAside() {
        badRows = new BadRowCollector(Long.MAX_VALUE);
        deadLetters = new DeadLetters(options.maxDeadLetters());
        rejection = null;
        misuse = null;
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) throws IOException {
        recordArrived(element.getValue());
        Chunk chunk = element.getValue();
        switch (chunk.kind) {
            case COMMITS -> addCommits(chunk.feed());
            case FOREST -> forest.merge(chunk.feed());
            case TIMESTAMP_OUTCOME -> ofSessions.add(ResultCodec.decode(TimestampOutcome.class, chunk.feed()));
            case MESSAGE -> take(chunk.message(), (int) (element.getTimestamp() >>> SLICE_BITS));
            default -> throw new AssertionError("bug: kind=" + chunk.kind);
        }
    }

    private void addCommits(ByteReader feed) {
        while (!feed.isEmpty()) {
            committed.decode(feed);
            merged.add(committed);
        }
    }

    private void take(Object message, int split) throws IOException {
        if (message instanceof SplitFacts facts) {
            merged.add(facts);
            advance(facts.txnCount());
        } else if (message instanceof PartitionsMessage partitions) {
            merged.add(partitions.answer());
            areRowsInOrder &= partitions.areRowsInOrder();
            startsAfterPrevious &= partitions.startsAfterPrevious();
        } else if (message instanceof WeightsMessage some) {
            weights.add(some);
        } else if (message instanceof ReadingMessage reading) {
            readings[reading.split()] = reading;
            remarks.addAll(reading.remarks());
            emit(OUTCOMES, Chunk.of(0, reading), FIRST);
        } else if (message instanceof BadRowsMessage bad) {
            badRowsOf[split] = bad;
        } else if (message instanceof UsageErrorMessage wrong) {
            misuseOf[split] = wrong.reason();
        } else {
            throw new AssertionError("bug: message=" + message);
        }
    }

    /**
     * Merges the results of the splits, except the results of partitions, up to the first split that rejects the
     * history.
     */
    private void validateSplits(OfSplit rowsOf) throws IOException {
        for (int split = 0; split < spec.plan.splitCount() && rejection == null; split++) {
            try {
                rowsOf.validateSplit(split);
                misuse = misuse == null ? misuseOf[split] : misuse;
                BadRowsMessage bad = badRowsOf[split];
                if (bad != null) {
                    setAside(bad, split);
                }
            } catch (MalformedHistoryException malformed) {
                rejection = Rejection.of(malformed);
            } catch (UsageException wrong) {
                misuse = wrong.getMessage();
            }
        }
    }

    /** Consumer of the rows of a split. */
    private interface OfSplit {
        void validateSplit(int split) throws IOException;
    }

    /** Skips bad rows; if they exceed the limit, reads them again for the same error that every reader reports. */
    private void setAside(BadRowsMessage ofSplit, int split) throws IOException {
        if (ofSplit.rejection() == null && deadLetters.count() + ofSplit.size() <= options.maxDeadLetters()) {
            ofSplit.replayTo(deadLetters);
            ofSplit.replayTo(badRows);
            return;
        }
        try (SliceReader reader = source().open(split, spec.columns(), deadLetters)) {
            HistorySlice slice = reader.next();
            while (slice != null) {
                slice = reader.next();
            }
        }
        rejection = ofSplit.rejection(); // it was read to its end this time, which changes nothing
    }

    // ---------------------------------------------------------------- where a partition is in doubt

    private void validateInOrder() throws IOException {
        setNothingAside();
        ValidatingScanner all = new ValidatingScanner(source(), 1, options.memoryBytes(), options.spillParent());
        rows = all;
        all.beginFirstPass();
        try {
            validateSplits(split -> validate(split, all));
        } catch (ChangedInputException changed) {
            throw new SuppressRestartsException(changed); // other tasks have read the previous content
        }
        if (deadLetters.count() > 0) {
            all.setAsideBadRows(spec.columns());
        }
    }

    private void validate(int split, ValidatingScanner all) throws IOException {
        SplitDigest first = readings[split] == null ? null : readings[split].reading();
        if (first != null) {
            source().expect(split, first);
        }
        try (SliceReader reader = new AsReadFirst(split)) {
            for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                all.validate(slice, all.factsOf(slice));
            }
        }
    }

    /** Hands out the slices of a split that the first reading did: why it ended early, if it did, is known. */
    private final class AsReadFirst implements SliceReader {

        private final int split;
        private @Nullable SliceReader reader;

        AsReadFirst(int split) {
            this.split = split;
        }

        @Override
        public @Nullable HistorySlice next() throws IOException {
            try {
                if (reader == null) {
                    reader = source().open(split, spec.columns(), new BadRowCollector(spec.maxDeadLetters()));
                }
                return reader.next();
            } catch (MalformedHistoryException | UsageException | BadRowCollector.EnoughException failure) {
                return null;
            }
        }

        @Override
        public void close() throws IOException {
            if (reader != null) {
                reader.close();
            }
        }
    }

    private HistorySummary summary() throws IOException {
        if (rows == null) {
            return HistorySummary.of(merged);
        }
        rows.endFirstPass(StageListener.NONE);
        return rows.summary();
    }

    // ---------------------------------------------------------------- the plan

    @Override
    public void endInput() throws IOException {
        validateSplits(split -> {});
        if (merged.isInDoubt()) {
            validateInOrder();
        }
        HistorySummary summary = null;
        if (rejection == null && misuse == null) {
            try {
                summary = summary().with(List.copyOf(remarks));
                options.checkInitialValue(summary.valueType());
            } catch (MalformedHistoryException malformed) {
                rejection = Rejection.of(malformed);
            } catch (UsageException wrong) {
                misuse = wrong.getMessage();
            }
        }
        boolean goesOn = summary != null && rejection == null && misuse == null;
        boolean isOfTables = summary != null && goesOn && TableRun.isFor(summary.relationalCount(), options);
        boolean areTimed = summary != null
                && goesOn
                && !isOfTables
                && spec.plan.first().triesTimestamps()
                && summary.areTimestampsComplete();
        boolean hasUnknown = summary != null && areTimed && summary.unknownCount() > 0;
        boolean checksSessions = areTimed && (hasUnknown || !areRowsInOrder);
        if (areTimed && !checksSessions) {
            TimestampOutcome ofAll = ofSessions.merged();
            anomalies.inc(ofAll.findings().total());
            emit(OUTCOMES, new Chunk(Chunk.Kind.TIMESTAMP_OUTCOME, 0, ResultCodec.bytes(ofAll)), 0);
        }
        BadRowsMessage setAside = new BadRowsMessage(badRows.rows(), rejection);
        emit(
                OUTCOMES,
                Chunk.of(0, new PlanMessage(setAside, misuse, summary, areTimed, hasUnknown, startsAfterPrevious)),
                FIRST);
        if (summary != null && isOfTables) {
            for (ReadingMessage reading : readings) {
                emit(TABLES, Chunk.of(0, reading), FIRST);
            }
            emit(TABLES, Chunk.of(0, new TablesMessage(summary, deadLetters.count() == 0)), 0);
        }
        boolean hasConditions = summary != null && summary.hasConditions();
        Set<IsolationLevel> byValues =
                goesOn && !isOfTables ? choice.byValuesInAdvance(areTimed, hasConditions) : Set.of();
        SessionBins bins = byValues.isEmpty() ? null : bins(byValues);
        readAgain(new RoutingPlan(bins, checksSessions, hasUnknown, columnsFor(byValues)));
        if (bins != null) {
            int[] keys = TaskKeys.inTurn(bins.binCount(), spec.parallelism);
            for (int bin = 0; bin < keys.length; bin++) {
                BinPlan binPlan = new BinPlan(areTimed, hasConditions, deadLetters.count() > 0, bin < bins.largeBins());
                emit(BINS, Chunk.of(keys[bin], binPlan), FIRST);
            }
        }
        long txns = summary != null && goesOn ? summary.txnCount() : 0;
        reportStage(txns, txns, 0);
    }

    private Set<ColumnGroup> columnsFor(Set<IsolationLevel> byValues) {
        Set<ColumnGroup> columns = ColumnGroup.forTimestamps();
        if (!byValues.isEmpty()) {
            columns.addAll(ColumnGroup.forValues());
            if (!options.questionOf(byValues, 0).relatesAllSessions()) {
                columns.remove(ColumnGroup.CLIENT_TIMES);
            }
        }
        if (deadLetters.count() > 0) {
            columns.addAll(spec.columns()); // a bad row must be read as before to be skipped again
        }
        return columns;
    }

    @Override
    public void close() throws Exception {
        if (rows != null) {
            rows.close();
        }
        super.close();
    }

    /** Starts the second reading: each task receives the plan before its splits. */
    private void readAgain(RoutingPlan plan) {
        if (plan.isNothing()) {
            return;
        }
        for (int task = 0; task < spec.parallelism; task++) {
            emit(Chunk.of(task, plan));
        }
        for (int split = 0; split < spec.plan.splitCount(); split++) {
            emit(Chunk.of(split % spec.parallelism, readings[split]));
        }
    }

    private SessionBins bins(Set<IsolationLevel> levels) {
        if (!spec.plan.first().joinsSessions() || options.questionOf(levels, 0).relatesAllSessions()) {
            return SessionBins.ONE;
        }
        long[] ids = weights.ids();
        GroupedSessions groups = forest.groups();
        int[] groupOf = new int[ids.length];
        Arrays.setAll(groupOf, session -> groups.groupOf(ids[session]));
        return SessionBins.of(
                ids,
                groupOf,
                weights.weights(),
                heapBytes() / BYTES_PER_OP_IN_BIN,
                spec.plan.largeGroup(),
                spec.parallelism);
    }
}
