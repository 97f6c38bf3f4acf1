package io.nightjar.formats.table;

import io.nightjar.formats.file.CorruptDataException;
import io.nightjar.formats.file.InputFile;
import io.nightjar.formats.file.SizeLimit;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.RowSliceBuilder;
import io.nightjar.formats.text.SwarBytes;
import io.nightjar.formats.text.Utf8;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of text with a header, whose cells are separated by a comma, semicolon, tab or bar; quoted cells may contain any
 * text.
 */
final class CsvRows implements TableRows {

    /*
     * Layout.
     *
     *   buffer:  ... | record ... | \n | free          the byte at limit is always a line feed, so that the loop over
     *                  start   at   limit                the bytes of a cell needs no comparison with the limit; a
     *                                                    padding of one word follows
     *
     * Algorithm. A record that extends beyond the limit is scanned again when more bytes are available.
     */

    private static final int FIRST_SIZE = 1 << 18;
    private static final int PADDING = SwarBytes.COUNT + 1;
    private static final long LINE_FEEDS = SwarBytes.all((byte) '\n');
    private static final char[] DELIMITERS = {',', ';', '\t', '|'};
    private static final String[] NULL_WORDS = {"NULL", "null", "None", "NaN", "nan", "\\N", "<NA>", "NaT"};
    private static final byte[][] NULLS = new byte[NULL_WORDS.length][];

    static {
        for (int i = 0; i < NULLS.length; i++) {
            NULLS[i] = NULL_WORDS[i].getBytes(StandardCharsets.US_ASCII);
        }
    }

    private final InputStream in;
    private byte[] buffer = new byte[FIRST_SIZE];
    private int start;
    private int limit;
    private boolean isAtEnd;
    private boolean isLost;
    private long line; // first line of the record, counted from 1
    private long nextLine = 1;
    private int end; // end of the record

    private final byte delimiter;
    private final List<String> names = new ArrayList<>();
    private Cell[] cells = new Cell[0];
    private int[] fromOf = new int[16];
    private int[] toOf = new int[16];
    private boolean[] isQuoted = new boolean[16];
    private int count;
    private boolean isPlain; // the record contains no quotes, and only ASCII

    CsvRows(Path file) throws IOException {
        InputFile.check(file);
        in = InputFile.openLines(file);
        try {
            fill();
            while (limit < 3 && fill()) {
                continue;
            }
            if (limit >= 3 && buffer[0] == (byte) 0xef && buffer[1] == (byte) 0xbb && buffer[2] == (byte) 0xbf) {
                start = 3;
            }
            delimiter = delimiter();
            if (!readRecord()) {
                throw BadRowException.of("header missing").with("a table begins with the names of its columns");
            }
            for (int i = 0; i < count; i++) {
                names.add(header(i));
            }
            cells = new Cell[count];
            Arrays.setAll(cells, i -> new Cell());
        } catch (IOException | RuntimeException failed) {
            in.close();
            throw failed;
        }
    }

    private String header(int i) {
        byte[] unquoted = isQuoted[i] ? unquoted(i) : Arrays.copyOfRange(buffer, fromOf[i], toOf[i]);
        return new String(unquoted, StandardCharsets.UTF_8).trim();
    }

    /** Returns the delimiter that occurs most often in the header. */
    private byte delimiter() throws IOException {
        int at = start;
        int[] seen = new int[DELIMITERS.length];
        boolean isInQuotes = false;
        while (true) {
            if (at == limit) {
                int before = at - start;
                if (!fill()) {
                    break;
                }
                at = start + before;
                continue;
            }
            byte b = buffer[at++];
            isInQuotes ^= b == '"';
            if (b == '\n' && !isInQuotes) {
                break;
            }
            for (int i = 0; i < DELIMITERS.length && !isInQuotes; i++) {
                seen[i] += b == DELIMITERS[i] ? 1 : 0;
            }
        }
        int maxFrequency = 0;
        for (int i = 1; i < DELIMITERS.length; i++) {
            maxFrequency = seen[i] > seen[maxFrequency] ? i : maxFrequency;
        }
        return (byte) DELIMITERS[maxFrequency];
    }

    @Override
    public List<String> columns() {
        return names;
    }

    @Override
    public boolean advance() throws IOException {
        if (!readRecord()) {
            return false;
        }
        if (count != cells.length) {
            throw BadRowException.of("row has another number of cells than the header")
                    .with("cells=" + count + " expected=" + cells.length);
        }
        for (int i = 0; i < count && !isPlain; i++) {
            finish(cells[i], i);
        }
        return true;
    }

    /** Completes {@link #scan} for a quoted cell, and for one that is not all ASCII. */
    private void finish(Cell cell, int i) {
        if (isQuoted[i]) {
            byte[] text = unquoted(i);
            checkText(text, 0, text.length, i);
            cell.setText(Cell.Kind.STRING, text, 0, text.length);
        } else {
            checkText(buffer, fromOf[i], toOf[i] - fromOf[i], i);
        }
    }

    private void set(Cell cell, int from, int length, long firstEight) {
        if (length == 0 || length <= 4 && isNullWord(from, length)) {
            cell.setNull();
            return;
        }
        cell.setText(Cell.Kind.PLAIN, buffer, from, length);
        if (length < SwarBytes.COUNT) {
            cell.setNumber(SwarBytes.number(firstEight, length));
        }
    }

    private void checkText(byte[] bytes, int from, int length, int i) {
        for (int at = from; at < from + length; at++) {
            if (bytes[at] < 0) {
                if (!Utf8.isWellFormed(bytes, from, length)) {
                    throw BadRowException.of("text is not UTF-8").with("column=" + names.get(i));
                }
                return;
            }
        }
    }

