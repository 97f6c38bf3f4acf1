package io.nightjar.formats.interop;

import static io.nightjar.formats.text.JsonItems.list;
import static io.nightjar.formats.text.JsonItems.member;

import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.RowSliceBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the logs of Viper's clients, one transaction per line: {@code
 * {"value":[["r",key,value],["w",key,value],["d",key], ["range",from,to,[{"id":key,"val":value}]]]}}.
 */
final class ViperRows extends JsonRows {

    private static final Pattern NAME = Pattern.compile("[A-Za-z]*(\\d{1,18})\\..*");

    private final long session;

    ViperRows(Path file, RowSliceBuilder sink) throws IOException {
        super(file, sink);
        this.session = sessionOf(file);
    }

    /** Returns the number in a file's name. */
    static long sessionOf(Path file) {
        Matcher number = NAME.matcher(String.valueOf(file.getFileName()));
        return number.matches() ? Long.parseLong(number.group(1)) : 0;
    }

    @Override
    void readRow(@Nullable Object item) {
        if (member(item, "process") != null) {
            throw BadRowException.of("an operation of Jepsen, not a transaction of Viper")
                    .advise("give --from elle-json");
        }
        if (!(member(item, "value") instanceof List<?> steps)) {
            throw BadRowException.of("transaction has no list of operations").with("expected=value");
        }
        for (Object step : steps) {
            readStep(list(step));
        }
        sink.beginTxn(sink.position(), session, sink.positionIn(session));
        sink.endRow(Boolean.TRUE.equals(member(item, "isInitial")) ? "{\"isInitial\":true}" : null);
    }

    private void readStep(List<?> step) {
        String kind = step.size() < 2 ? "" : String.valueOf(step.get(0));
        Object value = step.size() > 2 ? step.get(2) : null;
        boolean isFlagged = step.size() > 3 && Boolean.TRUE.equals(step.get(3));
        boolean isRefused = step.size() > 3 && Boolean.FALSE.equals(step.get(3));
        switch (kind) {
            case "r" -> read(step.get(1), isFlagged ? null : value); // flagged: the read row is deleted
            case "w", "i" -> {
                if (!isRefused) {
                    write(step.get(1), value);
                }
            }
            case "d" -> delete(step.get(1));
            case "range" -> {
                for (Object row : list(step.size() > 3 ? step.get(3) : null)) {
                    read(member(row, "id"), member(row, "val"));
                }
            }
            default -> throw BadRowException.of("unknown operation").with("op=" + kind + " expected=r|w|i|d|range");
        }
    }
}
