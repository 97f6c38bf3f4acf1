package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.SqlWords.Flavor;
import io.nightjar.jobs.SqlWords.Kind;
import io.nightjar.jobs.SqlWords.Word;
import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.postgres.PostgresStatement.Action;
import io.nightjar.jobs.mock.sql.StatementEffects;
import io.nightjar.jobs.mock.wire.StatementWords;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parser of PostgreSQL statements, as far as H2 does not support them. */
final class PostgresDialect {

    private static final Set<String> REFUSED = SqlWords.set(
            "copy listen unlisten notify lock prepare execute do explain cluster reindex import security load "
                    + "checkpoint script runscript backup shutdown help");

    /** Words of column options other than the default. */
    private static final String[] AFTER_DEFAULT =
            SqlWords.list("not null unique primary check references constraint generated");

    private static final String[] BEFORE_THINGS =
            SqlWords.list("or replace unique temp temporary local global unlogged recursive");

    private static final String[] NOT_OF_CHANGES = {"order", "limit", "offset", "fetch"};

    /** Table information required to rewrite a statement. */
    interface Tables {

        /** Returns the columns of a table in order, none if the table does not exist. */
        List<String> columnsOf(String table);

        /** Returns the columns of a constraint, none if the constraint does not exist. */
        List<String> columnsOfConstraint(String constraint);

        /** Returns whether any client table has a column of this name. */
        boolean haveColumn(String column);

        /** Returns the tables and all tables that refer to them, by their H2 names. */
        List<String> withThoseThatRefer(List<String> named);

        /**
         * Returns the beginning of an ALTER TABLE statement for the column that owns the sequence of this name; null if
         * none does.
         */
        @Nullable
        String alteringColumnOf(String sequence);
    }

    private final StatementWords words;
    private final PostgresRewriter spelling;
    private final Tables tables;

    private PostgresDialect(StatementWords words, Tables tables) {
        this.words = words;
        this.spelling = new PostgresRewriter(words);
        this.tables = tables;
    }

    /** Splits a text into its statements, which are separated by semicolons. */
    static List<PostgresStatement> statements(String sql, Tables tables) {
        List<PostgresStatement> statements = new ArrayList<>();
        for (StatementWords words : StatementWords.split(sql, Flavor.POSTGRES)) {
            statements.add(new PostgresDialect(words, tables).statement().written(words.asWrittenWithComment()));
        }
        return statements;
    }

    /** Returns the number of values in the first row of an INSERT's VALUES. */
    static int valuesIn(String insert) {
        StatementWords words =
                StatementWords.split(insert.replace("?", "$"), Flavor.POSTGRES).get(0);
        return words.valuesIn(words.topLevel("values", 0));
    }

    private PostgresStatement statement() {
        String first = words.text(0);
        String aboutTables = PostgresCatalogue.translate(words.asWritten());
        if (aboutTables != null) {
            return PostgresStatement.sql(aboutTables, StatementEffects.OTHER, "SELECT");
        }
        if (words.hasAny(0, "select", "with") && CatalogQueryRewriter.isAsked(words.asWritten())) {
            UnsupportedSyntax.checkLargeObjects(words.asWritten());
            return systemTables();
        }
        UnsupportedSyntax.checkLookups(words);
        if (words.kind(0) != Kind.NAME) {
            return PostgresStatement.sql(written(), StatementEffects.OTHER, "SELECT");
        }
        if (REFUSED.contains(first)) {
            throw MockException.unsupported(first.toUpperCase(Locale.ROOT));
        }
        return switch (first) {
            case "begin" -> PostgresStatement.of(Action.BEGIN, "BEGIN");
            case "start" -> PostgresStatement.of(Action.BEGIN, "START TRANSACTION");
            case "commit", "end" -> commit();
            case "rollback", "abort" -> rollback();
            case "savepoint" -> PostgresStatement.named(Action.SAVEPOINT, "SAVEPOINT", words.name(1), "");
            case "release" ->
                PostgresStatement.named(Action.RELEASE, "RELEASE", words.name(words.has(1, "savepoint") ? 2 : 1), "");
            case "set" -> set();
            case "show" -> show();
            case "reset" ->
                words.has(1, "role") || words.has(1, "session", "authorization")
                        ? PostgresStatement.of(Action.NOTHING, "RESET")
                        : PostgresStatement.named(Action.RESET, "RESET", setting(1), "");
            case "discard" -> discard();
            case "analyze", "vacuum", "comment", "grant", "revoke" ->
                PostgresStatement.of(Action.NOTHING, first.toUpperCase(Locale.ROOT));
            case "deallocate" ->
                PostgresStatement.named(
                        Action.DEALLOCATE, "DEALLOCATE", words.name(words.has(1, "prepare") ? 2 : 1), "");
            case "insert" -> change("INSERT 0", tableAfter(1, "into"));
            case "update" -> change("UPDATE", words.has(1, "only") ? 2 : 1);
            case "delete" -> change("DELETE", tableAfter(1, "from"));
            case "merge" -> change("MERGE", tableAfter(1, "into"));
            case "select", "with", "values", "table", "(" -> query();
            case "truncate" -> truncate();
            case "declare" -> declare();
            case "fetch" -> fetch(Action.FETCH, "FETCH");
            case "move" -> fetch(Action.MOVE, "MOVE");
            case "close" -> PostgresStatement.named(Action.CLOSE, "CLOSE CURSOR", words.name(1), "");
            case "create" -> create();
            case "alter" -> alter();
            default -> other(written());
        };
    }

