package io.nightjar.formats.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the members of a transaction that are not columns into one JSON object. */
public final class ExtraMemberCollector {

    private final Utf8 object = new Utf8();
    private final Set<String> names = new HashSet<>();

    private boolean isGiven; // though it may be empty

    public void clear() {
        isGiven = false;
        if (object.length > 0) {
            object.clear();
            names.clear();
        }
    }

    /** Adds the name that the cursor has just read, and the value after it. */
    void take(JsonCursor cursor) throws IOException {
        take(cursor, cursor.textString());
    }

    void take(JsonCursor cursor, String name) throws IOException {
        begin(name);
        cursor.peek();
        long value = cursor.offset();
        cursor.skipValue();
        cursor.copyCompact(value, object);
    }

    /** Adds the members of the object at the cursor. */
    void takeObject(JsonCursor cursor) throws IOException {
        isGiven = true;
        cursor.expect('{');
        if (!cursor.take('}')) {
            do {
                cursor.readName();
                take(cursor);
            } while (cursor.takeComma('}'));
        }
    }

    /** Adds a member with a given value, which must be JSON. */
    public void put(String name, byte[] json, int length) {
        begin(name);
        object.put(json, 0, length);
    }

    /** Returns the object as text; null if it has no members. */
    public @Nullable String build() {
        if (object.length == 0) {
            return isGiven ? "{}" : null;
        }
        object.put('}');
        return new String(object.bytes, 0, object.length, StandardCharsets.UTF_8);
    }

    private void begin(String name) {
        if (!names.add(name)) {
            throw BadRowException.of("name twice in one object").with("name=" + name);
        }
        object.put(object.length == 0 ? '{' : ',');
        JsonText.putString(name, object);
        object.put(':');
    }
}
