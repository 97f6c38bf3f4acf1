package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.text.TextOutput;
import java.io.IOException;

/**
 * Writes the JSON of dbcop, one transaction per line, after a header with the parameters of an equivalent generator
 * run.
 */
final class DbcopJsonText implements SessionText {

    private final FormatLimits fit = new FormatLimits("dbcop-json").namedKeys();

    @Override
    public void check(HistorySlice slice, int txn) {
        fit.check(slice, txn);
    }

    @Override
    public void write(BufferedHistory history, TextOutput out) throws IOException {
        DbcopSize size = DbcopSize.of(history);
        out.ascii("{\"params\":{\"id\":0,\"n_node\":").number(size.sessions()).ascii(",\"n_variable\":");
        out.number(size.variables()).ascii(",\"n_transaction\":").number(size.maxSessionLength());
        out.ascii(",\"n_event\":").number(size.maxTxnLength());
        // times of a generator's run, which dbcop's reader requires
        out.ascii(
                "},\"info\":\"written by nightjar\",\"start\":\"1970-01-01T00:00:00Z\",\"end\":\"1970-01-01T00:00:00Z\",");
        out.ascii("\"data\":[");
        for (int i = 0; i < history.size(); i++) {
            boolean isNewSession = i == 0 || history.session(i) != history.session(i - 1);
            out.ascii(isNewSession ? i == 0 ? "\n[" : "],\n[" : ",\n");
            writeTxn(history.slice(i), history.txn(i), out);
            out.flushIfFull();
        }
        out.ascii(history.size() == 0 ? "]}\n" : "]]}\n");
    }

    private static void writeTxn(HistorySlice slice, int txn, TextOutput out) {
        out.ascii("{\"events\":[");
        int first = slice.firstOpOf[txn];
        for (int op = first; op < slice.firstOpOf[txn + 1]; op++) {
            out.ascii(op > first ? "," : "");
            out.ascii(slice.kind[op] == OpKind.WRITE ? "{\"Write\":{\"variable\":" : "{\"Read\":{\"variable\":");
            out.jsonKey(slice, op).ascii(",\"version\":");
            if (slice.kind[op] == OpKind.READ_NOTHING) {
                out.ascii("null");
            } else {
                out.number(slice.value[op]);
            }
            out.ascii("}}");
        }
        out.ascii("],\"committed\":").ascii(slice.status[txn] == TxnStatus.COMMITTED ? "true}" : "false}");
    }
}