    private PostgresStatement create() {
        if (words.topLevel("sequence", 1) > 0 && words.topLevel("cache", 1) < 0) {
            return other(spelling.plain(0, words.size()) + " NO CACHE");
        }
        int index = words.topLevel("index", 1);
        String of = index > 0 && index <= 2 ? IndexOfColumns.of(words, index, tables) : null;
        int concurrently = words.topLevel("concurrently", 1);
        if (of != null) {
            int on = words.topLevel("on", index);
            int name = words.has(index + 1, "concurrently") ? index + 2 : index + 1;
            return other("CREATE INDEX " + spelling.plain(name, on) + " " + of);
        }
        if (concurrently > 0 && words.has(concurrently - 1, "index")) {
            return other(spelling.plain(0, concurrently) + " " + spelling.plain(concurrently + 1, words.size()));
        }
        boolean isOfQuery = words.topLevel("as", 1) >= 0;
        int table = words.topLevel("table", 1);
        if (isOfQuery && (table >= 0 || words.has(1, "materialized"))) {
            String sql = createTable(table, words.size());
            return PostgresStatement.sql(sql, StatementEffects.OTHER, "SELECT");
        }
        int open = table < 0 ? -1 : words.firstOpen(1);
        if (open < 0 || isOfQuery) {
            return other(written());
        }
        int close = words.endOfGroup(open) - 1;
        List<String> definitions = new ArrayList<>();
        for (int[] item : words.items(open + 1, close)) {
            definitions.add(definition(item[0], item[1]));
        }
        String sql = createTable(table, open) + " (" + String.join(", ", definitions) + ")"
                + spelling.plain(close + 1, words.size());
        return other(sql);
    }

    /** Returns the statement up to a position; marks temporary tables as local to the session, as H2 requires. */
    private String createTable(int table, int end) {
        boolean isTemporary = words.hasAny(table - 1, "temp", "temporary");
        return isTemporary ? "CREATE LOCAL TEMPORARY " + spelling.plain(table, end) : spelling.plain(0, end);
    }

    /**
     * Parses ALTER: a sequence owned by a column is altered through the column, and table actions run one after the
     * other.
     */
    private PostgresStatement alter() {
        int name = words.has(2, "if", "exists") ? 4 : 2;
        if (words.has(1, "table")) {
            return alterTable(name);
        }
        int after = words.has(1, "sequence") ? words.endOfName(name) : 0;
        String column = after == 0 ? null : tables.alteringColumnOf(words.name(after - 1));
        if (column == null) {
            return other(written());
        }
        if (!words.has(after, "restart")) {
            throw MockException.unsupported("ALTER SEQUENCE of a column other than RESTART");
        }
        int number = words.has(after + 1, "with") ? after + 2 : after + 1;
        return PostgresStatement.sql(
                column + " RESTART" + (number < words.size() ? " WITH " + spelling.plain(number, words.size()) : ""),
                StatementEffects.OTHER,
                "ALTER SEQUENCE");
    }

