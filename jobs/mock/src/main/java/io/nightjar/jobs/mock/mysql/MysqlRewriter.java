package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.SqlWords.Kind;
import io.nightjar.jobs.SqlWords.Word;
import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.wire.StatementWords;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Rewriter of MySQL's literals, names, operators and functions for H2's MySQL mode. */
final class MysqlRewriter {

    /** Schema in which drivers and users find the catalog tables. */
    static final String CATALOGUE = "nightjar_mysql";

    /**
     * Suffix that casts an expression to case-insensitive text of nearly maximum length; without a length it would
     * become TEXT.
     */
    static final String AS_TEXT = " as varchar_ignorecase(999999999))";

    /** Schema of tables whose database was not created. */
    static final String PUBLIC = "public";

    private static final Set<String> INTRODUCERS = SqlWords.set("_utf8 _utf8mb3 _utf8mb4 _latin1 _ascii _binary n");

    private static final Set<String> REFUSED = Set.of("div", "xor", "sql_calc_found_rows", "straight_join");

    private static final String[] COMPARING = SqlWords.list("= < > <= >= <> != <=>");

    private static final Set<String> TABLE_COMES =
            SqlWords.set("from join insert ignore replace into update table view references exists on");

    private static final Map<String, String> CAST_TYPES = Map.ofEntries(
            Map.entry("signed", "bigint"),
            Map.entry("unsigned", "bigint"),
            Map.entry("char", "varchar"),
            Map.entry("nchar", "varchar"),
            Map.entry("datetime", "timestamp(0)"),
            Map.entry("binary", "varbinary"));

    private static final Set<String> ORDER_ENDS =
            SqlWords.set("limit for lock separator rows range groups union except intersect offset into");

    private final StatementWords words;
    private final MysqlVariables variables;
    private final MysqlCalls calls;
    private boolean isFleeting;

    MysqlRewriter(StatementWords words, MysqlVariables variables) {
        this.words = words;
        this.variables = variables;
        this.calls = new MysqlCalls(words, variables, this);
    }

    /** Returns whether the rewritten text may differ the next time. */
    boolean isFleeting() {
        return isFleeting || calls.isFleeting();
    }

    /** Returns words rewritten for H2. */
    String plain(int from, int to) {
        StringBuilder sql = new StringBuilder();
        Map<Integer, String> nullOrders = nullOrders(from, to);
        int position = from;
        while (position < to) {
            if (nullOrders.containsKey(position)) {
                sql.append(nullOrders.get(position));
            }
            boolean isApart = position > from && words.isApart(position);
            sql.append(isApart ? " " : "");
            position = append(sql, position, to);
        }
        return sql.append(nullOrders.getOrDefault(to, "")).toString();
    }

    /** Appends the item at a position and returns the position after it. */
    private int append(StringBuilder sql, int position, int to) {
        Word word = words.get(position);
        switch (word.kind()) {
            case QUOTED_NAME -> {
                return appendName(sql, position, '"' + word.text().replace("\"", "\"\"") + '"');
            }
            case STRING -> {
                if (MysqlLabels.isQuotedAlias(words, position)) {
                    sql.append("\"" + unquoted(word.text()).replace("\"", "\"\"") + "\"");
                } else {
                    String literal = quoted(unquoted(word.text()));
                    sql.append(isComparedWithText(position) ? "cast(" + literal + AS_TEXT : literal);
                }
            }
            case SIGN -> {
                return appendSign(sql, position);
            }
            case NAME -> {
                return appendWord(sql, position, to);
            }
            case NUMBER, PARAMETER -> sql.append(word.text());
        }
        return position + 1;
    }

    /**
     * Returns whether a literal is compared with a literal, parameter or variable; a column determines the comparison
     * by its type.
     */
    private boolean isComparedWithText(int position) {
        if (words.hasAny(position + 1, COMPARING) && isPlainValue(position + 2)) {
            return true;
        }
        int in = words.has(position + 1, "not") ? position + 2 : position + 1;
        boolean isLeft = words.hasAny(in, "like", "regexp", "rlike", "between") && isPlainValue(in + 1)
                || words.has(in, "in", "(") && isPlainValue(in + 2);
        boolean isSubject = words.has(position - 1, "case") && words.has(position + 1, "when");
        return isLeft || isSubject || words.hasAny(position - 1, COMPARING) && isPlainValue(position - 2);
    }

    private boolean isPlainValue(int position) {
        if (position < 0 || position >= words.size()) {
            return false;
        }
        Kind kind = words.kind(position);
        boolean isUserVariable =
                words.has(position, "@") || words.has(position - 1, "@") && !words.has(position - 2, "@");
        return kind == Kind.STRING || kind == Kind.PARAMETER || isUserVariable;
    }

