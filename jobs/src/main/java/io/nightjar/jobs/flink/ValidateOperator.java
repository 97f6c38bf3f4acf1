package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SourceRemark;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.check.TableRun;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.read.SourceRows;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.pipeline.check.timestamp.SessionOrder;
import io.nightjar.pipeline.decide.StationWatch;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.split.GroupedSessions;
import io.nightjar.pipeline.split.SessionForest;
import io.nightjar.pipeline.split.SliceCodec;
import io.nightjar.pipeline.validate.HistoryFacts;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Station 2, one task: gets the heads of all transactions in the order of their rows, finds out whether they are a history
 * and what can be decided of it, and says what is to be read again.
 */
final class ValidateOperator extends Station implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    private static final long BYTES_PER_OP_IN_BIN = 150;

    /** Part of memory that sessions may take while their rows come in order; other tasks check them where they take more. */
    private static final int SHARE_FOR_SESSIONS = 10;

    private transient CheckOptions options;
    private transient EvidenceChoice choice;
    private transient @Nullable SourceRows rows;
    private transient BadRowCollector badRows;
    private transient DeadLetters deadLetters;
    private transient SessionOrder order;
    private transient SliceCodec codec;
    private transient SessionForest forest;
    private transient SessionWeights weights;
    private transient ReadingMessage[] readings;
    private transient Set<SourceRemark> remarks;
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
        rows = new SourceRows(source(), 1, options.memoryBytes(), options.spillParent());
        rows.beginFirstPass();
        badRows = new BadRowCollector(Long.MAX_VALUE);
        deadLetters = new DeadLetters(options.maxDeadLetters());
        order = new SessionOrder(choice.axioms(), spec.keptFindings(), options.memoryBytes() / SHARE_FOR_SESSIONS);
        codec = new SliceCodec();
        forest = new SessionForest();
        weights = new SessionWeights();
        readings = new ReadingMessage[spec.splitCount];
        remarks = new LinkedHashSet<>();
        anomalies = counter("anomalies");
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) throws IOException {
        noteArrived(element.getValue());
        if (rejection != null) {
            return;
        }
        Chunk chunk = element.getValue();
        try {
            switch (chunk.kind) {
                case HEADS -> observe(codec.decode(chunk.feed()));
                case FOREST -> forest.merge(chunk.feed());
                case MESSAGE -> take(chunk.message(), (int) (element.getTimestamp() >>> SLICE_BITS));
                default -> throw new AssertionError("cannot happen: kind=" + chunk.kind);
            }
        } catch (MalformedHistoryException malformed) {
            rejection = Rejection.of(malformed);
        } catch (UsageException wrong) {
            misuse = wrong.getMessage();
        }
    }

    private void take(Object message, int split) throws IOException {
        if (message instanceof BadRowsMessage bad) {
            setAside(bad, split);
        } else if (message instanceof ReadingMessage reading) {
            readings[reading.split()] = reading;
            remarks.addAll(reading.remarks());
            emit(OUTCOMES, Chunk.of(0, reading), FIRST);
        } else if (message instanceof HistoryFacts relational) {
            rows().addFacts(relational);
        } else if (message instanceof MisuseMessage wrong) {
            misuse = misuse == null ? wrong.reason() : misuse;
        } else {
            throw new AssertionError("cannot happen: message=" + message);
        }
    }

    private SourceRows rows() {
        return requireNonNull(rows);
    }

    private void observe(HistorySlice heads) {
        rows().validate(heads, rows().factsOf(heads));
        advance(heads.txnCount);
        if (spec.triesTimestamps) {
            order.observe(heads);
        }
        if (spec.joinsSessions) {
            weights.add(heads);
        }
    }

    /** Bad rows are set aside; where they are too many, reading them once more says it as every reader does. */
    private void setAside(BadRowsMessage ofSplit, int split) throws IOException {
        if (ofSplit.rejection() == null && deadLetters.count() + ofSplit.size() <= options.maxDeadLetters()) {
            ofSplit.tell(deadLetters);
            ofSplit.tell(badRows);
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

    @Override
    public void endInput() throws IOException {
        HistorySummary summary = null;
        if (rejection == null && misuse == null) {
            try {
                rows().endFirstPass(StationWatch.NONE);
                summary = rows().summary().with(List.copyOf(remarks));
                options.checkInitialValue(summary.valueType());
            } catch (MalformedHistoryException malformed) {
                rejection = Rejection.of(malformed);
            } catch (UsageException wrong) {
                misuse = wrong.getMessage();
            }
        }
        boolean goesOn = summary != null && rejection == null && misuse == null;
        boolean isOfTables = summary != null && goesOn && TableRun.isFor(summary.relationalCount(), options);
        boolean areTimed =
                summary != null && goesOn && !isOfTables && spec.triesTimestamps && summary.areTimestampsComplete();
        boolean hasUnknown = summary != null && areTimed && summary.unknownCount() > 0;
        boolean checksSessions = areTimed && (hasUnknown || !order.isInOrder());
        if (areTimed && !checksSessions) {
            TimestampOutcome ofSessions = TimestampOutcome.ofSessions(order);
            anomalies.inc(ofSessions.findings().total());
            emit(OUTCOMES, new Chunk(Chunk.Kind.TIMESTAMP_OUTCOME, 0, ofSessions.encode()), 0);
        }
        BadRowsMessage setAside = new BadRowsMessage(badRows.rows(), rejection);
        emit(OUTCOMES, Chunk.of(0, new PlanMessage(setAside, misuse, summary, areTimed, hasUnknown)), FIRST);
        if (summary != null && isOfTables) {
            for (ReadingMessage reading : readings) {
                emit(TABLES, Chunk.of(0, reading), FIRST);
            }
            emit(TABLES, Chunk.of(0, new TablesMessage(summary, deadLetters.count() == 0)), 0);
        }
        Set<IsolationLevel> byValues = goesOn && !isOfTables ? choice.byValues(areTimed) : Set.of();
        SessionBins bins = byValues.isEmpty() ? null : bins(byValues);
        readAgain(new RereadPlan(bins, checksSessions, hasUnknown, columnsFor(byValues)));
        if (bins != null) {
            int[] keys = TaskKeys.inTurn(bins.binCount(), spec.parallelism);
            for (int bin = 0; bin < keys.length; bin++) {
                BinPlan binPlan = new BinPlan(areTimed, deadLetters.count() > 0, bin < bins.largeBins());
                emit(BINS, Chunk.of(keys[bin], binPlan), FIRST);
            }
        }
        long txns = summary != null && goesOn ? summary.txnCount() : 0;
        tellStage(txns, txns, 0);
    }

    private Set<Column> columnsFor(Set<IsolationLevel> byValues) {
        Set<Column> columns = Column.forTimestamps();
        if (!byValues.isEmpty()) {
            columns.addAll(Column.forValues());
            if (!options.questionOf(byValues, 0).relatesAllSessions()) {
                columns.remove(Column.CLIENT_TIMES);
            }
        }
        if (deadLetters.count() > 0) {
            columns.addAll(spec.columns()); // what makes a row bad must be read for it to be passed over again
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

    /** Starts the second reading: each task gets the plan before it is told which splits to read. */
    private void readAgain(RereadPlan plan) {
        if (plan.isNothing()) {
            return;
        }
        for (int task = 0; task < spec.parallelism; task++) {
            emit(Chunk.of(task, plan));
        }
        for (int split = 0; split < spec.splitCount; split++) {
            emit(Chunk.of(split % spec.parallelism, readings[split]));
        }
    }

    private SessionBins bins(Set<IsolationLevel> levels) {
        if (!spec.joinsSessions || options.questionOf(levels, 0).relatesAllSessions()) {
            return SessionBins.ONE;
        }
        long[] ids = weights.ids();
        GroupedSessions groups = forest.groups();
        int[] groupOf = new int[ids.length];
        Arrays.setAll(groupOf, session -> groups.groupOf(ids[session]));
        return SessionBins.of(
                ids, groupOf, weights.weights(), heapBytes() / BYTES_PER_OP_IN_BIN, spec.largeGroup, spec.parallelism);
    }
}
