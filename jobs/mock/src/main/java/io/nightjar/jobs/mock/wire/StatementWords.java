package io.nightjar.jobs.mock.wire;

import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.wire.SqlWords.Flavor;
import io.nightjar.jobs.mock.wire.SqlWords.Word;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The words of one statement, and what every dialect has to find in them. */
public final class StatementWords {

    private static final Set<String> CONSTANTS = Set.of(
            "null",
            "true",
            "false",
            "default",
            "now",
            "current_timestamp",
            "current_date",
            "current_time",
            "localtimestamp",
            "cast",
            "as",
            "int",
            "integer",
            "bigint",
            "text",
            "varchar",
            "numeric",
            "timestamp",
            "date",
            "interval");

    private static final String COMMENT = "/*";
    private static final String END_OF_COMMENT = "*/";

    private final String text;
    private final List<Word> words;

    private final String around;

    /** @param around the text from the statement before to the next one */
    private StatementWords(String text, List<Word> words, String around) {
        this.text = text;
        this.words = words;
        this.around = around;
    }

    /** The statements of a text, which are separated by semicolons; empty ones are left out. */
    public static List<StatementWords> split(String sql, Flavor flavor) {
        List<StatementWords> statements = new ArrayList<>();
        List<Word> words = new ArrayList<>();
        int from = 0;
        for (Word word : SqlWords.of(sql, flavor)) {
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

    /** The statement as it was written, without the comments around it. */
    public String own() {
        return written(0, words.size());
    }

    /** The statement with a comment before or behind it, in which clients say where they call from; without, if it has none. */
    public String ownWithComment() {
        String whole = around.strip();
        boolean isBefore = whole.startsWith(COMMENT) && !whole.startsWith(COMMENT + "!");
        return isBefore || whole.endsWith(END_OF_COMMENT) && !whole.contains(COMMENT + "!") ? whole : own();
    }

    /** Returns what was written from one word to another, which is not in it. */
    public String written(int from, int to) {
        return from >= to
                ? ""
                : text.substring(words.get(from).from(), words.get(to - 1).to());
    }

    /** Whether there is something between a word and the one before it. */
    public boolean isApart(int place) {
        return words.get(place - 1).to() < words.get(place).from();
    }

    public List<Word> all() {
        return words;
    }

    public int size() {
        return words.size();
    }

    public Word get(int place) {
        return words.get(place);
    }

    /** Whether these words follow each other from a place on. */
    public boolean has(int place, String... names) {
        for (int i = 0; i < names.length; i++) {
            if (place + i < 0
                    || place + i >= words.size()
                    || !words.get(place + i).is(names[i])) {
                return false;
            }
        }
        return true;
    }

    /** Whether any of these words is at a place. */
    public boolean hasAny(int place, String... names) {
        for (String name : names) {
            if (has(place, name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The name at a place.
     *
     * @throws MockException if there is none
     */
    public String name(int place) {
        if (place >= words.size() || !words.get(place).isName()) {
            throw new MockException("42601", "syntax error at end of input, a name is missing");
        }
        return words.get(place).text();
    }

    /** The place of a word outside of parentheses, -1 if there is none. */
    public int topLevel(String word, int from) {
        int depth = 0;
        for (int place = 0; place < words.size(); place++) {
            if (has(place, "(")) {
                depth++;
            } else if (has(place, ")")) {
                depth--;
            } else if (depth == 0 && place >= from && has(place, word)) {
                return place;
            }
        }
        return -1;
    }

    /** The place behind a word, or behind what it opens. */
    public int behind(int from) {
        int depth = 0;
        int place = from;
        do {
            depth += has(place, "(") ? 1 : has(place, ")") ? -1 : 0;
            place++;
        } while (depth > 0 && place < words.size());
        return place;
    }

    /** The first parenthesis that opens from a place on, -1 if there is none. */
    public int firstOpen(int from) {
        for (int place = from; place < size(); place++) {
            if (has(place, "(")) {
                return place;
            }
        }
        return -1;
    }

    /** Returns what stands between commas: the places of each first word and behind each last one. */
    public List<int[]> items(int from, int to) {
        List<int[]> items = new ArrayList<>();
        int start = from;
        for (int place = from; place <= to; place = behind(place)) {
            if (place == to || has(place, ",")) {
                items.add(new int[] {start, place});
                start = place + 1;
            }
        }
        return items;
    }

    /** The place behind a table's name that may have a schema before it. */
    public int behindName(int place) {
        int next = place + 1;
        while (has(next, ".")) {
            next += 2;
        }
        return next;
    }

    /** The columns that SET, whose word is at a place, gives values. */
    public Set<String> assigned(int set, int end) {
        Set<String> columns = new HashSet<>();
        for (int place = set + 1; place < end && !has(place, "where"); place = behind(place)) {
            boolean isFirst = place == set + 1 || has(place - 1, ",");
            int name = behindName(place) - 1;
            if (isFirst && words.get(place).isName() && has(name + 1, "=")) {
                columns.add(words.get(name).text());
            }
        }
        return columns;
    }

    /** The names that stand in a change of a table, but for those that SET only gives values; from one place to another. */
    public Set<String> named(int from, int set, int end) {
        Set<String> names = new HashSet<>();
        for (int place = from; place < end; place++) {
            boolean isTarget = set >= 0 && place > set && has(place + 1, "=") && hasAny(place - 1, "set", ",");
            if (words.get(place).isName() && !isTarget) {
                names.add(words.get(place).text());
            }
        }
        return names;
    }

    /** The columns of WHERE if an update sets constants where these are constants, else null. */
    public @Nullable Set<String> keyOfBlindUpdate(int afterTable, int end) {
        int set = topLevel("set", afterTable);
        int where = topLevel("where", afterTable);
        if (set != afterTable || where < 0 || where >= end || !setsConstants(set + 1, where)) {
            return null;
        }
        Set<String> columns = new HashSet<>();
        for (int place = where + 1; place < end; ) {
            if (!words.get(place).isName() || !has(place + 1, "=")) {
                return null;
            }
            columns.add(words.get(place).text());
            place += 2;
            if (has(place, "-")) {
                place++;
            }
            if (place >= end || words.get(place).isName() || !isConstant(words.get(place))) {
                return null;
            }
            place++;
            if (place < end && has(place, "::")) {
                place += 2;
            }
            if (place < end && !has(place++, "and")) {
                return null;
            }
        }
        return columns;
    }

    private boolean setsConstants(int from, int where) {
        int place = from;
        while (place < where) {
            if (!words.get(place).isName() || !has(place + 1, "=")) {
                return false;
            }
            place += 2;
            int depth = 0;
            for (; place < where && (depth > 0 || !has(place, ",")); place++) {
                depth += has(place, "(") ? 1 : has(place, ")") ? -1 : 0;
                if (!isConstant(words.get(place))) {
                    return false;
                }
            }
            place++;
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

    /** The place where a query says that it locks what it reads, -1 if it does not. */
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

    /** Whether a query changes tables inside of WITH. */
    public boolean changesInside() {
        for (int place = 1; place < words.size(); place++) {
            boolean isFirst = hasAny(place - 1, "(", ")");
            if (isFirst && hasAny(place, "insert", "update", "delete")) {
                return true;
            }
        }
        return false;
    }

    /** How many values the first row of VALUES has, whose word is at a place. */
    public int valuesIn(int place) {
        int open = place + 1;
        int count = 1;
        for (int at = open + 1; at < size() && !has(at, ")"); at = behind(at)) {
            count += has(at, ",") ? 1 : 0;
        }
        return count;
    }
}
