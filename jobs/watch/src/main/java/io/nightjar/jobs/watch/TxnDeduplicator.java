package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.StringTable;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.primitive.Mix;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongMaps;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Knows which transactions have arrived, so that one delivered twice is taken once. */
final class TxnDeduplicator {

    /** This many of the last transactions at least are known by what they did as well; one before them is dropped. */
    private static final int MAX_CONTENTS = 1 << 19;

    private static final int MIN_CONTENTS = 1 << 10;
    private static final int BYTES_OF_CONTENT = 64;
    private static final int SHARE_OF_MEMORY = 32;

    private final BadRowHandler letters;
    private final IdSet ids = new IdSet();
    private final IdSet positions = new IdSet(); // each session's from a place of its own on
    private final LongSet sessions = new LongOpenHashSet();
    private @Nullable Long2LongOpenHashMap lastOf; // position, by session; null if not asked for
    private final RecentContents contents;
    private final SliceFilter parts = new SliceFilter();
    private int[] taken = new int[64];
    private long repeated;
    private long lastUnused = Long.MIN_VALUE;
    private long lastSession = Long.MIN_VALUE;

    TxnDeduplicator(BadRowHandler letters) {
        this(letters, Runtime.getRuntime().maxMemory());
    }

    TxnDeduplicator(BadRowHandler letters, long memoryBytes) {
        this.letters = letters;
        long fit = memoryBytes / SHARE_OF_MEMORY / BYTES_OF_CONTENT;
        this.contents =
                new RecentContents((int) Math.max(MIN_CONTENTS, Math.min(MAX_CONTENTS, Long.highestOneBit(fit))));
    }

    /** Remembers the last position of each session from here on. */
    void holdLastPositions() {
        held();
    }

    private Long2LongOpenHashMap held() {
        Long2LongOpenHashMap held = lastOf == null ? new Long2LongOpenHashMap() : lastOf;
        lastOf = held;
        return held;
    }

    /** The last position of each session, if they are held. */
    Long2LongMap lastPositions() {
        return lastOf == null ? Long2LongMaps.EMPTY_MAP : lastOf;
    }

    /** Transactions that were delivered again and dropped. */
    long repeated() {
        return repeated;
    }

    long byteSize() {
        return ids.byteSize()
                + positions.byteSize()
                + contents.byteSize()
                + 12L * sessions.size()
                + (lastOf == null ? 0 : 24L * lastOf.size());
    }

    /** Sessions that transactions were of. */
    long sessionCount() {
        return sessions.size();
    }

    /** A number that is no transaction's id and no session's. */
    long unusedId() {
        do {
            lastUnused++;
        } while (ids.contains(lastUnused) || sessions.contains(lastUnused));
        return lastUnused;
    }

    /** The transactions of a slice that are new; null if none is. */
    @Nullable
    HistorySlice takeNew(HistorySlice slice) {
        if (taken.length < slice.txnCount) {
            taken = new int[slice.txnCount * 2];
        }
        int count = 0;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (isNew(slice, txn)) {
                taken[count++] = txn;
            }
        }
        if (count == slice.txnCount) {
            return slice;
        }
        return count == 0 ? null : parts.part(slice, Arrays.copyOf(taken, count));
    }

    /** Writes what a successor needs to know; what transactions did is not part of it. */
    void write(DataOutputStream out) throws IOException {
        out.writeLong(repeated);
        ids.write(out);
        positions.write(out);
        out.writeInt(sessions.size());
        for (long session : sessions.toLongArray()) {
            out.writeLong(session);
        }
        out.writeInt(lastOf == null ? 0 : lastOf.size());
        for (Long2LongMap.Entry last : lastPositions().long2LongEntrySet()) {
            out.writeLong(last.getLongKey());
            out.writeLong(last.getLongValue());
        }
    }

    /** Writes what {@link #write} leaves out. */
    void writeContents(DataOutputStream out) throws IOException {
        contents.write(out);
    }

    void readContents(DataInputStream in) throws IOException {
        contents.read(in);
    }

    void read(DataInputStream in) throws IOException {
        repeated = in.readLong();
        ids.read(in);
        positions.read(in);
        for (int count = in.readInt(); count > 0; count--) {
            sessions.add(in.readLong());
        }
        for (int count = in.readInt(); count > 0; count--) {
            held().put(in.readLong(), in.readLong());
        }
    }

    private boolean isNew(HistorySlice slice, int txn) {
        long id = slice.txnId[txn];
        if (ids.contains(id)) {
            settleAgain(slice, txn, id);
            return false;
        }
        long session = slice.sessionId[txn];
        if (session != lastSession) {
            sessions.add(session);
            lastSession = session;
        }
        if (!positions.add(Mix.hash(session) + slice.sessionSeq[txn])) {
            refuse(
                    slice,
                    txn,
                    InputError.of("position in its session is taken")
                            .with("session=" + session + " seq=" + slice.sessionSeq[txn]));
            return false;
        }
        if (lastOf != null) {
            lastOf.merge(session, slice.sessionSeq[txn], Math::max);
        }
        ids.add(id);
        contents.put(id, content(slice, txn));
        return true;
    }

    private void settleAgain(HistorySlice slice, int txn, long id) {
        if (contents.isOther(id, content(slice, txn))) {
            refuse(
                    slice,
                    txn,
                    InputError.of("txn id came before with other content").with("txn=" + id));
        } else {
            repeated++;
        }
    }

    private void refuse(HistorySlice slice, int txn, InputError fault) {
        letters.add(slice.file, slice.rowOf(txn), fault, null);
    }

    /** Returns a number for what a transaction did, without its position, which may be counted differently if it comes again. */
    private static long content(HistorySlice slice, int txn) {
        long hash = Mix.hash(slice.status[txn] + 31 * slice.sessionId[txn]);
        if (slice.startTs != null) {
            hash = Mix.hash(Mix.hash(hash + slice.startTs[txn]) + slice.commitTs[txn]);
        }
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            byte kind = slice.kind[op];
            hash = Mix.hash(hash + kind + text(slice.keyType, slice.keyNames, slice.key[op]));
            if (OpKind.hasList(kind)) {
                hash = Mix.hash(hash + list(slice, slice.value[op]));
            } else if (OpKind.hasValue(kind)) {
                hash = Mix.hash(hash + text(slice.valueType, slice.valueNames, slice.value[op]));
            }
        }
        return hash;
    }

    private static long list(HistorySlice slice, long ref) {
        long hash = ListRef.length(ref);
        for (int at = 0; at < ListRef.length(ref); at++) {
            long element = slice.lists.element(ListRef.list(ref), at);
            hash = Mix.hash(hash + text(slice.valueType, slice.valueNames, element));
        }
        return hash;
    }

    private static long text(ValueType type, StringTable names, long number) {
        if (type != ValueType.STRING) {
            return number;
        }
        int name = (int) number;
        byte[] bytes = names.bytes();
        long hash = names.length(name);
        int first = names.firstByte(name);
        for (int at = first; at < first + names.length(name); at++) {
            hash = hash * 31 + bytes[at];
        }
        return hash;
    }
}
