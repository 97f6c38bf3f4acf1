package io.nightjar.formats.history;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where in a file something is, as messages show it: {@code [orders.parquet row=1047]}.
 *
 * @param row counted from 1, a line where the file has lines; 0 if the message names none
 */
public record Place(String file, long row) {

    private static final Pattern SHOWN = Pattern.compile("\\[([^\\]]+?)((?: [a-z-]+=\\d+)*)] .*", Pattern.DOTALL);
    private static final Pattern ROW = Pattern.compile(" (?:row|line)=(\\d{1,18})");

    /** The place that a message begins with; null if it begins with none. */
    public static @Nullable Place parse(String message) {
        Matcher shown = SHOWN.matcher(message);
        if (!shown.matches()) {
            return null;
        }
        Matcher row = ROW.matcher(shown.group(2));
        return new Place(shown.group(1), row.find() ? Long.parseLong(row.group(1)) : 0);
    }

    public static String file(String file) {
        return "[" + file + "]";
    }

    /** A row of a columnar file, or of a file with several lines a row; counted from 1. */
    public static String row(String file, long row) {
        return "[" + file + " row=" + row + "]";
    }

    public static String line(String file, long line) {
        return "[" + file + " line=" + line + "]";
    }
}
