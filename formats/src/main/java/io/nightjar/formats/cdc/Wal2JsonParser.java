package io.nightjar.formats.cdc;

import static io.nightjar.formats.text.JsonItems.list;
import static io.nightjar.formats.text.JsonItems.member;
import static io.nightjar.formats.text.JsonItems.text;
import static java.util.Objects.requireNonNull;

import io.nightjar.formats.text.BadRowException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parser of the output of PostgreSQL's wal2json: an object per transaction with a list {@code change} (version 1), or
 * an object per change with an {@code action} (version 2).
 */
final class Wal2JsonParser extends JsonChangeParser {

    // State of an object of version 1: its changes, the number already returned, and whether its start was returned.
    private @Nullable List<?> changes;
    private int given;
    private @Nullable String txn;
    private @Nullable String time;

    Wal2JsonParser(Path file) throws IOException {
        super(file, false);
    }

    @Override
    public boolean advance(ChangeEvent event) throws IOException {
        event.clear();
        if (changes != null) {
            nextOfTxn(event);
            return true;
        }
        if (!items.advance()) {
            return false;
        }
        Object item = items.item();
        if (member(item, "change") != null) {
            changes = list(member(item, "change"));
            given = 0;
            txn = text(member(item, "xid"));
            time = text(member(item, "timestamp"));
            if (txn == null && isMessageAlone(changes)) {
                changes = null;
                event.type = ChangeEvent.Type.NOTHING;
                return true;
            }
            event.type = ChangeEvent.Type.BEGIN;
            event.txn = txn;
            return true;
        }
        String action = text(member(item, "action"));
        if (action == null) {
            throw BadRowException.of("object has neither change nor action");
        }
        event.txn = text(member(item, "xid"));
        switch (action) {
            case "B" -> event.type = ChangeEvent.Type.BEGIN;
            case "C" -> {
                event.type = ChangeEvent.Type.COMMIT;
                takeTime(event, text(member(item, "timestamp")));
            }
            case "I", "U", "D" -> readVersion2(event, requireNonNull(item), action);
            case "T" -> throw truncated(tableOf(requireNonNull(item)));
            case "M" -> event.type = ChangeEvent.Type.NOTHING;
            default -> throw BadRowException.of("unknown action").with("action=" + action + " expected=B|C|I|U|D|T|M");
        }
        return true;
    }

    /** Returns whether the object contains only a message outside any transaction. */
    private static boolean isMessageAlone(List<?> changes) {
        return changes.size() == 1
                && "message".equals(text(member(changes.get(0), "kind")))
                && Boolean.FALSE.equals(member(changes.get(0), "transactional"));
    }

    private void nextOfTxn(ChangeEvent event) {
        if (given == requireNonNull(changes).size()) {
            changes = null;
            event.type = ChangeEvent.Type.COMMIT;
            event.txn = txn;
            takeTime(event, time);
            return;
        }
        Object change = changes.get(given++);
        event.txn = txn;
        String kind = String.valueOf(text(member(change, "kind")));
        switch (kind) {
            case "insert", "update" -> {
                event.type = ChangeEvent.Type.WRITE;
                pairs(event, list(member(change, "columnnames")), list(member(change, "columnvalues")));
            }
            case "delete" -> {
                event.type = ChangeEvent.Type.DELETE;
                pairs(event, list(member(change, "oldkeys", "keynames")), list(member(change, "oldkeys", "keyvalues")));
            }
            case "truncate" -> throw truncated(tableOf(change));
            default -> {
                if (!kind.equals("message")) {
                    throw BadRowException.of("unknown kind").with("kind=" + kind + " expected=insert|update|delete");
                }
                return;
            }
        }
        event.table = tableOf(change);
        for (Object name : list(member(change, "pk", "pknames"))) {
            event.keyNames.add(String.valueOf(name));
        }
        List<?> oldNames = list(member(change, "oldkeys", "keynames"));
        if (kind.equals("update") && !oldNames.isEmpty()) {
            List<?> oldValues = list(member(change, "oldkeys", "keyvalues"));
            takeOldKey(event, oldNames, oldValues);
        } else if (kind.equals("delete") && event.keyNames.isEmpty()) {
            event.keyNames.addAll(event.names);
        }
        checkColumns(event);
    }

    private static void takeOldKey(ChangeEvent event, List<?> oldNames, List<?> oldValues) {
        if (event.keyNames.isEmpty()) {
            oldNames.forEach(name -> event.keyNames.add(String.valueOf(name)));
        }
        for (int i = 0; i < Math.min(oldNames.size(), oldValues.size()); i++) {
            event.oldNames.add(String.valueOf(oldNames.get(i)));
            event.oldValues.add(oldValues.get(i));
        }
    }

    private static void pairs(ChangeEvent event, List<?> names, List<?> values) {
        if (names.size() != values.size()) {
            throw BadRowException.of("as many values as names expected")
                    .with("names=" + names.size() + " values=" + values.size());
        }
        for (int i = 0; i < names.size(); i++) {
            event.add(String.valueOf(names.get(i)), values.get(i));
        }
    }

    private static void readVersion2(ChangeEvent event, Object item, String action) {
        boolean isDelete = action.equals("D");
        event.type = isDelete ? ChangeEvent.Type.DELETE : ChangeEvent.Type.WRITE;
        event.table = tableOf(item);
        for (Object column : list(member(item, isDelete ? "identity" : "columns"))) {
            event.add(String.valueOf(text(member(column, "name"))), member(column, "value"));
        }
        for (Object column : list(member(item, "pk"))) {
            event.keyNames.add(String.valueOf(text(member(column, "name"))));
        }
        List<?> identity = list(member(item, "identity"));
        if (!identity.isEmpty()) {
            List<String> names = identity.stream()
                    .map(column -> String.valueOf(text(member(column, "name"))))
                    .toList();
            List<Object> values = new ArrayList<>();
            identity.forEach(column -> values.add(member(column, "value")));
            if (action.equals("U")) {
                takeOldKey(event, names, values);
            } else if (event.keyNames.isEmpty()) {
                event.keyNames.addAll(names);
            }
        }
        checkColumns(event);
    }

    private static void checkColumns(ChangeEvent event) {
        if (event.names.isEmpty()) {
            throw BadRowException.of("change without its row")
                    .with("table=" + event.table)
                    .advise("ALTER TABLE … REPLICA IDENTITY FULL, or give it a primary key");
        }
    }

    private static @Nullable String tableOf(Object of) {
        String schema = text(member(of, "schema"));
        String table = text(member(of, "table"));
        return schema == null ? table : schema + "." + table;
    }

    private static BadRowException truncated(@Nullable String table) {
        return BadRowException.of("TRUNCATE names no rows")
                .with("table=" + table)
                .advise("delete the rows instead");
    }

    private static void takeTime(ChangeEvent event, @Nullable String time) {
        if (time != null) {
            event.extraName = "commit_time";
            event.extraText = time;
        }
    }
}
