package io.nightjar.formats.registry;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Detects the histories of Jepsen and of elle-cli from the first bytes of a file. */
final class JepsenDetector {

    private static final Pattern OPERATION = Pattern.compile(
            "\"type\"\\s*:\\s*\"(invoke|ok|fail|info)\"|\"value\"\\s*:\\s*\\[\\s*\\[\\s*\"(r|w|append|add|inc)\"");

    /** Names that occur only in JSON Lines and TimeKiller's JSON. */
    private static final Pattern OTHER_FORMAT = Pattern.compile("\"(ops|tid)\"\\s*:");

    private JepsenDetector() {}

    /** Returns the format of the text from a position on, or null. */
    static @Nullable Format of(byte[] text, int first) {
        if (isEdn(text, first)) {
            return Format.EDN;
        }
        return isElleJson(text, first) ? Format.ELLE_JSON : null;
    }

    /** Returns whether a map with a keyword begins here, tagged or not, possibly inside a vector or list. */
    private static boolean isEdn(byte[] text, int first) {
        int at = first;
        while (is(text, at, ';')) {
            while (at < text.length && text[at] != '\n') {
                at++;
            }
            at = skipSpace(text, at);
        }
        if (is(text, at, '[') || is(text, at, '(')) {
            at = skipSpace(text, at + 1);
        }
        if (is(text, at, '#')) {
            return new String(text, at, Math.min(7, text.length - at), StandardCharsets.US_ASCII).equals("#jepsen");
        }
        return is(text, at, '{') && is(text, skipSpace(text, at + 1), ':');
    }

    /** Returns whether an object with the names of an operation begins here, possibly inside an array. */
    private static boolean isElleJson(byte[] text, int first) {
        int at = is(text, first, '[') ? skipSpace(text, first + 1) : first;
        if (!is(text, at, '{')) {
            return false;
        }
        // one operation, or its available part
        int end = at;
        for (int depth = 0; end < text.length; end++) {
            depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
            if (depth == 0) {
                break;
            }
        }
        String operation = new String(text, at, end - at, StandardCharsets.ISO_8859_1);
        return OPERATION.matcher(operation).find()
                && !OTHER_FORMAT.matcher(operation).find();
    }

    private static boolean is(byte[] text, int at, char wanted) {
        return at < text.length && text[at] == wanted;
    }

    private static int skipSpace(byte[] text, int from) {
        int at = from;
        while (at < text.length && (text[at] <= ' ' || text[at] == ',') && text[at] >= 0) {
            at++;
        }
        return at;
    }
}
