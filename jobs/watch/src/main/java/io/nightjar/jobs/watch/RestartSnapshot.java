package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.jobs.watch.CarryOver.SliceTaker;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** What stands for the kept rows up to a cut when a watch goes on, so that it need not read them again. */
final class RestartSnapshot {

    /*
     * Of rows that are sealed, a transaction that starts behind a time needs the last version of each key only
     * (CarryOver). So a base is made from the one before it and the rows since; what has arrived is part of it as
     * well: ids, keys.
     *
     *   cut    rows that committed behind it are read again
     *   from   and all rows of the parts from this one on, which came later
     *   base   what transactions that started up to here saw is not known
     *
     * What was gone on from stays so, however often another base is made: behindCut, behindBase.
     */

    private static final int END = -1;

    private final CheckpointFolder folder;
    private final SliceFilter parts = new SliceFilter();
    private int number; // 0 as long as there is none
    private long cut = Long.MIN_VALUE;
    private long base = Long.MIN_VALUE;
    private int from;
    private long behindCut = Long.MIN_VALUE;
    private long behindBase = Long.MIN_VALUE;
    private long carriedTxns;
    private long txnsAt; // how many had been taken

    RestartSnapshot(CheckpointFolder folder) {
        this.folder = folder;
    }

    int number() {
        return number;
    }

    /** Whether so much would be read again that it is worth another base. */
    boolean isDue(long txnsTaken, long min) {
        return txnsTaken - txnsAt >= Math.max(min, carriedTxns);
    }

    /** The transactions of which it is not known what they saw; null if there are none. */
    @Nullable
    HistorySlice before(HistorySlice slice) {
        return behindCut == Long.MIN_VALUE ? null : chosen(slice, txn -> isBefore(slice, txn));
    }

    /** The others; null if there are none. */
    @Nullable
    HistorySlice behind(HistorySlice slice) {
        return chosen(slice, txn -> !isBefore(slice, txn));
    }

    private boolean isBefore(HistorySlice slice, int txn) {
        if (slice.status[txn] != TxnStatus.COMMITTED || slice.startTs == null) {
            return false;
        }
        return FilteredSource.commit(slice, txn) <= behindCut
                || slice.startTs[txn] != HistorySlice.NONE && slice.startTs[txn] <= behindBase;
    }

