package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.mock.wire.StatementWords;
import java.util.Map;

/** Rewrites HAVING without GROUP BY, in which MySQL filters rows by column aliases, to WHERE. */
final class MysqlHaving {

    private static final String[] AGGREGATES = SqlWords.list("count sum min max avg group_concat std variance");

    private final StatementWords words;
    private final MysqlRewriter spelling;

    MysqlHaving(StatementWords words, MysqlRewriter spelling) {
        this.words = words;
        this.spelling = spelling;
    }

    /** Returns the query up to a position, rewritten for H2. */
    String plain(int end) {
        int having = words.topLevel("having", 1);
        boolean isFilter = having > 0
                && having < end
                && words.topLevel("group", 1) < 0
                && words.topLevel("union", 1) < 0
                && !hasAggregate(end);
        if (!isFilter) {
            return spelling.plain(0, end);
        }
        int after = having + 1;
        while (after < end && !words.hasAny(after, "order", "limit")) {
            after = words.endOfGroup(after);
        }
        int where = words.topLevel("where", 1);
        String start = where < 0
                ? spelling.plain(0, having) + " WHERE "
                : spelling.plain(0, where + 1) + " (" + spelling.plain(where + 1, having) + ") AND ";
        return start + "(" + condition(having + 1, after) + ") " + spelling.plain(after, end);
    }

    private boolean hasAggregate(int end) {
        for (int position = 1; position < end; position++) {
            if (words.hasAny(position, AGGREGATES) && words.has(position + 1, "(")) {
                return true;
            }
        }
        return false;
    }

    /** Returns the condition with aliases replaced by their expressions. */
    private String condition(int from, int to) {
        Map<String, int[]> meanings = MysqlLabels.meanings(words);
        StringBuilder condition = new StringBuilder();
        for (int position = from; position < to; position++) {
            boolean isPlain = words.isName(position) && !words.has(position - 1, ".") && !words.has(position + 1, ".");
            int[] meaning = isPlain ? meanings.get(words.text(position)) : null;
            condition.append(' ');
            condition.append(
                    meaning == null
                            ? spelling.plain(position, position + 1)
                            : "(" + spelling.plain(meaning[0], meaning[1]) + ")");
        }
        return condition.toString();
    }
}
