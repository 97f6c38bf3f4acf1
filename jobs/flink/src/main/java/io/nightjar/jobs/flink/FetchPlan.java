package io.nightjar.jobs.flink;

import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.verify.ReplayRowFilter;
import io.nightjar.pipeline.verify.ReplayRowSelection;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows to fetch, from any split, and their columns.
 *
 * @param participants rows that were fetched before, as {@link SliceCodec} writes them; null for the round that fetches these
 */
record FetchPlan(ReplayRowSelection rows, Set<ColumnGroup> columns, byte @Nullable [] participants)
        implements Serializable {

    /** Keeps the rows of this round. */
    ReplayRowFilter newSieve() {
        if (participants == null) {
            return rows.participants();
        }
        List<HistorySlice> slices = new ArrayList<>();
        SliceCodec codec = new SliceCodec();
        ByteReader feed = new ByteReader(participants, 0, participants.length);
        while (!feed.isEmpty()) {
            slices.add(codec.decode(feed));
        }
        return rows.sieve(slices);
    }

    /** Returns the plan of the next round. */
    FetchPlan with(byte[] fetchedParticipants) {
        return new FetchPlan(rows, columns, fetchedParticipants);
    }

    void send(List<ReadingMessage> splits, int tasks, Consumer<Chunk> to) {
        send(this, splits, tasks, to);
    }

    /**
     * Sends a plan to each task, and then each split to one task; keys are the task numbers.
     *
     * @param splits as they were read at first
     */
    static void send(Serializable plan, List<ReadingMessage> splits, int tasks, Consumer<Chunk> to) {
        for (int task = 0; task < tasks; task++) {
            to.accept(Chunk.of(task, plan));
        }
        for (ReadingMessage split : splits) {
            to.accept(Chunk.of(split.split() % tasks, split));
        }
    }
}