    private @Nullable HistorySlice chosen(HistorySlice slice, IntPredicate choice) {
        int[] txns = new int[slice.txnCount];
        int count = 0;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (choice.test(txn)) {
                txns[count++] = txn;
            }
        }
        return count == slice.txnCount ? slice : count == 0 ? null : parts.part(slice, Arrays.copyOf(txns, count));
    }

    // ---------------------------------------------------------------- making one

    /** Makes the base up to a time, which is sealed; the part that is being written ends here. */
    void advance(RowArchive kept, long upTo, long txnsTaken, ParallelOnlineCheck online, TxnDeduplicator known)
            throws IOException {
        kept.finishPart();
        long to = Math.max(cut, upTo);
        if (to > Long.MIN_VALUE) {
            base = Math.max(base, leastStart(kept, to) - 1);
        }
        carriedTxns = 0;
        folder.writeBase(number + 1, out -> {
            out.writeLong(to);
            out.writeLong(base);
            out.writeInt(kept.parts());
            if (to > Long.MIN_VALUE) {
                carry(kept, to, online, slice -> writeCarried(slice, out));
            }
            out.writeInt(END);
            online.writeKeys(out);
            known.write(out);
            known.writeContents(out);
        });
        cut = to;
        from = kept.parts();
        txnsAt = txnsTaken;
        number++;
    }

    private void writeCarried(HistorySlice slice, DataOutputStream out) throws IOException {
        carriedTxns += slice.txnCount;
        writeSlice(slice, new ByteWriter(1 << 12), out);
    }

    /** Passes on the rows that the previous base has. */
    private void forEachCarried(SliceTaker to) throws IOException {
        if (number == 0) {
            return;
        }
        SliceCodec codec = new SliceCodec();
        try (DataInputStream in = folder.openBase(number)) {
            in.skipNBytes(2 * Long.BYTES + Integer.BYTES);
            for (int size = in.readInt(); size != END; size = in.readInt()) {
                byte[] bytes = new byte[size];
                in.readFully(bytes);
                to.take(codec.decode(new ByteReader(bytes, 0, size)));
            }
        }
    }

    /** The least start of what commits behind a time. */
    private static long leastStart(RowArchive kept, long upTo) throws IOException {
        long[] first = {upTo};
        kept.replay(Integer.MAX_VALUE, upTo, (slice, part) -> {
            for (int txn = 0; slice.startTs != null && txn < slice.txnCount; txn++) {
                boolean isBehind = slice.status[txn] == TxnStatus.COMMITTED && FilteredSource.commit(slice, txn) > upTo;
                first[0] = isBehind ? Math.min(first[0], slice.startTs[txn]) : first[0];
            }
        });
        return first[0];
    }

    private void carry(RowArchive kept, long upTo, ParallelOnlineCheck online, SliceTaker to) throws IOException {
        CarryOver rows = new CarryOver(base, LongSets.EMPTY_SET, online::keyNumber, to);
        forEachCarried(rows::observe);
        forEachSince(kept, upTo, rows::observe);
        forEachCarried(rows::take);
        forEachSince(kept, upTo, rows::take);
        rows.end();
    }

    /** Passes on the rows that committed up to a time and are not part of the previous base. */
    private void forEachSince(RowArchive kept, long upTo, SliceTaker to) throws IOException {
        kept.replay(from, cut, (slice, part) -> {
            HistorySlice mine = chosen(slice, txn -> {
                long commit = FilteredSource.commit(slice, txn);
                return slice.status[txn] == TxnStatus.COMMITTED && commit <= upTo && (commit > cut || part >= from);
            });
            if (mine != null) {
                to.take(mine);
            }
        });
    }

    // ---------------------------------------------------------------- going on

    /** Restores a base and passes on what it stands for to the check. */
    void read(int which, ParallelOnlineCheck online, TxnDeduplicator known) throws IOException {
        if (which == 0) {
            return;
        }
        number = which;
        try (DataInputStream in = folder.openBase(which)) {
            cut = in.readLong();
            base = in.readLong();
            from = in.readInt();
            behindCut = cut;
            behindBase = base;
            for (int size = in.readInt(); size != END; size = in.readInt()) {
                in.skipNBytes(size); // it needs to know the keys
            }
            online.readKeys(in);
            known.read(in);
            known.readContents(in);
        }
        long now = WatchClock.micros();
        forEachCarried(slice -> {
            carriedTxns += slice.txnCount;
            online.add(slice, now);
            online.seal(Math.min(cut, lastCommit(slice))); // so that what there is no room for is the oldest
        });
        if (cut != Long.MIN_VALUE) {
            online.seal(cut);
        }
    }

    private static long lastCommit(HistorySlice slice) {
        long last = Long.MIN_VALUE;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            last = Math.max(last, FilteredSource.commit(slice, txn));
        }
        return last;
    }

    /** Takes again the kept rows that the base does not stand for. */
    void replay(RowArchive kept, ArrivalProcessor intake, long sealedTo, long maxBytes) throws IOException {
        kept.replay(from, cut, (slice, part) -> {
            boolean isNew = part >= from;
            HistorySlice again = isNew ? slice : chosen(slice, txn -> isOpen(slice, txn));
            intake.reprocess(isNew ? slice : null, again, sealedTo, maxBytes);
        });
    }

    private boolean isOpen(HistorySlice slice, int txn) {
        return slice.status[txn] == TxnStatus.COMMITTED && FilteredSource.commit(slice, txn) > cut;
    }

    // ---------------------------------------------------------------- slices

    static void writeSlices(List<HistorySlice> slices, DataOutputStream out) throws IOException {
        ByteWriter bytes = new ByteWriter(1 << 12);
        out.writeInt(slices.size());
        for (HistorySlice slice : slices) {
            writeSlice(slice, bytes, out);
        }
    }

    private static void writeSlice(HistorySlice slice, ByteWriter scratch, DataOutputStream out) throws IOException {
        scratch.clear();
        new SliceCodec().encode(slice, SliceForm.ALL, scratch);
        Checkpoint.writeBytes(out, scratch);
    }

    static List<HistorySlice> readSlices(DataInputStream in) throws IOException {
        SliceCodec codec = new SliceCodec();
        int count = in.readInt();
        List<HistorySlice> slices = new ArrayList<>(count);
        for (int slice = 0; slice < count; slice++) {
            slices.add(codec.decode(Checkpoint.readBytes(in)));
        }
        return slices;
    }
}
