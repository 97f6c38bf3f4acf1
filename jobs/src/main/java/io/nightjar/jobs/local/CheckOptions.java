package io.nightjar.jobs.local;

import io.nightjar.formats.level.IsolationLevel;
import java.nio.file.Path;
import java.util.List;

/**
 * What to decide of a history, and with what means.
 *
 * @param levels from weak to strong
 * @param initialValue the value that means the initial state as null does, as text; null if none was given
 * @param maxDeadLetters how many bad rows may be set aside
 * @param maxAnomalies how many findings the result lists; counts are not cut
 * @param lake where the tables go; null for nowhere
 * @param runId null for a new one
 * @param memoryBytes what the process may use
 * @param spillParent where a spill directory may be made
 */
public record CheckOptions(
        List<IsolationLevel> levels,
        Evidence evidence,
        String initialValue,
        long maxDeadLetters,
        int maxAnomalies,
        Path lake,
        String runId,
        int threadCount,
        long memoryBytes,
        Path spillParent) {

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
