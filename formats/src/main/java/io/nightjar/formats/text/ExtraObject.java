package io.nightjar.formats.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** The extra column of one transaction, analyzed before it is written to a text file. */
public final class ExtraObject {

    private final JsonCursor cursor = new JsonCursor();
    private final Utf8 compact = new Utf8();
    private final Set<String> names = new HashSet<>();
    private boolean isObject;

    /** Parses a text; only one JSON object with distinct names satisfies {@link #isObject}. */
    public void parse(String text) throws IOException {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        compact.clear();
        names.clear();
        cursor.overLine(Arrays.copyOf(utf8, utf8.length + 1), 0, utf8.length);
        try {
            isObject = readNames();
        } catch (BadRowException notJson) {
            isObject = false;
        }
    }

    public boolean isObject() {
        return isObject;
    }

    public boolean isEmpty() {
        return names.isEmpty();
    }

    public boolean has(String name) {
        return names.contains(name);
    }

    public boolean hasNameIn(Set<String> reserved) {
        for (String name : names) {
            if (reserved.contains(name)) {
                return true;
            }
        }
        return false;
    }

    /** Appends the object without white space between its tokens, and so on one line. */
    public void copyTo(Utf8 into) {
        into.put(compact.bytes, 0, compact.length);
    }

    /** Appends the text between the braces. */
    public void copyMembersTo(Utf8 into) {
        into.put(compact.bytes, 1, compact.length - 2);
    }

    private boolean readNames() throws IOException {
        if (cursor.peek() != '{') {
            return false;
        }
        long object = cursor.offset();
        cursor.expect('{');
        boolean areDistinct = true;
        if (!cursor.take('}')) {
            do {
                cursor.readName();
                areDistinct &= names.add(cursor.textString());
                cursor.skipValue();
            } while (cursor.takeComma('}'));
        }
        cursor.copyCompact(object, compact);
        return areDistinct && cursor.isAtEnd();
    }
}
