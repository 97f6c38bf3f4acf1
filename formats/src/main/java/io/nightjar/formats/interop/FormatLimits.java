package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;

/** Limits of a foreign format: rejects transactions that it cannot store; no transaction is shortened. */
final class FormatLimits {

    private final String format;
    private boolean refusesAborted;
    private boolean refusesEmpty;
    private boolean refusesNamedKeys = true;
    private boolean refusesNegative = true;
    private boolean refusesLists = true;
    private final Long2LongOpenHashMap lastSeqOf = new Long2LongOpenHashMap();

    FormatLimits(String format) {
        this.format = format;
        lastSeqOf.defaultReturnValue(HistorySlice.NONE);
    }

    /** Permits committed transactions only. */
    FormatLimits committedOnly() {
        refusesAborted = true;
        return this;
    }

    /** Rejects transactions without operations. */
    FormatLimits neverEmpty() {
        refusesEmpty = true;
        return this;
    }

    /** Permits string keys. */
    FormatLimits namedKeys() {
        refusesNamedKeys = false;
        return this;
    }

    /** Permits negative numbers. */
    FormatLimits signed() {
        refusesNegative = false;
        return this;
    }

    /** Permits lists. */
    FormatLimits lists() {
        refusesLists = false;
        return this;
    }

    /** Rejects a transaction that is not after the earlier ones of its session. */
    void checkOrder(HistorySlice slice, int txn) {
        long last = lastSeqOf.put(slice.sessionId[txn], slice.sessionSeq[txn]);
        if (last != HistorySlice.NONE && last > slice.sessionSeq[txn]) {
            throw unfit(
                    slice,
                    txn,
                    "session_id=%d session_seq=%d follows session_seq=%d"
                            .formatted(slice.sessionId[txn], slice.sessionSeq[txn], last),
                    "its order in a session is that of the rows");
        }
    }

    void check(HistorySlice slice, int txn) {
        byte status = slice.status[txn];
        if (status == TxnStatus.UNKNOWN || (status == TxnStatus.ABORTED && refusesAborted)) {
            String known = refusesAborted
                    ? "committed ones only, convert --committed-only omits the others"
                    : "committed and aborted ones only, convert --committed-only omits the others";
            throw unfit(slice, txn, "status=%s".formatted(TxnStatus.name(status)), "it has " + known);
        }
        int first = slice.firstOpOf[txn];
        int end = slice.firstOpOf[txn + 1];
        if (first == end) {
            if (refusesEmpty) {
                throw unfit(slice, txn, "operations=0", "it has operations always");
            }
            return;
        }
        if (refusesNamedKeys && slice.keyType == ValueType.STRING) {
            throw unfit(slice, txn, "keys are strings", "it has integers only");
        }
        for (int op = first; op < end; op++) {
            checkOp(slice, txn, op);
        }
    }

    private void checkOp(HistorySlice slice, int txn, int op) {
        byte kind = slice.kind[op];
        boolean isOfList = kind == OpKind.READ_LIST || kind == OpKind.APPEND;
        boolean isOtherWrite = kind != OpKind.WRITE && OpKind.isWrite(kind);
        if (!OpKind.isItem(kind) || (isOfList ? refusesLists : isOtherWrite)) {
            String found = kind == OpKind.READ_LIST ? "r of a list" : OpKind.name(kind);
            String known = refusesLists ? "it has registers only" : "it has registers and lists only";
            throw unfit(slice, txn, "kind=%s".formatted(found), known);
        }
        if (refusesNegative && slice.keyType == ValueType.LONG && slice.key[op] < 0) {
            throw unfit(slice, txn, "key=%d".formatted(slice.key[op]), "its numbers are unsigned");
        }
        if (kind == OpKind.READ_NOTHING) {
            return;
        }
        if (slice.valueType == ValueType.STRING) {
            throw unfit(slice, txn, "values are strings", "it has integers only");
        }
        if (refusesNegative && slice.value[op] < 0) {
            throw unfit(slice, txn, "value=%d".formatted(slice.value[op]), "its numbers are unsigned");
        }
    }

    MalformedHistoryException unfit(HistorySlice slice, int txn, String details, String advice) {
        return new MalformedHistoryException(
                slice.locationOf(txn),
                InputError.of("does not fit the format " + format)
                        .with("txn_id=%d %s", slice.txnId[txn], details)
                        .advise(advice));
    }
}
