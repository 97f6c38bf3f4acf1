package io.nightjar.jobs.flink;

import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one task of a station did, for the table of stages.
 *
 * @param counters its metrics, by their names
 */
record StageMessage(
        String stage,
        double seconds,
        long recordsIn,
        long recordsOut,
        long bytesRead,
        long bytesSpilled,
        Map<String, Long> counters) {

    ByteSink encode() {
        ByteSink to = new ByteSink(64);
        to.putString(stage);
        to.putSigned(Double.doubleToLongBits(seconds));
        to.putSigned(recordsIn);
        to.putSigned(recordsOut);
        to.putSigned(bytesRead);
        to.putSigned(bytesSpilled);
        to.putVarint(counters.size());
        counters.forEach((name, count) -> {
            to.putString(name);
            to.putVarint(count);
        });
        return to;
    }

    static StageMessage decode(ByteFeed from) {
        return new StageMessage(
                from.getString(),
                Double.longBitsToDouble(from.getSigned()),
                from.getSigned(),
                from.getSigned(),
                from.getSigned(),
                from.getSigned(),
                counters(from));
    }

    private static Map<String, Long> counters(ByteFeed from) {
        Map<String, Long> counters = new TreeMap<>();
        int count = from.getCount();
        for (int i = 0; i < count; i++) {
            counters.put(from.getString(), from.getVarint());
        }
        return counters;
    }
}
