package io.nightjar.jobs.sql;

import io.nightjar.jobs.sql.SqlScanner.Token;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the calls {@code history('FILE')} and {@code history('FILE', 'FORMAT')} in a query and replaces them by views.
 */
final class HistoryCalls {

    private HistoryCalls() {}

    /**
     * Returns the query with views instead of its calls.
     *
     * @param viewOf returns the name of a view of a file in a format; the format is null if none was given
     */
    static String replace(String sql, BiFunction<String, @Nullable String, String> viewOf) {
        List<Token> tokens = SqlScanner.scan(sql);
        StringBuilder replaced = new StringBuilder();
        int copied = 0;
        for (int i = 0; i < tokens.size(); i++) {
            int last = lastTokenOfCall(sql, tokens, i);
            if (last < 0) {
                continue;
            }
            String file = SqlScanner.stringValue(sql, tokens.get(i + 2));
            String format = last == i + 5 ? SqlScanner.stringValue(sql, tokens.get(i + 4)) : null;
            replaced.append(sql, copied, tokens.get(i).start()).append(viewOf.apply(file, format));
            copied = tokens.get(last).end();
            i = last;
        }
        return replaced.append(sql, copied, sql.length()).toString();
    }

    /** Returns the closing bracket of a call that begins at a token, or -1 if none does. */
    private static int lastTokenOfCall(String sql, List<Token> tokens, int first) {
        boolean begins = "history".equals(SqlScanner.name(sql, tokens.get(first)))
                && (first == 0 || !SqlScanner.isSymbol(sql, tokens.get(first - 1), '.'))
                && isSymbol(sql, tokens, first + 1, '(')
                && isString(sql, tokens, first + 2);
        if (!begins) {
            return -1;
        }
        if (isSymbol(sql, tokens, first + 3, ')')) {
            return first + 3;
        }
        boolean hasFormat = isSymbol(sql, tokens, first + 3, ',')
                && isString(sql, tokens, first + 4)
                && isSymbol(sql, tokens, first + 5, ')');
        return hasFormat ? first + 5 : -1;
    }

    private static boolean isSymbol(String sql, List<Token> tokens, int i, char symbol) {
        return i < tokens.size() && SqlScanner.isSymbol(sql, tokens.get(i), symbol);
    }

    private static boolean isString(String sql, List<Token> tokens, int i) {
        return i < tokens.size() && SqlScanner.stringValue(sql, tokens.get(i)) != null;
    }
}
