package io.nightjar.jobs.run;

/** Called with how far the engine got; what a person sees of it is for others to decide. */
public interface ProgressListener {

    /** Ignores everything. */
    ProgressListener NOBODY = new ProgressListener() {
        @Override
        public Task begin(String what, long total) {
            return amount -> {};
        }

        @Override
        public void note(String line) {}
    };

    /**
     * Called when work that takes a while begins.
     *
     * @param total how much there is to do, -1 if unknown
     */
    Task begin(String what, long total);

    /** Begins a piece of work and says what is counted: {@code transactions}. */
    default Task begin(String what, String unit, long total) {
        return begin(what, total);
    }

    /** Called with a line that the user should see before something happens. */
    void note(String line);

    /** Something under way. */
    interface Task extends AutoCloseable {

        void advance(long amount);

        @Override
        default void close() {}
    }
}
