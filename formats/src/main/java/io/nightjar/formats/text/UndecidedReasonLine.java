package io.nightjar.formats.text;

import io.nightjar.formats.history.SourceDiagnostic;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The line of a text history that contains a reason why no level can hold instead of a transaction. */
final class UndecidedReasonLine {

    private static final String NAME = "doubt";
    private static final byte[] JSON = "{\"doubt\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOTATION = "# doubt: ".getBytes(StandardCharsets.US_ASCII);

    private UndecidedReasonLine() {}

    /** Writes the reason as an object with only this member. */
    static void putJson(String why, TextOutput out) {
        out.ascii("{\"doubt\":");
        JsonText.putString(why, out.text);
        out.ascii("}\n");
    }

    /** Writes the reason as a comment. */
    static void putNotation(String why, TextOutput out) {
        out.bytes(NOTATION, 0, NOTATION.length);
        byte[] utf8 = why.replaceAll("\\R", " ").getBytes(StandardCharsets.UTF_8);
        out.bytes(utf8, 0, utf8.length).ascii("\n");
    }

    /** Returns the reason in a line of JSON Lines; null if the line is not of this kind. */
    static @Nullable String ofJson(byte[] bytes, int from, int to) {
        if (!startsWith(JSON, bytes, from, to)) {
            return null;
        }
        Object line = JsonItems.parse(new String(bytes, from, to - from, StandardCharsets.UTF_8));
        boolean isAlone = line instanceof Map<?, ?> members && members.size() == 1;
        return isAlone && JsonItems.member(line, NAME) instanceof String why ? why : null;
    }

    /** Returns the reason in a line of the notation; null if the line is not of this kind. */
    static @Nullable String ofNotation(byte[] bytes, int from, int to) {
        return startsWith(NOTATION, bytes, from, to)
                ? new String(bytes, from + NOTATION.length, to - from - NOTATION.length, StandardCharsets.UTF_8).strip()
                : null;
    }

    private static boolean startsWith(byte[] start, byte[] bytes, int from, int to) {
        return to - from >= start.length && Arrays.equals(bytes, from, from + start.length, start, 0, start.length);
    }

    /** Returns the diagnostic of a source for the reason. */
    static SourceDiagnostic remark(String file, String why) {
        return new SourceDiagnostic("L39", 1, file, why, why);
    }
}
