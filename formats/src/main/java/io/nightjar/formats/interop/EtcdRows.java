package io.nightjar.formats.interop;

import static io.nightjar.formats.text.JsonItems.list;
import static io.nightjar.formats.text.JsonItems.member;
import static io.nightjar.formats.text.JsonItems.number;
import static io.nightjar.formats.text.JsonItems.text;
import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.JsonText;
import io.nightjar.formats.text.RowSliceBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads operations in the format of Porcupine, {@code {"ClientId":1,"Input":…,"Call":10,"Output":…,"Return":20}}:
 * requests to etcd as its robustness tests record them, or reads and writes of single keys.
 *
 * <p>A request to etcd is a transaction: its revision is the commit order, and its reads return the state of the
 * previous revision.
 */
final class EtcdRows extends JsonRows {

    private byte status;
    private long start;
    private long commit;

    EtcdRows(Path file, RowSliceBuilder sink) throws IOException {
        super(file, sink);
    }

    @Override
    boolean isPassedOver(@Nullable Object item) {
        Object input = member(item, "Input");
        if (input == null || member(item, "Call") == null) {
            throw BadRowException.of("object is no operation").with("expected=ClientId,Input,Call,Output,Return");
        }
        return !isOfKeys(input); // leases, compactions and similar requests access no key
    }

    @Override
    void readRow(@Nullable Object item) {
        readRequest(requireNonNull(member(item, "Input")), member(item, "Output"));
        addTxn(item);
    }

    private static boolean isOfKeys(Object input) {
        boolean isEtcd = member(input, "Type") != null;
        return !isEtcd || member(input, "Txn") != null || member(input, "Range") != null;
    }

    private void addTxn(@Nullable Object item) {
        long session = number(member(item, "ClientId"), 0);
        long call = number(member(item, "Call"), HistorySlice.NONE);
        long end = number(member(item, "Return"), HistorySlice.NONE);
        SliceBuilder row = sink.beginTxn(sink.position(), session, sink.positionIn(session));
        row.status(status).clientTimes(call, status == TxnStatus.UNKNOWN ? HistorySlice.NONE : end);
        if (status == TxnStatus.COMMITTED) {
            row.timestamps(start, commit);
        }
        String error = text(member(item, "Output", "Error"));
        sink.endRow(error == null || error.isEmpty() ? null : "{\"error\":" + JsonText.quoted(error) + "}");
    }

    private void readRequest(Object input, @Nullable Object output) {
        start = HistorySlice.NONE;
        commit = HistorySlice.NONE;
        String error = text(member(output, "Error"));
        String refused = text(member(output, "ClientError"));
        boolean isUnknown =
                output == null || error != null && !error.isEmpty() || Boolean.TRUE.equals(member(output, "Persisted"));
        status = isUnknown
                ? TxnStatus.UNKNOWN
                : refused != null && !refused.isEmpty() ? TxnStatus.ABORTED : TxnStatus.COMMITTED;
        Object txn = member(input, "Txn");
        if (txn != null) {
            readTxn(txn, member(output, "Txn"), number(member(output, "Revision"), -1));
        } else if (member(input, "Range") != null) {
            readRange(member(input, "Range"), output);
        } else {
            readSingle(input, output);
        }
    }

    // ---------------------------------------------------------------- etcd

    private void readTxn(Object txn, @Nullable Object answer, long revision) {
        boolean isFailure = Boolean.TRUE.equals(member(answer, "Failure"));
        List<?> steps = list(member(txn, isFailure ? "OperationsOnFailure" : "OperationsOnSuccess"));
        List<?> results = list(member(answer, "Results"));
        boolean isAnswered = status == TxnStatus.COMMITTED;
        if (isAnswered && results.size() != steps.size()) {
            throw BadRowException.of("as many results as operations expected")
                    .with("operations=" + steps.size() + " results=" + results.size());
        }
        boolean isWriter = false;
        for (int i = 0; i < steps.size(); i++) {
            Object step = steps.get(i);
            String type = String.valueOf(text(member(step, "Type")));
            Object result = isAnswered ? results.get(i) : null;
            switch (type) {
                case "range-operation" -> {
                    if (isAnswered) {
                        reads(member(step, "Range"), result);
                    }
                }
                case "put-operation" -> {
                    write(member(step, "Put", "Key"), valueOf(member(step, "Put", "Value")));
                    version(revision);
                    isWriter = true;
                }
                case "delete-operation" -> {
                    boolean isThere = !isAnswered || number(member(result, "Deleted"), 1) > 0;
                    if (isThere) {
                        delete(member(step, "Delete", "Key"));
                        version(revision);
                        isWriter = true;
                    }
                }
                default ->
                    throw BadRowException.of("unknown operation")
                            .with("type=" + type + " expected=range-operation|put-operation|delete-operation");
            }
        }
        if (isAnswered && revision > 0) {
            start = isWriter ? revision - 1 : revision;
            commit = revision;
        }
    }

    private void version(long revision) {
        if (status == TxnStatus.COMMITTED && revision > 0) {
            sink.ops().version(revision);
        }
    }

    private void readRange(@Nullable Object range, @Nullable Object output) {
        if (status != TxnStatus.COMMITTED) {
            return;
        }
        reads(range, member(output, "Range"));
        long asked = number(member(range, "Revision"), 0);
        long revision = asked > 0 ? asked : number(member(output, "Revision"), -1);
        if (revision > 0) {
            start = revision;
            commit = revision;
        }
    }

    /** Adds the reads of a range; a missing single key is a read of null. */
    private void reads(@Nullable Object range, @Nullable Object result) {
        List<?> rows = list(member(result, "KVs"));
        for (Object row : rows) {
            read(member(row, "Key"), valueOf(member(row, "Value")));
            long version = number(member(row, "ModRevision"), 0);
            if (version > 0) {
                sink.ops().version(version);
            }
        }
        String end = text(member(range, "End"));
        if (rows.isEmpty() && (end == null || end.isEmpty())) {
            read(member(range, "Start"), null);
        }
    }

    /** Returns the value; long values are recorded by their hash. */
    private static @Nullable Object valueOf(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> members)) {
            return value;
        }
        Object hash = members.get("Hash");
        boolean isHashed = hash instanceof Long number && number != 0;
        Object text = members.get("Value");
        return isHashed ? "#" + hash : text == null ? "" : text;
    }

    // ---------------------------------------------------------------- single keys

    private void readSingle(Object input, @Nullable Object output) {
        String op = String.valueOf(text(any(input, "Op", "op", "Operation")));
        Object key = any(input, "Key", "key");
        key = key == null ? "register" : key;
        Object value = any(input, "Value", "value");
        switch (op.toLowerCase(Locale.ROOT)) {
            case "0", "get", "read", "r" -> {
                if (status == TxnStatus.COMMITTED) {
                    Object read = output instanceof Map<?, ?> ? any(output, "Value", "value") : output;
                    read(key, "".equals(read) ? null : read);
                }
            }
            case "1", "put", "write", "w", "set" -> write(key, value);
            default ->
                throw BadRowException.of("operation is no read and no write of a key")
                        .with("op=" + op + " expected=get|put");
        }
    }

    private static @Nullable Object any(Object of, String... names) {
        for (String name : names) {
            Object found = member(of, name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
