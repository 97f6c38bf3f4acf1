package io.nightjar.jobs.flink;

import io.nightjar.jobs.run.ProgressListener;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reports the progress of each stage of a job to a listener, from the accumulators of its tasks. */
final class JobProgress implements Consumer<Map<String, Object>>, AutoCloseable {

    /*
     * Definitions. Tasks count finished units, and some count units assigned to themselves or to others, in
     * accumulators. These arrive with heartbeats and restart with a restarted task.
     *
     * Algorithm. A stage is shown while it has finished or assigned units, but not finished all. The unit is the
     * transaction, unless the number of a smaller unit is available beforehand.
     */

    private static final String DONE = "done ";
    private static final String TOTAL = "total ";
    private static final long UNKNOWN = -1;
    private static final long TRANSACTIONS = -2;
    private static final long AS_REPORTED = -3;

    private final ProgressListener watcher;
    private final long txnCount;
    private final Map<String, Shown> stages = new LinkedHashMap<>();

    /** @param txnCount of the history, -1 if unknown */
    JobProgress(int laneCount, int sessionClasses, long txnCount, ProgressListener watcher) {
        this.watcher = watcher;
        this.txnCount = txnCount;
        add("read", TRANSACTIONS);
        add("validate-parts", TRANSACTIONS);
        add("validate", TRANSACTIONS);
        add("split", TRANSACTIONS);
        add("infer", laneCount);
        add("check-sessions", sessionClasses);
        add("check-values", TRANSACTIONS);
        add("check-components", AS_REPORTED);
        add("conclude", AS_REPORTED);
        add("check-lanes", laneCount);
        add("read-lanes", TRANSACTIONS);
        add("find-dependencies", laneCount);
        add("read-segments", TRANSACTIONS);
        add("check-segments", AS_REPORTED);
        add("replay-tables", TRANSACTIONS);
        add("check-tables", TRANSACTIONS);
        add("fetch-participants", TRANSACTIONS);
        add("fetch", TRANSACTIONS);
        add("write", AS_REPORTED);
    }

    /** Returns the name of the accumulator of the finished units of a stage. */
    static String done(String stage) {
        return DONE + stage;
    }

    /** Returns the name of the accumulator of the assigned units of a stage. */
    static String total(String stage) {
        return TOTAL + stage;
    }

    private void add(String stage, long total) {
        stages.put(stage, new Shown(stage, total));
    }

    @Override
    public void accept(Map<String, Object> counted) {
        long txns = txnCount == UNKNOWN && amount(counted, done("validate-parts")) > 0
                ? amount(counted, done("read")) // it has ended
                : txnCount;
        stages.values().forEach(stage -> stage.show(counted, txns));
    }

    private static long amount(Map<String, Object> counted, String name) {
        return counted.get(name) instanceof Long amount ? amount : 0;
    }

    @Override
    public void close() {
        stages.values().forEach(Shown::hide);
    }

    /** A stage, and the progress reported for it. */
    private final class Shown {

        private final String stage;
        private final long total;
        private ProgressListener.@Nullable Task task;
        private long doneBefore;

        Shown(String stage, long total) {
            this.stage = stage;
            this.total = total;
        }

        void show(Map<String, Object> counted, long txns) {
            long done = amount(counted, done(stage));
            long reportedTotal = amount(counted, total(stage));
            long all = total == TRANSACTIONS ? txns : total == AS_REPORTED ? reportedTotal : total;
            if (done == 0 && reportedTotal == 0 || all != UNKNOWN && done >= all) {
                hide();
                return;
            }
            if (task == null) {
                task = watcher.begin(stage, total == TRANSACTIONS ? "transactions" : "parts", all);
                doneBefore = 0;
            }
            task.advance(done - doneBefore);
            doneBefore = done;
        }

        void hide() {
            if (task != null) {
                task.close();
                task = null;
            }
        }
    }
}
