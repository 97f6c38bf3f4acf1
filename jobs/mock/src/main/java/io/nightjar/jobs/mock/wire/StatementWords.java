package io.nightjar.jobs.mock.wire;

import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.SqlWords.Flavor;
import io.nightjar.jobs.SqlWords.Kind;
import io.nightjar.jobs.SqlWords.Word;
import io.nightjar.jobs.mock.MockException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Words of one statement, with the searches shared by all dialects. */
public final class StatementWords {

    private static final Set<String> CONSTANTS = SqlWords.set(
            "null true false default now current_timestamp current_date current_time localtimestamp cast as "
                    + "int integer bigint text varchar numeric timestamp date interval");

    private static final String COMMENT = "/*";
    private static final String END_OF_COMMENT = "*/";

    private final String text;
    private final List<Word> words;

    private final String around;

    /** @param around the text from the previous statement to the next */
    private StatementWords(String text, List<Word> words, String around) {
        this.text = text;
        this.words = words;
        this.around = around;
    }

    /** Splits a text into statements, which are separated by semicolons; empty statements are omitted. */
    public static List<StatementWords> split(String sql, Flavor flavor) {
        List<StatementWords> statements = new ArrayList<>();
        List<Word> words = new ArrayList<>();
        int from = 0;
        for (Word word : wordsOf(sql, flavor)) {
            if (!word.is(";")) {
                words.add(word);
                continue;
            }
            if (!words.isEmpty()) {
                statements.add(new StatementWords(sql, words, sql.substring(from, word.from())));
                words = new ArrayList<>();
            }
            from = word.to();
        }
        if (!words.isEmpty()) {
            statements.add(new StatementWords(sql, words, sql.substring(from)));
        }
        return statements;
    }

    private static List<Word> wordsOf(String sql, Flavor flavor) {
        try {
            return SqlWords.of(sql, flavor);
        } catch (SqlWords.UnclosedException unclosed) {
            throw MockException.syntaxError(String.valueOf(unclosed.getMessage()));
        }
    }

    /** Returns the statement as written, without surrounding comments. */
    public String asWritten() {
        return written(0, words.size());
    }

    /** Returns the statement with an adjacent comment, if any; clients name their call site in such comments. */
    public String asWrittenWithComment() {
        String whole = around.strip();
        boolean isBefore = whole.startsWith(COMMENT) && !whole.startsWith(COMMENT + "!");
        return isBefore || whole.endsWith(END_OF_COMMENT) && !whole.contains(COMMENT + "!") ? whole : asWritten();
    }

    /** Returns the written text from one word to another, exclusive. */
    public String written(int from, int to) {
        return from >= to
                ? ""
                : text.substring(words.get(from).from(), words.get(to - 1).to());
    }

    /** Returns whether text separates a word from the previous word. */
    public boolean isApart(int position) {
        return words.get(position - 1).to() < words.get(position).from();
    }

    public List<Word> all() {
        return words;
    }

    public int size() {
        return words.size();
    }

    public Word get(int position) {
        return words.get(position);
    }

    public String text(int position) {
        return words.get(position).text();
    }

    public Kind kind(int position) {
        return words.get(position).kind();
    }

    public boolean isName(int position) {
        return words.get(position).isName();
    }

