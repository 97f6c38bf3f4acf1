package io.nightjar.jobs.run;

/** Receives the progress of an engine; its implementation decides how to present it. */
public interface ProgressListener {

    /** Ignores all progress. */
    ProgressListener NONE = new ProgressListener() {
        @Override
        public Task begin(String what, long total) {
            return amount -> {};
        }

        @Override
        public void printNote(String line) {}
    };

    /**
     * Begins a long task.
     *
     * @param total the amount of work, -1 if unknown
     */
    Task begin(String what, long total);

    /** Begins a piece of work and names the counted unit: {@code transactions}. */
    default Task begin(String what, String unit, long total) {
        return begin(what, total);
    }

    /** Prints a line that the user should read before the next step. */
    void printNote(String line);

    /** A running task. */
    interface Task extends AutoCloseable {

        void advance(long amount);

        @Override
        default void close() {}
    }
}
