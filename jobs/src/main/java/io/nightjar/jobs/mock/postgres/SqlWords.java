package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.MockException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A text of SQL cut into words, without comments. */
final class SqlWords {

    /** What a word is. */
    enum Kind {
        NAME,
        QUOTED_NAME,
        STRING,
        NUMBER,
        PARAMETER,
        SIGN
    }

    /**
     * One word.
     *
     * @param text names in lower case, quoted names without quotes, all else as written
     */
    record Word(Kind kind, String text, int from, int to) {

        boolean is(String name) {
            return kind == Kind.NAME && text.equals(name) || kind == Kind.SIGN && text.equals(name);
        }

        boolean isName() {
            return kind == Kind.NAME || kind == Kind.QUOTED_NAME;
        }
    }

    private final String sql;
    private int at;

    private SqlWords(String sql) {
        this.sql = sql;
    }

    /** The words of a text, in order. */
    static List<Word> of(String sql) {
        SqlWords words = new SqlWords(sql);
        List<Word> found = new ArrayList<>();
        for (Word word = words.next(); word != null; word = words.next()) {
            found.add(word);
        }
        return found;
    }

    private Word next() {
        skipBlanks();
        if (at >= sql.length()) {
            return null;
        }
        int from = at;
        char first = sql.charAt(at);
        boolean isEscape = (first == 'e' || first == 'E') && at + 1 < sql.length() && sql.charAt(at + 1) == '\'';
        if (isEscape) {
            at++;
            readQuoted('\'', true);
            return new Word(Kind.STRING, sql.substring(from, at), from, at);
        }
        if (first == '\'') {
            readQuoted('\'', false);
            return new Word(Kind.STRING, sql.substring(from, at), from, at);
        }
        if (first == '"') {
            readQuoted('"', false);
            return new Word(Kind.QUOTED_NAME, sql.substring(from + 1, at - 1).replace("\"\"", "\""), from, at);
        }
        if (first == '$') {
            return readDollar(from);
        }
        if (Character.isLetter(first) || first == '_') {
            while (at < sql.length() && isOfName(sql.charAt(at))) {
                at++;
            }
            return new Word(Kind.NAME, sql.substring(from, at).toLowerCase(Locale.ROOT), from, at);
        }
        if (Character.isDigit(first)) {
            while (at < sql.length() && (isOfName(sql.charAt(at)) || sql.charAt(at) == '.')) {
                at++;
            }
            return new Word(Kind.NUMBER, sql.substring(from, at), from, at);
        }
        at += sql.startsWith("::", at) ? 2 : 1;
        return new Word(Kind.SIGN, sql.substring(from, at), from, at);
    }

    private static boolean isOfName(char letter) {
        return Character.isLetterOrDigit(letter) || letter == '_' || letter == '$';
    }

    private void skipBlanks() {
        while (at < sql.length()) {
            if (Character.isWhitespace(sql.charAt(at))) {
                at++;
            } else if (sql.startsWith("--", at)) {
                int end = sql.indexOf('\n', at);
                at = end < 0 ? sql.length() : end;
            } else if (sql.startsWith("/*", at)) {
                skipComment();
            } else {
                return;
            }
        }
    }

    private void skipComment() {
        int depth = 0;
        do {
            if (sql.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (sql.startsWith("*/", at)) {
                depth--;
                at += 2;
            } else {
                at++;
            }
        } while (depth > 0 && at < sql.length());
        if (depth > 0) {
            throw new MockException("42601", "unterminated /* comment");
        }
    }

    private void readQuoted(char quote, boolean hasEscapes) {
        at++;
        while (at < sql.length()) {
            char letter = sql.charAt(at++);
            if (hasEscapes && letter == '\\') {
                at++;
            } else if (letter == quote) {
                if (at < sql.length() && sql.charAt(at) == quote) {
                    at++;
                } else {
                    return;
                }
            }
        }
        throw new MockException(
                "42601", quote == '"' ? "unterminated quoted identifier" : "unterminated quoted string");
    }

    private Word readDollar(int from) {
        at++;
        if (at < sql.length() && Character.isDigit(sql.charAt(at))) {
            while (at < sql.length() && Character.isDigit(sql.charAt(at))) {
                at++;
            }
            return new Word(Kind.PARAMETER, sql.substring(from, at), from, at);
        }
        int end = sql.indexOf('$', at);
        if (end < 0) {
            throw new MockException("42601", "syntax error at or near \"$\"");
        }
        String tag = sql.substring(from, end + 1);
        int close = sql.indexOf(tag, end + 1);
        if (close < 0) {
            throw new MockException("42601", "unterminated dollar-quoted string");
        }
        at = close + tag.length();
        return new Word(Kind.STRING, sql.substring(from, at), from, at);
    }
}
