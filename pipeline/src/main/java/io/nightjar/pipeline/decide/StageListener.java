package io.nightjar.pipeline.decide;

/** Listener for the start and finish of each stage of a decision, for measurement and progress reports. */
public interface StageListener {

    /** Listens to nothing. */
    StageListener NONE = (stage, units, recordsIn) -> new Work() {
        @Override
        public void advance(long amount) {}

        @Override
        public void found(long count) {}

        @Override
        public void close() {}
    };

    /**
     * Begins a stage.
     *
     * @param units number of units of its work, -1 if unknown
     * @param recordsIn number of input records
     */
    Work begin(String stage, long units, long recordsIn);

    /** A running stage, until it is closed. */
    interface Work extends AutoCloseable {

        /** Adds to the units that are done. */
        void advance(long amount);

        /** Reports the number of results of the stage. */
        void found(long count);

        /** Reports the bytes that the stage spilled to disk. */
        default void spilled(long bytes) {}

        @Override
        void close();
    }
}
