package io.nightjar.jobs.sql;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the text of queries into tokens, as far as needed to find the ends of statements and the names in them: quotes
 * and comments are understood, grammar is not.
 */
public final class SqlScanner {

    /** The kind of a token. Space and comments are no tokens. */
    public enum Kind {
        WORD,
        /** Text in single quotes, or between dollar signs. */
        STRING,
        /** A name in double quotes. */
        QUOTED_NAME,
        /** Any other character. */
        SYMBOL
    }

    /**
     * A piece of the text.
     *
     * @param end index after its last character
     */
    public record Token(Kind kind, int start, int end) {}

    private final String sql;
    private final List<Token> tokens = new ArrayList<>();
    private boolean isOpen;

    private SqlScanner(String sql) {
        this.sql = sql;
    }

    public static List<Token> scan(String sql) {
        SqlScanner scanner = new SqlScanner(sql);
        scanner.scan();
        return scanner.tokens;
    }

    /** Returns the statements of a text, without their semicolons; omits empty ones. */
    public static List<String> statements(String sql) {
        List<String> statements = new ArrayList<>();
        int first = -1;
        int last = -1;
        for (Token token : scan(sql)) {
            if (isSymbol(sql, token, ';')) {
                if (first >= 0) {
                    statements.add(sql.substring(first, last));
                }
                first = -1;
            } else {
                first = first < 0 ? token.start() : first;
                last = token.end();
            }
        }
        if (first >= 0) {
            statements.add(sql.substring(first, last));
        }
        return statements;
    }

    /** Returns whether the text ends with a semicolon that is not inside quotes or a comment, or is empty. */
    public static boolean isComplete(String sql) {
        SqlScanner scanner = new SqlScanner(sql);
        scanner.scan();
        if (scanner.isOpen) {
            return false;
        }
        List<Token> tokens = scanner.tokens;
        return tokens.isEmpty() || isSymbol(sql, tokens.get(tokens.size() - 1), ';');
    }

    static boolean isSymbol(String sql, Token token, char symbol) {
        return token.kind() == Kind.SYMBOL && sql.charAt(token.start()) == symbol;
    }

    /** Returns the name that a word or a quoted name represents, in lower case as names are compared; else null. */
    static @Nullable String name(String sql, Token token) {
        return switch (token.kind()) {
            case WORD -> sql.substring(token.start(), token.end()).toLowerCase(Locale.ROOT);
            case QUOTED_NAME -> unquoted(sql, token, '"').toLowerCase(Locale.ROOT);
            default -> null;
        };
    }

    /** Returns the text that a string in single quotes represents; null for strings of other kinds. */
    static @Nullable String stringValue(String sql, Token token) {
        return token.kind() == Kind.STRING && sql.charAt(token.start()) == '\'' ? unquoted(sql, token, '\'') : null;
    }

    private static String unquoted(String sql, Token token, char quote) {
        String inside = sql.substring(token.start() + 1, Math.max(token.start() + 1, token.end() - 1));
        return inside.replace("" + quote + quote, "" + quote);
    }

    private void scan() {
        int at = 0;
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else if (sql.startsWith("--", at)) {
                int lineEnd = sql.indexOf('\n', at);
                at = lineEnd < 0 ? sql.length() : lineEnd;
            } else if (sql.startsWith("/*", at)) {
                at = endOfComment(at);
            } else if (c == '\'') {
                at = add(Kind.STRING, at, endOfQuote(at, '\'', isEscapeString(at)));
            } else if (c == '"') {
                at = add(Kind.QUOTED_NAME, at, endOfQuote(at, '"', false));
            } else if (c == '$' && dollarTag(at) != null) {
                at = add(Kind.STRING, at, endOfDollarQuote(at, requireNonNull(dollarTag(at))));
            } else if (isWordStart(c)) {
                at = add(Kind.WORD, at, endOfWord(at));
            } else {
                at = add(Kind.SYMBOL, at, at + 1);
            }
        }
    }

    private int add(Kind kind, int start, int end) {
        tokens.add(new Token(kind, start, end));
        return end;
    }

    /** Comments nest. */
    private int endOfComment(int start) {
        int depth = 0;
        int at = start;
        while (at < sql.length()) {
            if (sql.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (sql.startsWith("*/", at)) {
                depth--;
                at += 2;
                if (depth == 0) {
                    return at;
                }
            } else {
                at++;
            }
        }
        isOpen = true;
        return sql.length();
    }

    private int endOfQuote(int start, char quote, boolean hasBackslashes) {
        int at = start + 1;
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (c == '\\' && hasBackslashes) {
                at += 2;
            } else if (c != quote) {
                at++;
            } else if (at + 1 < sql.length() && sql.charAt(at + 1) == quote) {
                at += 2;
            } else {
                return at + 1;
            }
        }
        isOpen = true;
        return sql.length();
    }

    /** Returns whether the quote belongs to an {@code E'…'} string; its E was scanned as a word right before. */
    private boolean isEscapeString(int quote) {
        if (tokens.isEmpty()) {
            return false;
        }
        Token before = tokens.get(tokens.size() - 1);
        return before.end() == quote && "e".equals(name(sql, before));
    }

    /**
     * Returns the delimiter {@code $$} or {@code $tag$} that begins here, or null if a parameter like {@code $1} does.
     */
    private @Nullable String dollarTag(int start) {
        int at = start + 1;
        while (at < sql.length() && isWordChar(sql.charAt(at)) && sql.charAt(at) != '$') {
            at++;
        }
        boolean isTag = at < sql.length()
                && sql.charAt(at) == '$'
                && (at == start + 1 || !Character.isDigit(sql.charAt(start + 1)));
        return isTag ? sql.substring(start, at + 1) : null;
    }

    private int endOfDollarQuote(int start, String tag) {
        int end = sql.indexOf(tag, start + tag.length());
        if (end < 0) {
            isOpen = true;
            return sql.length();
        }
        return end + tag.length();
    }

    private int endOfWord(int start) {
        int at = start;
        while (at < sql.length() && isWordChar(sql.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isWordStart(char c) {
        return c == '_' || Character.isLetterOrDigit(c);
    }

    private static boolean isWordChar(char c) {
        return isWordStart(c) || c == '$';
    }
}
