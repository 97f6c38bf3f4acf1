package io.nightjar.pipeline.validate;

/**
 * Expected cost of a check of a history: a linear function of its counts.
 *
 * @param memoryBytes peak of the whole process when the history is held in memory
 * @param cpuSeconds of the whole process, all threads together
 */
public record CostForecast(long memoryBytes, double cpuSeconds) {

    private static final long PROCESS_BYTES = 150L << 20;
    private static final long BYTES_PER_TXN = 48;
    private static final long BYTES_PER_OP = 17;
    private static final long BYTES_PER_OP_BY_VALUES = 60;
    private static final long BYTES_PER_KEY = 64;
    private static final long BYTES_PER_SESSION = 160;

    private static final double START_SECONDS = 0.4;
    private static final double SECONDS_PER_TXN = 150e-9;
    private static final double SECONDS_PER_OP = 60e-9;
    private static final double SECONDS_PER_OP_BY_VALUES = 600e-9;
    private static final double SECONDS_PER_OP_OF_KEY_SPREAD = 40e-9;
    private static final double SECONDS_PER_BYTE_OF_TEXT = 6e-9;
    private static final double SECONDS_PER_BYTE_OF_COLUMNS = 4e-9;

    /** Keys beyond this many no longer stay in the processor's caches. */
    private static final long CACHED_KEYS = 100_000;

    /**
     * @param storedBytes size of the files
     * @param isColumnar whether they are stored by column, as Parquet and Arrow are
     * @param isByValues whether timestamps do not decide; searches for orders are not foreseen
     */
    public static CostForecast of(
            long txnCount,
            long opCount,
            long keyCount,
            long sessionCount,
            long storedBytes,
            boolean isColumnar,
            boolean isByValues) {
        long memory = PROCESS_BYTES
                + BYTES_PER_TXN * txnCount
                + (isByValues ? BYTES_PER_OP_BY_VALUES : BYTES_PER_OP) * opCount
                + BYTES_PER_KEY * keyCount
                + BYTES_PER_SESSION * sessionCount;
        double perByte = isColumnar ? SECONDS_PER_BYTE_OF_COLUMNS : SECONDS_PER_BYTE_OF_TEXT;
        double perOp = (isByValues ? SECONDS_PER_OP_BY_VALUES : SECONDS_PER_OP)
                + (keyCount > CACHED_KEYS ? SECONDS_PER_OP_OF_KEY_SPREAD : 0);
        double cpu = START_SECONDS + SECONDS_PER_TXN * txnCount + perOp * opCount + perByte * storedBytes;
        return new CostForecast(memory, cpu);
    }
}