    private PostgresStatement alterTable(int name) {
        int table = words.has(name, "only") ? name + 1 : name;
        if (table >= words.size()) {
            return other(written());
        }
        int actions = words.endOfName(table);
        String start = spelling.plain(0, name) + " " + spelling.plain(table, actions) + " ";
        List<String> each = new ArrayList<>();
        for (int[] item : words.items(actions, words.size())) {
            each.add(start + spelling.plain(item[0], item[1]));
        }
        return PostgresStatement.sql(String.join("; ", each), StatementEffects.OTHER, tagOf());
    }

    /** Returns a column or constraint of a new table; H2 requires the default before the other column options. */
    private String definition(int from, int to) {
        int byDefault = -1;
        int constraint = -1;
        for (int position = from + 1; position < to; position = words.endOfGroup(position)) {
            byDefault = byDefault < 0 && words.has(position, "default") ? position : byDefault;
            constraint = constraint < 0 && words.hasAny(position, AFTER_DEFAULT) ? position : constraint;
        }
        if (byDefault < 0 || constraint < 0 || constraint > byDefault || words.hasAny(constraint, "generated")) {
            return spelling.plain(from, to);
        }
        int end = byDefault + 1;
        while (end < to && !words.hasAny(end, AFTER_DEFAULT)) {
            end = words.endOfGroup(end);
        }
        return spelling.plain(from, constraint) + " " + spelling.plain(byDefault, end) + " "
                + spelling.plain(constraint, byDefault) + " " + spelling.plain(end, to);
    }

    /** Parses a catalog query. */
    private PostgresStatement systemTables() {
        String question = CatalogQueryRewriter.isEmpty(words) ? null : CatalogQueryRewriter.plain(words.asWritten());
        List<String> names = question == null ? ColumnNames.lastWords(words, 0) : ColumnNames.ofQuery(words, 0);
        String sql = question == null
                ? "SELECT" + " NULL,".repeat(names.size() - 1) + " NULL WHERE FALSE"
                : new PostgresDialect(
                                StatementWords.split(question, Flavor.POSTGRES).get(0), tables)
                        .written();
        return PostgresStatement.sql(sql, StatementEffects.OTHER, "SELECT").withNames(names);
    }

    private String written() {
        return spelling.plain(0, words.size());
    }

    private PostgresStatement commit() {
        refuseChain();
        if (words.has(1, "prepared")) {
            throw MockException.unsupported("COMMIT PREPARED");
        }
        return PostgresStatement.of(Action.COMMIT, "COMMIT");
    }

    private void refuseChain() {
        int chain = words.topLevel("chain", 1);
        if (chain > 0 && !words.has(chain - 1, "no")) {
            throw MockException.unsupported("AND CHAIN");
        }
    }

    private PostgresStatement rollback() {
        refuseChain();
        int position = words.has(1, "work") || words.has(1, "transaction") ? 2 : 1;
        if (words.has(position, "to")) {
            int name = words.has(position + 1, "savepoint") ? position + 2 : position + 1;
            return PostgresStatement.named(Action.ROLLBACK_TO, "ROLLBACK", words.name(name), "");
        }
        if (words.has(1, "prepared")) {
            throw MockException.unsupported("ROLLBACK PREPARED");
        }
        return PostgresStatement.of(Action.ROLLBACK, "ROLLBACK");
    }

    private PostgresStatement discard() {
        String what = words.written(1, words.size()).toUpperCase(Locale.ROOT);
        return switch (what) {
            case "ALL" -> PostgresStatement.of(Action.DISCARD, "DISCARD ALL");
            case "PLANS" -> PostgresStatement.of(Action.NOTHING, "DISCARD PLANS");
            default -> throw MockException.unsupported("DISCARD " + what);
        };
    }

    private PostgresStatement set() {
        int position = words.has(1, "session") || words.has(1, "local") ? 2 : 1;
        if (words.has(position, "characteristics") || words.has(position, "transaction")) {
            return PostgresStatement.named(Action.SET, "SET", words.name(position), words.asWritten());
        }
        if (words.has(position, "role")
                || words.has(position, "authorization")
                || words.has(1, "session", "authorization")) {
            return PostgresStatement.of(Action.NOTHING, "SET"); // all users are the same
        }
        Action action = words.has(1, "local") ? Action.SET_LOCAL : Action.SET;
        if (words.has(position, "time", "zone")) {
            return PostgresStatement.named(action, "SET", "timezone", valueFrom(position + 2));
        }
        String name = setting(position);
        while (!words.has(position, "=") && !words.has(position, "to")) {
            if (++position >= words.size()) {
                throw MockException.syntaxError("syntax error in SET: = or TO is missing");
            }
        }
        return PostgresStatement.named(action, "SET", name, valueFrom(position + 1));
    }

