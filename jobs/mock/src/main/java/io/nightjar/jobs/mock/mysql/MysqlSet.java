package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.SqlWords.Flavor;
import io.nightjar.jobs.SqlWords.Kind;
import io.nightjar.jobs.SqlWords.Word;
import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.sql.SqlResult;
import io.nightjar.jobs.mock.wire.StatementWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;

/** Parser of SET for variables: {@code SET a = 1, @@session.b = 'x', NAMES utf8mb4, @mine = @@sql_mode}. */
final class MysqlSet {

    /** Runs statements. */
    @FunctionalInterface
    interface Engine {

        SqlResult ask(String sql);
    }

    private final StatementWords words;
    private final MysqlRewriter spelling;
    private final BiConsumer<String, String> variables;
    private final Engine engine;

    /**
     * Parses a SET statement.
     *
     * @param known the current variables
     * @param variables consumer of names and values
     * @param engine runs assignments of user variables, which H2 stores
     */
    MysqlSet(String text, MysqlVariables known, BiConsumer<String, String> variables, Engine engine) {
        this.words = StatementWords.split(text, Flavor.MYSQL).get(0);
        this.spelling = new MysqlRewriter(words, known);
        this.variables = variables;
        this.engine = engine;
    }

    void run() {
        words.items(1, words.size()).forEach(item -> assign(item[0], item[1]));
    }

    private void assign(int from, int to) {
        int position = from;
        if (words.hasAny(position, "names", "charset") || words.has(position, "character", "set")) {
            return; // all text is UTF-8
        }
        if (isUserVariable(position)) {
            engine.ask("SET " + spelling.plain(from, to).replaceFirst(":=", "="));
            return;
        }
        if (words.has(position, "@", "@")) {
            position += 2;
        }
        boolean isScope = words.hasAny(position, "session", "global", "local", "persist");
        if (isScope
                && (words.has(position + 1, ".") || !words.has(position + 1, "=") && !words.has(position + 1, ":="))) {
            position += words.has(position + 1, ".") ? 2 : 1;
            position += words.has(position, "@", "@") ? 2 : 0;
        }
        if (words.has(position, "transaction")) {
            isolation(position + 1, to);
            return;
        }
        StringBuilder name = new StringBuilder(words.name(position++));
        while (words.has(position, ".")) {
            name.append('.').append(words.name(position + 1));
            position += 2;
        }
        if (!words.has(position, "=") && !words.has(position, ":=") || position + 1 >= to) {
            throw MockException.syntaxError("syntax error in SET: a value is missing for " + name);
        }
        variables.accept(name.toString(), value(position + 1, to));
    }

    /** Stores the isolation level for later queries; it has no effect. */
    private void isolation(int from, int to) {
        List<String> level = new ArrayList<>();
        for (int position = from; position < to; position++) {
            if (!words.hasAny(position, "isolation", "level", "read", "only", "write")
                    || words.has(position + 1, "committed")
                    || words.has(position + 1, "uncommitted")) {
                level.add(words.text(position).toUpperCase(Locale.ROOT));
            }
        }
        if (words.has(from, "isolation", "level")) {
            variables.accept("transaction_isolation", String.join("-", level));
        }
        for (int position = from; position < to; position++) {
            if (words.has(position, "read", "only") || words.has(position, "read", "write")) {
                variables.accept("transaction_read_only", words.has(position + 1, "only") ? "1" : "0");
            }
        }
    }

    private String value(int from, int to) {
        if (to - from == 1) {
            return plain(words.get(from));
        }
        boolean isCall = words.has(from + 1, "(") && words.endOfGroup(from + 1) == to;
        if (words.has(from, "@") || isCall) {
            Object held =
                    engine.ask("SELECT " + spelling.plain(from, to)).rows().get(0)[0];
            return held == null ? "" : held.toString();
        }
        return words.written(from, to);
    }

    /** Returns whether a word begins the name of a user variable. */
    private boolean isUserVariable(int position) {
        return words.has(position, "@") && !words.has(position + 1, "@");
    }

    private static String plain(Word word) {
        return word.kind() == Kind.STRING ? MysqlRewriter.unquoted(word.text()) : word.text();
    }

    /** Returns the result of a query that reads only variables. */
    static Object[] values(String text, MysqlVariables variables) {
        StatementWords words = StatementWords.split(text, Flavor.MYSQL).get(0);
        List<Object> values = new ArrayList<>();
        for (int position = 1; position < words.size(); position++) {
            if (words.has(position, "@", "@")) {
                int name = words.hasAny(position + 2, "session", "global", "local") && words.has(position + 3, ".")
                        ? position + 4
                        : position + 2;
                String value = variables.get(MysqlVariables.nameAt(words, name));
                values.add(value.matches("\\d{1,18}") ? (Object) Long.parseLong(value) : value);
                position = words.endOfName(name) - 1;
            }
        }
        return values.toArray();
    }
}
