package io.nightjar.formats.cdc;

import static io.nightjar.formats.text.JsonItems.list;
import static io.nightjar.formats.text.JsonItems.member;
import static io.nightjar.formats.text.JsonItems.number;
import static io.nightjar.formats.text.JsonItems.text;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.text.BadRowException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parser of all versions of keys from TiDB's status port ({@code /mvcc/key/…}, {@code /mvcc/hex/…}): an object per key,
 * with the start and commit timestamp of each write.
 */
final class TidbParser extends JsonChangeParser {

    private static final long PUT = 0;
    private static final long DELETE = 1;
    private static final long LOCK = 2;
    private static final long ROLLBACK = 3;

    private @Nullable String key;
    private @Nullable List<?> writes;
    private List<?> values = List.of();
    private int given;

    TidbParser(Path file) throws IOException {
        super(file, false);
    }

    @Override
    public boolean advance(ChangeEvent event) throws IOException {
        event.clear();
        if (writes != null && given < writes.size()) {
            readWrite(event, writes.get(given++));
            return true;
        }
        writes = null;
        if (!items.advance()) {
            return false;
        }
        Object item = items.item();
        key = text(member(item, "key"));
        Object info = member(item, "value", "info");
        info = info == null ? member(item, "info") : info;
        if (key == null || info == null) {
            throw BadRowException.of("object is no versions of a key").with("expected=key,value.info.writes");
        }
        writes = list(member(info, "writes"));
        values = list(member(info, "values"));
        given = 0;
        return true; // an event without content
    }

    private void readWrite(ChangeEvent event, Object write) {
        long start = number(member(write, "start_ts"), HistorySlice.NONE);
        long commit = number(member(write, "commit_ts"), HistorySlice.NONE);
        if (start == HistorySlice.NONE || commit == HistorySlice.NONE) {
            throw BadRowException.of("write without start_ts or commit_ts").with("key=" + key);
        }
        long type = number(member(write, "type"), PUT);
        if (type == LOCK) {
            return; // the key was locked but not changed
        }
        if (type < PUT || type > ROLLBACK) {
            throw BadRowException.of("unknown type of a write").with("type=" + type + " expected=0|1|2|3");
        }
        event.txn = Long.toString(start);
        event.start = start;
        event.table = "";
        event.key = List.of(key);
        if (type == ROLLBACK) {
            event.type = ChangeEvent.Type.ABORT;
            return;
        }
        event.commit = commit;
        event.order = commit;
        event.type = type == DELETE ? ChangeEvent.Type.DELETE : ChangeEvent.Type.WRITE;
        event.identity = key + "@" + start;
        event.add("value", type == DELETE ? null : valueOf(write, start));
    }

    private String valueOf(Object write, long start) {
        String value = text(member(write, "short_value"));
        for (int i = 0; i < values.size() && value == null; i++) {
            boolean isIts = number(member(values.get(i), "start_ts"), HistorySlice.NONE) == start;
            value = isIts ? text(member(values.get(i), "value")) : null;
        }
        return value == null ? "" : value;
    }
}