    /** Returns the name of a setting, which may contain dots. */
    private String setting(int from) {
        if (words.has(from, "time", "zone")) {
            return "timezone";
        }
        if (words.has(from, "transaction", "isolation", "level")) {
            return "transaction_isolation";
        }
        StringBuilder name = new StringBuilder(words.name(from));
        for (int position = from + 1; words.has(position, "."); position += 2) {
            name.append('.').append(words.name(position + 1));
        }
        return name.toString().toLowerCase(Locale.ROOT);
    }

    private String valueFrom(int position) {
        StringBuilder value = new StringBuilder();
        for (int i = position; i < words.size(); i++) {
            Word word = words.get(i);
            value.append(value.length() == 0 || word.is(",") ? "" : " ");
            value.append(
                    word.kind() == Kind.STRING && word.text().startsWith("'")
                            ? word.text().substring(1, word.text().length() - 1).replace("''", "'")
                            : word.text());
        }
        return value.toString();
    }

    private PostgresStatement show() {
        StringBuilder name = new StringBuilder();
        for (int i = 1; i < words.size(); i++) {
            name.append(
                    name.length() == 0
                                    || words.get(i).is(".")
                                    || name.toString().endsWith(".")
                            ? ""
                            : " ");
            name.append(words.text(i));
        }
        return PostgresStatement.named(Action.SHOW, "SHOW", name.toString(), "");
    }

    /** Returns the object type for the completion tag: {@code CREATE OR REPLACE VIEW} is {@code CREATE VIEW}. */
    private String tagOf() {
        int what = 1;
        while (words.hasAny(what, BEFORE_THINGS)) {
            what++;
        }
        StringBuilder tag = new StringBuilder(words.text(0));
        if (what < words.size()) {
            tag.append(' ').append(words.text(what));
            tag.append(words.has(what, "materialized", "view") ? " view" : "");
        }
        return tag.toString().toUpperCase(Locale.ROOT);
    }

    // ---------------------------------------------------------------- SQL

    private int tableAfter(int position, String word) {
        int name = words.has(position, word) ? position + 1 : position;
        return words.has(name, "only") ? name + 1 : name;
    }

    /** Rejects system columns, since H2's differ from PostgreSQL's. */
    private void refuseSystemColumns() {
        for (int position = 1; position < words.size(); position++) {
            if (words.has(position, "oid") && !words.has(position - 1, "as") && !tables.haveColumn("oid")) {
                throw new MockException("42703", "column \"oid\" does not exist");
            }
            if (words.hasAny(position, "ctid", "_rowid_") && !words.has(position - 1, "as")) {
                throw MockException.unsupported("system column " + words.text(position));
            }
        }
    }

    private PostgresStatement query() {
        refuseSystemColumns();
        int into = words.has(0, "select") ? words.topLevel("into", 1) : -1;
        if (into >= 0) {
            throw MockException.notSupported("SELECT INTO is not supported by this server; write CREATE TABLE … AS");
        }
        int lock = words.lockingClause();
        int end = lock < 0 ? words.size() : lock;
        boolean changes = words.has(0, "with") && words.changesInside();
        if (changes) {
            throw MockException.unsupported("WITH that changes tables");
        }
        return PostgresStatement.sql(
                        spelling.plain(0, end), lock >= 0 ? StatementEffects.LOCKING : StatementEffects.OTHER, "SELECT")
                .withNames(ColumnNames.ofQuery(words, 0));
    }

