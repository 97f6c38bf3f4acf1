package io.nightjar.jobs.flink;

import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.Place;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Why the input is not a history, and where: a {@link MalformedHistoryException} on its way between tasks. */
record Rejection(Place place, @Nullable String reason) implements Serializable {

    private static final char BETWEEN = '\0';
    private static final int PARTS = 5;

    static Rejection of(MalformedHistoryException malformed) {
        return new Rejection(malformed.place(), malformed.reason());
    }

    MalformedHistoryException exception() {
        return new MalformedHistoryException(place, reason);
    }

    String encode() {
        return place.file()
                + BETWEEN
                + place.row()
                + BETWEEN
                + place.isLine()
                + BETWEEN
                + (place.column() == null ? "" : place.column())
                + BETWEEN
                + reason;
    }

    static Rejection decode(String encoded) {
        String[] parts = encoded.split(String.valueOf(BETWEEN), PARTS);
        Place place = new Place(
                parts[0],
                Long.parseLong(parts[1]),
                Boolean.parseBoolean(parts[2]),
                parts[3].isEmpty() ? null : parts[3]);
        return new Rejection(place, parts[4]);
    }
}
