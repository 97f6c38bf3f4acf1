package io.nightjar.jdbc;

import io.nightjar.jdbc.StatementShape.Kind;
import io.nightjar.jdbc.StatementShape.TableUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Parser of the shape of a statement. An unsupported statement is opaque: never guessed. */
final class StatementParser {

    private static final int MAX_KNOWN = 1_000;
    private static final int MAX_CACHED_LENGTH = 4_000;
    private static final Map<String, StatementShape> KNOWN = new ConcurrentHashMap<>();

    private final String sql;
    private final List<SqlToken> tokens;
    private final List<String> names = new ArrayList<>();
    private final int[] depthOf;

    private StatementParser(String sql) {
        this.sql = sql;
        List<SqlToken> all = SqlToken.of(sql);
        int end = all.size();
        while (end > 0 && all.get(end - 1).is(";")) {
            end--;
        }
        this.tokens = all.subList(0, end);
        this.depthOf = new int[end];
        int depth = 0;
        for (int i = 0; i < end; i++) {
            depth -= is(i, ")") ? 1 : 0;
            depthOf[i] = depth;
            depth += is(i, "(") ? 1 : 0;
            if (isName(i)) {
                names.add(text(i));
            }
        }
    }

    /** @param hasEscapes whether a backslash escapes in plain strings, which is not understood */
    static StatementShape parse(String sql, boolean hasEscapes) {
        StatementShape known = KNOWN.get(sql);
        if (known != null) {
            return known;
        }
        StatementParser parser = new StatementParser(sql);
        StatementShape shape = hasEscapes && sql.indexOf('\\') >= 0 ? parser.opaque() : parser.safely();
        if (sql.length() <= MAX_CACHED_LENGTH) {
            if (KNOWN.size() >= MAX_KNOWN) {
                KNOWN.clear(); // an application that writes its constants into its statements
            }
            KNOWN.put(sql, shape);
        }
        return shape;
    }

    private StatementShape safely() {
        try {
            return parse();
        } catch (IndexOutOfBoundsException halfAStatement) {
            return opaque(); // the database will report the error
        }
    }

    private StatementShape parse() {
        if (tokens.isEmpty()) {
            return shape(Kind.NOTHING);
        }
        if (find(";", 0) >= 0) {
            return script();
        }
        String first = text(0);
        return switch (first) {
            case "select" -> select();
            case "insert" -> insert();
            case "update" -> update();
            case "delete" -> delete();
            case "begin", "start" -> shape(Kind.BEGIN);
            case "commit", "end" -> shape(Kind.COMMIT);
            case "rollback", "abort" -> shape(find("to", 0) > 0 ? Kind.ROLLBACK_TO_SAVEPOINT : Kind.ROLLBACK);
            case "savepoint" -> shape(Kind.SAVEPOINT);
            case "create" -> shape(Kind.DEFINITION);
            case "alter", "drop", "truncate", "rename" -> shape(isOfNoRow() ? Kind.DEFINITION : Kind.REDEFINITION);
            case "use", "set", "reset", "discard" -> shape(setting(0, tokens.size()));
            case "values" -> opaqueIfReading();
            case "with", "(", "table", "fetch" -> opaque();
            default -> ShapeWords.HARMLESS.contains(first) && !isChanging() ? shape(Kind.NOTHING) : otherwise();
        };
    }

    /** Returns the shape of a text with several statements. */
    private StatementShape script() {
        boolean isRedefining = names.contains("alter") || names.contains("drop") || names.contains("truncate");
        boolean isWriting = names.contains("insert") || names.contains("update") || names.contains("delete");
        int from = 0;
        for (int end = find(";", 0); from < tokens.size(); end = find(";", from)) {
            int to = end < 0 ? tokens.size() : end;
            if (setting(from, to) != Kind.NOTHING) {
                return shape(Kind.UNKNOWN_NAMES);
            }
            from = to + 1;
        }
        return shape(isWriting ? Kind.OPAQUE_WRITE : isRedefining ? Kind.REDEFINITION : Kind.DEFINITION);
    }

    /** Returns whether a definition changes no row: constraints, indexes, owners. */
    private boolean isOfNoRow() {
        boolean isOfColumns = names.contains("column") || names.contains("type") || names.contains("rename");
        return !isOfColumns && names.stream().anyMatch(ShapeWords.WITHOUT_ROWS::contains) && !is(0, "truncate");
    }

