package io.nightjar.jobs.flink;

import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import java.io.Serializable;

/** Why the input is not a history, and where: a {@link MalformedHistoryException} on its way between tasks. */
record Rejection(InputLocation location, InputError fault) implements Serializable {

    private static final char BETWEEN = '\0';
    private static final int FIELDS = 7;

    static Rejection of(MalformedHistoryException malformed) {
        return new Rejection(malformed.location(), malformed.fault());
    }

    MalformedHistoryException exception() {
        return new MalformedHistoryException(location, fault);
    }

    String encode() {
        return location.file()
                + BETWEEN
                + location.row()
                + BETWEEN
                + location.isLine()
                + BETWEEN
                + (location.column() == null ? "" : location.column())
                + BETWEEN
                + fault.kind()
                + BETWEEN
                + fault.advice()
                + BETWEEN
                + fault.details(); // the last, since it may have any characters
    }

    static Rejection decode(String encoded) {
        String[] fields = encoded.split(String.valueOf(BETWEEN), FIELDS);
        InputLocation location = new InputLocation(
                fields[0],
                Long.parseLong(fields[1]),
                Boolean.parseBoolean(fields[2]),
                fields[3].isEmpty() ? null : fields[3]);
        return new Rejection(location, new InputError(fields[4], fields[6], fields[5]));
    }
}
