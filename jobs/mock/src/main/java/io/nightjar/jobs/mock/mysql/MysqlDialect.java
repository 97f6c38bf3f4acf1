package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.SqlWords.Flavor;
import io.nightjar.jobs.SqlWords.Kind;
import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.mysql.MysqlStatement.Action;
import io.nightjar.jobs.mock.sql.StatementEffects;
import io.nightjar.jobs.mock.wire.StatementWords;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Parser of MySQL statements, as far as H2 does not support them. */
final class MysqlDialect {

    private static final Set<String> REFUSED = SqlWords.set(
            "load call do handler lock unlock prepare execute deallocate xa optimize repair checksum install "
                    + "uninstall import backup script runscript shutdown help merge");

    private static final Set<String> MEANINGLESS = Set.of("flush", "grant", "revoke", "reset", "analyze");

    private final StatementWords words;
    private final MysqlVariables variables;
    private final MysqlRewriter spelling;

    private MysqlDialect(StatementWords words, MysqlVariables variables) {
        this.words = words;
        this.variables = variables;
        this.spelling = new MysqlRewriter(words, variables);
    }

    /** Splits a text into its statements, which are separated by semicolons, without changing them. */
    static List<String> split(String sql) {
        return StatementWords.split(sql, Flavor.MYSQL).stream()
                .map(StatementWords::asWrittenWithComment)
                .toList();
    }

    /** Parses one statement with the session's current settings. */
    static MysqlStatement statement(String text, MysqlVariables variables) {
        MysqlDialect dialect =
                new MysqlDialect(StatementWords.split(text, Flavor.MYSQL).get(0), variables);
        MysqlStatement statement = dialect.statement().written(text);
        return dialect.spelling.isFleeting() ? statement.fleeting() : statement;
    }

    private MysqlStatement statement() {
        String first = words.text(0);
        if (words.kind(0) != Kind.NAME) {
            return words.has(0, "(") ? query() : plain(StatementEffects.OTHER);
        }
        if (REFUSED.contains(first)) {
            throw MockException.unsupported(first.toUpperCase(Locale.ROOT));
        }
        if (MEANINGLESS.contains(first)) {
            return MysqlStatement.of(Action.NOTHING);
        }
        return switch (first) {
            case "begin" -> MysqlStatement.of(Action.BEGIN);
            case "start" -> start();
            case "commit" -> commit();
            case "rollback" -> rollback();
            case "savepoint" -> MysqlStatement.named(Action.SAVEPOINT, words.name(1), "");
            case "release" -> MysqlStatement.named(Action.RELEASE, words.name(2), "");
            case "set" -> set();
            case "use" -> MysqlStatement.named(Action.USE, words.name(1), "");
            case "kill" -> kill();
            case "show" -> new MysqlShow(words, variables).show();
            case "describe", "desc", "explain" -> describe();
            case "insert" -> insert(tableAfter(words.has(1, "ignore") ? 2 : 1, "into"));
            case "replace" -> insert(tableAfter(1, "into"));
            case "update" -> update(words.hasAny(1, "ignore", "low_priority") ? 2 : 1);
            case "delete" -> delete();
            case "select", "with", "values", "table" -> query();
            case "truncate" -> truncate();
            case "create" -> create();
            case "alter" -> alter();
            case "drop" -> drop();
            default -> plain(StatementEffects.OTHER);
        };
    }

    private MysqlStatement plain(StatementEffects kind) {
        return MysqlStatement.sql(spelling.plain(0, words.size()), kind);
    }

    /** Parses START TRANSACTION with its characteristics. */
    private MysqlStatement start() {
        boolean isReadOnly = false;
        for (int position = 2; position < words.size(); position++) {
            isReadOnly |= words.has(position, "read", "only");
        }
        return MysqlStatement.named(Action.BEGIN, "", isReadOnly ? "read only" : "");
    }

    private MysqlStatement commit() {
        refuseMore();
        return MysqlStatement.of(Action.COMMIT);
    }

    private void refuseMore() {
        for (String more : new String[] {"chain", "release"}) {
            int position = words.topLevel(more, 1);
            if (position > 0 && !words.has(position - 1, "no")) {
                throw MockException.unsupported(
                        words.text(0).toUpperCase(Locale.ROOT) + " … " + more.toUpperCase(Locale.ROOT));
            }
        }
    }

    private MysqlStatement rollback() {
        refuseMore();
        int position = words.has(1, "work") ? 2 : 1;
        if (words.has(position, "to")) {
            int name = words.has(position + 1, "savepoint") ? position + 2 : position + 1;
            return MysqlStatement.named(Action.ROLLBACK_TO, words.name(name), "");
        }
        return MysqlStatement.of(Action.ROLLBACK);
    }

