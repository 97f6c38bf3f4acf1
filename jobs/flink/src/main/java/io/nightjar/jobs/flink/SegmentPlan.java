package io.nightjar.jobs.flink;

import io.nightjar.pipeline.check.timestamp.Positions;
import io.nightjar.pipeline.primitive.ByteReader;
import java.io.Serializable;

/**
 * The segments whose rows are to be read.
 *
 * @param positions as {@link Positions#encode} writes them
 */
record SegmentPlan(byte[] positions) implements Serializable {

    Positions decode() {
        return Positions.decode(new ByteReader(positions, 0, positions.length));
    }
}
