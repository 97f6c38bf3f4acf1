package io.nightjar.jobs.sql;

import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.SqlWords.Flavor;
import io.nightjar.jobs.SqlWords.Kind;
import io.nightjar.jobs.SqlWords.Word;
import io.nightjar.jobs.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Statements of the text of queries, and the names in them. */
public final class SqlScanner {

    private SqlScanner() {}

    static List<Word> scan(String sql) {
        return SqlWords.of(sql, Flavor.POSTGRES);
    }

    /**
     * Returns the statements of a text, without their semicolons; omits empty ones.
     *
     * @throws UsageException if a quoted text or a comment lacks its end
     */
    public static List<String> statements(String sql) {
        List<Word> words;
        try {
            words = scan(sql);
        } catch (SqlWords.UnclosedException unclosed) {
            throw new UsageException(unclosed.getMessage() + "; close it", unclosed);
        }
        List<String> statements = new ArrayList<>();
        int first = -1;
        for (int i = 0; i <= words.size(); i++) {
            boolean isEnd = i == words.size() || words.get(i).is(";");
            if (!isEnd) {
                first = first < 0 ? i : first;
            } else if (first >= 0) {
                statements.add(
                        sql.substring(words.get(first).from(), words.get(i - 1).to()));
                first = -1;
            }
        }
        return statements;
    }

    /** Returns whether the text ends with a semicolon that is not inside quotes or a comment, or is empty. */
    public static boolean isComplete(String sql) {
        try {
            List<Word> words = scan(sql);
            return words.isEmpty() || words.get(words.size() - 1).is(";");
        } catch (SqlWords.UnclosedException unclosed) {
            return false;
        }
    }

    /** Returns the name that a word represents, in lower case as names are compared; null if it is none. */
    static @Nullable String name(Word word) {
        return word.isName() ? word.text().toLowerCase(Locale.ROOT) : null;
    }

    /** Returns the text that a string in single quotes represents; null for all else. */
    static @Nullable String stringValue(Word word) {
        String text = word.text();
        return word.kind() == Kind.STRING && text.startsWith("'")
                ? text.substring(1, text.length() - 1).replace("''", "'")
                : null;
    }
}