    /** Parses SET: the session sets system variables, H2 sets user variables, which begin with @. */
    private MysqlStatement set() {
        if (words.has(1, "@")
                && !words.has(2, "@")
                && words.items(1, words.size()).size() == 1) {
            return plain(StatementEffects.OTHER);
        }
        return MysqlStatement.of(Action.SET);
    }

    private MysqlStatement kill() {
        int number = words.hasAny(1, "query", "connection") ? 2 : 1;
        if (number >= words.size() || !words.text(number).matches("\\d{1,9}")) {
            throw MockException.syntaxError("syntax error in KILL: the number of a client is missing");
        }
        return MysqlStatement.named(words.has(1, "query") ? Action.KILL_QUERY : Action.KILL, "", words.text(number));
    }

    private MysqlStatement describe() {
        boolean isTable = words.size() > 1 && words.isName(1) && !words.hasAny(1, "select", "insert", "update");
        if (!isTable || words.hasAny(1, "delete", "with", "analyze", "format")) {
            throw MockException.unsupported("EXPLAIN");
        }
        return new MysqlShow(words, variables).columns(1, false);
    }

    // ---------------------------------------------------------------- queries and changes

    private MysqlStatement query() {
        int lock = words.lockingClause();
        int end = lock < 0 ? words.size() : lock;
        if (words.has(0, "with") && words.changesInside()) {
            throw MockException.unsupported("WITH that changes tables");
        }
        if (words.has(0, "with", "recursive") && words.has(3, "as")) {
            throw MockException.unsupported("WITH RECURSIVE without the names of its columns");
        }
        int into = words.topLevel("into", 1);
        if (into >= 0 && into < end) {
            throw MockException.unsupported("SELECT … INTO");
        }
        List<String> labels = MysqlLabels.of(words, 0);
        if (isOfVariables()) {
            return MysqlStatement.of(Action.VARIABLES).withLabels(labels);
        }
        return MysqlStatement.sql(
                        new MysqlHaving(words, spelling).plain(end),
                        lock >= 0 ? StatementEffects.LOCKING : StatementEffects.OTHER)
                .withLabels(labels);
    }

    /** Returns whether a query reads only session variables, which may be aliased. */
    private boolean isOfVariables() {
        if (!words.has(0, "select", "@", "@")) {
            return false;
        }
        for (int[] item : words.items(1, words.size())) {
            int name = item[0] + 2;
            if (!words.has(item[0], "@", "@") || name >= item[1]) {
                return false;
            }
            int after = words.endOfName(name);
            int rest = item[1] - after;
            boolean isNamed = rest == 2 && words.has(after, "as") || rest == 1 && words.isName(after);
            if (rest != 0 && !isNamed) {
                return false;
            }
        }
        return true;
    }

    private int tableAfter(int position, String word) {
        int name = position;
        while (words.hasAny(name, "low_priority", "delayed", "high_priority", "quick", "ignore")) {
            name++;
        }
        return words.has(name, word) ? name + 1 : name;
    }

    private MysqlStatement insert(int tablePlace) {
        int after = words.endOfName(tablePlace);
        StatementEffects kind = StatementEffects.changing(words.name(after - 1), null);
        boolean isReplace = words.has(0, "replace");
        String start = isReplace
                ? "replace into "
                : words.hasAny(1, "ignore") || words.has(2, "ignore") ? "insert ignore into " : "insert into ";
        String table = spelling.plain(tablePlace, after);
        int columnsEnd = words.has(after, "(") && !words.has(after + 1, "select") ? words.endOfGroup(after) : after;
        String columns = columnsEnd <= after + 2 ? "" : "(" + unqualifiedColumns(after + 1, columnsEnd - 1) + ")";
        if (words.hasAny(columnsEnd, "value", "values", "set")) {
            if (words.has(columnsEnd + 1, "(", ")") && columns.isEmpty()) {
                return MysqlStatement.sql(start + table + " default values", kind);
            }
            int duplicate = words.topLevel("on", columnsEnd);
            int end = endOfRows(columnsEnd, duplicate < 0 ? words.size() : duplicate);
            String rows = words.has(columnsEnd, "set")
                    ? " set " + unqualifiedColumns(columnsEnd + 1, end)
                    : columns + " values " + spelling.plain(columnsEnd + 1, end);
            return MysqlStatement.sql(start + table + rows + onDuplicate(duplicate), kind);
        }
        return MysqlStatement.sql(start + table + columns + " " + spelling.plain(columnsEnd, words.size()), kind);
    }

    /** Rewrites text that begins with column names, removing the table qualifiers, which H2 rejects. */
    private String unqualifiedColumns(int from, int to) {
        return words.items(from, to).stream()
                .map(item -> spelling.plain(Math.min(words.endOfName(item[0]), item[1]) - 1, item[1]))
                .collect(Collectors.joining(", "));
    }

