package io.nightjar.jobs.flink;

import io.nightjar.pipeline.check.timestamp.DependencyBuffer;
import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.check.timestamp.LaneDependencies;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Finds dependencies in the lanes of a task, and sends them for the positions of transactions, misses first. */
final class DependencySender {

    /** The key of facts that were found while lanes were checked. */
    static final int OF_CHECKED_LANES = 0;

    /** The key of facts that were found in lanes that were read again. */
    static final int OF_LANES_READ_AGAIN = 1;

    private final int key;
    private final SlicePartitioner.Output to;
    private final DependencyBuffer buffer;
    private boolean isInDoubt;

    DependencySender(int key, SlicePartitioner.Output to) {
        this.key = key;
        this.to = to;
        this.buffer = new DependencyBuffer(
                misses -> to.emit(new Chunk(Chunk.Kind.MISSES, key, misses), 0),
                dependencies -> to.emit(new Chunk(Chunk.Kind.DEPENDENCIES, key, dependencies), StageOperator.LAST));
    }

    boolean isInDoubt() {
        return isInDoubt;
    }

    /** Notes that a lane was not seen as a whole. */
    void doubt() {
        isInDoubt = true;
    }

    void find(Lane lane, @Nullable String initialValue) throws IOException {
        isInDoubt = isInDoubt || !LaneDependencies.find(lane, initialValue, buffer);
    }

    /** Sends the remaining facts. */
    void finish() {
        buffer.flush();
        if (isInDoubt) {
            to.emit(new Chunk(Chunk.Kind.NO_POSITIONS, key, new byte[0]), 0);
        }
    }
}
