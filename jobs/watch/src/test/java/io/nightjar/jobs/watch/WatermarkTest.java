package io.nightjar.jobs.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.text.LineDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WatermarkTest {

    @Test
    void aBurstIsSealedButForTheLastTransactions() {
        for (int seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            long[] commits =
                    random.longs(500 + random.nextInt(1_000), 1, 10_000).toArray();
            int lateness = 1 + random.nextInt(400);
            Watermark watermark = watermark(lateness);
            watermark.observe(slice(commits), 0);

            int step = Math.max(lateness, commits.length) / 64 + 1;
            assertThat(watermark.at(0))
                    .as("seed=%d", seed)
                    .isLessThanOrEqualTo(largest(commits, commits.length - lateness))
                    .isGreaterThanOrEqualTo(largest(commits, commits.length - lateness - step));
        }
    }

    @Test
    void aClockThatIsAheadSealsNothing() {
        long[] commits = new long[201];
        Arrays.setAll(commits, txn -> txn + 1);
        commits[0] = 1L << 40;
        Watermark watermark = watermark(195);
        watermark.observe(slice(commits), 0);

        assertThat(watermark.at(0)).isLessThanOrEqualTo(201);
    }

    @Test
    void nothingIsKnownOfTheFirstClock() {
        for (Lateness.Unit unit : Lateness.Unit.values()) {
            Watermark watermark = new Watermark(new Lateness(unit, 0), 60_000_000);
            watermark.observe(slice(1, 1L << 40), 0);
            assertThat(watermark.at(1)).as("%s", unit).isEqualTo(Long.MIN_VALUE);
            watermark.observe(slice(2, 7, 8), 2);
            assertThat(watermark.at(3)).as("%s", unit).isBetween(7L, 8L);
        }
    }

    /** However long it has been watched, and however far the first commits lie back. */
    @Test
    void aClockThatIsAheadSealsNothingLater() {
        long[] commits = new long[120_002];
        Arrays.setAll(commits, txn -> 1_000_000_000L + txn);
        commits[0] = 1;
        commits[120_000] = 2_000_000_000L;
        Watermark watermark = new Watermark(new Lateness(Lateness.Unit.TICKS, 10), 0);
        watermark.observe(slice(commits), 0);

        assertThat(watermark.isJumpAhead()).isTrue();
        assertThat(watermark.at(0)).isEqualTo(1_000_120_001L - 10);
        watermark.observe(slice(new long[] {2_000_000_001L}), 0);
        assertThat(watermark.at(0)).as("confirmed by another").isEqualTo(2_000_000_001L - 10);
    }

    private static Watermark watermark(int lateness) {
        return new Watermark(new Lateness(Lateness.Unit.TXNS, lateness), 0);
    }

    private static long largest(long[] commits, int count) {
        return Arrays.stream(commits, 0, count).max().orElseThrow();
    }

    private static HistorySlice slice(long[] commits) {
        return slice(1, commits);
    }

    private static HistorySlice slice(int session, long... commits) {
        LineDecoder decoder = new LineDecoder("test", BadRowHandler.REJECT);
        for (long commit : commits) {
            byte[] line = "{\"session\":%d,\"start\":0,\"commit\":%d,\"ops\":[]} "
                    .formatted(session, commit)
                    .getBytes(StandardCharsets.UTF_8);
            decoder.line(line, 0, line.length - 1);
        }
        return decoder.take();
    }
}
