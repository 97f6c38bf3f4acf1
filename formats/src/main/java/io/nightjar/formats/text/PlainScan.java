package io.nightjar.formats.text;

import io.nightjar.formats.file.CorruptDataException;
import io.nightjar.formats.file.InputFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * Determines whether a TimeKiller file is plain: every logical clock is zero, every transaction and session an integer.
 */
final class PlainScan {

    /*
     * Algorithm. Nearly every file is plain, and parsing it twice to detect that would double the cost of reading. So
     * bytes are only searched, eight at a time, for the letters that end the relevant names: l" in "l": and d" in
     * "tid": and "sid":. The text after such a name is inspected closely. Unusual text, also inside strings, makes the
     * result negative, which costs only time; a name spelled with escapes is detected when the file is read.
     */

    private static final long LETTER_L = SwarBytes.all((byte) 'l');
    private static final long LETTER_D = SwarBytes.all((byte) 'd');

    private static final int BUFFER_SIZE = 1 << 18;

    /** Maximum distance between a name and the end of its value. */
    private static final int REACH = 128;

    private PlainScan() {}

    static boolean isPlain(Path file) throws IOException {
        InputFile.check(file);
        byte[] buffer = new byte[BUFFER_SIZE];
        int from = 1; // buffer[0] is the previous byte, or 0 at the beginning
        int limit = 1;
        try (InputStream in = InputFile.openLines(file)) {
            while (true) {
                int count = in.read(buffer, limit, buffer.length - limit);
                boolean isLast = count < 0;
                limit += Math.max(0, count);
                int end = isLast ? limit : limit - REACH;
                if (end > from) {
                    if (!isPlain(buffer, from, end, limit)) {
                        return false;
                    }
                    System.arraycopy(buffer, end - 1, buffer, 0, limit - end + 1);
                    limit = limit - end + 1;
                    from = 1;
                }
                if (isLast) {
                    return true;
                }
            }
        } catch (CorruptDataException damaged) {
            return false; // the reader will report the location
        }
    }

    private static boolean isPlain(byte[] bytes, int from, int end, int limit) {
        int at = from;
        for (; at + 8 <= end; at += 8) {
            long hits = SwarBytes.hits(SwarBytes.at(bytes, at), LETTER_L, LETTER_D);
            if (hits != 0) {
                // the lowest hit is exact, higher ones may be false: inspect every byte
                for (int i = at; i < at + 8; i++) {
                    if (!isPlainAt(bytes, i, limit)) {
                        return false;
                    }
                }
            }
        }
        for (; at < end; at++) {
            if (!isPlainAt(bytes, at, limit)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPlainAt(byte[] bytes, int at, int limit) {
        byte before = bytes[at - 1];
        if (bytes[at] == 'l' && before == '"' && is(bytes, at + 1, limit, '"')) {
            return isZero(bytes, valueAfter(bytes, at + 2, limit), limit);
        }
        if (bytes[at] == 'd' && before == 'i' && is(bytes, at + 1, limit, '"')) {
            return isInteger(bytes, valueAfter(bytes, at + 2, limit), limit);
        }
        return true;
    }

    private static boolean isZero(byte[] bytes, int at, int limit) {
        int digit = is(bytes, at, limit, '"') ? at + 1 : at;
        return is(bytes, digit, limit, '0') && digit + 1 < limit && !isDigit(bytes[digit + 1]);
    }

    private static boolean isInteger(byte[] bytes, int at, int limit) {
        boolean isQuoted = is(bytes, at, limit, '"');
        int digit = isQuoted ? at + 1 : at;
        digit += is(bytes, digit, limit, '-') ? 1 : 0;
        int first = digit;
        while (digit < limit && isDigit(bytes[digit])) {
            digit++;
        }
        boolean fits = digit > first && digit < first + 19 && digit < limit;
        return fits && (!isQuoted || (bytes[digit] == '"' && (bytes[first] != '0' || digit == first + 1)));
    }

    private static int valueAfter(byte[] bytes, int nameEnd, int limit) {
        int at = skipSpace(bytes, nameEnd, limit);
        return is(bytes, at, limit, ':') ? skipSpace(bytes, at + 1, limit) : limit;
    }

    private static int skipSpace(byte[] bytes, int from, int limit) {
        int at = from;
        while (at < limit && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) {
            at++;
        }
        return at;
    }

    private static boolean is(byte[] bytes, int at, int limit, char wanted) {
        return at < limit && bytes[at] == wanted;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
