package io.nightjar.jobs.flink;

import io.nightjar.jobs.local.Stages;
import io.nightjar.jobs.local.Watcher;
import java.util.LinkedHashMap;
import java.util.Map;

/** Puts together what the tasks of each station did: amounts are added up, the slowest task tells the time. */
final class StageMerger {

    private final Map<String, StageMessage> byStage = new LinkedHashMap<>();

    void add(StageMessage task) {
        byStage.merge(
                task.stage(),
                task,
                (some, other) -> new StageMessage(
                        some.stage(),
                        Math.max(some.seconds(), other.seconds()),
                        some.recordsIn() + other.recordsIn(),
                        some.recordsOut() + other.recordsOut(),
                        some.bytesRead() + other.bytesRead(),
                        some.bytesSpilled() + other.bytesSpilled()));
    }

    /** The rows so far, to which the last station adds its own. */
    Stages stages() {
        Stages stages = new Stages(Watcher.NOBODY);
        for (StageMessage stage : byStage.values()) {
            stages.add(new Stages.StageRow(
                    stage.stage(),
                    stage.seconds(),
                    stage.recordsIn(),
                    stage.recordsOut(),
                    stage.bytesRead(),
                    stage.bytesSpilled(),
                    -1));
        }
        return stages;
    }
}
