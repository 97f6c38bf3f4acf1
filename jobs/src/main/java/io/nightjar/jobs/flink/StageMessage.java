package io.nightjar.jobs.flink;

import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;

/** What one task of a station did, for the table of stages. */
record StageMessage(String stage, double seconds, long recordsIn, long recordsOut, long bytesRead, long bytesSpilled) {

    ByteSink encode() {
        ByteSink to = new ByteSink(64);
        Texts.put(stage, to);
        to.putSigned(Double.doubleToLongBits(seconds));
        to.putSigned(recordsIn);
        to.putSigned(recordsOut);
        to.putSigned(bytesRead);
        to.putSigned(bytesSpilled);
        return to;
    }

    static StageMessage decode(ByteFeed from) {
        return new StageMessage(
                Texts.get(from),
                Double.longBitsToDouble(from.getSigned()),
                from.getSigned(),
                from.getSigned(),
                from.getSigned(),
                from.getSigned());
    }
}
