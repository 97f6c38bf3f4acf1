package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.text.TextOutput;
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
    private final FormatLimits fit =
            new FormatLimits("timekiller").committedOnly().signed().lists();
    private boolean isFirst = true;

    public TimeKillerWriter(Path file) throws IOException {
        this.out = new TextOutput(file);
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
        fit.check(slice, txn);
        fit.checkOrder(slice, txn);
        if (slice.startTs == null || slice.startTs[txn] == HistorySlice.NONE) {
            throw fit.unfit(slice, txn, "start_ts is missing", "it has timestamps always");
        }
    }

    private void writeTxn(HistorySlice slice, int txn) {
        out.ascii("{\"tid\":").number(slice.txnId[txn]).ascii(",\"sid\":").number(slice.sessionId[txn]);
        out.ascii(",\"sts\":{\"p\":").number(slice.startTs[txn]).ascii(",\"l\":0},\"cts\":{\"p\":");
        out.number(commitTs(slice, txn)).ascii(",\"l\":0},\"ops\":[");
        int first = slice.firstOpOf[txn];
        for (int op = first; op < slice.firstOpOf[txn + 1]; op++) {
            out.ascii(op == first ? "" : ",");
            writeOp(slice, op);
        }
        out.ascii("]}");
    }

    /** Returns the commit timestamp; a read-only transaction without one commits when it starts. */
    private long commitTs(HistorySlice slice, int txn) {
        long commit = slice.commitTs[txn];
        if (commit != HistorySlice.NONE && commit != 0) {
            return commit;
        }
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            if (OpKind.isWrite(slice.kind[op])) {
                if (commit == 0) {
                    return commit;
                }
                throw fit.unfit(slice, txn, "commit_ts is missing", "it has timestamps always");
            }
        }
        return slice.startTs[txn];
    }

    private void writeOp(HistorySlice slice, int op) {
        byte kind = slice.kind[op];
        out.ascii("{\"t\":\"").ascii(kind == OpKind.APPEND ? "a" : OpKind.name(kind));
        out.ascii("\",\"k\":").number(slice.key[op]).ascii(",\"v\":");
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
