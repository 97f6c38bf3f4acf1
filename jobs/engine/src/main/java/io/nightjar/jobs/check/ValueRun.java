package io.nightjar.jobs.check;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource.Split;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.read.ScanPass;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.decide.SerializabilityDecision;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.predicate.SearchConditions;
import io.nightjar.pipeline.validate.HistoryFacts;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stages 1 to 5 for values: one pass gathers the operations, then levels are decided. */
public final class ValueRun {

    /**
     * Upper estimate of the memory that a check needs for each operation while it runs, apart from the search of a
     * level.
     */
    static final int BYTES_PER_OP = 60;

    private final ValidatingScanner rows;
    private final @Nullable String initialValue;
    private final CheckOptions options;
    private final int limit;
    private final StageMetrics stages;

    private @Nullable OperationLog log;
    private @Nullable SearchConditions conditions; // null if predicate reads are omitted
    private boolean fits;
    private boolean hasVersions;

    /** @param limit maximum number of findings to keep */
    public ValueRun(
            ValidatingScanner rows,
            @Nullable String initialValue,
            CheckOptions options,
            int limit,
            StageMetrics stages) {
        this.rows = rows;
        this.initialValue = initialValue;
        this.options = options;
        this.limit = limit;
        this.stages = stages;
    }

    /** Sets the evaluation of the conditions of predicate reads, which are guards of keys. */
    ValueRun conditions(@Nullable SearchConditions evaluation) {
        conditions = evaluation;
        return this;
    }

    /** Reads all rows once; returns false if they do not fit into memory. */
    public boolean read(BadRowHandler badRows) throws IOException {
        OperationLogBuilder builder = new OperationLogBuilder(initialValue);
        if (conditions != null) {
            builder.conditions(conditions);
        }
        fits = expect(builder);
        long maxOperationBytes = ValueCheck.maxOperationBytes(options);
        Set<ColumnGroup> columns = ColumnGroup.forValues();
        rows.beginFirstPass();
        try (StageMetrics.Stage stage = stages.begin("read", rows.source())) {
            rows.pass(columns, badRows, new Gathering(builder, maxOperationBytes, stage));
        }
        rows.endFirstPass(stages);
        log = fits ? builder.build() : null;
        return fits;
    }

    /** A slice and the facts derived from it alone. */
    private record Seen(HistorySlice slice, @Nullable HistoryFacts facts) {}

    /** Readers inspect slices independently; a single thread gathers the operations in the order of the rows. */
    private final class Gathering implements ScanPass<Seen> {

        private final OperationLogBuilder builder;
        private final long maxBytes;
        private final StageMetrics.Stage stage;

        Gathering(OperationLogBuilder builder, long maxBytes, StageMetrics.Stage stage) {
            this.builder = builder;
            this.maxBytes = maxBytes;
            this.stage = stage;
        }

        @Override
        public Work<Seen> newWork() {
            return slice -> new Seen(slice, rows.factsOf(slice));
        }

        @Override
        public void take(Seen seen) {
            rows.validate(seen.slice(), seen.facts());
            hasVersions = hasVersions || hasVersion(seen.slice());
            if (fits) {
                builder.add(seen.slice());
                fits = builder.byteSize() <= maxBytes;
            }
            stage.advance(seen.slice().txnCount);
        }
    }

    private static boolean hasVersion(HistorySlice slice) {
        for (int op = 0; slice.version != null && op < slice.opCount; op++) {
            if (slice.version[op] != HistorySlice.NONE) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether any operation has a version. */
    public boolean hasVersions() {
        return hasVersions;
    }

    /** Returns false if the source states beforehand that it is too large. */
    private boolean expect(OperationLogBuilder builder) {
        long txns = 0;
        long ops = 0;
        for (Split split : rows.source().splits()) {
            if (split.opCount() < 0 || split.txnCount() < 0) {
                return true;
            }
            txns += split.txnCount();
            ops += split.opCount();
        }
        if (ops * BYTES_PER_OP > options.memoryBytes() || ops > Integer.MAX_VALUE - 8) {
            return false;
        }
        builder.expect((int) txns + 1, (int) ops);
        return true;
    }

    /** Discards the operations, for a check that fits into less memory. */
    public void forget() {
        log = null;
    }

    /** @return the number of keys of the history */
    public long keyCount() {
        return requireNonNull(log).recordedKeyCount;
    }

    /**
     * Decides levels.
     *
     * @param isAll whether no row was skipped, so that an order that was found can be checked
     * @return null if that does not fit into memory
     */
    public @Nullable ValueOutcome check(Set<IsolationLevel> levels, boolean isAll) throws IOException {
        ValueOutcome decided = found(levels);
        return decided == null ? null : checked(decided, levels, isAll);
    }

    /** Decides levels like {@link #check} without replaying the orders found, which prove nothing so. */
    @Nullable
    ValueOutcome found(Set<IsolationLevel> levels) throws IOException {
        return OutOfMemoryGuard.runOrNull(() -> decide(levels));
    }

    /** Returns an outcome with its orders replayed, if no row was skipped. */
    ValueOutcome checked(ValueOutcome decided, Set<IsolationLevel> levels, boolean isAll) throws IOException {
        return isAll ? replayed(decided, levels) : decided;
    }

    /**
     * Decides serializability of a history with timestamps from its dependencies, versions being ordered by commit
     * timestamps.
     *
     * @param isAll whether no row was skipped, so that an order that was found can be checked
     * @return null if it does not fit into memory, or has keys that are neither registers nor lists
     */
    public @Nullable ValueOutcome checkSerializability(boolean isAll) throws IOException {
        OperationLog whole = log;
        if (whole == null) {
            return null;
        }
        Budget budget = Budget.ofNanos(options.search().budgetNanos())
                .withMemoryBytes(ValueCheck.bytesLeft(whole.opCount, options.memoryBytes()))
                .withHelpers(Workers.helpers(options.threadCount()));
        ValueOutcome decided =
                OutOfMemoryGuard.runOrNull(() -> SerializabilityDecision.decide(whole, null, limit, budget, stages));
        return decided == null || !isAll ? decided : replayed(decided, Set.of(IsolationLevel.SERIALIZABLE));
    }

    private ValueOutcome replayed(ValueOutcome decided, Set<IsolationLevel> levels) throws IOException {
        return new WitnessReplay(rows.source(), rows.summary().opCount(), options, stages).check(decided, levels);
    }

    private ValueOutcome decide(Set<IsolationLevel> levels) throws IOException {
        Budget budget = Budget.ofNanos(options.search().budgetNanos());
        return new ValueCheck(
                        options.questionOf(levels, limit), options.memoryBytes(), options.threadCount(), budget, stages)
                .check(requireNonNull(log));
    }
}
