package io.nightjar.formats.cdc;

import static io.nightjar.formats.text.JsonItems.list;
import static io.nightjar.formats.text.JsonItems.member;
import static io.nightjar.formats.text.JsonItems.text;

import io.nightjar.formats.text.BadRowException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parser of CockroachDB's changefeeds: one object per change with {@code mvcc_timestamp} or {@code updated}, {@code
 * "<wall>.<logical>"}.
 *
 * <p>No other field identifies the transaction of a change, and two transactions that do not depend on each other may
 * share a timestamp.
 */
final class CockroachParser extends JsonChangeParser {

    private static final Pattern CLOCK = Pattern.compile("(\\d{1,18}|\\d{19})(?:\\.(\\d{1,18}))?");

    private final String topic;

    CockroachParser(Path file) throws IOException {
        super(file, true);
        topic = topicOf(String.valueOf(file.getFileName()));
    }

    /**
     * Returns the topic of a changefeed's file, which is named time-job-session-node-sink-number-topic-schema.ndjson.
     */
    private static String topicOf(String file) {
        String[] tokens = file.split("-");
        return tokens.length >= 3 && tokens[0].matches("\\d{20,}") ? tokens[tokens.length - 2] : "row";
    }

    @Override
    public boolean advance(ChangeEvent event) throws IOException {
        event.clear();
        if (!items.advance()) {
            return false;
        }
        boolean isPair = items.second() != null;
        Object message = isPair ? items.second() : items.item();
        if (member(message, "payload") instanceof Map<?, ?> payload) {
            message = payload;
        }
        if (member(message, "resolved") != null
                && member(message, "after") == null
                && member(message, "updated") == null) {
            return true;
        }
        String clock = text(member(message, "mvcc_timestamp"));
        clock = clock == null ? text(member(message, "updated")) : clock;
        if (clock == null) {
            throw BadRowException.of("change has no timestamp")
                    .with("expected=mvcc_timestamp or updated")
                    .advise("create the changefeed WITH mvcc_timestamp");
        }
        Matcher match = CLOCK.matcher(clock);
        if (!match.matches()) {
            throw BadRowException.of("not a timestamp").with("value=" + clock + " expected=<wall>.<logical>");
        }
        event.txn = clock;
        event.order = number(match.group(1), clock);
        event.suborder = match.group(2) == null ? 0 : Long.parseLong(match.group(2));
        event.extraName = "mvcc_timestamp";
        event.extraText = clock;
        readRow(event, message);
        return true;
    }

    private static long number(String wall, String clock) {
        try {
            return Long.parseLong(wall);
        } catch (NumberFormatException tooLarge) {
            throw BadRowException.of("timestamp does not fit int64").with("value=" + clock);
        }
    }

    private void readRow(ChangeEvent event, @Nullable Object message) {
        String named = text(member(message, "topic"));
        event.table = named == null ? topic : named;
        List<?> key = list(member(message, "key"));
        Object after = member(message, "after");
        boolean isDelete = !(after instanceof Map<?, ?>);
        event.type = isDelete ? ChangeEvent.Type.DELETE : ChangeEvent.Type.WRITE;
        Object row = isDelete ? member(message, "before") : after;
        if (row instanceof Map<?, ?> columns) {
            columns.forEach((name, value) -> event.add(String.valueOf(name), value));
        }
        if (!key.isEmpty()) {
            event.key = key;
        } else if (event.names.isEmpty()) {
            throw BadRowException.of("change without its row and key").with("table=" + event.table);
        }
        event.identity = event.table + key + event.names + event.values;
    }
}