    private int appendSign(StringBuilder sql, int position) {
        String sign = words.text(position);
        if (sign.equals("@") && words.has(position + 1, "@")) {
            return appendVariable(sql, position);
        }
        if (sign.equals("->") || sign.equals("->>")) {
            throw MockException.unsupported(sign);
        }
        sql.append(
                switch (sign) {
                    case "||" -> " OR ";
                    case "&&" -> " AND ";
                    case "<=>" -> " IS NOT DISTINCT FROM ";
                    case "!" -> " NOT ";
                    case "/" -> " * 1.0000 / "; // MySQL's integer division returns a fraction
                    default -> sign;
                });
        return position + 1;
    }

    /** Appends a variable such as {@code @@session.autocommit}. */
    private int appendVariable(StringBuilder sql, int position) {
        int name = position + 2;
        if (words.hasAny(name, "session", "global", "local") && words.has(name + 1, ".")) {
            name += 2;
        }
        isFleeting = true;
        String variable = MysqlVariables.nameAt(words, name);
        sql.append(variables.literal(variable));
        return words.endOfName(name);
    }

    private int appendName(StringBuilder sql, int position, String name) {
        Word word = words.get(position);
        boolean isQualifier = words.has(position + 1, ".") && !words.has(position - 1, ".");
        if (isQualifier && word.text().equals("information_schema")) {
            sql.append(CATALOGUE);
            return position + 1;
        }
        boolean isDatabase = isQualifier && word.text().equals(variables.database());
        boolean isOfTable = isQualifier && (words.has(position + 3, ".") || isTable(position));
        if (isDatabase && isOfTable) {
            return position + 2; // skips the dot
        }
        if (isOfTable && word.text().equals(variables.home())) {
            sql.append(PUBLIC);
            return position + 1;
        }
        sql.append(name);
        return position + 1;
    }

    private boolean isTable(int position) {
        return position > 0 && words.kind(position - 1) == Kind.NAME && TABLE_COMES.contains(words.text(position - 1));
    }

    private int appendWord(StringBuilder sql, int position, int to) {
        String name = words.text(position);
        if (position + 1 < to && words.kind(position + 1) == Kind.STRING) {
            int end = appendMarked(sql, position, name);
            if (end > position) {
                return end;
            }
        }
        if (words.has(position - 1, ".")) {
            return appendName(sql, position, words.written(position, position + 1));
        }
        if (REFUSED.contains(name)) {
            throw MockException.unsupported(name.toUpperCase(Locale.ROOT));
        }
        boolean isTable = words.hasAny(position - 1, "into", "table", "references");
        if (position + 1 < to && words.has(position + 1, "(") && !isTable && !isCastType(position)) {
            return calls.append(sql, position, name);
        }
        int end = appendKeyword(sql, position, to, name);
        return end > position ? end : appendName(sql, position, words.written(position, position + 1));
    }

    /**
     * Appends a string with a type or character-set prefix; returns the same position if the word is no such prefix.
     */
    private int appendMarked(StringBuilder sql, int position, String mark) {
        String literal = words.text(position + 1);
        if (INTRODUCERS.contains(mark)) {
            return position + 1;
        }
        if (mark.equals("b")) {
            sql.append(Long.parseLong(unquoted(literal), 2));
            return position + 2;
        }
        if (mark.equals("x") && !words.isApart(position + 1)) {
            sql.append('X').append(literal);
            return position + 2;
        }
        return position;
    }

    /** Appends H2's replacement of a keyword, possibly empty; returns the same position if it needs none. */
    private int appendKeyword(StringBuilder sql, int position, int to, String name) {
        if (MysqlCalls.isNow(name) && !words.has(position + 1, ".")) {
            sql.append("localtimestamp(0)");
            return position + 1;
        }
        if (words.hasAny(position, "use", "force", "ignore") && words.hasAny(position + 1, "index", "key")) {
            int open = words.has(position + 2, "for")
                    ? position + (words.has(position + 3, "join") ? 4 : 5)
                    : position + 2;
            return words.endOfGroup(open);
        }
        if (name.equals("interval") && position + 2 < to) {
            return appendInterval(sql, position);
        }
        boolean isCast = isCastType(position);
        if (name.equals("binary") && !isCast || words.has(position, "with", "rollup")) {
            throw MockException.unsupported(name.equals("binary") ? "BINARY of a value" : "WITH ROLLUP");
        }
        if (isCast && name.equals("json")) {
            return appendJson(sql, position);
        }
        String cast = isCast ? CAST_TYPES.get(name) : null;
        if (cast != null) {
            sql.append(words.has(position + 1, "(") ? cast.replaceFirst("\\(.*", "") : cast);
            return words.has(position + 1, "integer") ? position + 2 : position + 1;
        }
        if (words.hasAny(position, "high_priority", "low_priority", "delayed", "quick", "sql_no_cache")
                && words.hasAny(position - 1, "select", "insert", "update", "delete", "replace")) {
            return position + 1;
        }
        if (name.equals("collate") && position + 1 < to) {
            return skipCollation(position);
        }
        if (name.equals("rlike")) {
            sql.append("regexp");
            return position + 1;
        }
        if (name.equals("mod") && position > 0 && !words.hasAny(position - 1, ",", "(", "select")) {
            sql.append('%');
            return position + 1;
        }
        return position;
    }

