package io.nightjar.jobs.record;

import io.nightjar.datasets.jdbc.JdbcTables;
import io.nightjar.formats.history.HistorySlice;

/** Parser of the messages of PostgreSQL's test_decoding, as far as they concern the tables of a recording. */
final class DecodedText {

    /*
     *   BEGIN 781
     *   table public.nightjar_account: UPDATE: id[integer]:5 amount[bigint]:77 v[bigint]:12005 n[bigint]:7
     *   table public.nightjar_list: INSERT: id[integer]:3 elements[text]:'1001,2003,'
     *   message: transactional: 1 prefix: nightjar, sz: 8 content:the text
     *   COMMIT 781
     *
     * The value of a row, or the last element of a list, identifies the transaction that wrote it.
     */

    /** Kinds of messages. */
    enum Kind {
        BEGIN,
        /** An inserted or updated row. */
        WRITE,
        /** Any other change of the tables, which no session of the recording makes. */
        FOREIGN,
        MESSAGE,
        COMMIT,
        OTHER
    }

    private static final String TABLE = "table ";
    private static final String CONTENT = " content:";

    private final JdbcTables tables;
    private final String prefix;
    private String text = "";
    private int at;
    private int key;
    private long value;
    private long amount;
    private long rowVersion;

    /** @param schema schema of the tables, as PostgreSQL quotes it */
    DecodedText(JdbcTables tables, String schema) {
        this.tables = tables;
        this.prefix = TABLE + schema + '.';
    }

    Kind read(String message) {
        text = message;
        if (message.startsWith(TABLE)) {
            return readChange();
        }
        if (message.startsWith("BEGIN")) {
            return Kind.BEGIN;
        }
        if (message.startsWith("COMMIT")) {
            return Kind.COMMIT;
        }
        return message.startsWith("message:") ? Kind.MESSAGE : Kind.OTHER;
    }

    private Kind readChange() {
        int colon = text.indexOf(": ", prefix.length());
        if (!text.startsWith(prefix) || colon < 0) {
            return Kind.OTHER;
        }
        int firstKey = tables.firstKeyOf(text.substring(prefix.length(), colon));
        if (firstKey < 0) {
            return Kind.OTHER;
        }
        at = colon + 2;
        boolean isWrite = take("INSERT: ") || take("UPDATE: ");
        return isWrite && readRow(firstKey) ? Kind.WRITE : Kind.FOREIGN;
    }

    private boolean take(String word) {
        if (!text.startsWith(word, at)) {
            return false;
        }
        at += word.length();
        return true;
    }

    /** Returns whether a session wrote the row. */
    private boolean readRow(int firstKey) {
        key = -1;
        value = HistorySlice.NONE;
        amount = 0;
        rowVersion = HistorySlice.NONE;
        while (at < text.length()) {
            int bracket = text.indexOf('[', at);
            int colon = text.indexOf("]:", at);
            if (bracket < 0 || colon < 0) {
                return false;
            }
            String column = text.substring(at, bracket);
            at = colon + 2;
            boolean isText = text.charAt(at) == '\'';
            int end = isText ? text.indexOf('\'', at + 1) : text.indexOf(' ', at);
            end = end < 0 ? text.length() : end;
            if (!readColumn(column, isText ? at + 1 : at, end, firstKey)) {
                return false;
            }
            at = isText ? end + 2 : end + 1;
        }
        return key >= 0 && value != HistorySlice.NONE;
    }

    private boolean readColumn(String column, int from, int end, int firstKey) {
        int first = from;
        int next = end;
        if (column.equals("elements")) {
            next = text.lastIndexOf(',', end - 1);
            first = next < from ? end : Math.max(from, text.lastIndexOf(',', next - 1) + 1);
        }
        long number;
        try {
            number = Long.parseLong(text, first, Math.max(first, next), 10);
        } catch (NumberFormatException notOfOurs) {
            return false;
        }
        switch (column) {
            case "id" -> key = (int) (firstKey + number);
            case "amount" -> amount = number;
            case "n" -> rowVersion = number;
            default -> value = number;
        }
        return true;
    }

    /** Returns the transaction that wrote the row. */
    long writer() {
        return value / ClientSession.VALUES_OF_A_TXN;
    }

    /** Returns the hash of the write that {@link LoggedCommits} sums. */
    long write() {
        return LoggedCommits.write(key, amount, value, rowVersion);
    }

    /** Returns the content of a message. */
    String content() {
        int from = text.indexOf(CONTENT);
        return from < 0 ? "" : text.substring(from + CONTENT.length());
    }
}