    /** Returns the position after the inserted rows and before an alias of the new row. */
    private int endOfRows(int from, int to) {
        int as = words.topLevel("as", from);
        return as > 0 && as < to ? as : to;
    }

    private String onDuplicate(int duplicate) {
        if (duplicate < 0) {
            return "";
        }
        int as = words.topLevel("as", 1);
        String row = as > 0 && as < duplicate ? words.name(as + 1) : null;
        if (row == null) {
            return " " + spelling.plain(duplicate, words.size());
        }
        StringBuilder update = new StringBuilder(" on duplicate key update ");
        for (int position = duplicate + 4; position < words.size(); ) {
            if (words.isName(position) && words.text(position).equals(row) && words.has(position + 1, ".")) {
                update.append("values(" + spelling.plain(position + 2, position + 3) + ")");
                position += 3;
            } else {
                update.append(spelling.plain(position, position + 1)).append(' ');
                position++;
            }
        }
        return update.toString();
    }

    private MysqlStatement update(int tablePlace) {
        int after = words.endOfName(tablePlace);
        int set = words.topLevel("set", tablePlace);
        int comma = words.topLevel(",", tablePlace);
        int join = words.topLevel("join", tablePlace);
        if (comma >= 0 && comma < set || join >= 0 && join < set) {
            throw MockException.unsupported("UPDATE of several tables");
        }
        if (words.topLevel("order", set) >= 0 && words.topLevel("limit", set) >= 0) {
            throw MockException.unsupported("UPDATE … ORDER BY … LIMIT"); // H2 would update arbitrary rows
        }
        return plain(StatementEffects.changing(words.name(after - 1), words.keyOfBlindUpdate(after, words.size())));
    }

    private MysqlStatement delete() {
        int from = tableAfter(1, "from");
        int after = words.endOfName(from);
        if (words.has(after, ",") || words.topLevel("using", after) >= 0 || words.topLevel("join", after) >= 0) {
            throw MockException.unsupported("DELETE of several tables");
        }
        if (words.topLevel("order", after) >= 0) {
            throw MockException.unsupported("DELETE … ORDER BY");
        }
        return plain(StatementEffects.changing(words.name(after - 1), null));
    }

    private MysqlStatement truncate() {
        int table = words.has(1, "table") ? 2 : 1;
        return MysqlStatement.sql(
                "truncate table " + spelling.plain(table, words.size()) + " restart identity",
                StatementEffects.changing(words.name(words.endOfName(table) - 1), null));
    }

    // ---------------------------------------------------------------- tables

    private MysqlStatement tables(String sql) {
        return MysqlStatement.sql(sql, StatementEffects.OTHER);
    }

    private MysqlStatement create() {
        int what = words.has(1, "or", "replace") ? 3 : 1;
        if (words.hasAny(what, "database", "schema")) {
            int name = words.has(what + 1, "if") ? what + 4 : what + 1;
            String exists = words.has(what + 1, "if") ? "if not exists " : "";
            return tables("create schema " + exists + '"' + words.name(name) + '"');
        }
        if (words.hasAny(what, "user", "role")) {
            return MysqlStatement.of(Action.NOTHING);
        }
        if (words.hasAny(what, "procedure", "function", "trigger", "event", "definer")) {
            throw MockException.unsupported("CREATE " + words.text(what).toUpperCase(Locale.ROOT));
        }
        MysqlDdlRewriter tables = new MysqlDdlRewriter(words, spelling);
        if (words.has(what, "table") || words.has(what, "temporary", "table")) {
            return tables(tables.create());
        }
        if (words.hasAny(what, "index", "unique")) {
            return tables(tables.createIndex());
        }
        return plain(StatementEffects.OTHER);
    }

    private MysqlStatement alter() {
        return words.has(1, "table")
                ? tables(new MysqlDdlRewriter(words, spelling).alter())
                : plain(StatementEffects.OTHER);
    }

    private MysqlStatement drop() {
        if (words.has(1, "index")) {
            return tables(new MysqlDdlRewriter(words, spelling).dropIndex());
        }
        if (words.hasAny(1, "database", "schema")) {
            String exists = words.has(2, "if") ? "if exists " : "";
            String name = words.name(words.has(2, "if") ? 4 : 2);
            if (name.equals(variables.home())) {
                throw MockException.unsupported("DROP DATABASE of the default database");
            }
            return tables("drop schema " + exists + '"' + name + "\" cascade");
        }
        if (words.hasAny(1, "user", "role")) {
            return MysqlStatement.of(Action.NOTHING);
        }
        int table = words.has(1, "temporary") ? 2 : 1;
        return tables("drop " + spelling.plain(table, words.size()));
    }
}