    /** Returns the kind of a statement by whether it changes the meaning of table names. */
    private Kind setting(int from, int to) {
        List<String> words =
                tokens.subList(from, to).stream().map(SqlToken::text).toList();
        String first = words.isEmpty() ? "" : words.get(0);
        if (first.equals("set") && words.contains("select")) {
            return Kind.OPAQUE_READ;
        }
        if (words.contains("autocommit") || words.contains("schema_search_path")) {
            return Kind.UNKNOWN_NAMES;
        }
        boolean isSetting = List.of("set", "reset", "discard").contains(first);
        boolean isOfNames =
                words.stream().anyMatch(ShapeWords.OF_NAMES::contains) || !first.equals("set") && words.contains("all");
        boolean isCall = words.contains("set_config") && sql.contains("search_path");
        return first.equals("use") || isSetting && isOfNames || isCall ? Kind.OTHER_NAMES : Kind.NOTHING;
    }

    private StatementShape opaqueIfReading() {
        return names.contains("select") || isChanging() ? opaque() : shape(Kind.NOTHING);
    }

    private StatementShape otherwise() {
        return shape(is(0, "merge") || is(0, "replace") ? Kind.OPAQUE_WRITE : Kind.OPAQUE_CALL);
    }

    private StatementShape opaque() {
        return shape(isChanging() ? Kind.OPAQUE_WRITE : Kind.OPAQUE_READ);
    }

    private boolean isChanging() {
        return tokens.stream()
                .anyMatch(token -> token.kind() == SqlToken.Kind.NAME && ShapeWords.CHANGES.contains(token.text()));
    }

    private StatementShape shape(Kind kind) {
        return StatementShape.of(kind, names);
    }

    // ---------------------------------------------------------------- reads

    private StatementShape select() {
        int from = find("from", 0);
        boolean isOfNoTable = from < 0 || from == tokens.size() - 2 && is(from + 1, "dual");
        if (isOfNoTable) {
            return ofNoTable();
        }
        if (isCall(from + 1) && callsUnknown(from)) {
            return shape(Kind.OPAQUE_CALL);
        }
        for (String word : ShapeWords.COMBINING) {
            if (find(word, 0) >= 0) {
                return opaque();
            }
        }
        List<TableUse> tables = new ArrayList<>();
        int endOfTables = tables(from + 1, tables);
        if (endOfTables < 0 || tables.isEmpty() || is(1, "distinct") || is(1, "top")) {
            return opaque();
        }
        if (tables.stream()
                .allMatch(table -> table.schema() != null && ShapeWords.SYSTEM_SCHEMAS.contains(table.schema()))) {
            return names.stream().filter("select"::equals).count() > 1 ? opaque() : shape(Kind.NOTHING);
        }
        int first = is(1, "all") ? 2 : 1;
        boolean isOne = tables.size() == 1;
        SqlCondition condition = isOne ? condition(endOfTables) : null;
        boolean isWhole = isOne && !hasAny("limit", "offset", "fetch", "skip");
        String answer = isWhole && find("order", 0) < 0 && find("for", 0) < 0 ? answer(first, from) : null;
        if (answer == null && !isOfOneRow(first, from)) {
            return opaque();
        }
        boolean isStar = from == first + 1 && is(first, "*") || from == first + 3 && is(first + 2, "*");
        return new StatementShape(
                Kind.SELECT,
                names,
                tables,
                new StatementShape.Columns(
                        isStar && isOne ? List.of("*") : null,
                        answer == null ? tokens.get(from).from() : -1),
                condition,
                answer,
                isWhole ? StatementShape.Limit.ALL : isOne ? limit(endOfTables, hasOnlyColumns(first, from)) : null,
                new StatementShape.Writing(true, false, 0));
    }

