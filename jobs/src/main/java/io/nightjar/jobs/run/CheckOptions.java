package io.nightjar.jobs.run;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.UsageException;
import io.nightjar.pipeline.decide.ValueQuestion;
import io.nightjar.pipeline.infer.VersionSource;
import io.nightjar.pipeline.predicate.TableQuestion;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What to decide of a history, and with what means.
 *
 * @param levels from weak to strong
 * @param initialValue the value that means the initial state as null does, as text; null if none was given
 * @param maxDeadLetters how many bad rows may be set aside
 * @param maxAnomalies how many findings the result lists; counts are not cut
 * @param lake where the tables go; null for nowhere
 * @param runId null for a new one
 * @param versionOrders what may order the versions of registers beside what always does, for levels that cycles decide
 * @param artifacts where a file for each anomaly goes; null for nowhere
 * @param witness where the order goes that proves a level; null for nowhere
 * @param memoryBytes what the process may use
 * @param spillParent where a spill directory may be made
 * @param batchId names what one command checks together; null for the run alone
 * @param order the serial order by which serializability is judged; null if none was given
 */
public record CheckOptions(
        List<IsolationLevel> levels,
        Evidence evidence,
        String initialValue,
        long maxDeadLetters,
        int maxAnomalies,
        Path lake,
        String runId,
        Search search,
        Set<VersionSource> versionOrders,
        Path artifacts,
        Path witness,
        int threadCount,
        long memoryBytes,
        Path spillParent,
        String batchId,
        SerialOrder order) {

    private static final int FEWEST_TO_CHOOSE_FROM = 1_000;
    private static final int BYTES_PER_FINDING = 1_500;
    private static final int MOST_FINDINGS = 1_000_000;

    /** Options without a serial order. */
    public CheckOptions(
            List<IsolationLevel> levels,
            Evidence evidence,
            String initialValue,
            long maxDeadLetters,
            int maxAnomalies,
            Path lake,
            String runId,
            Search search,
            Set<VersionSource> versionOrders,
            Path artifacts,
            Path witness,
            int threadCount,
            long memoryBytes,
            Path spillParent,
            String batchId) {
        this(
                levels,
                evidence,
                initialValue,
                maxDeadLetters,
                maxAnomalies,
                lake,
                runId,
                search,
                versionOrders,
                artifacts,
                witness,
                threadCount,
                memoryBytes,
                spillParent,
                batchId,
                null);
    }

    /** Returns a copy with the given serial order. */
    public CheckOptions withOrder(SerialOrder given) {
        return new CheckOptions(
                levels,
                evidence,
                initialValue,
                maxDeadLetters,
                maxAnomalies,
                lake,
                runId,
                search,
                versionOrders,
                artifacts,
                witness,
                threadCount,
                memoryBytes,
                spillParent,
                batchId,
                given);
    }

    /** How many findings may be held at once; without tables those among which to choose the ones that are listed. */
    public int findingLimit() {
        if (lake == null) {
            return maxAnomalies == 0 ? 0 : Math.max(maxAnomalies, FEWEST_TO_CHOOSE_FROM);
        }
        long fit = memoryBytes / 5 / BYTES_PER_FINDING;
        return (int) Math.max(maxAnomalies, Math.min(MOST_FINDINGS, fit));
    }

    /** What reads return for the initial state beside null, as text; null if nothing does. */
    public String initialValueOf(HistorySource source) {
        return initialValue != null ? initialValue : source.impliedInitialValue();
    }

    /**
     * Looks whether the initial value given could be one of the history's values.
     *
     * @throws UsageException if it could not
     */
    public void checkInitialValue(ValueType valueType) {
        if (initialValue != null && valueType == ValueType.LONG && !initialValue.matches("-?\\d{1,19}")) {
            throw new UsageException("--initial-value is not of the values' type: initial-value=" + initialValue
                    + " type=" + ValueType.LONG.typeName());
        }
    }

    /**
     * What values are asked.
     *
     * @param wanted the levels that they are to decide
     * @param limit how many findings are kept
     */
    public ValueQuestion questionOf(Set<IsolationLevel> wanted, int limit) {
        return new ValueQuestion(
                wanted,
                evidence == Evidence.AUTO || evidence == Evidence.VERSIONS,
                evidence == Evidence.AUTO || evidence == Evidence.TIMESTAMPS,
                versionOrders,
                search.componentBudgetNanos(),
                search.crossChecks(),
                limit);
    }

    /**
     * What is to be asked of a history as one of tables.
     *
     * @param isOfTables whether it is one, and not only to be judged in a given order
     */
    public TableQuestion questionOfTables(boolean isOfTables) {
        return new TableQuestion(
                Set.copyOf(levels),
                evidence == Evidence.AUTO || evidence == Evidence.TIMESTAMPS,
                isOfTables && (evidence == Evidence.AUTO || evidence == Evidence.VERSIONS),
                search.crossChecks(),
                order != null,
                order == null ? null : order.ids());
    }

    /** Returns a copy with the given run id. */
    public CheckOptions withRunId(String id) {
        return new CheckOptions(
                levels,
                evidence,
                initialValue,
                maxDeadLetters,
                maxAnomalies,
                lake,
                id,
                search,
                versionOrders,
                artifacts,
                witness,
                threadCount,
                memoryBytes,
                spillParent,
                batchId,
                order);
    }

    /** Returns a copy with the tables elsewhere. */
    public CheckOptions withLake(Path root) {
        return new CheckOptions(
                levels,
                evidence,
                initialValue,
                maxDeadLetters,
                maxAnomalies,
                root,
                runId,
                search,
                versionOrders,
                artifacts,
                witness,
                threadCount,
                memoryBytes,
                spillParent,
                batchId,
                order);
    }

    /** Returns a copy with the given bound on memory. */
    public CheckOptions withMemoryBytes(long bytes) {
        return new CheckOptions(
                levels,
                evidence,
                initialValue,
                maxDeadLetters,
                maxAnomalies,
                lake,
                runId,
                search,
                versionOrders,
                artifacts,
                witness,
                threadCount,
                bytes,
                spillParent,
                batchId,
                order);
    }

    /**
     * How searches are run.
     *
     * @param budgetNanos how long they may take for the whole history
     * @param componentBudgetNanos the same for each component; 0 to go by the size of the history
     * @param crossChecks whether each component is searched in two ways that must agree
     */
    public record Search(long budgetNanos, long componentBudgetNanos, boolean crossChecks) {}

    /** What may be trusted. */
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
}
