package io.nightjar.jobs.sql;

import io.nightjar.jobs.SqlWords.Word;
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
        List<Word> words = SqlScanner.scan(sql);
        StringBuilder replaced = new StringBuilder();
        int copied = 0;
        for (int i = 0; i < words.size(); i++) {
            int last = lastWordOfCall(words, i);
            if (last < 0) {
                continue;
            }
            String file = SqlScanner.stringValue(words.get(i + 2));
            String format = last == i + 5 ? SqlScanner.stringValue(words.get(i + 4)) : null;
            replaced.append(sql, copied, words.get(i).from()).append(viewOf.apply(file, format));
            copied = words.get(last).to();
            i = last;
        }
        return replaced.append(sql, copied, sql.length()).toString();
    }

    /** Returns the closing bracket of a call that begins at a word, or -1 if none does. */
    private static int lastWordOfCall(List<Word> words, int first) {
        boolean begins = "history".equals(SqlScanner.name(words.get(first)))
                && (first == 0 || !words.get(first - 1).is("."))
                && is(words, first + 1, "(")
                && isString(words, first + 2);
        if (!begins) {
            return -1;
        }
        if (is(words, first + 3, ")")) {
            return first + 3;
        }
        boolean hasFormat = is(words, first + 3, ",") && isString(words, first + 4) && is(words, first + 5, ")");
        return hasFormat ? first + 5 : -1;
    }

    private static boolean is(List<Word> words, int i, String sign) {
        return i < words.size() && words.get(i).is(sign);
    }

    private static boolean isString(List<Word> words, int i) {
        return i < words.size() && SqlScanner.stringValue(words.get(i)) != null;
    }
}
