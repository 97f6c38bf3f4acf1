package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongSet;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the participants of findings, and facts about the keys of findings, that passes gathered.
 *
 * @param initialValue the value that means the initial state as null does, as text; null if none does
 * @param countedUnknown ids of unknown transactions from which a committed one read
 */
record GatheredFacts(
        RawTxns raw, Long2ObjectOpenHashMap<KeyFacts> ofKey, @Nullable String initialValue, LongSet countedUnknown) {

    /** Returns whether a transaction may have committed, or not. */
    boolean isOptional(int txn) {
        return raw.status[txn] == TxnStatus.UNKNOWN && !countedUnknown.contains(raw.txnId[txn]);
    }

    KeyFacts of(long key) {
        return ofKey.get(key);
    }

    /** Returns the value that means the initial state of a key as null does; null if none does. */
    @Nullable
    Long initialOf(long key) {
        if (!raw.values.isPossible(initialValue)) {
            return null;
        }
        long initial = raw.values.intern(initialValue);
        KeyFacts.Value written = of(key).valueOf.get(initial);
        return written != null && written.isWrittenByCommitted ? null : (Long) initial;
    }

    /** Returns whether a read returned the initial state of a register. */
    boolean isInitial(int read) {
        Long initial = raw.kind[read] == OpKind.READ ? initialOf(raw.key[read]) : null;
        return raw.kind[read] == OpKind.READ_NOTHING || initial != null && raw.value[read] == initial;
    }
}
