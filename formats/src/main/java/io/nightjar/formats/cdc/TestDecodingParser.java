package io.nightjar.formats.cdc;

import io.nightjar.formats.file.SizeLimit;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.LineReader;
import io.nightjar.formats.text.RowSliceBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parser of the output of PostgreSQL's test_decoding: {@code BEGIN 781}, {@code table public.t: INSERT: id[integer]:1
 * …}, {@code COMMIT 781 (at …)}; unchanged, or as the last column of a query's result.
 */
final class TestDecodingParser implements ChangeParser {

    private static final Pattern FRAME = Pattern.compile("(BEGIN|COMMIT|ROLLBACK)(?: (\\d+))?(?: \\(at (.*)\\))?");
    private static final Pattern LSN = Pattern.compile("([0-9A-F]{1,8})/([0-9A-F]{1,8})");
    private static final String CHANGE = "table ";
    private static final char NO_QUOTE = 0;
    private static final String TOAST = "unchanged-toast-datum";

    /**
     * Start of a line with a change: no prefix, or the columns of {@code psql -At}, which prints continuation lines
     * unchanged.
     */
    private static final Pattern AS_IT_IS = Pattern.compile("(?:" + LSN + "(?:\\|[^| ]*)*\\|)?" + CHANGE);

    /** Columns before the quoted last column of a query's result as CSV. */
    private static final Pattern CSV = Pattern.compile(LSN + "(?:,[^,\"|]*)*,\"");

    private final LineReader lines;
    private long first; // first line of the event
    private @Nullable String gathered; // the lines of an event with several lines, else null
    private String whole = ""; // the line without changes
    private String line = ""; // PostgreSQL's output in the line, without trailing blanks
    private boolean isLost;
    private int at;

    TestDecodingParser(Path file) throws IOException {
        lines = new LineReader(file);
    }

    @Override
    public boolean advance(ChangeEvent event) throws IOException {
        event.clear();
        if (!lines.advance()) {
            return false;
        }
        first = lines.line();
        gathered = null;
        whole = lines.text(Integer.MAX_VALUE);
        Matcher csv = CSV.matcher(whole);
        if (csv.lookingAt()) {
            at = csv.end() - 1;
            char open = closingQuote(whole, "\"", NO_QUOTE);
            whole = open == NO_QUOTE ? whole : goneOn(whole, "\"", open);
        }
        if (whole.startsWith(CHANGE)) {
            line = whole.stripTrailing();
            readChange(event);
            return true;
        }
        line = unwrapped(whole);
        Matcher frame = FRAME.matcher(line);
        if (frame.matches()) {
            event.type = switch (frame.group(1)) {
                case "BEGIN" -> ChangeEvent.Type.BEGIN;
                case "COMMIT" -> ChangeEvent.Type.COMMIT;
                default -> ChangeEvent.Type.ABORT;
            };
            event.txn = frame.group(2);
            if (frame.group(3) != null) {
                event.extraName = "commit_time";
                event.extraText = frame.group(3);
            }
        } else if (line.startsWith(CHANGE)) {
            readChange(event);
        } else if (!isNoise(line)) {
            throw BadRowException.of("neither BEGIN, COMMIT nor a change of a table")
                    .with("text=" + (line.length() > 40 ? line.substring(0, 40) + "…" : line));
        }
        return true;
    }

    /** Returns the output without the columns of a query's result before it. */
    private static String unwrapped(String whole) {
        String text = whole.strip();
        if (text.endsWith("\"") && CSV.matcher(text).lookingAt()) {
            text = text.substring(text.indexOf(",\"") + 2, text.length() - 1).replace("\"\"", "\"");
        }
        if (!LSN.matcher(text).lookingAt()) {
            return text;
        }
        for (String word : new String[] {"BEGIN", "COMMIT", CHANGE, "message:"}) {
            int from = text.indexOf(word);
            if (from > 0) {
                return text.substring(from);
            }
        }
        return text;
    }

    private static boolean isNoise(String text) {
        return text.isEmpty()
                || text.startsWith("message:")
                || text.startsWith("--")
                || text.startsWith("(")
                || text.matches("lsn\\b.*data\\b.*")
                || text.matches("[-+| ]+")
                || text.startsWith("opening a streamed")
                || text.startsWith("closing a streamed");
    }

    // ---------------------------------------------------------------- a change

    private void readChange(ChangeEvent event) throws IOException {
        at = CHANGE.length();
        event.table = readTable();
        int colon = line.indexOf(':', at);
        if (colon < 0) {
            throw unexpected("':' after the change");
        }
        String verb = line.substring(at, colon).strip();
        at = colon + 1;
        switch (verb) {
            case "INSERT", "UPDATE" -> event.type = ChangeEvent.Type.WRITE;
            case "DELETE" -> event.type = ChangeEvent.Type.DELETE;
            case "TRUNCATE" ->
                throw BadRowException.of("TRUNCATE names no rows")
                        .with("table=" + event.table)
                        .advise("delete the rows instead");
            default ->
                throw BadRowException.of("unknown change").with("change=" + verb + " expected=INSERT|UPDATE|DELETE");
        }
        if (line.startsWith(" (no-tuple-data)", at)) {
            throw BadRowException.of("change without its row")
                    .with("table=" + event.table)
                    .advise("ALTER TABLE … REPLICA IDENTITY FULL, or give it a primary key");
        }
        boolean hasOldKey = takeWord("old-key:");
        if (hasOldKey) {
            readColumns(event);
            event.keyNames.addAll(event.names);
            event.becomeOld();
            if (!takeWord("new-tuple:")) {
                throw unexpected("new-tuple:");
            }
        }
        readColumns(event);
        if (event.type == ChangeEvent.Type.DELETE) {
            event.keyNames.addAll(event.names);
        }
        if (event.names.isEmpty()) {
            throw BadRowException.of("change without columns").with("table=" + event.table);
        }
    }