    private PostgresStatement change(String tag, int tablePlace) {
        refuseSystemColumns();
        String table = words.name(words.endOfName(tablePlace) - 1);
        int returning = words.topLevel("returning", tablePlace);
        int end = returning < 0 ? words.size() : returning;
        for (String word : words.hasAny(0, "update", "delete") ? NOT_OF_CHANGES : new String[0]) {
            int position = words.topLevel(word, words.endOfName(tablePlace));
            if (position >= 0 && position < end && !words.has(position + 1, "=")) {
                throw MockException.syntaxError("syntax error at or near \"" + words.written(position, position + 1)
                        + "\""); // H2 would allow it
            }
        }
        StatementEffects kind = kindOf(table, words.endOfName(tablePlace), end);
        String sql = spelling.plain(0, end);
        int using = words.has(0, "delete") ? words.topLevel("using", tablePlace) : -1;
        if (using >= 0) {
            sql = deleteUsing(using, end);
        }
        int conflict = words.topLevel("on", tablePlace);
        if (words.get(0).is("insert") && conflict >= 0 && words.has(conflict, "on", "conflict")) {
            sql = upsert(tablePlace, conflict, end);
        }
        if (words.get(0).is("insert") && words.has(end - 2, "default", "values")) {
            sql = spelling.plain(0, end);
        }
        if (returning >= 0) {
            String which = words.get(0).is("delete") ? "OLD" : "FINAL";
            sql = "SELECT " + spelling.plain(returning + 1, words.size()) + " FROM " + which + " TABLE (" + sql + ") "
                    + spelling.plain(words.endOfName(tablePlace) - 1, words.endOfName(tablePlace));
        }
        return PostgresStatement.sql(sql, kind, tag)
                .withNames(returning < 0 ? List.of() : ColumnNames.of(words.all(), returning + 1));
    }

    /** Rewrites DELETE … USING to a delete with an EXISTS condition. */
    private String deleteUsing(int using, int end) {
        int where = words.topLevel("where", using);
        if (where < 0 || where >= end) {
            throw MockException.unsupported("DELETE … USING without WHERE");
        }
        return spelling.plain(0, using) + " WHERE EXISTS (SELECT 1 FROM " + spelling.plain(using + 1, end) + ")";
    }

    private StatementEffects kindOf(String table, int after, int end) {
        if (!words.hasAny(0, "update", "delete")) {
            return StatementEffects.changing(table, null);
        }
        int set = words.has(0, "update") ? words.topLevel("set", after) : -1;
        boolean returnsAll = end < words.size() && words.has(words.size() - 1, "*");
        Set<String> named = returnsAll ? null : words.named(after, set, words.size());
        Set<String> blindKey = set < 0 ? null : words.keyOfBlindUpdate(after, end);
        return StatementEffects.changing(table, blindKey).naming(named, set < 0 ? Set.of() : words.assigned(set, end));
    }

    /** Rewrites INSERT … ON CONFLICT DO UPDATE to MERGE; H2 supports DO NOTHING. */
    private String upsert(int tablePlace, int conflict, int end) {
        int act = conflict + 2;
        while (act < end && !words.has(act, "do")) {
            act++;
        }
        if (words.has(act + 1, "nothing")) {
            return spelling.plain(0, conflict) + " ON CONFLICT DO NOTHING";
        }
        int columns = words.endOfName(tablePlace);
        int source = columns;
        List<String> names;
        if (words.has(columns, "(") && !words.has(columns + 1, "select")) {
            source = words.endOfGroup(columns);
            names = names(columns + 1, source - 1);
        } else {
            names = quoted(tables.columnsOf(words.name(columns - 1)));
        }
        if (words.has(source, "values")) {
            names = names.subList(0, Math.min(names.size(), words.valuesIn(source)));
        }
        List<String> keys = words.has(conflict + 2, "on", "constraint")
                ? quoted(tables.columnsOfConstraint(words.name(conflict + 4)))
                : words.has(conflict + 2, "(") ? names(conflict + 3, words.endOfGroup(conflict + 2) - 1) : List.of();
        boolean isKnown = words.hasAny(source, "values", "select", "(") && !names.isEmpty() && !keys.isEmpty();
        if (!isKnown || !words.has(act + 1, "update", "set")) {
            throw MockException.notSupported(
                    "this ON CONFLICT is not supported by this server; write ON CONFLICT (columns) DO UPDATE SET");
        }
        String table = spelling.plain(tablePlace, columns);
        StringBuilder on = new StringBuilder();
        for (String key : keys) {
            on.append(on.length() == 0 ? "" : " AND ");
            on.append(table).append('.').append(key).append(" = excluded.").append(key);
        }
        int where = words.topLevel("where", act);
        String matched = where < 0 || where >= end ? "" : " AND (" + spelling.plain(where + 1, end) + ")";
        return "MERGE INTO " + table + " USING (" + spelling.plain(source, conflict) + ") excluded("
                + String.join(", ", names)
                + ") ON (" + on + ") WHEN MATCHED" + matched + " THEN UPDATE SET "
                + spelling.plain(act + 3, where < 0 || where >= end ? end : where)
                + " WHEN NOT MATCHED THEN INSERT (" + String.join(", ", names) + ") VALUES (excluded."
                + String.join(", excluded.", names) + ")";
    }

