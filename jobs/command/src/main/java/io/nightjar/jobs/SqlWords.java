package io.nightjar.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tokenizer of SQL text, which omits comments. */
public final class SqlWords {

    /** Quoting rules of a database. */
    public enum Flavor {
        /** Names in double quotes, strings in single quotes or dollars. */
        POSTGRES,
        /** Names in backticks, strings in both quotes, with escapes. */
        MYSQL
    }

    /** A quoted text or a comment lacks its end. */
    public static final class UnclosedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        private UnclosedException(String what) {
            super("unterminated " + what);
        }
    }

    /** Kind of a word. */
    public enum Kind {
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
     * @param text names in lower case, quoted names without quotes (in lower case too where case is insignificant), all
     *     else as written
     */
    public record Word(Kind kind, String text, int from, int to) {

        public boolean is(String name) {
            return kind == Kind.NAME && text.equals(name) || kind == Kind.SIGN && text.equals(name);
        }

        public boolean isName() {
            return kind == Kind.NAME || kind == Kind.QUOTED_NAME;
        }
    }

    /** Operators of several characters; longer ones first. */
    private static final List<String> LONG_SIGNS =
            List.of("<=>", "->>", "::", ":=", "<=", ">=", "<>", "!=", "&&", "||", "->");

    private final String sql;
    private final boolean isMysql;
    private int at;

    private SqlWords(String sql, Flavor flavor) {
        this.sql = sql;
        this.isMysql = flavor == Flavor.MYSQL;
    }

    /** Returns the words of a text with blanks between them. */
    public static Set<String> set(String words) {
        return Set.of(list(words));
    }

    /** Returns the words of a text with blanks between them, in order. */
    public static String[] list(String words) {
        return words.split(" ");
    }

    /**
     * Returns the words of a statement, in order.
     *
     * @throws UnclosedException if the last one lacks its end
     */
    public static List<Word> of(String sql, Flavor flavor) {
        SqlWords words = new SqlWords(sql, flavor);
        List<Word> found = new ArrayList<>();
        for (Word word = words.next(); word != null; word = words.next()) {
            found.add(word);
        }
        return found;
    }

    private @Nullable Word next() {
        skipBlanks();
        if (at >= sql.length()) {
            return null;
        }
        int from = at;
        char first = sql.charAt(at);
        Word quoted = isMysql ? quotedOfMysql(first, from) : quotedOfPostgres(first, from);
        if (quoted != null) {
            return quoted;
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
        at += isMysql ? lengthOfSign() : sql.startsWith("::", at) ? 2 : 1;
        return new Word(Kind.SIGN, sql.substring(from, at), from, at);
    }

    private int lengthOfSign() {
        for (String sign : LONG_SIGNS) {
            if (sql.startsWith(sign, at)) {
                return sign.length();
            }
        }
        return 1;
    }

    private @Nullable Word quotedOfPostgres(char first, int from) {
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
            return quotedName('"', from);
        }
        return first == '$' ? readDollar(from) : null;
    }

    private @Nullable Word quotedOfMysql(char first, int from) {
        if (first == '\'' || first == '"') {
            readQuoted(first, true);
            return new Word(Kind.STRING, sql.substring(from, at), from, at);
        }
        if (first == '`') {
            return quotedName('`', from);
        }
        if (first == '?') {
            at++;
            return new Word(Kind.PARAMETER, "?", from, at);
        }
        return null;
    }

    private Word quotedName(char quote, int from) {
        readQuoted(quote, false);
        String name = sql.substring(from + 1, at - 1).replace(String.valueOf(quote) + quote, String.valueOf(quote));
        return new Word(Kind.QUOTED_NAME, isMysql ? name.toLowerCase(Locale.ROOT) : name, from, at);
    }

    private static boolean isOfName(char letter) {
        return Character.isLetterOrDigit(letter) || letter == '_' || letter == '$';
    }

    private void skipBlanks() {
        while (at < sql.length()) {
            if (Character.isWhitespace(sql.charAt(at))) {
                at++;
            } else if (sql.startsWith("--", at) || isMysql && sql.charAt(at) == '#') {
                int end = sql.indexOf('\n', at);
                at = end < 0 ? sql.length() : end;
            } else if (isMysql && sql.startsWith("/*!", at)) {
                at += 3;
                while (at < sql.length() && Character.isDigit(sql.charAt(at))) {
                    at++;
                }
            } else if (isMysql && sql.startsWith("*/", at)) {
                at += 2; // start of a comment whose text is executed
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
            throw new UnclosedException("/* comment");
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
        throw new UnclosedException(quote == '"' && !isMysql || quote == '`' ? "quoted identifier" : "quoted string");
    }

    /** Returns a parameter such as {@code $1} or a string between dollar signs; null if the sign begins neither. */
    private @Nullable Word readDollar(int from) {
        int end = from + 1;
        boolean isNumber = end < sql.length() && Character.isDigit(sql.charAt(end));
        while (end < sql.length() && isOfName(sql.charAt(end)) && sql.charAt(end) != '$') {
            end++;
        }
        if (isNumber) {
            at = end;
            return new Word(Kind.PARAMETER, sql.substring(from, end), from, end);
        }
        if (end == sql.length() || sql.charAt(end) != '$') {
            return null;
        }
        String tag = sql.substring(from, end + 1);
        int close = sql.indexOf(tag, end + 1);
        if (close < 0) {
            throw new UnclosedException("dollar-quoted string");
        }
        at = close + tag.length();
        return new Word(Kind.STRING, sql.substring(from, at), from, at);
    }
}
