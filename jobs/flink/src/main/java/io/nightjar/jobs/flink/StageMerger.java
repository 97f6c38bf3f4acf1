package io.nightjar.jobs.flink;

import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics;
import java.util.LinkedHashMap;
import java.util.Map;

/** Puts together what the tasks of each station did: amounts are added up, the slowest task tells the time. */
final class StageMerger {

    private final Map<String, StageMessage> byStage = new LinkedHashMap<>();

    void add(StageMessage task) {
        byStage.merge(task.stage(), task, StageMessage::addConcurrent);
    }

    /** What all tasks of a stage gave together; 0 if there was none. */
    long recordsOut(String stage) {
        StageMessage merged = byStage.get(stage);
        return merged == null ? 0 : merged.recordsOut();
    }

    /**
     * The rows so far, to which the last station adds its own.
     *
     * @param watcher of that station
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
