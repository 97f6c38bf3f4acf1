package io.nightjar.formats.text;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes TimeKiller's JSON, so that other checkers can read the same history.
 *
 * <p>That format stores less than a history: rows with data that affects the verdict and cannot be stored are rejected;
 * client times, versions, writers and extras are omitted.
 */
public final class TimeKillerWriter implements HistoryWriter {

    private final TextOutput out;
    private final Long2LongOpenHashMap lastSeqOf = new Long2LongOpenHashMap();
    private boolean isFirst = true;

    public TimeKillerWriter(Path file) throws IOException {
        this.out = new TextOutput(file);
        lastSeqOf.defaultReturnValue(HistorySlice.NONE);
        out.ascii("[\n");
    }

    @Override
    public void write(HistorySlice slice) throws IOException {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            check(slice, txn);
            out.ascii(isFirst ? "" : ",\n");
            isFirst = false;
            writeTxn(slice, txn);
            out.flushIfFull();
        }
    }

    @Override
    public void finish() throws IOException {
        out.ascii(isFirst ? "]\n" : "\n]\n");
        out.finish();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    private void check(HistorySlice slice, int txn) {
        if (slice.status[txn] != TxnStatus.COMMITTED) {
            throw unfit(
                    slice,
                    txn,
                    "status=" + TxnStatus.name(slice.status[txn]),
                    "it has committed ones only, convert --committed-only omits the others");
        }
        if (slice.startTs == null || slice.startTs[txn] == HistorySlice.NONE) {
            throw unfit(slice, txn, "start_ts is missing", "it has timestamps always");
        }
        boolean hasOps = slice.firstOpOf[txn + 1] > slice.firstOpOf[txn];
        if (hasOps && (slice.keyType == ValueType.STRING || slice.valueType == ValueType.STRING)) {
            throw unfit(slice, txn, "keys or values are strings", "it has integers only");
        }
        long session = slice.sessionId[txn];
        long last = lastSeqOf.put(session, slice.sessionSeq[txn]);
        if (last != HistorySlice.NONE && last > slice.sessionSeq[txn]) {
            throw unfit(
                    slice,
                    txn,
                    "session_id=%d session_seq=%d follows session_seq=%d"
                            .formatted(session, slice.sessionSeq[txn], last),
                    "its order in a session is that of the rows");
        }
    }

    private static MalformedHistoryException unfit(HistorySlice slice, int txn, String details, String advice) {
        return new MalformedHistoryException(
                slice.locationOf(txn),
                InputError.of("does not fit the format timekiller")
                        .with("txn_id=%d %s", slice.txnId[txn], details)
                        .advise(advice));
    }

    private void writeTxn(HistorySlice slice, int txn) {
        out.ascii("{\"tid\":");
        out.number(slice.txnId[txn]);
        out.ascii(",\"sid\":");
        out.number(slice.sessionId[txn]);
        out.ascii(",\"sts\":{\"p\":");
        out.number(slice.startTs[txn]);
        out.ascii(",\"l\":0},\"cts\":{\"p\":");
        out.number(commitTs(slice, txn));
        out.ascii(",\"l\":0},\"ops\":[");
        int first = slice.firstOpOf[txn];
        for (int op = first; op < slice.firstOpOf[txn + 1]; op++) {
            out.ascii(op == first ? "" : ",");
            writeOp(slice, txn, op);
        }
        out.ascii("]}");
    }

    /** Returns the commit timestamp; a read-only transaction without one commits when it starts. */
    private static long commitTs(HistorySlice slice, int txn) {
        long commit = slice.commitTs[txn];
        if (commit != HistorySlice.NONE && commit != 0) {
            return commit;
        }
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            if (OpKind.isWrite(slice.kind[op])) {
                if (commit == 0) {
                    return commit;
                }
                throw unfit(slice, txn, "commit_ts is missing", "it has timestamps always");
            }
        }
        return slice.startTs[txn];
    }

    private void writeOp(HistorySlice slice, int txn, int op) {
        byte kind = slice.kind[op];
        if (kind == OpKind.ADD || kind == OpKind.INCREMENT || !OpKind.isItem(kind)) {
            throw unfit(slice, txn, "kind=" + OpKind.name(kind), "it has registers and lists only");
        }
        out.ascii("{\"t\":\"");
        out.ascii(kind == OpKind.APPEND ? "a" : OpKind.name(kind));
        out.ascii("\",\"k\":");
        out.number(slice.key[op]);
        out.ascii(",\"v\":");
        if (kind == OpKind.READ_NOTHING) {
            out.ascii("null");
        } else if (kind == OpKind.READ_LIST) {
            out.jsonList(slice, slice.value[op]);
        } else {
            out.number(slice.value[op]);
        }
        out.ascii("}");
    }
}
