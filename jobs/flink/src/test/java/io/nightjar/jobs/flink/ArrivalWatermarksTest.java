package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.watch.Lateness;
import java.util.List;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.junit.jupiter.api.Test;

class ArrivalWatermarksTest {

    private static final long HOUR_MICROS = 3_600_000_000L;
    private static final long LONGER_THAN_A_MOMENT_MILLIS = 5_100;

    private boolean isIdle;

    private final WatermarkOutput output = new WatermarkOutput() {
        @Override
        public void emitWatermark(Watermark watermark) {}

        @Override
        public void markIdle() {
            isIdle = true;
        }

        @Override
        public void markActive() {
            isIdle = false;
        }
    };

    @Test
    void sourceWithoutRowsHoldsWatermarkBackForAMoment() throws Exception {
        ArrivalWatermarks watermarks = new ArrivalWatermarks(spec());
        watermarks.onPeriodicEmit(output);
        assertThat(isIdle).isFalse();

        Thread.sleep(LONGER_THAN_A_MOMENT_MILLIS);
        watermarks.onPeriodicEmit(output);
        assertThat(isIdle).isTrue();
    }

    private static WatchSpec spec() {
        return new WatchSpec(
                new WatchSpec.Arrivals(List.of("a"), Lateness.Unit.TICKS, 3, HOUR_MICROS, false, false, List.of()),
                new IsolationLevel[] {IsolationLevel.SNAPSHOT_ISOLATION},
                new WatchSpec.Initial(null, false, null),
                new WatchSpec.Folders("log", "rows", false),
                false,
                2,
                1);
    }
}
