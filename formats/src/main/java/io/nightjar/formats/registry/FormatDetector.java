package io.nightjar.formats.registry;

import io.nightjar.formats.file.InputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Detects a file's format from its first bytes, and from its extension if they are ambiguous.
 *
 * <p>Unambiguous content takes precedence over the extension, since a misnamed history is still a history.
 */
final class FormatDetector {

    private static final byte[] ARROW_FILE = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PARQUET_FILE = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ARROW_STREAM = {-1, -1, -1, -1};
    private static final int HEAD_LENGTH = 1 << 12;

    private FormatDetector() {}

    /** Returns the format, or null if it cannot be determined. */
    static @Nullable Format of(Path file, FormatChoice choice) throws IOException {
        InputFile.check(file);
        byte[] head = InputFile.head(file, 8);
        if (startsWith(head, ARROW_FILE) || startsWith(head, ARROW_STREAM)) {
            return Format.ARROW;
        }
        if (startsWith(head, PARQUET_FILE)) {
            return TableDetector.isTable(file, choice) ? Format.TABLE : Format.PARQUET;
        }
        byte[] text = InputFile.decompressedHead(file, HEAD_LENGTH);
        Format named = Format.byExtension(file);
        Format binary = PeerDetector.binary(text, named);
        if (binary != null) {
            return binary;
        }
        int first = skipSpace(text, startsWith(text, new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf}) ? 3 : 0);
        Format changes = ChangeDetector.of(text, first);
        if (changes != null) {
            return changes;
        }
        boolean isJson = first < text.length && (text[first] == '{' || text[first] == '[');
        if (isJson && TableDetector.isJson(text, first, choice) || TableDetector.isCsv(text, first, choice)) {
            return Format.TABLE;
        }
        Format jepsens = JepsenDetector.of(text, first);
        if (jepsens != null) {
            return jepsens;
        }
        if (first < text.length) {
            int second = skipSpace(text, first + 1);
            byte inner = second < text.length ? text[second] : 0;
            if (text[first] == '{' && inner == '"') {
                return PeerDetector.isDbcop(text, first) ? Format.DBCOP_JSON : Format.JSON_LINES;
            }
            if (text[first] == '[' && inner == '[') {
                return Format.DBCOP_JSON;
            }
            if (text[first] == '[' && (inner == '{' || inner == ']')) {
                return Format.TIMEKILLER;
            }
            Format peer = PeerDetector.text(text, first);
            if (peer != null) {
                return peer;
            }
        }
        if (named == null && isNotation(text, first)) {
            return Format.NOTATION;
        }
        return named;
    }

    /** Returns whether the first line with content begins with a session such as {@code s1}. */
    private static boolean isNotation(byte[] text, int from) {
        int at = from;
        while (at < text.length && text[at] == '#') {
            while (at < text.length && text[at] != '\n') {
                at++;
            }
            at = skipSpace(text, at);
        }
        return at + 1 < text.length && text[at] == 's' && (text[at + 1] == '-' || Character.isDigit(text[at + 1]));
    }

    static int skipSpace(byte[] text, int from) {
        int at = from;
        while (at < text.length && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n')) {
            at++;
        }
        return at;
    }

    private static boolean startsWith(byte[] bytes, byte[] prefix) {
        if (bytes.length < prefix.length) {
            return false;
        }
        for (int i = 0; i < prefix.length; i++) {
            if (bytes[i] != prefix[i]) {
                return false;
            }
        }
        return true;
    }
}
