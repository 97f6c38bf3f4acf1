package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.jobs.watch.LiveCounts.Count;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Statistics of the lateness of transactions that committed before the watermark. */
public final class LatenessStatistics {

    /*
     * Layout. Each step, oldest first, has the largest commit at its end, and, of the arrival that first exceeded the
     * largest commit of the step before, the time and the number of earlier transactions. When the arrays are full,
     * adjacent steps are merged.
     */

    private static final int MAX_STEPS = 1 << 14;

    private final long[] commitOf = new long[MAX_STEPS];
    private final long[] microsOf = new long[MAX_STEPS];
    private final long[] countOf = new long[MAX_STEPS];
    private int steps;
    private int every = 1;
    private int passedOver;
    private long txnCount;
    private long largest = Long.MIN_VALUE;
    private long microsOfNext; // of the open step
    private long countOfNext;
    private boolean hasNext;

    private final LongConsumer microsOfEach;
    private long late;
    private long maxMicros;
    private long maxTxns;
    private long maxTicks;

    /** @param microsOfEach called for each late transaction with the time since the first larger commit arrived */
    public LatenessStatistics(LongConsumer microsOfEach) {
        this.microsOfEach = microsOfEach;
    }

    /** Records transactions without a watermark: every one that arrives after a larger commit is late. */
    public void observeOrder(HistorySlice slice, long nowMicros) {
        observe(slice, largest == Long.MIN_VALUE ? largest : largest - 1, nowMicros);
    }

    /** Records arrivals; transactions that committed up to the watermark are late. */
    void observe(HistorySlice slice, long watermark, long nowMicros) {
        for (int txn = 0; slice.commitTs != null && txn < slice.txnCount; txn++) {
            long commit = slice.commitTs[txn];
            if (slice.status[txn] != TxnStatus.COMMITTED || commit == HistorySlice.NONE) {
                continue;
            }
            if (commit <= watermark && commit != 0) {
                record(commit, nowMicros);
            }
            largest = Math.max(largest, commit);
        }
        boolean isFurther = largest > Long.MIN_VALUE && (steps == 0 || largest > commitOf[steps - 1]);
        if (isFurther && !hasNext) {
            hasNext = true;
            microsOfNext = nowMicros;
            countOfNext = txnCount;
        }
        txnCount += slice.txnCount;
        if (++passedOver >= every && isFurther) {
            addStep();
        }
    }

    /** Records a transaction that arrived too late to be checked. */
    void observeTooLate(long commit, long nowMicros) {
        if (commit != HistorySlice.NONE) {
            record(commit, nowMicros);
        }
    }

    private void record(long commit, long nowMicros) {
        late++;
        maxTicks = Math.max(maxTicks, largest > commit ? largest - commit : 0);
        int step = Arrays.binarySearch(commitOf, 0, steps, commit);
        step = step < 0 ? -step - 1 : step;
        if (step < steps || hasNext) {
            long micros = nowMicros - (step < steps ? microsOf[step] : microsOfNext);
            microsOfEach.accept(micros);
            maxMicros = Math.max(maxMicros, micros);
            maxTxns = Math.max(maxTxns, txnCount - (step < steps ? countOf[step] : countOfNext));
        }
    }

    private void addStep() {
        if (steps == MAX_STEPS) {
            for (int kept = 0; kept < MAX_STEPS / 2; kept++) {
                commitOf[kept] = commitOf[2 * kept + 1];
                microsOf[kept] = microsOf[2 * kept];
                countOf[kept] = countOf[2 * kept];
            }
            steps /= 2;
            every *= 2;
        }
        passedOver = 0;
        commitOf[steps] = largest;
        microsOf[steps] = microsOfNext;
        countOf[steps++] = countOfNext;
        hasNext = false;
    }

    void write(DataOutputStream out) throws IOException {
        for (long number : new long[] {largest, late, maxMicros, maxTxns, maxTicks}) {
            out.writeLong(number);
        }
    }

    /** Restores the largest values; arrival times before the restart are unknown. */
    void read(DataInputStream in) throws IOException {
        largest = in.readLong();
        late = in.readLong();
        maxMicros = in.readLong();
        maxTxns = in.readLong();
        maxTicks = in.readLong();
    }

    /** Returns the diagnostic for the end of the watch; null if no transaction was late. */
    @Nullable
    SourceDiagnostic remark(long tooLate) {
        return late == 0 ? null : remark(late, tooLate, maxMicros, maxTxns, maxTicks);
    }

    private static SourceDiagnostic remark(long late, long tooLate, long micros, long txns, long ticks) {
        String message = String.format(
                Locale.ROOT,
                "%,d transactions arrived after the watermark, %,d of them too late to be checked; --lateness %ds, %dtxns or"
                        + " %dts would have sufficed",
                late,
                tooLate,
                micros / 1_000_000 + 1,
                txns + 1,
                ticks + 1);
        return new SourceDiagnostic("L37", late, null, message);
    }

    /** Adds the greatest lateness that this task measured to its counts. */
    public LiveCounts count(LiveCounts counts) {
        return counts.set(Count.LATE_MICROS, maxMicros)
                .set(Count.LATE_TXNS, maxTxns)
                .set(Count.LATE_TICKS, maxTicks);
    }

    /**
     * Returns the diagnostic for the end of the watch, from the {@linkplain #count counts} of tasks; null if no
     * transaction
     * was late.
     */
    static @Nullable SourceDiagnostic remark(long late, LiveCounts counts) {
        return late == 0
                ? null
                : remark(
                        late,
                        0,
                        counts.get(Count.LATE_MICROS),
                        counts.get(Count.LATE_TXNS),
                        counts.get(Count.LATE_TICKS));
    }
}
