package io.nightjar.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One word of a statement.
 *
 * @param text names in lower case, quoted names without quotes, all else as written
 */
record SqlToken(Kind kind, String text, int from, int to) {

    enum Kind {
        NAME,
        QUOTED_NAME,
        STRING,
        NUMBER,
        PARAMETER,
        SIGN
    }

    boolean is(String word) {
        return (kind == Kind.NAME || kind == Kind.SIGN) && text.equals(word);
    }

    boolean isName() {
        return kind == Kind.NAME || kind == Kind.QUOTED_NAME;
    }

    boolean isParameter() {
        return kind == Kind.PARAMETER;
    }

    boolean isConstant() {
        return kind == Kind.PARAMETER || kind == Kind.NUMBER || kind == Kind.STRING;
    }

    /** Returns the words of a statement without its comments. An unclosed word extends to the end. */
    static List<SqlToken> of(String sql) {
        List<SqlToken> tokens = new ArrayList<>();
        int at = afterBlanks(sql, 0);
        while (at < sql.length()) {
            SqlToken token = next(sql, at);
            tokens.add(token);
            at = afterBlanks(sql, token.to);
        }
        return tokens;
    }

    private static SqlToken next(String sql, int from) {
        char first = sql.charAt(from);
        if (first == '\'') {
            int to = afterQuoted(sql, from);
            return new SqlToken(Kind.STRING, sql.substring(from, to), from, to);
        }
        if (first == '"' || first == '`') {
            int to = afterQuoted(sql, from);
            String quote = String.valueOf(first);
            String name = sql.substring(from + 1, Math.max(from + 1, to - 1)).replace(quote + quote, quote);
            return new SqlToken(Kind.QUOTED_NAME, name, from, to);
        }
        if (first == '$' && sql.indexOf('$', from + 1) > 0 && !isDigit(sql, from + 1)) {
            int to = afterDollars(sql, from);
            return new SqlToken(Kind.STRING, sql.substring(from, to), from, to);
        }
        if (Character.isLetter(first) || first == '_') {
            int to = afterName(sql, from, false);
            return new SqlToken(Kind.NAME, sql.substring(from, to).toLowerCase(Locale.ROOT), from, to);
        }
        if (Character.isDigit(first)) {
            int to = afterName(sql, from, true);
            return new SqlToken(Kind.NUMBER, sql.substring(from, to), from, to);
        }
        boolean isPair = sql.startsWith("::", from) || sql.startsWith("??", from);
        int to = from + (isPair ? 2 : 1);
        boolean isParameter = first == '?' && !isPair;
        return new SqlToken(isParameter ? Kind.PARAMETER : Kind.SIGN, sql.substring(from, to), from, to);
    }

    private static boolean isDigit(String sql, int at) {
        return at < sql.length() && Character.isDigit(sql.charAt(at));
    }

    private static int afterName(String sql, int from, boolean isNumber) {
        int at = from;
        while (at < sql.length()
                && (Character.isLetterOrDigit(sql.charAt(at))
                        || sql.charAt(at) == '_'
                        || sql.charAt(at) == (isNumber ? '.' : '$'))) {
            at++;
        }
        return at;
    }

    private static int afterQuoted(String sql, int from) {
        char quote = sql.charAt(from);
        boolean isEscaping = quote == '\'' && from > 0 && "eE".indexOf(sql.charAt(from - 1)) >= 0;
        int at = from + 1;
        while (at < sql.length()) {
            char letter = sql.charAt(at++);
            if (letter == '\\' && isEscaping) {
                at++;
            } else if (letter == quote) {
                if (at >= sql.length() || sql.charAt(at) != quote) {
                    return at;
                }
                at++;
            }
        }
        return sql.length();
    }

    private static int afterDollars(String sql, int from) {
        String tag = sql.substring(from, sql.indexOf('$', from + 1) + 1);
        int close = sql.indexOf(tag, from + tag.length());
        return close < 0 ? sql.length() : close + tag.length();
    }

    private static int afterBlanks(String sql, int from) {
        int at = from;
        while (at < sql.length()) {
            if (Character.isWhitespace(sql.charAt(at))) {
                at++;
            } else if (sql.startsWith("--", at)) {
                int end = sql.indexOf('\n', at);
                at = end < 0 ? sql.length() : end;
            } else if (sql.startsWith("/*", at)) {
                int end = sql.indexOf("*/", at + 2);
                at = end < 0 ? sql.length() : end + 2;
            } else {
                return at;
            }
        }
        return at;
    }
}
