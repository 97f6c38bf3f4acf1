package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.engine.StatementKind;
import io.nightjar.jobs.mock.postgres.PostgresStatement.Action;
import io.nightjar.jobs.mock.postgres.SqlWords.Kind;
import io.nightjar.jobs.mock.postgres.SqlWords.Word;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Understands PostgreSQL's statements as far as H2 does not. */
final class PostgresDialect {

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

    private static final Set<String> REFUSED = Set.of(
            "copy",
            "declare",
            "fetch",
            "close",
            "move",
            "listen",
            "unlisten",
            "notify",
            "lock",
            "prepare",
            "execute",
            "do",
            "vacuum",
            "cluster",
            "reindex",
            "import",
            "security",
            "load",
            "checkpoint",
            "script",
            "runscript",
            "backup",
            "shutdown",
            "help");

    /** Types by PostgreSQL's names, as H2 calls them. */
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("timestamptz", "timestamp with time zone"),
            Map.entry("timetz", "time with time zone"),
            Map.entry("text", "varchar"),
            Map.entry("json", "varchar"),
            Map.entry("jsonb", "varchar"),
            Map.entry("int2", "smallint"),
            Map.entry("int4", "integer"),
            Map.entry("int8", "bigint"),
            Map.entry("float4", "real"),
            Map.entry("float8", "double precision"),
            Map.entry("bool", "boolean"),
            Map.entry("bpchar", "char"),
            Map.entry("citext", "varchar_ignorecase"),
            Map.entry("serial4", "serial"),
            Map.entry("serial8", "bigserial"),
            Map.entry("regclass", "varchar"),
            Map.entry("name", "varchar"));

    private static final Pattern INTERVAL = Pattern.compile(
            "'\\s*(-?\\d+(?:\\.\\d+)?)\\s+(year|month|day|hour|minute|second)s?\\s*'", Pattern.CASE_INSENSITIVE);

    private static final Pattern HEX = Pattern.compile("'\\\\x(\\p{XDigit}{2})*'");

    private final String text;
    private final List<Word> words;

    private PostgresDialect(String text, List<Word> words) {
        this.text = text;
        this.words = words;
    }

    /** The statements of a text, which are separated by semicolons. */
    static List<PostgresStatement> statements(String sql) {
        List<PostgresStatement> statements = new ArrayList<>();
        List<Word> words = new ArrayList<>();
        for (Word word : SqlWords.of(sql)) {
            if (word.is(";")) {
                add(statements, sql, words);
                words = new ArrayList<>();
            } else {
                words.add(word);
            }
        }
        add(statements, sql, words);
        return statements;
    }

    /** How many values the first row of VALUES has. */
    static int valuesIn(String values) {
        int depth = 0;
        int count = 1;
        for (Word word : SqlWords.of(values.replace("?", "$"))) {
            depth += word.is("(") ? 1 : word.is(")") ? -1 : 0;
            count += depth == 1 && word.is(",") ? 1 : 0;
            if (depth == 0 && word.is(")")) {
                return count;
            }
        }
        return count;
    }

    private static void add(List<PostgresStatement> statements, String sql, List<Word> words) {
        if (!words.isEmpty()) {
            statements.add(new PostgresDialect(sql, words).statement());
        }
    }

    private String own() {
        return text.substring(words.get(0).from(), words.get(words.size() - 1).to());
    }

    private boolean has(int place, String... names) {
        for (int i = 0; i < names.length; i++) {
            if (place + i < 0
                    || place + i >= words.size()
                    || !words.get(place + i).is(names[i])) {
                return false;
            }
        }
        return true;
    }

    private String name(int place) {
        if (place >= words.size() || !words.get(place).isName()) {
            throw new MockException("42601", "syntax error at end of input, a name is missing");
        }
        return words.get(place).text();
    }

    private PostgresStatement statement() {
        String first = words.get(0).text();
        String aboutTables = PostgresCatalogue.translate(own());
        if (aboutTables != null) {
            return PostgresStatement.sql(own(), aboutTables, StatementKind.OTHER, "SELECT");
        }
        if (words.get(0).kind() != Kind.NAME) {
            return sql(StatementKind.OTHER, "SELECT");
        }
        if (REFUSED.contains(first)) {
            throw new MockException(
                    MockException.NOT_SUPPORTED, first.toUpperCase(Locale.ROOT) + " is not supported by this server");
        }
        return switch (first) {
            case "begin" -> PostgresStatement.of(own(), Action.BEGIN, "BEGIN");
            case "start" -> PostgresStatement.of(own(), Action.BEGIN, "START TRANSACTION");
            case "commit", "end" -> commit();
            case "rollback", "abort" -> rollback();
            case "savepoint" -> PostgresStatement.named(own(), Action.SAVEPOINT, "SAVEPOINT", name(1), null);
            case "release" ->
                PostgresStatement.named(own(), Action.RELEASE, "RELEASE", name(has(1, "savepoint") ? 2 : 1), null);
            case "set" -> set();
            case "show" -> show();
            case "reset" -> PostgresStatement.of(own(), Action.NOTHING, "RESET");
            case "discard" -> PostgresStatement.named(own(), Action.DEALLOCATE, "DISCARD ALL", "all", null);
            case "analyze", "comment", "grant", "revoke" ->
                PostgresStatement.of(own(), Action.NOTHING, first.toUpperCase(Locale.ROOT));
            case "deallocate" ->
                PostgresStatement.named(own(), Action.DEALLOCATE, "DEALLOCATE", name(has(1, "prepare") ? 2 : 1), null);
            case "insert" -> change("INSERT 0", tableAfter(1, "into"));
            case "update" -> change("UPDATE", has(1, "only") ? 2 : 1);
            case "delete" -> change("DELETE", tableAfter(1, "from"));
            case "merge" -> change("MERGE", tableAfter(1, "into"));
            case "select", "with", "values", "table", "(" -> query();
            case "truncate" -> truncate();
            default -> sql(StatementKind.OTHER, tagOf());
        };
    }

    private PostgresStatement commit() {
        if (has(1, "prepared")) {
            throw new MockException(MockException.NOT_SUPPORTED, "COMMIT PREPARED is not supported by this server");
        }
        return PostgresStatement.of(own(), Action.COMMIT, "COMMIT");
    }

    private PostgresStatement rollback() {
        int place = has(1, "work") || has(1, "transaction") ? 2 : 1;
        if (has(place, "to")) {
            int name = has(place + 1, "savepoint") ? place + 2 : place + 1;
            return PostgresStatement.named(own(), Action.ROLLBACK_TO, "ROLLBACK", name(name), null);
        }
        if (has(1, "prepared")) {
            throw new MockException(MockException.NOT_SUPPORTED, "ROLLBACK PREPARED is not supported by this server");
        }
        return PostgresStatement.of(own(), Action.ROLLBACK, "ROLLBACK");
    }

    private PostgresStatement set() {
        int place = has(1, "session") || has(1, "local") ? 2 : 1;
        if (has(place, "characteristics") || has(place, "transaction")) {
            return PostgresStatement.named(own(), Action.SET, "SET", "transaction", own());
        }
        if (has(place, "time", "zone")) {
            return PostgresStatement.named(own(), Action.SET, "SET", "timezone", valueFrom(place + 2));
        }
        StringBuilder name = new StringBuilder(name(place++));
        while (has(place, ".")) {
            name.append('.').append(name(place + 1));
            place += 2;
        }
        if (!has(place, "=") && !has(place, "to")) {
            throw new MockException("42601", "syntax error in SET: = or TO is missing");
        }
        return PostgresStatement.named(
                own(), Action.SET, "SET", name.toString().toLowerCase(Locale.ROOT), valueFrom(place + 1));
    }

    private String valueFrom(int place) {
        StringBuilder value = new StringBuilder();
        for (int i = place; i < words.size(); i++) {
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
            name.append(words.get(i).text());
        }
        return PostgresStatement.named(own(), Action.SHOW, "SHOW", name.toString(), null);
    }

    private String tagOf() {
        StringBuilder tag = new StringBuilder();
        for (int i = 0; i < Math.min(2, words.size()); i++) {
            String word = words.get(i).text();
            if (word.equals("or") || word.equals("unique") || word.equals("temp") || word.equals("temporary")) {
                word = word.equals("unique") ? "index" : word.equals("or") ? "view" : "table";
            }
            tag.append(i == 0 ? "" : " ").append(word.toUpperCase(Locale.ROOT));
        }
        return tag.toString();
    }

    // ---------------------------------------------------------------- SQL

    private int tableAfter(int place, String word) {
        int name = has(place, word) ? place + 1 : place;
        return has(name, "only") ? name + 1 : name;
    }

    /** The place behind a table's name that may have a schema before it. */
    private int behindName(int place) {
        int next = place + 1;
        while (has(next, ".")) {
            next += 2;
        }
        return next;
    }

    private PostgresStatement query() {
        int lock = topLevel("for", 1);
        boolean isLocking = false;
        while (lock >= 0) {
            if (has(lock + 1, "update")
                    || has(lock + 1, "no", "key", "update")
                    || has(lock + 1, "share")
                    || has(lock + 1, "key", "share")) {
                isLocking = true;
                break;
            }
            lock = topLevel("for", lock + 1);
        }
        int end = isLocking ? lock : words.size();
        boolean changes = words.get(0).is("with") && changesSomething();
        if (changes) {
            throw new MockException(
                    MockException.NOT_SUPPORTED, "WITH that changes tables is not supported by this server");
        }
        return PostgresStatement.sql(
                        own(), plain(0, end), isLocking ? StatementKind.LOCKING : StatementKind.OTHER, "SELECT")
                .withNames(columnNames());
    }

    private boolean changesSomething() {
        for (int i = 1; i < words.size(); i++) {
            boolean isFirst = words.get(i - 1).is("(") || words.get(i - 1).is(")");
            if (isFirst && (has(i, "insert") || has(i, "update") || has(i, "delete"))) {
                return true;
            }
        }
        return false;
    }

    private PostgresStatement change(String tag, int tablePlace) {
        String table = name(behindName(tablePlace) - 1);
        int returning = topLevel("returning", tablePlace);
        int end = returning < 0 ? words.size() : returning;
        StatementKind kind = words.get(0).is("update")
                ? StatementKind.changing(table, keyOfBlindUpdate(behindName(tablePlace), end))
                : StatementKind.changing(table, null);
        String sql = plain(0, end);
        int conflict = topLevel("on", tablePlace);
        if (words.get(0).is("insert") && conflict >= 0 && has(conflict, "on", "conflict")) {
            sql = upsert(tablePlace, conflict, end);
        }
        if (words.get(0).is("insert") && has(end - 2, "default", "values")) {
            sql = plain(0, end);
        }
        if (returning >= 0) {
            String which = words.get(0).is("delete") ? "OLD" : "FINAL";
            sql = "SELECT " + plain(returning + 1, words.size()) + " FROM " + which + " TABLE (" + sql + ") "
                    + plain(behindName(tablePlace) - 1, behindName(tablePlace));
        }
        return PostgresStatement.sql(own(), sql, kind, tag)
                .withNames(returning < 0 ? List.of() : ColumnNames.of(words, returning + 1));
    }

    /** INSERT … ON CONFLICT DO UPDATE is a MERGE; DO NOTHING without an update is known to H2. */
    private String upsert(int tablePlace, int conflict, int end) {
        int act = conflict + 2;
        while (act < end && !has(act, "do")) {
            act++;
        }
        if (has(act + 1, "nothing")) {
            return plain(0, conflict) + " ON CONFLICT DO NOTHING";
        }
        int columns = behindName(tablePlace);
        int values = topLevel("values", columns);
        if (!has(columns, "(") || values < 0 || !has(conflict + 2, "(") || !has(act + 1, "update", "set")) {
            throw new MockException(
                    MockException.NOT_SUPPORTED,
                    "this ON CONFLICT is not supported by this server; name columns, give VALUES and DO UPDATE SET");
        }
        String table = plain(tablePlace, columns);
        List<String> names = names(columns + 1, values - 1);
        StringBuilder on = new StringBuilder();
        for (String key : names(conflict + 3, act - 1)) {
            on.append(on.length() == 0 ? "" : " AND ");
            on.append(table).append('.').append(key).append(" = excluded.").append(key);
        }
        int where = topLevel("where", act);
        String matched = where < 0 || where >= end ? "" : " AND (" + plain(where + 1, end) + ")";
        return "MERGE INTO " + table + " USING (" + plain(values, conflict) + ") excluded(" + String.join(", ", names)
                + ") ON (" + on + ") WHEN MATCHED" + matched + " THEN UPDATE SET "
                + plain(act + 3, where < 0 || where >= end ? end : where)
                + " WHEN NOT MATCHED THEN INSERT (" + String.join(", ", names) + ") VALUES (excluded."
                + String.join(", excluded.", names) + ")";
    }

    private List<String> names(int from, int to) {
        List<String> names = new ArrayList<>();
        for (int i = from; i < to; i++) {
            if (words.get(i).isName()) {
                names.add('"' + words.get(i).text() + '"');
            }
        }
        return names;
    }

    /** The columns of WHERE if the update sets constants where columns are constants, else null. */
    private Set<String> keyOfBlindUpdate(int afterTable, int end) {
        int set = topLevel("set", afterTable);
        int where = topLevel("where", afterTable);
        if (set != afterTable || where < 0 || where >= end) {
            return null;
        }
        int place = set + 1;
        while (place < where) {
            if (!words.get(place).isName() || !has(place + 1, "=")) {
                return null;
            }
            place += 2;
            int depth = 0;
            for (; place < where && (depth > 0 || !has(place, ",")); place++) {
                depth += has(place, "(") ? 1 : has(place, ")") ? -1 : 0;
                if (!isConstant(words.get(place))) {
                    return null;
                }
            }
            place++;
        }
        Set<String> columns = new HashSet<>();
        for (place = where + 1; place < end; ) {
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

    private static boolean isConstant(Word word) {
        return switch (word.kind()) {
            case QUOTED_NAME -> false;
            case NAME -> CONSTANTS.contains(word.text());
            case STRING, NUMBER, PARAMETER -> true;
            case SIGN -> true;
        };
    }

    private PostgresStatement truncate() {
        int first = has(1, "table") ? 2 : 1;
        first = has(first, "only") ? first + 1 : first;
        int end = behindName(first);
        if (has(end, ",")) {
            throw new MockException(
                    MockException.NOT_SUPPORTED, "TRUNCATE of several tables is not supported by this server");
        }
        String restart = has(end, "restart") ? " RESTART IDENTITY" : "";
        return PostgresStatement.sql(
                own(),
                "TRUNCATE TABLE " + plain(first, end) + restart,
                StatementKind.changing(name(end - 1), null),
                "TRUNCATE TABLE");
    }

    private PostgresStatement sql(StatementKind kind, String tag) {
        return PostgresStatement.sql(own(), plain(0, words.size()), kind, tag);
    }

    /** The place of a word outside of parentheses, -1 if there is none. */
    private int topLevel(String word, int from) {
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

    /** What the columns of a query are called, null where H2 knows it. */
    private List<String> columnNames() {
        if (has(0, "values")) {
            List<String> names = new ArrayList<>();
            for (int i = 1; i <= valuesIn(own()); i++) {
                names.add("column" + i);
            }
            return names;
        }
        int select = topLevel("select", 0);
        return select < 0 ? List.of() : ColumnNames.of(words, select + 1);
    }

    /** Words as H2 writes them. */
    private String plain(int from, int to) {
        StringBuilder sql = new StringBuilder();
        Map<Integer, String> names = new HashMap<>();
        for (int place = from; place < to; place++) {
            Word word = words.get(place);
            if (has(place, "(", "select")
                    && (has(place - 1, "from") || has(place - 1, "join") || has(place - 1, "as"))) {
                names.putAll(ColumnNames.ofCalls(words, place + 2));
            }
            sql.append(names.containsKey(place) ? " AS \"" + names.get(place) + "\"" : "");
            boolean isApart = place > from && words.get(place - 1).to() < word.from();
            sql.append(isApart ? " " : "");
            switch (word.kind()) {
                case PARAMETER ->
                    sql.append('?').append(word.text(), 1, word.text().length());
                case STRING ->
                    sql.append(
                            has(place - 1, "interval")
                                    ? interval(word)
                                    : isBytes(place) ? bytes(word) : string(word.text()));
                case NAME -> sql.append(isType(place) ? typeNamed(word) : text.substring(word.from(), word.to()));
                default -> sql.append(text, word.from(), word.to());
            }
            if (word.is("version") && has(place + 1, "(", ")")) {
                sql.setLength(sql.length() - word.text().length());
                sql.append("'PostgreSQL 15.0 (Nightjar mock)'");
                place += 2;
            }
            if (word.isName() && isType(place) && has(place + 1, "[", "]")) {
                sql.append(" array");
                place += 2;
            }
        }
        return sql.toString();
    }

    /** Whether a literal is said to be bytes, where it stands. */
    private boolean isBytes(int place) {
        boolean isCast = has(place + 1, "::", "bytea") || has(place + 1, "as", "bytea");
        return isCast && HEX.matcher(words.get(place).text()).matches();
    }

    private static String bytes(Word word) {
        return "X'" + word.text().substring(3);
    }

    /** {@code '3 days'} is {@code '3' DAY} for H2, which knows one unit at a time. */
    private static String interval(Word word) {
        Matcher matcher = INTERVAL.matcher(word.text());
        return matcher.matches() ? "'" + matcher.group(1) + "' " + matcher.group(2) : word.text();
    }

    private static String typeNamed(Word word) {
        return TYPES.getOrDefault(word.text(), word.text());
    }

    /** Whether a word names a type: behind ::, in CAST, or behind the name of a column that is made. */
    private boolean isType(int place) {
        if (place == 0) {
            return false;
        }
        Word before = words.get(place - 1);
        if (before.is("::") || before.is("as") && isInCast(place)) {
            return true;
        }
        boolean makesColumns = has(0, "create") || has(0, "alter");
        return makesColumns
                && TYPES.containsKey(words.get(place).text())
                && before.isName()
                && (before.is("type") || !has(place - 1, "create") && !has(place - 1, "column"));
    }

    private boolean isInCast(int place) {
        int depth = 0;
        for (int i = place - 1; i >= 1; i--) {
            depth += has(i, ")") ? 1 : has(i, "(") ? -1 : 0;
            if (depth < 0) {
                return has(i - 1, "cast");
            }
        }
        return false;
    }

    private static String string(String literal) {
        if (literal.startsWith("'")) {
            return literal;
        }
        if (literal.startsWith("$")) {
            int tag = literal.indexOf('$', 1) + 1;
            return quoted(literal.substring(tag, literal.length() - tag));
        }
        StringBuilder plain = new StringBuilder();
        for (int i = 2; i < literal.length() - 1; i++) {
            char letter = literal.charAt(i);
            if (letter == '\'') {
                i++;
                plain.append('\'');
            } else if (letter == '\\') {
                char escaped = literal.charAt(++i);
                plain.append(
                        switch (escaped) {
                            case 'n' -> '\n';
                            case 't' -> '\t';
                            case 'r' -> '\r';
                            case 'b' -> '\b';
                            case 'f' -> '\f';
                            default -> escaped;
                        });
            } else {
                plain.append(letter);
            }
        }
        return quoted(plain.toString());
    }

    private static String quoted(String plain) {
        return "'" + plain.replace("'", "''") + "'";
    }
}