    /** Skips a case-insensitive collation; other collations are rejected. */
    private int skipCollation(int position) {
        if (!unnamed(words.get(position + 1)).endsWith("_ci")) {
            throw MockException.unsupported("COLLATE that regards case");
        }
        return position + 2;
    }

    private static String unnamed(Word word) {
        return word.kind() == Kind.STRING ? unquoted(word.text()) : word.text();
    }

    /** Appends a conversion to JSON as text, the type of JSON columns. */
    private int appendJson(StringBuilder sql, int position) {
        if (!words.hasAny(0, "insert", "replace", "update")) {
            throw MockException.unsupported("CAST AS JSON of an expression that is not stored unchanged in a column");
        }
        sql.append("varchar");
        return position + 1;
    }

    private boolean isCastType(int position) {
        if (!words.has(position - 1, "as") && !words.has(position - 1, ",")) {
            return false;
        }
        int depth = 0;
        for (int i = position - 1; i >= 1; i--) {
            depth += words.has(i, ")") ? 1 : words.has(i, "(") ? -1 : 0;
            if (depth < 0) {
                return words.hasAny(i - 1, "cast", "convert");
            }
        }
        return false;
    }

    private int appendInterval(StringBuilder sql, int position) {
        Word many = words.get(position + 1);
        if (many.kind() != Kind.NUMBER && many.kind() != Kind.STRING) {
            throw MockException.unsupported("INTERVAL of an expression outside of DATE_ADD and DATE_SUB");
        }
        String number = many.kind() == Kind.NUMBER ? many.text() : unquoted(many.text());
        sql.append("interval ").append(quoted(number)).append(' ').append(words.name(position + 2));
        return position + 3;
    }

    // ---------------------------------------------------------------- where NULL is

    /**
     * Returns the NULLS clause of each ORDER BY item, by the position after the item, as MySQL orders NULL before all
     * values.
     */
    private Map<Integer, String> nullOrders(int from, int to) {
        Map<Integer, String> orders = new HashMap<>();
        for (int position = from; position < to - 2; position++) {
            if (words.has(position, "order", "by")) {
                orderItems(position + 2, to, orders);
            }
        }
        return orders;
    }

    private void orderItems(int from, int to, Map<Integer, String> orders) {
        int position = from;
        while (true) {
            boolean isEnd = position >= to
                    || words.has(position, ")")
                    || words.kind(position) == Kind.NAME
                            && ORDER_ENDS.contains(words.text(position))
                            && !words.has(position - 1, ".");
            if (isEnd || words.has(position, ",")) {
                orders.put(position, words.has(position - 1, "desc") ? " NULLS LAST" : " NULLS FIRST");
            }
            if (isEnd) {
                return;
            }
            position = words.endOfGroup(position);
        }
    }

    // ---------------------------------------------------------------- literals

    static String quoted(String plain) {
        return "'" + plain.replace("'", "''") + "'";
    }

    /** Returns the value of a string literal: without quotes, with escapes resolved. */
    static String unquoted(String literal) {
        char quote = literal.charAt(0);
        StringBuilder plain = new StringBuilder();
        for (int i = 1; i < literal.length() - 1; i++) {
            char letter = literal.charAt(i);
            if (letter == quote) {
                i++;
                plain.append(quote);
            } else if (letter == '\\') {
                char escaped = literal.charAt(++i);
                plain.append(
                        switch (escaped) {
                            case '0' -> "\0";
                            case 'b' -> "\b";
                            case 'n' -> "\n";
                            case 'r' -> "\r";
                            case 't' -> "\t";
                            case 'Z' -> "\u001a";
                            case '%' -> "\\%";
                            case '_' -> "\\_";
                            default -> String.valueOf(escaped);
                        });
            } else {
                plain.append(letter);
            }
        }
        return plain.toString();
    }
}
