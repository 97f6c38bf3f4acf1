package io.nightjar.formats.cdc;

import static io.nightjar.formats.text.JsonItems.member;
import static io.nightjar.formats.text.JsonItems.number;
import static io.nightjar.formats.text.JsonItems.text;
import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.text.BadRowException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parser of Debezium's change events as JSON, with or without their schemas and keys, and its BEGIN and END of
 * transactions.
 *
 * <p>PostgreSQL's transactions are named {@code xid:LSN}, and the LSN is that of the operation, so that BEGIN, events
 * and END of one transaction differ after the colon. The LSN of END is that of the commit.
 */
final class DebeziumParser extends JsonChangeParser {

    /** Placeholder for a large unchanged value, which the server does not send again. */
    private static final String UNAVAILABLE = "__debezium_unavailable_value";

    private static final Pattern SEQUENCE = Pattern.compile("\\[\\s*(?:\"(\\d{1,18})\"|null)\\s*,.*");

    private static final Pattern BINARY_LOG = Pattern.compile(".*\\.(\\d{1,18})");

    DebeziumParser(Path file) throws IOException {
        super(file, true);
    }

    @Override
    public boolean advance(ChangeEvent event) throws IOException {
        event.clear();
        if (!items.advance()) {
            return false;
        }
        Object key = items.second() == null ? member(items.item(), "key") : items.item();
        Object message = items.second() == null ? items.item() : items.second();
        if (items.second() == null && member(message, "value") != null && member(message, "op") == null) {
            message = member(message, "value");
        }
        Object payload = payload(message);
        if (payload == null) {
            return true; // the tombstone that follows a delete
        }
        String status = text(member(payload, "status"));
        if (status != null && member(payload, "id") != null && member(payload, "op") == null) {
            readFrame(event, payload, status);
        } else if (member(payload, "op") != null) {
            readChange(event, payload, payload(key));
        } else if (member(payload, "ddl") == null
                && member(payload, "ts_ms") == null
                && member(payload, "source") == null) {
            throw BadRowException.of("object is no event of Debezium").with("expected=op or status");
        }
        return true;
    }

    /** Returns the payload of a message with or without a schema. */
    private static @Nullable Object payload(@Nullable Object message) {
        boolean hasSchema = message instanceof Map<?, ?> object && object.containsKey("payload");
        return hasSchema ? member(message, "payload") : message;
    }

    private static void readFrame(ChangeEvent event, Object payload, String status) {
        String id = requireNonNull(text(member(payload, "id")));
        int colon = colonOf(id);
        event.txn = xidOf(id);
        switch (status) {
            case "BEGIN" -> event.type = ChangeEvent.Type.BEGIN;
            case "END" -> {
                event.type = ChangeEvent.Type.COMMIT;
                event.count = number(member(payload, "event_count"), HistorySlice.NONE);
                if (colon > 0) {
                    event.order = Long.parseLong(id.substring(colon + 1));
                }
            }
            default -> throw BadRowException.of("unknown status").with("status=" + status + " expected=BEGIN|END");
        }
    }

    /**
     * Returns the position of the colon between PostgreSQL's transaction number and its log position; 0 for any other
     * id.
     */
    private static int colonOf(String id) {
        int colon = id.indexOf(':');
        boolean isPair = colon > 0
                && ChangeFacts.isInteger(id.substring(0, colon))
                && ChangeFacts.isInteger(id.substring(colon + 1));
        return isPair ? colon : 0;
    }

    private static String xidOf(String id) {
        int colon = colonOf(id);
        return colon > 0 ? id.substring(0, colon) : id;
    }

    private static void readChange(ChangeEvent event, Object payload, @Nullable Object key) {
        Object source = member(payload, "source");
        String op = String.valueOf(text(member(payload, "op")));
        Object row = member(payload, op.equals("d") ? "before" : "after");
        event.table = tableOf(source);
        switch (op) {
            case "c", "u", "r" -> event.type = ChangeEvent.Type.WRITE;
            case "d" -> event.type = ChangeEvent.Type.DELETE;
            case "t" ->
                throw BadRowException.of("TRUNCATE names no rows")
                        .with("table=" + event.table)
                        .advise("delete the rows instead");
            case "m" -> {
                return; // a message of logical decoding
            }
            default -> throw BadRowException.of("unknown op").with("op=" + op + " expected=c|u|d|r");
        }
        Object image = row instanceof Map<?, ?> ? row : key;
        if (!(image instanceof Map<?, ?> columns) || columns.isEmpty()) {
            throw BadRowException.of("change without its row").with("table=" + event.table + " op=" + op);
        }
        columns.forEach((name, value) -> {
            if (!UNAVAILABLE.equals(value)) {
                event.add(String.valueOf(name), value);
            }
        });
        if (op.equals("u") && member(payload, "before") instanceof Map<?, ?> before) {
            before.forEach((name, value) -> {
                event.oldNames.add(String.valueOf(name));
                event.oldValues.add(value);
            });
        }
        if (key instanceof Map<?, ?> keys) {
            keys.keySet().forEach(name -> event.keyNames.add(String.valueOf(name)));
        }
        takeTxn(event, payload, source, op.equals("r"));
    }

    private static void takeTxn(ChangeEvent event, Object payload, @Nullable Object source, boolean isSnapshot) {
        String id = text(member(payload, "transaction", "id"));
        String xid = text(member(source, "txId"));
        String gtid = text(member(source, "gtid"));
        event.session = text(member(source, "thread"));
        if (isSnapshot) {
            event.txn = ChangeReader.SNAPSHOT;
            event.session = null;
            return;
        }
        event.txn = id != null ? xidOf(id) : xid != null ? xid : gtid;
        if (event.txn == null) {
            throw BadRowException.of("change has no transaction")
                    .with("expected=source.txId, source.gtid or transaction.id")
                    .advise("set provide.transaction.metadata=true");
        }
        String total = text(member(payload, "transaction", "total_order"));
        String lsn = text(member(source, "lsn"));
        String file = text(member(source, "file"));
        if (total != null) {
            event.identity = "#" + total;
            event.position = number(member(payload, "transaction", "total_order"), HistorySlice.NONE);
        } else if (file != null) {
            event.identity = file + ":" + text(member(source, "pos")) + ":" + text(member(source, "row"));
            takePosition(event, file, source);
        } else if (lsn != null) {
            event.identity = lsn + ":" + event.table + ":" + event.keyNames + event.values;
        }
        String sequence = text(member(source, "sequence"));
        Matcher lastCommit = SEQUENCE.matcher(sequence == null ? "" : sequence);
        if (lastCommit.matches() && lastCommit.group(1) != null) {
            event.suborder = Long.parseLong(lastCommit.group(1));
        }
    }

    /** Sets the position in the binary log, which contains transactions in commit order. */
    private static void takePosition(ChangeEvent event, String file, @Nullable Object source) {
        Matcher number = BINARY_LOG.matcher(file);
        if (number.matches()) {
            event.order = Long.parseLong(number.group(1));
            event.suborder = number(member(source, "pos"), 0);
        }
    }

    private static String tableOf(@Nullable Object source) {
        String schema = text(member(source, "schema"));
        String database = schema == null ? text(member(source, "db")) : schema;
        String table = String.valueOf(text(member(source, "table")));
        return database == null ? table : database + "." + table;
    }
}
