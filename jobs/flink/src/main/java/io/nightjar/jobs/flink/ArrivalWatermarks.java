package io.nightjar.jobs.flink;

import io.nightjar.jobs.watch.FeedRunner.Fed;
import io.nightjar.jobs.watch.WatchClock;
import io.nightjar.jobs.watch.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;

/**
 * Says of one source, or one part of it, up to which commit all have arrived. One that is silent holds nothing back for longer
 * than {@code --idle}; one that had nothing when it began and has said nothing since, for a moment only.
 */
final class ArrivalWatermarks implements WatermarkGenerator<Fed> {

    private static final long FIRST_MICROS = 1_000_000;

    private final Watermark watermark;
    private final long idleMicros;
    private long lastArrival = WatchClock.micros();
    private boolean hasArrived;
    private boolean isCaughtUp; // and not still looking for its first row

    ArrivalWatermarks(WatchSpec spec) {
        this.watermark = spec.watermark();
        this.idleMicros = spec.arrivals().idleMicros();
    }

    @Override
    public void onEvent(Fed fed, long arrivedMicros, WatermarkOutput output) {
        if (fed.isCaughtUp()) {
            isCaughtUp = true;
            lastArrival = WatchClock.micros();
        } else if (fed.slice() != null) {
            watermark.observe(fed.slice(), arrivedMicros);
            lastArrival = WatchClock.micros();
            hasArrived = true;
            output.markActive();
        }
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {
        long now = WatchClock.micros();
        long upTo = watermark.at(now);
        if (upTo > Long.MIN_VALUE) {
            output.emitWatermark(new org.apache.flink.api.common.eventtime.Watermark(upTo));
        }
        boolean isEmpty = isCaughtUp && !hasArrived;
        if (now - lastArrival >= (isEmpty ? Math.min(idleMicros, FIRST_MICROS) : idleMicros)) {
            output.markIdle();
        }
    }
}
