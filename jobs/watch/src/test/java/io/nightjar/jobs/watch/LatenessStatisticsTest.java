package io.nightjar.jobs.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.text.LineDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is said to have sufficed, against a look at everything that had arrived. */
class LatenessStatisticsTest {

    private static final Pattern LATENESS_ADVICE = Pattern.compile("--lateness (\\d+)s, ([0-9,]+)txns or ([0-9,]+)ts");

    @Test
    void advisedLatenessIsMinimal() {
        for (int seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            agrees(random.ints(2 + random.nextInt(60), 1, 1_000).toArray(), 1 + random.nextInt(4), true, seed);
        }
    }

    /** There are more steps than are remembered. */
    @Test
    void advisedLatenessSufficesForAnyArrivals() {
        Random random = new Random(1);
        int[] commits = new int[40_000];
        for (int txn = 0; txn < commits.length; txn++) {
            commits[txn] = 10 * txn + (random.nextInt(2_000) == 0 ? -random.nextInt(10 * txn + 1) : 0);
        }
        agrees(commits, 1, false, 1);
    }

    /** One slice a second. */
    private static void agrees(int[] commits, int txnsOfSlice, boolean isExact, int seed) {
        LatenessStatistics seen = new LatenessStatistics(micros -> {});
        int[] firstAsLarge = new int[500_000]; // by commit: the first position where one as large had arrived
        Arrays.fill(firstAsLarge, Integer.MAX_VALUE);
        long maxTxns = 0;
        long maxTicks = 0;
        long maxSeconds = 0;
        int largest = 0;
        for (int from = 0; from < commits.length; from += txnsOfSlice) {
            int to = Math.min(commits.length, from + txnsOfSlice);
            for (int txn = from; txn < to; txn++) {
                if (commits[txn] <= largest) {
                    int first = firstAsLarge[commits[txn]];
                    maxTicks = Math.max(maxTicks, largest - commits[txn]);
                    if (first < from) {
                        maxTxns = Math.max(maxTxns, from - first);
                        maxSeconds = Math.max(maxSeconds, from / txnsOfSlice - first / txnsOfSlice);
                    }
                }
                for (; largest < commits[txn]; largest++) {
                    firstAsLarge[largest + 1] = from;
                }
            }
            seen.observe(slice(commits, from, to), Long.MAX_VALUE, from / txnsOfSlice * 1_000_000L);
        }
        Matcher advice = LATENESS_ADVICE.matcher(seen.remark(0).message());
        assertThat(advice.find()).isTrue();
        long[] numbers = new long[3];
        for (int group = 0; group < 3; group++) {
            numbers[group] = Long.parseLong(advice.group(group + 1).replace(",", ""));
        }
        if (isExact) {
            assertThat(numbers).as("seed=%d", seed).containsExactly(maxSeconds + 1, maxTxns + 1, maxTicks + 1);
        } else {
            assertThat(numbers[0]).isGreaterThan(maxSeconds);
            assertThat(numbers[1]).isGreaterThan(maxTxns).isLessThan(2 * maxTxns);
            assertThat(numbers[2]).isEqualTo(maxTicks + 1);
        }
    }

    private static HistorySlice slice(int[] commits, int from, int to) {
        LineDecoder decoder = new LineDecoder("test", BadRowHandler.REJECT);
        for (int txn = from; txn < to; txn++) {
            byte[] line = "{\"session\":1,\"start\":1,\"commit\":%d,\"ops\":[[\"w\",1,1]]} "
                    .formatted(commits[txn])
                    .getBytes(StandardCharsets.UTF_8);
            decoder.line(line, 0, line.length - 1);
        }
        return decoder.take();
    }
}