    /** Returns whether these words follow each other from a position on. */
    public boolean has(int position, String... names) {
        for (int i = 0; i < names.length; i++) {
            if (position + i < 0
                    || position + i >= words.size()
                    || !words.get(position + i).is(names[i])) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether any of these words is at a position. */
    public boolean hasAny(int position, String... names) {
        for (String name : names) {
            if (has(position, name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the name at a position.
     *
     * @throws MockException if the word is no name
     */
    public String name(int position) {
        if (position >= words.size() || !isName(position)) {
            throw MockException.syntaxError("syntax error at end of input, a name is missing");
        }
        return text(position);
    }

    /** Returns the position of a word outside of parentheses, -1 if absent. */
    public int topLevel(String word, int from) {
        int depth = 0;
        for (int position = 0; position < words.size(); position++) {
            if (has(position, "(")) {
                depth++;
            } else if (has(position, ")")) {
                depth--;
            } else if (depth == 0 && position >= from && has(position, word)) {
                return position;
            }
        }
        return -1;
    }

    /** Returns the position after a word, or after the parentheses that it opens. */
    public int endOfGroup(int from) {
        int depth = 0;
        int position = from;
        do {
            depth += has(position, "(") ? 1 : has(position, ")") ? -1 : 0;
            position++;
        } while (depth > 0 && position < words.size());
        return position;
    }

    /** Returns the first opening parenthesis from a position on, -1 if none. */
    public int firstOpen(int from) {
        for (int position = from; position < size(); position++) {
            if (has(position, "(")) {
                return position;
            }
        }
        return -1;
    }

    /** Splits at commas: returns the position of each first word and the position after each last word. */
    public List<int[]> items(int from, int to) {
        List<int[]> items = new ArrayList<>();
        int start = from;
        for (int position = from; position <= to; position = endOfGroup(position)) {
            if (position == to || has(position, ",")) {
                items.add(new int[] {start, position});
                start = position + 1;
            }
        }
        return items;
    }

    /** Returns the position after a table's name, which may have a schema before it. */
    public int endOfName(int position) {
        int next = position + 1;
        while (has(next, ".")) {
            next += 2;
        }
        return next;
    }

    /** Returns the columns assigned by SET, whose word is at a position. */
    public Set<String> assigned(int set, int end) {
        Set<String> columns = new HashSet<>();
        for (int position = set + 1; position < end && !has(position, "where"); position = endOfGroup(position)) {
            boolean isFirst = position == set + 1 || has(position - 1, ",");
            int name = endOfName(position) - 1;
            if (isFirst && isName(position) && has(name + 1, "=")) {
                columns.add(text(name));
            }
        }
        return columns;
    }

    /** Returns the names in a data change within a range, except for names that SET only assigns. */
    public Set<String> named(int from, int set, int end) {
        Set<String> names = new HashSet<>();
        for (int position = from; position < end; position++) {
            boolean isTarget = set >= 0 && position > set && has(position + 1, "=") && hasAny(position - 1, "set", ",");
            if (isName(position) && !isTarget) {
                names.add(text(position));
            }
        }
        return names;
    }

    /** Returns the columns of WHERE if an update sets constants where these are constants, else null. */
    public @Nullable Set<String> keyOfBlindUpdate(int afterTable, int end) {
        int set = topLevel("set", afterTable);
        int where = topLevel("where", afterTable);
        if (set != afterTable || where < 0 || where >= end || !setsConstants(set + 1, where)) {
            return null;
        }
        Set<String> columns = new HashSet<>();
        for (int position = where + 1; position < end; ) {
            if (!isName(position) || !has(position + 1, "=")) {
                return null;
            }
            columns.add(text(position));
            position += 2;
            if (has(position, "-")) {
                position++;
            }
            if (position >= end || isName(position) || !isConstant(words.get(position))) {
                return null;
            }
            position++;
            if (position < end && has(position, "::")) {
                position += 2;
            }
            if (position < end && !has(position++, "and")) {
                return null;
            }
        }
        return columns;
    }

    private boolean setsConstants(int from, int where) {
        int position = from;
        while (position < where) {
            if (!isName(position) || !has(position + 1, "=")) {
                return false;
            }
            position += 2;
            int depth = 0;
            for (; position < where && (depth > 0 || !has(position, ",")); position++) {
                depth += has(position, "(") ? 1 : has(position, ")") ? -1 : 0;
                if (!isConstant(words.get(position))) {
                    return false;
                }
            }
            position++;
        }
        return true;
    }

    private static boolean isConstant(Word word) {
        return switch (word.kind()) {
            case QUOTED_NAME -> false;
            case NAME -> CONSTANTS.contains(word.text());
            case STRING, NUMBER, PARAMETER, SIGN -> true;
        };
    }

    /** Returns the position of the locking clause of a query, -1 if none. */
    public int lockingClause() {
        for (int lock = topLevel("for", 1); lock >= 0; lock = topLevel("for", lock + 1)) {
            if (has(lock + 1, "update")
                    || has(lock + 1, "no", "key", "update")
                    || has(lock + 1, "share")
                    || has(lock + 1, "key", "share")) {
                return lock;
            }
        }
        int lock = topLevel("lock", 1);
        return lock >= 0 && has(lock + 1, "in", "share", "mode") ? lock : -1;
    }

    /** Returns whether a query changes tables inside of WITH. */
    public boolean changesInside() {
        for (int position = 1; position < words.size(); position++) {
            boolean isFirst = hasAny(position - 1, "(", ")");
            if (isFirst && hasAny(position, "insert", "update", "delete")) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of values in the first row of VALUES, whose word is at a position. */
    public int valuesIn(int position) {
        int open = position + 1;
        int count = 1;
        for (int at = open + 1; at < size() && !has(at, ")"); at = endOfGroup(at)) {
            count += has(at, ",") ? 1 : 0;
        }
        return count;
    }
}
