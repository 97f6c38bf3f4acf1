package io.nightjar.jobs.watch;

import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Counters of a watch, or of one of its tasks; counters of other tasks are zero. */
public final class LiveCounts {

    /** The counters of a watch: totals, current numbers, and spans, of which that of a watch is the largest of its tasks. */
    public enum Count {
        TRANSACTIONS(Kind.TOTAL),
        OPERATIONS(Kind.TOTAL),
        LATE(Kind.TOTAL), // transactions that committed before the watermark
        CORRECTED(Kind.TOTAL), // final verdicts that changed
        FLIPS(Kind.TOTAL),
        REPEATED(Kind.TOTAL), // transactions that were delivered again and dropped
        TOO_LATE(Kind.TOTAL), // transactions rejected as too late
        DEAD_LETTERS(Kind.TOTAL),
        OPEN(Kind.NUMBER), // transactions that are not sealed
        PROVISIONAL(Kind.NUMBER), // reads that are wrong according to the rows so far
        LEFT_TO_SEGMENTS(Kind.INTERNAL),
        SEGMENT_CHECKS(Kind.INTERNAL),
        UNKNOWN(Kind.INTERNAL),
        UNPLACED(Kind.INTERNAL),
        COMMITTED(Kind.INTERNAL),
        KEYS(Kind.INTERNAL),
        UNJUDGED_KEYS(Kind.INTERNAL), // that timestamps cannot decide
        HASHING(Kind.INTERNAL), // tasks that compare values by hashes
        LAG_MS(Kind.SPAN), // age of the oldest transaction without a final verdict
        MAX_DISORDER(Kind.INTERNAL_SPAN), // between commits of arrivals
        AHEAD_TS(Kind.INTERNAL_SPAN), // a commit so far ahead that it waits for another to confirm it
        VERDICT_P50_US(Kind.SPAN),
        VERDICT_P99_US(Kind.SPAN),
        FINAL_P99_MS(Kind.SPAN);

        final Kind kind;

        Count(Kind kind) {
            this.kind = kind;
        }

        boolean isSpan() {
            return compareTo(LAG_MS) >= 0;
        }

        /** Returns the name in JSON and in metrics. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Kinds of counters; internal ones are not shown. */
    enum Kind {
        TOTAL,
        NUMBER,
        SPAN,
        INTERNAL,
        INTERNAL_SPAN
    }

    static final Count[] COUNTS = Count.values();

    private final long[] counts = new long[COUNTS.length];

    public LiveCounts() {
        set(Count.AHEAD_TS, Watermark.NOTHING);
    }

    public LiveCounts set(Count which, long count) {
        counts[which.ordinal()] = count;
        return this;
    }

    public long get(Count which) {
        return counts[which.ordinal()];
    }

    /** Sets the counts of a check, and the latency of its verdicts. */
    public LiveCounts of(OnlineCheck check, LatencyStatistics times) {
        set(Count.TRANSACTIONS, check.txnCount());
        set(Count.OPERATIONS, check.opCount());
        set(Count.COMMITTED, check.committedCount());
        set(Count.OPEN, check.openTxns());
        set(Count.PROVISIONAL, check.provisional());
        set(Count.FLIPS, check.flips());
        set(Count.LATE, check.lateCount());
        set(Count.LEFT_TO_SEGMENTS, check.leftToSegments());
        set(Count.UNKNOWN, check.unknownCount());
        set(Count.UNPLACED, check.unplacedCount());
        set(Count.KEYS, check.keyCount());
        set(Count.UNJUDGED_KEYS, check.unjudgedKeys());
        set(Count.HASHING, check.areValuesHashed() ? 1 : 0);
        return times.count(this);
    }

    /** Returns whether every row was checked as it arrived, by its values, and with a known outcome. */
    boolean areAllRowsChecked() {
        return get(Count.UNPLACED) == 0
                && get(Count.UNKNOWN) == 0
                && get(Count.LEFT_TO_SEGMENTS) == 0
                && get(Count.UNJUDGED_KEYS) == 0
                && get(Count.HASHING) == 0;
    }

    /** Adds the counts of another task; a span becomes the larger one. */
    void add(LiveCounts other) {
        for (Count count : COUNTS) {
            long more = other.get(count);
            set(count, count.isSpan() ? Math.max(get(count), more) : get(count) + more);
        }
    }

    /** Replaces latencies by larger ones of another task. */
    void addLatency(LiveCounts other) {
        for (int span = Count.VERDICT_P50_US.ordinal(); span < COUNTS.length; span++) {
            counts[span] = Math.max(counts[span], other.counts[span]);
        }
    }

    /** Returns the diagnostic on late arrivals for the end of a watch; null without any. */
    @Nullable
    SourceDiagnostic remarkOnLateness() {
        long late = get(Count.LATE) + get(Count.TOO_LATE);
        String message = String.format(
                Locale.ROOT,
                "%,d transactions arrived after the watermark, %,d of them too late to be checked; --lateness %dts would"
                        + " have sufficed",
                late,
                get(Count.TOO_LATE),
                get(Count.MAX_DISORDER) + 1);
        return late == 0 ? null : new SourceDiagnostic("L37", late, null, message);
    }

    private record State(long[] counts) {}

    public void encode(ByteWriter to) {
        ResultCodec.encode(new State(counts), to);
    }

    static LiveCounts decode(ByteReader from) {
        LiveCounts decoded = new LiveCounts();
        long[] counts = ResultCodec.decode(State.class, from).counts;
        Arrays.setAll(decoded.counts, count -> counts[count]);
        return decoded;
    }
}
