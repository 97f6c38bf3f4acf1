package io.nightjar.jobs.flink;

import io.nightjar.jobs.watch.FeedRunner.Fed;
import io.nightjar.jobs.watch.WatchClock;
import io.nightjar.jobs.watch.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;

/**
 * Generates the watermarks of a source, or of a part of it: the greatest commit timestamp up to which all have arrived.
 * A silent source delays the others for {@code --idle} at most; one without any row yet, only for
 * {@link #MAX_FIRST_MICROS}.
 */
final class ArrivalWatermarks implements WatermarkGenerator<Fed> {

    private static final long MAX_FIRST_MICROS = 5_000_000;

    private final Watermark watermark;
    private final long idleMicros;
    private long lastArrival = WatchClock.micros();
    private boolean hasArrived;

    ArrivalWatermarks(WatchSpec spec) {
        this.watermark = spec.watermark();
        this.idleMicros = spec.arrivals().idleMicros();
    }

    @Override
    public void onEvent(Fed fed, long arrivedMicros, WatermarkOutput output) {
        if (fed.slice() != null) {
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
        if (now - lastArrival >= (hasArrived ? idleMicros : Math.min(idleMicros, MAX_FIRST_MICROS))) {
            output.markIdle();
        }
    }
}
