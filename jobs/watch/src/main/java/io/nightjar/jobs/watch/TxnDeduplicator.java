package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.primitive.Mix;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Filter of repeated transactions, by their ids and positions in sessions. */
final class TxnDeduplicator {

    /**
     * Maximum number of recent transactions whose contents are compared; an older repeated one is dropped without
     * comparison.
     */
    private static final int MAX_CONTENTS = 3 << 17;

    private static final int MIN_CONTENTS = 1 << 10;
    private static final int BYTES_OF_CONTENT = 64;
    private static final int SHARE_OF_MEMORY = 32;

    private final BadRowHandler letters;
    private final IdSet ids = new IdSet();
    private final IdSet positions = new IdSet(); // of each session, from an offset by its hash
    private final int maxContents;
    private Long2LongOpenHashMap contents; // hash, by id, of the last transactions
    private Long2LongOpenHashMap contentsBefore; // of as many before them
    private final SliceFilter slices = new SliceFilter();
    private long repeated;

    TxnDeduplicator(BadRowHandler letters) {
        this(letters, Runtime.getRuntime().maxMemory());
    }

    TxnDeduplicator(BadRowHandler letters, long memoryBytes) {
        this.letters = letters;
        long fit = memoryBytes / SHARE_OF_MEMORY / BYTES_OF_CONTENT;
        this.maxContents = (int) Math.max(MIN_CONTENTS, Math.min(MAX_CONTENTS, fit));
        this.contents = new Long2LongOpenHashMap(maxContents);
        this.contentsBefore = new Long2LongOpenHashMap();
    }

    /** Returns the number of repeated transactions that were dropped. */
    long repeated() {
        return repeated;
    }

    long byteSize() {
        return ids.byteSize()
                + positions.byteSize()
                + BYTES_OF_CONTENT * (long) (contents.size() + contentsBefore.size());
    }

    /** Returns the new transactions of a slice; null if all are repeated. */
    @Nullable
    HistorySlice takeNew(HistorySlice slice) {
        return slices.filter(slice, txn -> isNew(slice, txn));
    }

    /** @param contents ids and hashes of the transactions before the last ones, then of these */
    record State(long repeated, IdSet.State ids, IdSet.State positions, List<long[]> contents) {}

    State state() {
        List<long[]> columns = new ArrayList<>();
        for (Long2LongOpenHashMap generation : List.of(contentsBefore, contents)) {
            columns.add(generation.keySet().toLongArray());
            columns.add(generation.values().toLongArray());
        }
        return new State(repeated, ids.state(), positions.state(), columns);
    }

    void resume(State state) {
        repeated = state.repeated;
        ids.addAll(state.ids);
        positions.addAll(state.positions);
        contentsBefore = new Long2LongOpenHashMap(state.contents.get(0), state.contents.get(1));
        contents = new Long2LongOpenHashMap(state.contents.get(2), state.contents.get(3));
    }

    private boolean isNew(HistorySlice slice, int txn) {
        long id = slice.txnId[txn];
        if (ids.contains(id)) {
            settleAgain(slice, txn, id);
            return false;
        }
        long session = slice.sessionId[txn];
        if (id <= OnlineCheck.LAST_INITIAL_ID || session <= OnlineCheck.LAST_INITIAL_ID) {
            refuse(slice, txn, InputError.of("id is reserved").with("txn=" + id + " session=" + session));
            return false;
        }
        if (!positions.add(Mix.hash(session) + slice.sessionSeq[txn])) {
            refuse(
                    slice,
                    txn,
                    InputError.of("position in its session is taken")
                            .with("session=" + session + " seq=" + slice.sessionSeq[txn]));
            return false;
        }
        ids.add(id);
        if (contents.size() == maxContents) {
            contentsBefore = contents;
            contents = new Long2LongOpenHashMap(maxContents);
        }
        contents.put(id, content(slice, txn));
        return true;
    }

    private void settleAgain(HistorySlice slice, int txn, long id) {
        long content = content(slice, txn);
        if (contents.getOrDefault(id, contentsBefore.getOrDefault(id, content)) != content) {
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

    /**
     * Returns a hash of a transaction's content, without its position, which may be counted differently on repetition.
     */
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

    private static long text(ValueType type, StringPool names, long number) {
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
