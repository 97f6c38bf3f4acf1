package io.nightjar.formats.interop;

import static io.nightjar.formats.text.JsonItems.list;
import static io.nightjar.formats.text.JsonItems.member;

import io.nightjar.formats.history.InputError;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.JsonItems;
import io.nightjar.formats.text.RowSliceBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the logs of Viper's clients, one transaction per line: {@code
 * {"value":[["r",key,value],["w",key,value],["d",key], ["range",from,to,[{"id":key,"val":value}]]]}}.
 */
final class ViperRows implements InteropRowReader {

    private static final Pattern NAME = Pattern.compile("[A-Za-z]*(\\d{1,18})\\..*");

    private final RowSliceBuilder sink;
    private final JsonTxnSink ops;
    private final JsonItems items;
    private final long session;

    ViperRows(Path file, RowSliceBuilder sink) throws IOException {
        this.sink = sink;
        this.ops = new JsonTxnSink(sink);
        this.items = new JsonItems(file);
        this.session = sessionOf(file);
    }

    /** Returns the number in a file's name. */
    static long sessionOf(Path file) {
        Matcher number = NAME.matcher(String.valueOf(file.getFileName()));
        return number.matches() ? Long.parseLong(number.group(1)) : 0;
    }

    @Override
    public boolean advance() throws IOException {
        boolean hasRow = false;
        try {
            if (!items.advance()) {
                return false;
            }
            sink.beginRow(items.row());
            hasRow = true;
            if (member(items.item(), "process") != null) {
                throw new BadRowException(InputError.of("an operation of Jepsen, not a transaction of Viper")
                        .advise("give --from elle-json"));
            }
            if (!(member(items.item(), "value") instanceof List<?> steps)) {
                throw new BadRowException(
                        InputError.of("transaction has no list of operations").with("expected=value"));
            }
            for (Object step : steps) {
                readStep(list(step));
            }
        } catch (BadRowException bad) {
            if (items.isLost()) {
                throw bad;
            }
            if (!hasRow) {
                sink.beginRow(items.row());
            }
            sink.refuseRow(bad.fault(), items.raw());
            return true;
        }
        sink.beginTxn(sink.position(), session, sink.positionIn(session));
        sink.endRow(Boolean.TRUE.equals(member(items.item(), "isInitial")) ? "{\"isInitial\":true}" : null);
        return true;
    }

    private void readStep(List<?> step) {
        String kind = step.size() < 2 ? "" : String.valueOf(step.get(0));
        Object value = step.size() > 2 ? step.get(2) : null;
        boolean isFlagged = step.size() > 3 && Boolean.TRUE.equals(step.get(3));
        boolean isRefused = step.size() > 3 && Boolean.FALSE.equals(step.get(3));
        switch (kind) {
            case "r" -> ops.read(step.get(1), isFlagged ? null : value); // flagged: the read row is deleted
            case "w", "i" -> {
                if (!isRefused) {
                    ops.write(step.get(1), value);
                }
            }
            case "d" -> ops.delete(step.get(1));
            case "range" -> {
                for (Object row : list(step.size() > 3 ? step.get(3) : null)) {
                    ops.read(member(row, "id"), member(row, "val"));
                }
            }
            default ->
                throw new BadRowException(
                        InputError.of("unknown operation").with("op=" + kind + " expected=r|w|i|d|range"));
        }
    }

    @Override
    public void close() throws IOException {
        items.close();
    }
}
