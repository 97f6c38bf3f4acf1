package io.nightjar.jobs.flink;

import io.nightjar.jobs.local.Stages;
import io.nightjar.jobs.local.Watcher;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

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
                        some.bytesSpilled() + other.bytesSpilled(),
                        sum(some.counters(), other.counters())));
    }

    private static Map<String, Long> sum(Map<String, Long> some, Map<String, Long> other) {
        Map<String, Long> sum = new TreeMap<>(some);
        other.forEach((name, count) -> sum.merge(name, count, Long::sum));
        return sum;
    }

    /**
     * The rows so far, to which the last station adds its own.
     *
     * @param watcher of that station
     */
    Stages stages(Watcher watcher) {
        Stages stages = new Stages(watcher);
        for (StageMessage stage : byStage.values()) {
            stages.add(new Stages.StageRow(
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
