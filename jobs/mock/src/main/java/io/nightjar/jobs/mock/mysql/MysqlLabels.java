package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.SqlWords.Kind;
import io.nightjar.jobs.SqlWords.Word;
import io.nightjar.jobs.mock.wire.ColumnLabels;
import io.nightjar.jobs.mock.wire.StatementWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Column labels of a query as in MySQL: the alias, or the expression as written. */
final class MysqlLabels {

    private static final String[] ENDS =
            SqlWords.list("from where group having window order limit for into union except intersect lock");

    /** Modifiers between SELECT and its columns. */
    private static final String[] MODIFIERS = SqlWords.list(
            "all distinct distinctrow high_priority straight_join sql_no_cache sql_small_result " + "sql_big_result");

    private static final Set<String> NO_ALIASES =
            SqlWords.set("null true false unknown end day hour minute second month year week");

    /** Words that an operand follows. */
    private static final Set<String> OPERATORS =
            SqlWords.set("and or not is in like rlike regexp between div mod xor binary case when then else distinct "
                    + "interval collate escape select any all exists");

    private final StatementWords words;

    private MysqlLabels(StatementWords words) {
        this.words = words;
    }

    /** Returns the labels of the query that starts at a word; none if it is not a SELECT. */
    static List<String> of(StatementWords words, int from) {
        int select = words.topLevel("select", from);
        return select < 0 ? List.of() : new MysqlLabels(words).list(select + 1);
    }

    /** Returns the expression of each alias: the position of its first word and the position after its last. */
    static Map<String, int[]> meanings(StatementWords words) {
        Map<String, int[]> meanings = new HashMap<>();
        for (int[] item : new MysqlLabels(words).items(words.topLevel("select", 0) + 1)) {
            int last = item[1] - 1;
            if (words.has(last - 1, "as") && words.isName(last)) {
                meanings.put(words.text(last), new int[] {item[0], last - 1});
            }
        }
        return meanings;
    }

    private List<String> list(int from) {
        List<String> labels = new ArrayList<>();
        for (int[] item : items(from)) {
            labels.add(label(item[0], item[1]));
        }
        return labels;
    }

    private List<int[]> items(int from) {
        List<int[]> items = new ArrayList<>();
        int start = from;
        while (words.hasAny(start, MODIFIERS)) {
            start++;
        }
        for (int position = start; ; position = words.endOfGroup(position)) {
            boolean isLast = position >= words.size() || position > start && words.hasAny(position, ENDS);
            if (isLast || words.has(position, ",")) {
                items.add(new int[] {start, position});
                start = position + 1;
            }
            if (isLast) {
                return items;
            }
        }
    }

    private @Nullable String label(int from, int to) {
        if (to <= from) {
            return null;
        }
        if (words.has(to - 1, "*") && (to - 1 == from || words.has(to - 2, "."))) {
            return ColumnLabels.ALL;
        }
        boolean isAlias = to - from == 3 && words.has(to - 2, "as");
        boolean isText = true;
        for (int position = from; position < to; position++) {
            isText &= words.kind(position) == Kind.STRING || isAlias && position == to - 2;
        }
        if (isText) {
            return MysqlRewriter.unquoted(words.text(isAlias ? to - 1 : from));
        }
        boolean isColumn = true;
        for (int position = from; position < to; position++) {
            isColumn &= (position - from) % 2 == 0 ? words.isName(position) : words.has(position, ".");
        }
        return isColumn || hasAlias(from, to) ? asWritten(to - 1) : words.written(from, to);
    }

    /** Returns a word without quotes, in its written case. */
    private String asWritten(int position) {
        Word word = words.get(position);
        String text = words.written(position, position + 1);
        return word.kind() == Kind.NAME
                ? text
                : text.substring(1, text.length() - 1).replace("``", "`");
    }

    private boolean hasAlias(int from, int to) {
        Word last = words.get(to - 1);
        if (to - from < 2 || !last.isName() && last.kind() != Kind.STRING) {
            return false;
        }
        Word before = words.get(to - 2);
        if (before.is("as")) {
            return true;
        }
        boolean isWord = last.kind() == Kind.QUOTED_NAME || !NO_ALIASES.contains(last.text());
        boolean isOperand = before.kind() == Kind.SIGN && !before.is(")")
                || before.kind() == Kind.NAME && OPERATORS.contains(before.text());
        return isWord && !isOperand;
    }

    /** Returns whether a word is the alias of a column, written as a string. */
    static boolean isQuotedAlias(StatementWords words, int position) {
        return words.kind(position) == Kind.STRING && words.has(position - 1, "as");
    }
}
