package io.nightjar.formats.jepsen;

import io.nightjar.formats.text.JsonText;
import io.nightjar.formats.text.Utf8;

/** Converts JSON to EDN; the JSON is well-formed and without white space. */
final class JsonToEdn {

    private JsonToEdn() {}

    /** Appends the members of an object, {@code "a":1,"b":null} as {@code :a 1, :b nil}. */
    static void putMembers(Utf8 json, Utf8 into) {
        byte[] bytes = json.bytes;
        int at = 0;
        while (at < json.length) {
            byte b = bytes[at];
            if (b == '"') {
                int end = endOfString(bytes, at);
                boolean isName = end < json.length && bytes[end] == ':';
                putString(bytes, at, end, isName, into);
                at = isName ? end + 1 : end;
            } else if (b == 'n') {
                JsonText.putAscii("nil", into);
                at += "null".length();
            } else {
                into.put(b);
                if (b == ',') {
                    into.put(' ');
                }
                at++;
            }
        }
    }

    private static int endOfString(byte[] bytes, int quote) {
        int at = quote + 1;
        while (bytes[at] != '"') {
            at += bytes[at] == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    private static void putString(byte[] bytes, int from, int end, boolean isName, Utf8 into) {
        if (isName && isKeyword(bytes, from + 1, end - 1)) {
            into.put(':');
            into.put(bytes, from + 1, end - from - 2);
        } else {
            for (int at = from; at < end; at++) {
                if (bytes[at] == '\\') {
                    at++;
                    if (bytes[at] != '/') {
                        into.put('\\');
                    }
                }
                into.put(bytes[at]);
            }
        }
        if (isName) {
            into.put(' ');
        }
    }

    private static boolean isKeyword(byte[] bytes, int from, int end) {
        for (int at = from; at < end; at++) {
            byte b = bytes[at];
            boolean isLetter = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || b == '_';
            boolean isInner = at > from && ((b >= '0' && b <= '9') || b == '-' || b == '.' || b == '?');
            if (!isLetter && !isInner) {
                return false;
            }
        }
        return end > from;
    }
}
