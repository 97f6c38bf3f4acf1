package io.nightjar.jobs.run;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.UsageException;
import io.nightjar.pipeline.decide.ValueCheckRequest;
import io.nightjar.pipeline.infer.VersionSource;
import io.nightjar.pipeline.predicate.TableCheckRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The request of a check: the levels to decide, the evidence, and the limits.
 *
 * <p>Frequent options have a shortcut: {@code options.lake()} is {@code options.output().lake()}.
 *
 * @param levels from weak to strong
 * @param maxDeadLetters maximum number of malformed rows to skip
 */
public record CheckOptions(
        List<IsolationLevel> levels, Trust trust, long maxDeadLetters, Search search, Output output, Machine machine) {

    /**
     * The evidence and assumptions that a verdict may depend on.
     *
     * @param initialValue the value that means the initial state as null does, as text; null if none was given
     * @param versionOrders the sources that may order the versions of registers, in addition to the default ones, for
     * levels that cycles decide
     * @param order the serial order in which serializability is checked; null if none was given
     */
    public record Trust(
            Evidence evidence,
            @Nullable String initialValue,
            Set<VersionSource> versionOrders,
            @Nullable SerialOrder order) {}

    /**
     * Destinations of the result and its tables.
     *
     * @param maxAnomalies maximum number of listed findings; counts are not cut
     * @param lake directory of the tables; null to write none
     * @param runId null for a new one
     * @param batchId name of a group of histories that a single command checks together; null for a single run
     * @param artifacts directory for a file per anomaly; null to write none
     * @param witness file for the order that proves a level; null to write none
     */
    public record Output(
            int maxAnomalies,
            @Nullable Path lake,
            @Nullable String runId,
            @Nullable String batchId,
            @Nullable Path artifacts,
            @Nullable Path witness) {}

    /**
     * The resources that the process may use.
     *
     * @param spillParent parent of the spill directory
     */
    public record Machine(int threadCount, long memoryBytes, Path spillParent) {}

    private static final int MIN_CANDIDATES = 1_000;
    private static final int BYTES_PER_FINDING = 1_500;
    private static final int MAX_FINDINGS = 1_000_000;

    /** Begins options for levels; all other options have the defaults of a check. */
    public static Builder of(List<IsolationLevel> levels) {
        return new Builder(levels);
    }

    /** Begins options that differ from these in little. */
    public Builder but() {
        return new Builder(levels)
                .evidence(evidence())
                .initialValue(initialValue())
                .maxDeadLetters(maxDeadLetters)
                .maxAnomalies(maxAnomalies())
                .lake(lake())
                .runId(runId())
                .search(search)
                .versionOrders(versionOrders())
                .artifacts(artifacts())
                .witness(witness())
                .threadCount(threadCount())
                .memoryBytes(memoryBytes())
                .spillParent(spillParent())
                .batchId(batchId())
                .order(order());
    }

    /** Returns the levels that a check by timestamps decides for the requested levels, each once. */
    public List<IsolationLevel> timedLevels() {
        return levels.stream()
                .map(CheckOptions::timedLevel)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    /** Returns a copy with just these levels. */
    public CheckOptions timed() {
        return new CheckOptions(timedLevels(), trust, maxDeadLetters, search, output, machine);
    }

    /** Returns the level that timestamps decide for a requested level; null if they cannot decide it. */
    public static @Nullable IsolationLevel timedLevel(IsolationLevel level) {
        return switch (level) {
            case SNAPSHOT_ISOLATION -> level;
            case SERIALIZABLE, COMMIT_ORDER_SERIALIZABLE -> IsolationLevel.COMMIT_ORDER_SERIALIZABLE;
            default -> null;
        };
    }

    public Evidence evidence() {
        return trust.evidence();
    }

    public @Nullable String initialValue() {
        return trust.initialValue();
    }

    public Set<VersionSource> versionOrders() {
        return trust.versionOrders();
    }

    public @Nullable SerialOrder order() {
        return trust.order();
    }

    public int maxAnomalies() {
        return output.maxAnomalies();
    }

    public @Nullable Path lake() {
        return output.lake();
    }

    public @Nullable String runId() {
        return output.runId();
    }

    public @Nullable String batchId() {
        return output.batchId();
    }

    public @Nullable Path artifacts() {
        return output.artifacts();
    }

    public @Nullable Path witness() {
        return output.witness();
    }

    public int threadCount() {
        return machine.threadCount();
    }

    public long memoryBytes() {
        return machine.memoryBytes();
    }

    public Path spillParent() {
        return machine.spillParent();
    }

    /**
     * Returns the maximum number of findings held at once; without tables, the findings to choose the listed ones from.
     */
    public int findingLimit() {
        if (lake() == null) {
            return maxAnomalies() == 0 ? 0 : Math.max(maxAnomalies(), MIN_CANDIDATES);
        }
        long fit = memoryBytes() / 5 / BYTES_PER_FINDING;
        return (int) Math.max(maxAnomalies(), Math.min(MAX_FINDINGS, fit));
    }

    /** Returns the value that, besides null, reads return for the initial state, as text; null if only null does. */
    public @Nullable String initialValueOf(HistorySource source) {
        return source.initialValue(initialValue());
    }

    /**
     * Looks whether the initial value given could be one of the history's values.
     *
     * @throws UsageException if it could not
     */
    public void checkInitialValue(ValueType valueType) {
        if (initialValue() != null
                && valueType == ValueType.LONG
                && !initialValue().matches("-?\\d{1,19}")) {
            throw new UsageException("--initial-value is not of the values' type: initial-value=" + initialValue()
                    + " type=" + ValueType.LONG.typeName());
        }
    }

    /**
     * Returns the request for a check by values.
     *
     * @param wanted the levels to decide by values
     * @param limit maximum number of findings to keep
     */
    public ValueCheckRequest questionOf(Set<IsolationLevel> wanted, int limit) {
        return new ValueCheckRequest(
                wanted,
                evidence() == Evidence.AUTO || evidence() == Evidence.VERSIONS,
                evidence() == Evidence.AUTO || evidence() == Evidence.TIMESTAMPS,
                versionOrders(),
                search.componentBudgetNanos(),
                search.crossChecks(),
                limit);
    }

    /**
     * Returns the request for a check of a history as one of tables.
     *
     * @param isOfTables whether it is a history of tables, not only one to check in a given order
     */
    public TableCheckRequest questionOfTables(boolean isOfTables) {
        return new TableCheckRequest(
                Set.copyOf(levels),
                evidence() == Evidence.AUTO || evidence() == Evidence.TIMESTAMPS,
                isOfTables && (evidence() == Evidence.AUTO || evidence() == Evidence.VERSIONS),
                search.crossChecks(),
                order() != null,
                order() == null ? null : order().ids());
    }

    /** Returns a copy with the given run id. */
    public CheckOptions withRunId(String id) {
        return but().runId(id).build();
    }

    /** Returns a copy with another directory for the tables. */
    public CheckOptions withLake(Path root) {
        return but().lake(root).build();
    }

    /** Returns a copy with the given bound on memory. */
    public CheckOptions withMemoryBytes(long bytes) {
        return but().memoryBytes(bytes).build();
    }

    /** Returns a copy with one thread. */
    public CheckOptions onOneThread() {
        return but().threadCount(1).build();
    }

    /**
     * The limits of searches.
     *
     * @param budgetNanos maximum time of all searches of a history
     * @param componentBudgetNanos the same for each component; 0 to derive it from the size of the history
     * @param crossChecks whether each component is searched in two ways that must agree
     * @param conflictsBySet whether two changes of a set conflict, even of different elements
     */
    public record Search(long budgetNanos, long componentBudgetNanos, boolean crossChecks, boolean conflictsBySet) {

        /** Creates limits where only changes of the same element conflict. */
        public Search(long budgetNanos, long componentBudgetNanos, boolean crossChecks) {
            this(budgetNanos, componentBudgetNanos, crossChecks, false);
        }

        static final Search UNBOUNDED = new Search(Long.MAX_VALUE, 0, false);
    }

    /** The kinds of evidence that may decide levels. */
    public enum Evidence {
        /** Timestamps when every committed transaction has them, else versions, else values. */
        AUTO,
        TIMESTAMPS,
        VALUES,
        VERSIONS;

        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Options in the making, by name. */
    public static final class Builder {

        private static final int LISTED = 100;

        private final List<IsolationLevel> levels;
        private Evidence evidence = Evidence.AUTO;
        private @Nullable String initialValue;
        private long maxDeadLetters;
        private int maxAnomalies = LISTED;
        private @Nullable Path lake;
        private @Nullable String runId;
        private Search search = Search.UNBOUNDED;
        private Set<VersionSource> versionOrders = Set.of();
        private @Nullable Path artifacts;
        private @Nullable Path witness;
        private int threadCount = Runtime.getRuntime().availableProcessors();
        private long memoryBytes = Runtime.getRuntime().maxMemory();
        private Path spillParent = Path.of(System.getProperty("java.io.tmpdir"));
        private @Nullable String batchId;
        private @Nullable SerialOrder order;

        private Builder(List<IsolationLevel> levels) {
            this.levels = levels;
        }

        public Builder evidence(Evidence given) {
            evidence = given;
            return this;
        }

        public Builder initialValue(@Nullable String given) {
            initialValue = given;
            return this;
        }

        public Builder maxDeadLetters(long given) {
            maxDeadLetters = given;
            return this;
        }

        public Builder maxAnomalies(int given) {
            maxAnomalies = given;
            return this;
        }

        public Builder lake(@Nullable Path given) {
            lake = given;
            return this;
        }

        public Builder runId(@Nullable String given) {
            runId = given;
            return this;
        }

        public Builder search(Search given) {
            search = given;
            return this;
        }

        public Builder versionOrders(Set<VersionSource> given) {
            versionOrders = given;
            return this;
        }

        public Builder artifacts(@Nullable Path given) {
            artifacts = given;
            return this;
        }

        public Builder witness(@Nullable Path given) {
            witness = given;
            return this;
        }

        public Builder threadCount(int given) {
            threadCount = given;
            return this;
        }

        public Builder memoryBytes(long given) {
            memoryBytes = given;
            return this;
        }

        public Builder spillParent(Path given) {
            spillParent = given;
            return this;
        }

        public Builder batchId(@Nullable String given) {
            batchId = given;
            return this;
        }

        public Builder order(@Nullable SerialOrder given) {
            order = given;
            return this;
        }

        /** Returns the options. */
        public CheckOptions build() {
            return new CheckOptions(
                    levels,
                    new Trust(evidence, initialValue, versionOrders, order),
                    maxDeadLetters,
                    search,
                    new Output(maxAnomalies, lake, runId, batchId, artifacts, witness),
                    new Machine(threadCount, memoryBytes, spillParent));
        }
    }
}
