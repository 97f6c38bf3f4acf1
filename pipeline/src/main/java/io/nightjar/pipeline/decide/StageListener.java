package io.nightjar.pipeline.decide;

/** Called with which station of a decision begins and ends, so that the caller can measure it and show how far it is. */
public interface StageListener {

    /** Listens to nothing. */
    StageListener NONE = (station, parts, recordsIn) -> new Work() {
        @Override
        public void advance(long amount) {}

        @Override
        public void found(long count) {}

        @Override
        public void close() {}
    };

    /**
     * Called when a station begins.
     *
     * @param parts how many parts its work has, -1 if that is not known
     * @param recordsIn what goes in
     */
    Work begin(String station, long parts, long recordsIn);

    /** A station at work, until it is closed. */
    interface Work extends AutoCloseable {

        /** Adds to the parts that are done. */
        void advance(long amount);

        /** Notes how much the station found. */
        void found(long count);

        /** Notes how many bytes the station put aside on disk. */
        default void spilled(long bytes) {}

        @Override
        void close();
    }
}
