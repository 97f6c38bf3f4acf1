package io.nightjar.jobs.flink;

import io.nightjar.formats.history.Column;
import io.nightjar.pipeline.verify.RowsToReplay;
import java.io.Serializable;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Which rows are to be fetched, from any split, and with which columns. */
record FetchPlan(RowsToReplay rows, Set<Column> columns) implements Serializable {

    /**
     * Sends the plan to each of some tasks, and then each split to one of them; keys say to which.
     *
     * @param splits as they were read at first
     */
    void send(List<ReadingMessage> splits, int tasks, Consumer<Chunk> to) {
        for (int task = 0; task < tasks; task++) {
            to.accept(Chunk.of(task, this));
        }
        for (ReadingMessage split : splits) {
            to.accept(Chunk.of(split.split() % tasks, split));
        }
    }
}