    private static List<String> quoted(List<String> names) {
        return names.stream().map(name -> '"' + name + '"').toList();
    }

    private List<String> names(int from, int to) {
        List<String> names = new ArrayList<>();
        for (int i = from; i < to; i++) {
            if (words.isName(i)) {
                names.add('"' + words.text(i) + '"');
            }
        }
        return names;
    }

    /** Parses DECLARE name … CURSOR … FOR query. */
    private PostgresStatement declare() {
        int query = words.topLevel("for", 2) + 1;
        int cursor = words.topLevel("cursor", 2);
        if (query == 0 || cursor < 0 || query < cursor || words.lockingClause() > query) {
            throw new MockException(
                    query == 0 || cursor < 0 ? "42601" : MockException.NOT_SUPPORTED,
                    "this DECLARE is not supported by this server; write DECLARE name CURSOR FOR query");
        }
        for (int position = 2; position < cursor; position++) {
            if (words.has(position, "scroll") && !words.has(position - 1, "no")) {
                throw MockException.notSupported("scrollable cursors are not supported by this server");
            }
        }
        boolean isHeld = words.has(cursor + 1, "with", "hold");
        return PostgresStatement.cursor(spelling.plain(query, words.size()), words.name(1), isHeld ? "hold" : "")
                .withNames(ColumnNames.ofQuery(words, query));
    }

    /** Parses FETCH [count] [FROM | IN] name. */
    private PostgresStatement fetch(Action action, String tag) {
        int position = 1;
        String many = "1";
        if (words.hasAny(position, "next", "forward")) {
            position++;
        }
        if (words.has(position, "all") || position < words.size() && words.kind(position) == Kind.NUMBER) {
            many = words.text(position++);
        }
        if (words.hasAny(position, "from", "in")) {
            position++;
        }
        if (position != words.size() - 1
                || words.hasAny(position, "backward", "prior")
                || !many.matches("all|\\d{1,18}")) {
            throw MockException.notSupported("this " + tag + " is not supported by this server; cursors go forward");
        }
        return PostgresStatement.named(action, tag, words.name(position), many);
    }

    private PostgresStatement truncate() {
        List<String> named = new ArrayList<>();
        int position = words.has(1, "table") ? 2 : 1;
        int end;
        do {
            position = words.has(position, "only") ? position + 1 : position;
            end = words.endOfName(position);
            named.add(spelling.plain(position, end));
            end = words.has(end, "*") ? end + 1 : end;
            position = end + 1;
        } while (words.has(end, ","));
        boolean restarts = words.has(end, "restart", "identity");
        end += restarts || words.has(end, "continue", "identity") ? 2 : 0;
        boolean isCascade = words.has(end, "cascade");
        end += isCascade || words.has(end, "restrict") ? 1 : 0;
        if (end < words.size()) {
            throw MockException.syntaxError("syntax error at or near \"" + words.written(end, end + 1) + "\"");
        }
        List<String> all = isCascade ? tables.withThoseThatRefer(named) : named;
        Set<String> plain = new HashSet<>();
        List<String> each = new ArrayList<>();
        for (String table : all) {
            String name = table.substring(table.lastIndexOf('.') + 1);
            plain.add(name.startsWith("\"") ? name.substring(1, name.length() - 1) : name.toLowerCase(Locale.ROOT));
            each.add("TRUNCATE TABLE " + table + (restarts ? " RESTART IDENTITY" : ""));
        }
        return PostgresStatement.sql(String.join("; ", each), StatementEffects.changingAll(plain), "TRUNCATE TABLE");
    }

    private PostgresStatement other(String sql) {
        return PostgresStatement.sql(sql, StatementEffects.OTHER, tagOf());
    }
}
