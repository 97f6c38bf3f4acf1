package io.nightjar.formats.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Encoder of table rows as canonical JSON: members sorted by name, no blanks, uniform escapes, unchanged numbers. */
public final class CanonicalJson {

    private static final int MAX_DEPTH = 64;

    private final JsonCursor cursor = new JsonCursor();
    private final Utf8 out = new Utf8();

    /** Returns the canonical text of the JSON object or array at the cursor and consumes it. */
    Utf8 read(JsonCursor from) throws IOException {
        out.clear();
        put(from, out, 0);
        return out;
    }

    /** Returns the canonical text of a JSON array; null if the text is not an array. */
    public @Nullable String canonicalArray(String text) {
        return canonical(text, '[');
    }

    private @Nullable String canonical(String text, char opening) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return isCanonical(utf8, 0, utf8.length, opening) || out.length > 0
                ? new String(out.bytes, 0, out.length, StandardCharsets.UTF_8)
                : null;
    }

    /** Returns whether some bytes are the canonical text of a row. */
    public boolean isCanonicalRow(byte[] utf8, int offset, int length) {
        return isCanonical(utf8, offset, length, '{');
    }

    /**
     * Returns whether some bytes are canonical JSON; writes their canonical text to {@code out}, which is empty if they
     * are not JSON.
     */
    private boolean isCanonical(byte[] utf8, int offset, int length, char opening) {
        out.clear();
        if (length < 2 || utf8[offset] != opening && utf8[offset] > ' ') {
            return false;
        }
        cursor.overLine(Arrays.copyOfRange(utf8, offset, offset + length + 1), 0, length);
        try {
            if (cursor.peek() != opening) {
                return false;
            }
            put(cursor, out, 0);
            if (!cursor.isAtEnd()) {
                out.clear();
                return false;
            }
        } catch (BadRowException | IOException notJson) {
            out.clear();
            return false;
        }
        return Arrays.equals(utf8, offset, offset + length, out.bytes, 0, out.length);
    }

    private static void put(JsonCursor from, Utf8 into, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw BadRowException.of("row nested too deeply").with("depth>" + MAX_DEPTH + " " + from.location());
        }
        int next = from.peek();
        if (next == '{') {
            putObject(from, into, depth);
        } else if (next == '[') {
            putArray(from, into, depth);
        } else if (next == '"') {
            from.readString();
            JsonText.putString(from.text(), from.textFrom(), from.textLength(), into);
        } else {
            long start = from.offset();
            from.skipValue();
            from.copyCompact(start, into);
        }
    }

    private static void putArray(JsonCursor from, Utf8 into, int depth) throws IOException {
        from.expect('[');
        into.put('[');
        if (!from.take(']')) {
            put(from, into, depth + 1);
            while (from.takeComma(']')) {
                into.put(',');
                put(from, into, depth + 1);
            }
        }
        into.put(']');
    }

    private static void putObject(JsonCursor from, Utf8 into, int depth) throws IOException {
        from.expect('{');
        Map<String, Utf8> members = new TreeMap<>();
        List<String> twice = new ArrayList<>();
        if (!from.take('}')) {
            do {
                from.readName();
                String name = from.textString();
                Utf8 member = new Utf8();
                put(from, member, depth + 1);
                if (members.put(name, member) != null) {
                    twice.add(name);
                }
            } while (from.takeComma('}'));
        }
        if (!twice.isEmpty()) {
            throw BadRowException.of("name twice in one object").with("name=" + twice.get(0) + " " + from.location());
        }
        into.put('{');
        boolean isFirst = true;
        for (Map.Entry<String, Utf8> member : members.entrySet()) {
            if (!isFirst) {
                into.put(',');
            }
            isFirst = false;
            JsonText.putString(member.getKey(), into);
            into.put(':');
            into.put(member.getValue().bytes, 0, member.getValue().length);
        }
        into.put('}');
    }
}