    private boolean isNullWord(int from, int length) {
        byte first = buffer[from];
        if (first != 'N' && first != 'n' && first != '\\' && first != '<') {
            return false;
        }
        for (byte[] word : NULLS) {
            if (Arrays.equals(word, 0, word.length, buffer, from, from + length)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the text of a quoted cell: the text between the quotes, with two quotes replaced by one. */
    private byte[] unquoted(int i) {
        byte[] text = new byte[toOf[i] - fromOf[i]];
        int length = 0;
        for (int at = fromOf[i]; at < toOf[i]; at++) {
            text[length++] = buffer[at];
            at += buffer[at] == '"' ? 1 : 0;
        }
        return Arrays.copyOf(text, length);
    }

    /** Finds the cells of the next nonblank record. */
    private boolean readRecord() throws IOException {
        while (true) {
            start = end == 0 ? start : end;
            if (start >= limit && !fill()) {
                return false;
            }
            line = nextLine;
            while (!scan()) {
                if (!fill()) {
                    isLost = true;
                    throw BadRowException.of("quote without an end").with("line=" + line);
                }
            }
            boolean isBlank = count == 1 && !isQuoted[0] && toOf[0] == fromOf[0];
            if (!isBlank) {
                return true;
            }
        }
    }

    /** Returns false if the record does not end in the buffer. */
    private boolean scan() throws IOException {
        byte[] bytes = buffer;
        byte separator = delimiter;
        long separators = SwarBytes.all(separator);
        int at = start;
        long lines = 1;
        long bits = 0;
        boolean hasQuotes = false;
        count = 0;
        while (true) {
            if (count == fromOf.length) {
                fromOf = Arrays.copyOf(fromOf, 2 * count);
                toOf = Arrays.copyOf(toOf, 2 * count);
                isQuoted = Arrays.copyOf(isQuoted, 2 * count);
            }
            byte b = bytes[at];
            boolean quoted = b == '"' && at < limit;
            hasQuotes |= quoted;
            if (quoted) {
                int from = ++at;
                while (true) {
                    b = bytes[at];
                    if (b == '"') {
                        if (bytes[at + 1] != '"' || at + 1 >= limit) {
                            break;
                        }
                        at++;
                    } else if (b == '\n') {
                        if (at >= limit) {
                            return false;
                        }
                        lines++;
                    }
                    at++;
                }
                fromOf[count] = from;
                toOf[count] = at++;
                b = bytes[at];
                if (b == '\r' && at < limit) {
                    b = bytes[++at];
                }
                if (b != separator && b != '\n') {
                    skipLine(at, lines);
                    throw BadRowException.of("text after a quoted cell")
                            .with("line=" + line)
                            .advise("double quotes inside of one");
                }
            } else {
                int from = at;
                long eight = SwarBytes.at(bytes, at);
                long firstEight = eight;
                long hits = SwarBytes.hits(eight, separators, LINE_FEEDS);
                while (hits == 0) {
                    bits |= eight;
                    at += SwarBytes.COUNT;
                    eight = SwarBytes.at(bytes, at);
                    hits = SwarBytes.hits(eight, separators, LINE_FEEDS);
                }
                bits |= eight & Long.lowestOneBit(hits) - 1;
                at += SwarBytes.before(hits);
                b = bytes[at];
                int to = b == '\n' && at > from && bytes[at - 1] == '\r' ? at - 1 : at;
                fromOf[count] = from;
                toOf[count] = to;
                if (count < cells.length) {
                    set(cells[count], from, to - from, firstEight);
                }
            }
            isQuoted[count++] = quoted;
            if (b == '\n') {
                if (at >= limit && !isAtEnd) {
                    return false;
                }
                end = Math.min(at + 1, limit);
                nextLine = line + lines;
                isPlain = !hasQuotes && SwarBytes.areAscii(bits);
                return true;
            }
            at++;
        }
    }

    private void skipLine(int from, long lines) {
        int at = from;
        while (buffer[at] != '\n') {
            at++;
        }
        end = Math.min(at + 1, limit);
        nextLine = line + lines;
    }

    /** Reads more; discards the bytes before the record. */
    private boolean fill() throws IOException {
        if (isAtEnd) {
            return false;
        }
        if (start > 0) {
            System.arraycopy(buffer, start, buffer, 0, limit - start);
            limit -= start;
            start = 0;
            end = 0;
        }
        if (limit >= buffer.length - PADDING) {
            if (buffer.length >= SizeLimit.ROW.bytes()) {
                isLost = true;
                throw BadRowException.of("row too long")
                        .with("limitBytes=" + SizeLimit.ROW.bytes())
                        .advise("is a quote missing? more --memory allows longer ones");
            }
            buffer = Arrays.copyOf(buffer, 2 * buffer.length);
        }
        try {
            int read = in.read(buffer, limit, buffer.length - PADDING - limit);
            isAtEnd = read < 0;
            limit += Math.max(0, read);
        } catch (CorruptDataException damaged) {
            isLost = true;
            throw new BadRowException(damaged.fault());
        }
        buffer[limit] = '\n';
        return true;
    }

    @Override
    public long row() {
        return line;
    }

    @Override
    public Cell cell(int column) {
        return cells[column];
    }

    @Override
    public String raw() {
        int length = Math.max(0, Math.min(end - start, RowSliceBuilder.RAW_LENGTH));
        return new String(buffer, start, length, StandardCharsets.UTF_8).stripTrailing();
    }

    @Override
    public boolean isLost() {
        return isLost;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
