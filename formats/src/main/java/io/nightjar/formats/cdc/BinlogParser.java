package io.nightjar.formats.cdc;

import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.LineReader;
import io.nightjar.formats.text.RowSliceBuilder;
import io.nightjar.formats.text.Utf8;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parser of the output of {@code mysqlbinlog -v} for the binary logs of MySQL and MariaDB, with rows as {@code ###}
 * comments.
 */
final class BinlogParser implements ChangeParser {

    private static final Pattern GTID_NEXT = Pattern.compile("SET @@SESSION\\.GTID_NEXT\\s*=\\s*'([^']+)'.*");
    private static final Pattern MARIADB_GTID =
            Pattern.compile("#\\d{6}.*\\bGTID (\\d+-\\d+-\\d+)\\b(?:.*\\bthread_id=(\\d{1,18})\\b)?.*");
    private static final Pattern POSITION = Pattern.compile("# at (\\d{1,18})");
    private static final Pattern THREAD = Pattern.compile("#\\d{6}.*\\bQuery\\b.*\\bthread_id=(\\d{1,18})\\b.*");
    private static final Pattern CHANGE =
            Pattern.compile("### (INSERT INTO|UPDATE|DELETE FROM) `((?:[^`]|``)*)`\\.`((?:[^`]|``)*)`.*");
    private static final Pattern COLUMN = Pattern.compile("###   @(\\d{1,5})=(.*)");
    private static final Pattern TYPE = Pattern.compile(" /\\* .* meta=\\d+ nullable=[01] is_null=[01] \\*/"); // of -vv
    private static final Pattern BEGIN = Pattern.compile("(BEGIN|START TRANSACTION|XA START)\\b.*");
    private static final Pattern COMMIT = Pattern.compile("(COMMIT|XA COMMIT\\b.*\\bONE PHASE)\\b.*");
    private static final Pattern PREPARE = Pattern.compile("XA PREPARE\\b.*");
    private static final Pattern MARIADB = Pattern.compile("#\\d{6} .*\\bserver v \\S*MariaDB.*");
    private static final Pattern EVENT = Pattern.compile("#\\d{6} .*");
    private static final Pattern ROWS = Pattern.compile("#\\d{6} .*\\b(?:Write|Update|Delete)_rows.*");
    private static final Pattern STATEMENT =
            Pattern.compile("(?i)(?:INSERT|UPDATE|DELETE|REPLACE|LOAD\\s+DATA)\\b.*", Pattern.DOTALL);
    private static final Pattern TRUNCATE = Pattern.compile("(?i)TRUNCATE\\b.*");
    private static final Pattern ROLLBACK = Pattern.compile("ROLLBACK(?! TO)\\b.*");

    private final LineReader lines;
    private boolean hasLine;
    private String line = "";
    private @Nullable String gtid;
    private @Nullable String position;
    private @Nullable String thread;
    private @Nullable String txn;
    private boolean isOpen;
    private boolean isBinlog; // whether text was read that only mysqlbinlog prints
    private boolean isLost;
    private boolean areRowsHidden; // whether an event has rows, and none have been printed since
    private boolean isMariaDb;
    private boolean isBinary; // whether the line is not UTF-8, and has one character per byte

    BinlogParser(Path file) throws IOException {
        lines = new LineReader(file);
    }

    @Override
    public boolean advance(ChangeEvent event) throws IOException {
        event.clear();
        while (hasLine || nextLine()) {
            hasLine = false;
            if (line.startsWith("###")) {
                areRowsHidden = false;
                Matcher change = CHANGE.matcher(line);
                if (!change.matches()) {
                    throw BadRowException.of("neither INSERT, UPDATE nor DELETE")
                            .with("text=" + shown());
                }
                readChange(event, change);
                return true;
            }
            if (line.startsWith("#")) {
                takeComment();
            } else if (isFrame(event)) {
                return true;
            } else {
                refuseStatement();
            }
        }
        if (!isBinlog) {
            isLost = true;
            throw BadRowException.of("not a binary log").with("expected=output of mysqlbinlog -v");
        }
        return false;
    }

    /** Rejects changes logged as statements: they do not state which rows they changed. */
    private void refuseStatement() {
        if (TRUNCATE.matcher(line).matches()) {
            throw BadRowException.of("TRUNCATE names no rows").advise("delete the rows instead");
        }
        if (isOpen && STATEMENT.matcher(line).matches()) {
            throw BadRowException.of("statement instead of rows")
                    .with("text=" + shown())
                    .advise("set binlog_format=ROW");
        }
    }

    private boolean nextLine() throws IOException {
        if (!lines.advance()) {
            return false;
        }
        isBinary = !Utf8.isWellFormed(lines.bytes(), lines.start(), lines.end() - lines.start());
        Charset charset = isBinary ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
        line = new String(lines.bytes(), lines.start(), lines.end() - lines.start(), charset).stripTrailing();
        return true;
    }

    private void takeComment() {
        Matcher at = POSITION.matcher(line);
        if (at.matches()) {
            isBinlog = true;
            position = at.group(1);
            return;
        }
        isBinlog |= EVENT.matcher(line).matches();
        isMariaDb |= MARIADB.matcher(line).matches();
        areRowsHidden |= ROWS.matcher(line).matches();
        Matcher mariaDb = MARIADB_GTID.matcher(line);
        if (mariaDb.matches()) {
            isMariaDb = true;
            gtid = mariaDb.group(1);
            thread = mariaDb.group(2) == null ? thread : mariaDb.group(2);
            return;
        }
        Matcher query = THREAD.matcher(line);
        if (query.matches()) {
            thread = query.group(1);
        }
    }

    private boolean isFrame(ChangeEvent event) {
        Matcher next = GTID_NEXT.matcher(line);
        if (next.matches()) {
            String value = next.group(1);
            gtid = value.equals("AUTOMATIC") || value.equals("ANONYMOUS") ? null : value;
            return false;
        }
        if (PREPARE.matcher(line).matches()) {
            isOpen = false; // its end is recorded in another event, if at all: the outcome is unknown
            return false;
        }
        if (BEGIN.matcher(line).matches()) {
            isOpen = true;
            txn = gtid != null ? gtid : "at " + position;
            event.type = ChangeEvent.Type.BEGIN;
        } else if (isOpen && COMMIT.matcher(line).matches()) {
            isOpen = false;
            if (areRowsHidden) {
                areRowsHidden = false;
                throw BadRowException.of("transaction without its rows").with("mysqlbinlog shows them with -v");
            }
            event.type = ChangeEvent.Type.COMMIT;
        } else if (isOpen && ROLLBACK.matcher(line).matches()) {
            isOpen = false;
            event.type = ChangeEvent.Type.ABORT;
        } else {
            return false;
        }
        event.txn = txn;
        event.session = thread;
        return true;
    }

    private void readChange(ChangeEvent event, Matcher change) throws IOException {
        String verb = change.group(1);
        event.txn = isOpen ? txn : null;
        event.session = thread;
        event.table = (change.group(2) + "." + change.group(3)).replace("``", "`");
        event.type = verb.startsWith("DELETE") ? ChangeEvent.Type.DELETE : ChangeEvent.Type.WRITE;
        boolean isBefore = !verb.startsWith("INSERT");
        boolean hasMore = nextLine();
        for (; hasMore && line.startsWith("### "); hasMore = nextLine()) {
            if (line.equals("### WHERE") || line.equals("### SET")) {
                if (line.equals("### SET") && isBefore) {
                    event.becomeOld();
                    isBefore = false;
                }
                continue;
            }
            Matcher column = COLUMN.matcher(line);
            if (!column.matches()) {
                break; // the next change follows
            }
            event.add("@" + column.group(1), value(column.group(2)));
        }
        hasLine = hasMore;
        if (event.names.isEmpty()) {
            throw BadRowException.of("change without columns")
                    .with("table=" + event.table)
                    .advise("mysqlbinlog shows rows with -v, where binlog_format is ROW");
        }
    }

    /** Parses a printed value: numbers, quoted text, NULL, with or without a comment that states its type. */
    private @Nullable Object value(String printed) {
        if (printed.startsWith("'")) {
            return text(printed);
        }
        int comment = printed.indexOf(" /*");
        String word = (comment < 0 ? printed : printed.substring(0, comment)).strip();
        int unsigned = word.indexOf(" (");
        if (unsigned > 0 && word.endsWith(")")) {
            word = word.substring(
                    unsigned + 2, word.length() - 1); // -1 (4294967295): the signed and the unsigned value
            long signed = number(printed.substring(0, unsigned));
            return signed == Long.MIN_VALUE ? word : (Object) signed;
        }
        if (word.equals("NULL")) {
            return null;
        }
        long number = number(word);
        return number == Long.MIN_VALUE ? word : (Object) number;
    }

    private static long number(String word) {
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException notOne) {
            return Long.MIN_VALUE;
        }
    }

    /**
     * Parses text up to the last quote, since servers print quotes inside of it in three ways; binary data is
     * hexadecimal.
     */
    private String text(String printed) {
        int end = printed.lastIndexOf('\'');
        String rest = printed.substring(end + 1);
        if (end == 0 || !rest.isEmpty() && !TYPE.matcher(rest).matches()) {
            throw BadRowException.of("text without a closing quote");
        }
        StringBuilder text = new StringBuilder();
        int at = 1;
        while (at < end) {
            char c = printed.charAt(at++);
            boolean isEscape = c == '\\' && at < end;
            if (isEscape && isHex(printed, at, end)) {
                text.append((char) Integer.parseInt(printed.substring(at + 1, at + 3), 16));
                at += 3;
            } else if (isEscape && !isMariaDb) {
                text.append(unescaped(printed.charAt(at++)));
            } else {
                text.append(c);
            }
        }
        return isBinary
                ? "0x" + HexFormat.of().formatHex(text.toString().getBytes(StandardCharsets.ISO_8859_1))
                : text.toString();
    }

    /** Returns the character of an escape sequence of MySQL; MariaDB prints backslashes unescaped. */
    private static char unescaped(char escaped) {
        return switch (escaped) {
            case 'b' -> '\b';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case '0' -> '\0';
            default -> escaped;
        };
    }

    /**
     * Returns whether two hexadecimal digits follow an x: the code of a control character, or, on MySQL, of a quote or
     * backslash.
     */
    private boolean isHex(String text, int at, int end) {
        boolean isHex = at + 3 <= end
                && text.charAt(at) == 'x'
                && Character.digit(text.charAt(at + 1), 16) >= 0
                && Character.digit(text.charAt(at + 2), 16) >= 0;
        return isHex && (!isMariaDb || text.charAt(at + 1) < '2');
    }

    private String shown() {
        return line.length() > 40 ? line.substring(0, 40) + "…" : line;
    }

    @Override
    public long row() {
        return Math.max(1, lines.line() - (hasLine ? 1 : 0));
    }

    @Override
    public String raw() {
        return lines.text(RowSliceBuilder.RAW_LENGTH);
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