    private String readTable() {
        StringBuilder table = new StringBuilder();
        boolean isQuoted = false;
        while (at < line.length()) {
            char c = line.charAt(at++);
            if (c == '"') {
                isQuoted = !isQuoted;
            } else if (c == ':' && !isQuoted) {
                return table.toString();
            } else {
                table.append(c);
            }
        }
        throw unexpected("':' after the table");
    }

    private boolean takeWord(String word) {
        while (at < line.length() && line.charAt(at) == ' ') {
            at++;
        }
        if (line.startsWith(word, at)) {
            at += word.length();
            return true;
        }
        return false;
    }

    /** Reads columns such as {@code id[integer]:1}, up to the end or the word that begins the new row. */
    private void readColumns(ChangeEvent event) throws IOException {
        while (true) {
            while (at < line.length() && line.charAt(at) == ' ') {
                at++;
            }
            if (at == line.length() || line.startsWith("new-tuple:", at)) {
                return;
            }
            String name = readName();
            int type = at + 1;
            int bracket = endOfType();
            String typeName = line.substring(type, bracket);
            at = bracket + 1;
            if (at >= line.length() || line.charAt(at) != ':') {
                throw unexpected("':' after a type");
            }
            at++;
            readValue(event, name, typeName);
        }
    }

    private String readName() {
        int from = at;
        boolean isQuoted = line.charAt(at) == '"';
        if (isQuoted) {
            at++;
            while (at < line.length() && line.charAt(at) != '"') {
                at++;
            }
            at++;
        } else {
            while (at < line.length() && line.charAt(at) != '[') {
                at++;
            }
        }
        if (at >= line.length() || line.charAt(at) != '[') {
            throw unexpected("'[' after the name of a column");
        }
        return isQuoted ? line.substring(from + 1, at - 1) : line.substring(from, at);
    }

    /** Returns the end of a type, which may contain brackets, as array types do. */
    private int endOfType() {
        int depth = 0;
        for (int i = at; i < line.length(); i++) {
            depth += line.charAt(i) == '[' ? 1 : line.charAt(i) == ']' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw unexpected("']' after a type");
    }

    private void readValue(ChangeEvent event, String name, String type) throws IOException {
        if (at < line.length() && line.charAt(at) == '\'') {
            StringBuilder text = new StringBuilder();
            at++;
            while (true) {
                int quote = line.indexOf('\'', at);
                if (quote < 0) {
                    readOn();
                    quote = line.indexOf('\'', at);
                }
                text.append(line, at, quote);
                at = quote + 1;
                if (at == line.length() || line.charAt(at) != '\'') {
                    break;
                }
                text.append('\'');
                at++;
            }
            event.add(name, text.toString());
            return;
        }
        int end = line.indexOf(' ', at);
        end = end < 0 ? line.length() : end;
        String word = line.substring(at, end);
        at = end;
        if (word.equals(TOAST)) {
            return; // a long unchanged value, which is not in the log
        }
        event.add(name, scalar(word, type));
    }

    /** Appends the continuation lines of the quoted value that is open at the end of the line. */
    private void readOn() throws IOException {
        if (!AS_IT_IS.matcher(whole).lookingAt()) {
            throw unexpected("a closing quote; if a value has several lines, give the result of psql -At or --csv");
        }
        String blanks = whole.substring(whole.stripTrailing().length());
        line = goneOn(line + blanks, "'\"", '\'').stripTrailing();
    }

    /** Returns a text with an open quote, extended by the following lines up to the closing quote. */
    private String goneOn(String begun, String quotes, char opened) throws IOException {
        StringBuilder text = new StringBuilder(begun);
        char open = opened;
        while (open != NO_QUOTE) {
            isLost = text.length() > SizeLimit.ROW.bytes() || !lines.advance();
            if (isLost) {
                throw unexpected("a closing quote");
            }
            String next = lines.text(Integer.MAX_VALUE);
            text.append('\n').append(next);
            open = closingQuote(next, quotes, open);
        }
        gathered = text.toString();
        return gathered;
    }

    private static char closingQuote(String text, String quotes, char opened) {
        char open = opened;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == open) {
                open = NO_QUOTE;
            } else if (open == NO_QUOTE && quotes.indexOf(c) >= 0) {
                open = c;
            }
        }
        return open;
    }

    private static @Nullable Object scalar(String word, String type) {
        if (word.equals("null")) {
            return null;
        }
        if (type.equals("boolean")) {
            return Boolean.valueOf(word);
        }
        try {
            return Long.valueOf(word);
        } catch (NumberFormatException notOne) {
            return word;
        }
    }

    private BadRowException unexpected(String expected) {
        return BadRowException.of("unexpected text").with("expected=" + expected + " column=" + (at + 1));
    }

    @Override
    public long row() {
        return Math.max(1, first);
    }

    @Override
    public String raw() {
        return gathered == null
                ? lines.text(RowSliceBuilder.RAW_LENGTH)
                : gathered.substring(0, Math.min(gathered.length(), RowSliceBuilder.RAW_LENGTH));
    }

    @Override
    public boolean isLost() {
        return isLost;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
