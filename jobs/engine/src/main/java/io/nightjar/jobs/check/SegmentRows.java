package io.nightjar.jobs.check;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.check.timestamp.Positions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The rows of consecutive segments of a history, as many as fit into memory. */
final class SegmentRows {

    /*
     * Rows are added in the order of the history, whose segments mostly follow each other. When they exceed the memory,
     * the last segments are dropped, and with them all rows of these segments that follow.
     */

    private static final double SHARE_KEPT = 0.75;

    private final Positions positions;
    private final int first;
    private final long maxBytes;
    private final int[] opsOf; // by segment, from the first one
    private List<HistorySlice> slices = new ArrayList<>();
    private volatile int end; // first segment that was dropped
    private long bytes;
    private long[][] placesOf = {}; // by segment: its rows, the number of the slice in the high half; once complete

    SegmentRows(Positions positions, int first, long maxBytes) {
        this.positions = positions;
        this.first = first;
        this.maxBytes = maxBytes;
        end = positions.segmentCount();
        opsOf = new int[end - first];
    }

    /** Returns the first segment after these. */
    int end() {
        return end;
    }

    /** Returns the rows of a slice that belong to these segments. Any thread. */
    HistorySlice pick(HistorySlice slice) {
        int before = end;
        SliceBuilder builder = new SliceBuilder(slice.file);
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int segment = slice.status[txn] == TxnStatus.COMMITTED ? positions.segmentOf(slice, txn) : -1;
            if (segment >= first && segment < before) {
                builder.copyTxn(slice, txn);
            }
        }
        return builder.build();
    }

    /** Adds rows that were picked; returns false if the first segment does not fit. */
    boolean add(HistorySlice picked) {
        if (picked.txnCount > 0) {
            hold(picked);
        }
        while (bytes > maxBytes) {
            if (end == first + 1) {
                return false;
            }
            dropLast();
        }
        return true;
    }

    private void hold(HistorySlice slice) {
        slices.add(slice);
        bytes += slice.byteSize();
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int segment = positions.segmentOf(slice, txn);
            if (segment < end) {
                opsOf[segment - first] += slice.firstOpOf[txn + 1] - slice.firstOpOf[txn];
            }
        }
    }

    private void dropLast() {
        long kept = (long) (Arrays.stream(opsOf).asLongStream().sum() * SHARE_KEPT) - opsOf[0];
        int newEnd = first + 1;
        while (newEnd < end - 1 && kept >= opsOf[newEnd - first]) {
            kept -= opsOf[newEnd++ - first];
        }
        end = newEnd;
        Arrays.fill(opsOf, 0);
        List<HistorySlice> all = slices;
        slices = new ArrayList<>();
        bytes = 0;
        for (HistorySlice slice : all) {
            HistorySlice rest = pick(slice);
            if (rest.txnCount > 0) {
                hold(rest);
            }
        }
    }

    /** Prepares access by segment, once all rows were added. */
    void complete() {
        int[] counts = new int[end - first];
        for (int pass = 0; pass < 2; pass++) {
            for (int number = 0; number < slices.size(); number++) {
                for (int txn = 0; txn < slices.get(number).txnCount; txn++) {
                    int at = positions.segmentOf(slices.get(number), txn) - first;
                    if (at < counts.length && pass == 1) {
                        placesOf[at][counts[at]] = (long) number << Integer.SIZE | txn;
                    }
                    if (at < counts.length) {
                        counts[at]++;
                    }
                }
            }
            if (pass == 0) {
                placesOf = new long[counts.length][];
                Arrays.setAll(placesOf, at -> new long[counts[at]]);
                Arrays.fill(counts, 0);
            }
        }
    }

    int opCount(int segment) {
        return opsOf[segment - first];
    }

    /** Returns the rows of a segment. */
    HistorySlice of(int segment) {
        SliceBuilder builder = new SliceBuilder(slices.isEmpty() ? "" : slices.get(0).file);
        for (long place : placesOf[segment - first]) {
            builder.copyTxn(slices.get((int) (place >> Integer.SIZE)), (int) place);
        }
        return builder.build();
    }

    void forget() {
        slices = new ArrayList<>();
        placesOf = new long[0][];
    }
}