    /** Returns whether columns are selected under their own names. */
    private boolean hasOnlyColumns(int first, int from) {
        for (int i = first; i < from; i++) {
            SqlToken token = tokens.get(i);
            boolean isSign = token.is(",") || token.is(".") || token.is("*");
            boolean isAlone = token.isName() && (i + 1 == from || !isName(i + 1));
            if (!isSign && !isAlone) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the limit at the end of a statement; null if it has more than an order and a limit.
     *
     * @param isOfColumns whether a name in the order is that of a column
     */
    private StatementShape.@Nullable Limit limit(int endOfTables, boolean isOfColumns) {
        if (hasAny("offset", "fetch", "skip", "for")) {
            return null;
        }
        int end = endOfTables;
        while (end < tokens.size() && !(depthOf[end] == 0 && isKeyword(end)) || is(end, "where")) {
            end++;
        }
        int limit = tokens.size() - 2;
        boolean isOrdered = is(end, "order");
        if (!is(limit, "limit") || !tokens.get(limit + 1).isConstant() || !isOrdered && end != limit) {
            return null;
        }
        int before = (int)
                tokens.subList(0, limit).stream().filter(SqlToken::isParameter).count();
        Object count = tokens.get(limit + 1).isParameter()
                ? Integer.valueOf(before + 1)
                : SqlCondition.literal(tokens.get(limit + 1));
        int to = is(limit - 1, "asc") || is(limit - 1, "desc") ? limit - 1 : limit;
        boolean isQualified = to == end + 5 && is(end + 3, ".");
        boolean isColumn = isOrdered && (to == end + 3 && isOfColumns || isQualified) && isName(to - 1);
        String order = isColumn ? text(to - 1) : null;
        return new StatementShape.Limit(order, is(limit - 1, "desc"), count);
    }

    private StatementShape ofNoTable() {
        Kind setting = setting(0, tokens.size());
        if (setting != Kind.NOTHING) {
            return shape(setting);
        }
        if (callsUnknown(0)) {
            return shape(Kind.OPAQUE_CALL);
        }
        boolean isReading = names.stream().filter("select"::equals).count() > 1;
        return isReading || isChanging() ? opaque() : shape(Kind.NOTHING);
    }

    /** Parses the tables after {@code from}, and returns their end; -1 if they are more than names. */
    private int tables(int start, List<TableUse> into) {
        int at = start;
        while (true) {
            at = table(at, into);
            if (at < 0) {
                return -1;
            }
            at = afterJoinCondition(at);
            if (at >= tokens.size() || ShapeWords.ENDS_OF_FROM.contains(text(at))) {
                return at;
            }
            if (is(at, ",")) {
                at++;
            } else {
                while (at < tokens.size() && !is(at, "join")) {
                    boolean isOfJoin = ShapeWords.JOINS.contains(text(at)) || is(at, "outer");
                    if (!isOfJoin) {
                        return -1;
                    }
                    at++;
                }
                at++;
            }
        }
    }

    private int afterJoinCondition(int start) {
        if (start >= tokens.size() || !(is(start, "on") || is(start, "using"))) {
            return start;
        }
        int at = start + 1;
        while (at < tokens.size()
                && (depthOf[at] > depthOf[start]
                        || !(is(at, ",")
                                || ShapeWords.JOINS.contains(text(at))
                                || ShapeWords.ENDS_OF_FROM.contains(text(at))))) {
            at++;
        }
        return at;
    }

    /** Parses a table with its alias; returns its end, or -1. */
    private int table(int start, List<TableUse> into) {
        if (start >= tokens.size() || !isName(start) || isKeyword(start)) {
            return -1;
        }
        int at = start + 1;
        SqlToken schema = null;
        SqlToken name = tokens.get(start);
        if (at + 1 < tokens.size() && is(at, ".") && isName(at + 1)) {
            schema = name;
            name = tokens.get(at + 1);
            at += 2;
        }
        String qualifier = sql.substring(tokens.get(start).from(), name.to());
        boolean isAs = at < tokens.size() && is(at, "as");
        at += isAs ? 1 : 0;
        if (at < tokens.size() && isName(at) && (isAs || !isKeyword(at))) {
            qualifier = sql.substring(tokens.get(at).from(), tokens.get(at).to());
            at++;
        }
        boolean isMore = at < tokens.size() && (is(at, "(") || is(at, "."));
        if (isMore) {
            return -1;
        }
        into.add(new TableUse(
                schema == null ? null : schema.text(),
                name.text(),
                name.kind() == SqlToken.Kind.QUOTED_NAME,
                qualifier));
        return at;
    }

    private boolean isKeyword(int at) {
        SqlToken token = tokens.get(at);
        return token.kind() == SqlToken.Kind.NAME
                && (ShapeWords.ENDS_OF_FROM.contains(token.text())
                        || ShapeWords.JOINS.contains(token.text())
                        || Set.of("on", "using", "only", "tablesample", "select", "values", "use", "force", "ignore")
                                .contains(token.text()));
    }

    /** Returns the single aggregate that is selected; null if it is none, or more. */
    private @Nullable String answer(int first, int from) {
        boolean isCall = ShapeWords.AGGREGATES.contains(text(first)) && first + 1 < from && is(first + 1, "(");
        int close = isCall ? closing(first + 1) : -1;
        if (close < 0 || close >= from) {
            return null;
        }
        List<SqlToken> of = tokens.subList(first + 2, close);
        boolean isPlain = of.size() == 1 && (of.get(0).isName() || of.get(0).is("*"))
                || of.size() == 3 && of.get(1).is(".") && of.get(2).isName();
        int rest = from - close - 1;
        boolean hasName = rest == 0 || rest == 1 && isName(close + 1) || rest == 2 && is(close + 1, "as");
        return isPlain && hasName ? text(first) + "(" + of.get(of.size() - 1).text() + ")" : null;
    }

    /** Returns whether each selected value is computed from one row, so that more of the row may be selected. */
    private boolean isOfOneRow(int first, int from) {
        for (int i = first; i < from; i++) {
            if (isCall(i) && !ShapeWords.FUNCTIONS_OF_A_ROW.contains(text(i)) || is(i, "over") || is(i, "select")) {
                return false;
            }
        }
        return true;
    }

    private boolean isCall(int at) {
        return at + 1 < tokens.size() && isName(at) && is(at + 1, "(");
    }

    /** Returns whether, from a position on, a function is called that may change data. */
    private boolean callsUnknown(int start) {
        for (int i = start; i < tokens.size(); i++) {
            String name = text(i);
            boolean isKnown = ShapeWords.FUNCTIONS_OF_A_ROW.contains(name)
                    || ShapeWords.AGGREGATES.contains(name)
                    || ShapeWords.FUNCTIONS_WITHOUT_ROWS.contains(name)
                    || ShapeWords.STARTS_OF_FUNCTIONS.stream().anyMatch(name::startsWith);
            if (isCall(i) && !isKnown) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- writes

    private StatementShape insert() {
        int into = find("into", 0);
        boolean isReplacing = find("replace", 0) >= 0 || find("duplicate", 0) >= 0;
        List<TableUse> tables = new ArrayList<>();
        int at = into < 0 || isReplacing ? -1 : insertTarget(into + 1, tables);
        if (at < 0) {
            return shape(Kind.OPAQUE_WRITE);
        }
        List<String> columns = null;
        if (at < tokens.size() && is(at, "(") && !is(at + 1, "select")) {
            int close = closing(at);
            columns = tokens.subList(at + 1, close).stream()
                    .filter(SqlToken::isName)
                    .map(SqlToken::text)
                    .toList();
            at = close + 1;
        }
        boolean isOfValues = find("values", at) >= 0 || find("default", at) >= 0;
        return write(Kind.INSERT, tables, columns, columns == null ? null : conflict(columns, at), !isOfValues);
    }

    /** Returns the number of rows after {@code values}; 0 without any. */
    private int givenRows() {
        int count = 0;
        int at = find("values", 0) + 1;
        while (at > 0 && at < tokens.size() && (is(at, "(") || is(at, ","))) {
            count += is(at, "(") ? 1 : 0;
            at = is(at, "(") ? closing(at) + 1 : at + 1;
        }
        return count;
    }

    /** Returns the key whose row prevents the insertion of a single row; null unless only that does, and no error. */
    private @Nullable SqlCondition conflict(List<String> columns, int values) {
        int on = find("on", values);
        if (on < 0 || !is(values, "values") || closing(values + 1) != on - 1) {
            return null;
        }
        int close = closing(on + 2);
        int end = close + 3;
        boolean isIgnored = is(on + 1, "conflict")
                && is(on + 2, "(")
                && is(close + 1, "do")
                && is(close + 2, "nothing")
                && (end == tokens.size() || is(end, "returning"));
        Map<String, Object> inserted = isIgnored ? constants(columns, values) : Map.of();
        Map<String, Object> key = new HashMap<>();
        for (int i = on + 3; i < close; i += 2) {
            Object constant = inserted.get(text(i));
            boolean isColumn = isName(i) && (i + 1 == close || is(i + 1, ","));
            if (constant == null || !isColumn) {
                return null;
            }
            key.put(text(i), constant);
        }
        return key.isEmpty() ? null : SqlCondition.ofKey(key);
    }

    /** Returns the values of a row to insert that are constants, by column. */
    private Map<String, Object> constants(List<String> columns, int values) {
        Map<String, Object> constants = new HashMap<>();
        int parameter = (int)
                tokens.subList(0, values).stream().filter(SqlToken::isParameter).count();
        int column = 0;
        for (int i = values + 2; i < closing(values + 1); i++) {
            SqlToken token = tokens.get(i);
            parameter += token.isParameter() ? 1 : 0;
            boolean isAlone = is(i - 1, i == values + 2 ? "(" : ",")
                    && depthOf[i] == depthOf[values + 2]
                    && (is(i + 1, ",") || i + 1 == closing(values + 1));
            if (isAlone && token.isConstant() && column < columns.size()) {
                constants.put(
                        columns.get(column),
                        token.isParameter() ? Integer.valueOf(parameter) : SqlCondition.literal(token));
            }
            column += token.is(",") && depthOf[i] == depthOf[values + 2] ? 1 : 0;
        }
        return constants;
    }

    private int insertTarget(int start, List<TableUse> tables) {
        int at = start + 1;
        boolean hasSchema = at + 1 < tokens.size() && is(at, ".");
        at += hasSchema ? 2 : 0;
        if (!isName(start) || at >= tokens.size()) {
            return -1;
        }
        SqlToken name = tokens.get(hasSchema ? start + 2 : start);
        String qualifier = sql.substring(tokens.get(start).from(), name.to());
        if (is(at, "as")) {
            qualifier = text(at + 1);
            at += 2;
        }
        tables.add(new TableUse(
                hasSchema ? text(start) : null, name.text(), name.kind() == SqlToken.Kind.QUOTED_NAME, qualifier));
        return at;
    }

    private StatementShape update() {
        List<TableUse> tables = new ArrayList<>();
        int set = tokens.size() > 1 && !is(1, "only") ? table(1, tables) : -1;
        if (set < 0 || set >= tokens.size() || !is(set, "set")) {
            return shape(Kind.OPAQUE_WRITE);
        }
        List<String> columns = new ArrayList<>();
        boolean isPlain = true;
        for (int i = set + 1; i < tokens.size() && !isEndOfSet(i); i++) {
            boolean isFirst = i == set + 1 || is(i - 1, ",") && depthOf[i] == 0;
            if (isFirst && depthOf[i] == 0) {
                boolean isColumn = isName(i) && i + 1 < tokens.size() && is(i + 1, "=");
                isPlain &= isColumn;
                columns.add(text(i));
            }
        }
        int where = find("where", set);
        boolean reads = find("from", set) >= 0 || find("select", 0) >= 0 || names.contains("select");
        return write(Kind.UPDATE, tables, isPlain ? columns : null, condition(where), reads);
    }

    private boolean isEndOfSet(int i) {
        return depthOf[i] == 0 && ShapeWords.ENDS_OF_SET.contains(text(i));
    }

    private StatementShape delete() {
        List<TableUse> tables = new ArrayList<>();
        boolean isPlain = tokens.size() > 2 && is(1, "from") && !is(2, "only");
        int at = isPlain ? table(2, tables) : -1;
        boolean isOne = at == tokens.size() || at > 0 && ShapeWords.ENDS_OF_FROM.contains(text(at));
        if (!isOne) {
            return shape(Kind.OPAQUE_WRITE);
        }
        return write(Kind.DELETE, tables, null, condition(find("where", 0)), names.contains("select"));
    }

    private StatementShape write(
            Kind kind,
            List<TableUse> tables,
            @Nullable List<String> columns,
            @Nullable SqlCondition condition,
            boolean reads) {
        boolean hasReturning = find("returning", 0) >= 0;
        int end = tokens.get(tokens.size() - 1).to();
        return new StatementShape(
                kind,
                names,
                tables,
                new StatementShape.Columns(columns, end),
                condition,
                null,
                StatementShape.Limit.ALL,
                new StatementShape.Writing(reads, hasReturning, kind == Kind.INSERT ? givenRows() : 0));
    }

    // ---------------------------------------------------------------- words

    /** Returns the condition after {@code where}; null if none. */
    private @Nullable SqlCondition condition(int where) {
        if (where < 0 || where >= tokens.size() || !is(where, "where")) {
            return null;
        }
        int end = where + 1;
        while (end < tokens.size() && (depthOf[end] > 0 || !ShapeWords.ENDS_OF_FROM.contains(text(end)))) {
            end++;
        }
        int before = (int)
                tokens.subList(0, where).stream().filter(SqlToken::isParameter).count();
        return SqlCondition.of(sql, tokens.subList(where + 1, end), before);
    }

    private boolean hasAny(String... words) {
        return Arrays.stream(words).anyMatch(word -> find(word, 0) >= 0);
    }

    /** Returns the index of a word outside of all brackets; -1 if absent. */
    private int find(String word, int start) {
        for (int i = start; i < tokens.size(); i++) {
            if (depthOf[i] == 0 && is(i, word)) {
                return i;
            }
        }
        return -1;
    }

    private boolean is(int at, String word) {
        return tokens.get(at).is(word);
    }

    private boolean isName(int at) {
        return tokens.get(at).isName();
    }

    private String text(int at) {
        return tokens.get(at).text();
    }

    private int closing(int open) {
        int at = open + 1;
        while (at < tokens.size() && depthOf[at] > depthOf[open]) {
            at++;
        }
        return Math.min(at, tokens.size() - 1);
    }
}
