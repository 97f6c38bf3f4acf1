package io.nightjar.formats.registry;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.nightjar.formats.table.JsonCells;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Detects the formats of other checkers from the first bytes of a file. */
final class PeerDetector {

    private static final int BINCODE_HEADER = 48; // five counts and the length of a string

    private PeerDetector() {}

    // ---------------------------------------------------------------- binary

    /**
     * Returns the binary format of the bytes, or null.
     *
     * @param named the format by the file's name, which decides if the bytes fit both
     */
    static @Nullable Format binary(byte[] head, @Nullable Format named) {
        boolean isDbcop = isBincode(head);
        boolean isCobra = isCobra(head);
        if (isDbcop && isCobra) {
            return named == Format.DBCOP ? Format.DBCOP : Format.COBRA;
        }
        return isDbcop ? Format.DBCOP : isCobra ? Format.COBRA : null;
    }

    /** Returns whether the bytes begin with six numbers below 32 bits: text contains no zeros, so it cannot match. */
    private static boolean isBincode(byte[] head) {
        if (head.length < BINCODE_HEADER) {
            return false;
        }
        for (int number = 0; number < BINCODE_HEADER; number += Long.BYTES) {
            for (int i = number + Integer.BYTES; i < number + Long.BYTES; i++) {
                if (head[i] != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Returns whether the start of a transaction is followed by the letter of a record, with an optional time between
     * them.
     */
    private static boolean isCobra(byte[] head) {
        return head.length > 1 + Long.BYTES
                && head[0] == 'S'
                && (head[1] == 0 || head[1] == -1)
                && (isRecord(head, 1 + Long.BYTES) || isRecord(head, 1 + 2 * Long.BYTES));
    }

    private static boolean isRecord(byte[] head, int at) {
        return at < head.length && (head[at] == 'W' || head[at] == 'R' || head[at] == 'C');
    }

    // ---------------------------------------------------------------- text

    /** Returns the text format recognized by the first line with content at or after {@code from}, or null. */
    static @Nullable Format text(byte[] text, int from) {
        int at = from;
        while (at < text.length && (startsComment(text, at) || text[at] == '-')) {
            while (at < text.length && text[at] != '\n') {
                at++;
            }
            at = FormatDetector.skipSpace(text, at);
        }
        if (at >= text.length) {
            return null;
        }
        if (text[at] == '=') {
            return Format.AWDIT;
        }
        if (text[at] == '[') {
            return isHistEvent(text, FormatDetector.skipSpace(text, at + 1)) ? Format.HIST : null;
        }
        if (text[at] != 'r' && text[at] != 'w') {
            return null;
        }
        int next = FormatDetector.skipSpace(text, at + 1);
        if (next < text.length && text[next] == '(') {
            return isPlumeLine(text, next + 1) ? Format.PLUME : null;
        }
        return next > at + 1 && isDigit(text, next) ? Format.AWDIT : null;
    }

    private static boolean startsComment(byte[] text, int at) {
        return text[at] == '/' && at + 1 < text.length && text[at + 1] == '/';
    }

    /** Returns whether a name and {@code :=} or {@code ==} follow. */
    private static boolean isHistEvent(byte[] text, int from) {
        int at = from;
        while (at < text.length && (Character.isLetterOrDigit(text[at]) || text[at] == '_' || text[at] < 0)) {
            at++;
        }
        return at > from && at + 1 < text.length && (text[at] == ':' || text[at] == '=') && text[at + 1] == '=';
    }

    /**
     * Returns whether numbers and commas follow up to a closing parenthesis, with at least three commas if the line is
     * complete.
     */
    private static boolean isPlumeLine(byte[] text, int from) {
        int commas = 0;
        for (int at = from; at < text.length && text[at] != '\n'; at++) {
            if (text[at] == ')') {
                return commas == 3;
            }
            commas += text[at] == ',' ? 1 : 0;
            if (text[at] != ',' && text[at] != '-' && text[at] != ' ' && !isDigit(text, at)) {
                return false;
            }
        }
        return commas > 0;
    }

    private static boolean isDigit(byte[] text, int at) {
        return at < text.length && text[at] >= '0' && text[at] <= '9';
    }

    // ---------------------------------------------------------------- JSON

    /**
     * Returns whether the object that begins at {@code from} is dbcop's: it has {@code params} or an array as {@code
     * data}, and lacks a member that JSON Lines require.
     */
    static boolean isDbcop(byte[] text, int from) {
        boolean hasSign = false;
        try (JsonParser parser = JsonCells.parser(text, from, text.length - from)) {
            parser.nextToken();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                if (name.equals("session") || name.equals("ops")) {
                    return false;
                }
                hasSign |= name.equals("params") && value == JsonToken.START_OBJECT
                        || name.equals("data") && value == JsonToken.START_ARRAY;
                parser.skipChildren();
            }
        } catch (IOException cut) {
            return hasSign; // only the beginning is available
        }
        return hasSign;
    }
}
