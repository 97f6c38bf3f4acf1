package io.nightjar.jobs.flink;

import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics;
import java.util.LinkedHashMap;
import java.util.Map;

/** Merges the metrics of the tasks of each stage: amounts are summed, the time is that of the slowest task. */
final class StageMerger {

    private final Map<String, StageMessage> byStage = new LinkedHashMap<>();

    void add(StageMessage task) {
        byStage.merge(task.stage(), task, StageMessage::addConcurrent);
    }

    /** Returns the records emitted by all tasks of a stage; 0 if the stage did not run. */
    long recordsOut(String stage) {
        StageMessage merged = byStage.get(stage);
        return merged == null ? 0 : merged.recordsOut();
    }

    /**
     * Returns the rows so far, to which the last stage adds its own.
     *
     * @param watcher of that stage
     */
    StageMetrics stages(ProgressListener watcher) {
        StageMetrics stages = new StageMetrics(watcher);
        for (StageMessage stage : byStage.values()) {
            stages.add(new StageMetrics.StageRow(
                    stage.stage(),
                    stage.seconds(),
                    stage.recordsIn(),
                    stage.recordsOut(),
                    stage.bytesRead(),
                    stage.bytesSpilled(),
                    -1,
                    stage.counters()));
        }
        return stages;
    }
}
