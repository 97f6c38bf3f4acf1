package io.nightjar.pipeline.decide;

/** Called with which station of a decision begins and ends, so that the caller can measure it and show how far it is. */
public interface StationWatch {

    /** Listens to nothing. */
    StationWatch NONE = (station, parts, recordsIn) -> new Work() {
        @Override
        public void advance(long amount) {}

        @Override
        public void found(long count) {}

        @Override
        public void close() {}
    };

    /**
     * A station begins.
     *
     * @param parts how many parts its work has, -1 if that is not known
     * @param recordsIn what goes in
     */
    Work begin(String station, long parts, long recordsIn);

    /** A station at work, until it is closed. */
    interface Work extends AutoCloseable {

        /** This many more parts are done. */
        void advance(long amount);

        /** What came out. */
        void found(long count);

        /** What was put aside on disk meanwhile. */
        default void spilled(long bytes) {}

        @Override
        void close();
    }
}
