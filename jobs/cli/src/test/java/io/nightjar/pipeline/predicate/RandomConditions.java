package io.nightjar.pipeline.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.pipeline.verify.ConditionReplay;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** Random conditions on random rows, evaluated by a database, by the check and by the verifier. */
final class RandomConditions {

    private static final int ROWS = 100;
    private static final String[] TEXTS = {
        "a", "b", "ab", "ba", "aab", "B", "é", "日本", "", "a_b", "%", "it's", "a\\b", "\"q\"", "😀", "\uFB01", " a",
        "NULL", "?"
    };
    private static final String[] COMPARISONS = {"=", "<>", "!=", "<", "<=", ">", ">="};
    private static final String[] PATTERNS = {"a%", "%b", "_", "%a%", "a_b", "%", "__", "é", "a\\_b", "\\%"
    }; // the last two escape
    private static final String[] COMPUTED = {
        "count(*)", "count(c2)", "sum(c0)", "sum(c4)", "min(c1)", "max(c0)", "min(c2)", "max(c2)", "sum(c0 + c1)"
    };

    private final List<String> params = new ArrayList<>(); // parameters as JSON
    private final List<String> literals = new ArrayList<>(); // parameters as SQL
    private final long seed;
    private final Random random;
    private final boolean isPostgres; // whole numbers have whole quotients, and a backslash escapes in patterns

    RandomConditions(long seed, boolean isPostgres) {
        this.seed = seed;
        this.random = new Random(seed);
        this.isPostgres = isPostgres;
    }

    /** Compares the given number of conditions on all rows, and as many numbers computed of the matching rows. */
    void compare(Connection database, String textType, int conditions) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = database.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER, c0 BIGINT, c1 BIGINT, c2 " + textType
                    + ", c3 BOOLEAN, c4 DECIMAL(8, 2))");
            for (int id = 0; id < ROWS; id++) {
                rows.add(addRow(statement, id));
            }
            RowCells cells = new RowCells();
            List<Object[]> read = rows.stream().map(cells::row).toList();
            ConditionTemplates templates = new ConditionTemplates(cells::column);
            for (int i = 0; i < conditions; i++) {
                params.clear();
                literals.clear();
                String condition = condition(3);
                String given = "[" + String.join(",", params) + "]";
                String where = "seed=%d condition=%s params=%s".formatted(seed, condition, given);
                assertThat(matches(rows, condition, given))
                        .as(where)
                        .isEqualTo(replayed(rows, condition, given))
                        .isEqualTo(found(statement, withLiterals(condition)));
                RowCondition inlined = templates.parse(withLiterals(condition));
                assertThat(matches(read, inlined, new Object[0])).as(where).isEqualTo(matches(rows, condition, given));
                String computed = COMPUTED[random.nextInt(COMPUTED.length)];
                String answer = answered(statement, "SELECT " + computed + " FROM t WHERE " + withLiterals(condition));
                assertIsAnswer(rows, computed + " WHERE " + condition, given, answer, where + " of " + computed);
            }
        }
    }

    /** Verifies that both evaluators return the result of the database. */
    private static void assertIsAnswer(
            List<String> rows, String condition, String params, String answer, String where) {
        RowCells cells = new RowCells();
        List<Object[]> read = rows.stream().map(cells::row).toList();
        RowCondition parsed = ConditionParser.parse(condition, cells::column);
        Object[] given = RowCells.params(params);
        Object soFar = null;
        for (Object[] row : read) {
            soFar = parsed.matches(row, given) ? parsed.add(soFar, row, given) : soFar;
        }
        ConditionReplay replay = ConditionReplay.of(condition);
        String other = answer == null ? "1" : answer + "1";
        assertThat(RowCondition.isAnswer(answer, parsed.answer(soFar)))
                .as(where)
                .isTrue();
        assertThat(RowCondition.isAnswer(other, parsed.answer(soFar))).as(where).isFalse();
        assertThat(replay.isAnswer(rows, params, answer)).as(where).isTrue();
        assertThat(replay.isAnswer(rows, params, other)).as(where).isFalse();
    }

    private static String answered(Statement statement, String sql) throws SQLException {
        try (ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    /** Inserts a row; returns it as JSON. */
    private String addRow(Statement statement, int id) throws SQLException {
        String c0 = number();
        String c1 = number();
        String c4 = random.nextInt(5) == 0
                ? "null"
                : new BigDecimal(random.nextInt(2001) - 1000).movePointLeft(2).toString();
        String c2 = random.nextInt(5) == 0 ? "null" : TEXTS[random.nextInt(TEXTS.length)];
        String c3 = random.nextInt(5) == 0 ? "null" : String.valueOf(random.nextBoolean());
        String text = c2.equals("null") ? "NULL" : literal(c2);
        statement.execute(
                "INSERT INTO t VALUES (" + id + ", " + c0 + ", " + c1 + ", " + text + ", " + c3 + ", " + c4 + ")");
        String json = c2.equals("null") ? "null" : json(c2);
        return "{\"c0\":" + c0 + ",\"c1\":" + c1 + ",\"c2\":" + json + ",\"c3\":" + c3 + ",\"c4\":" + c4 + "}";
    }

    private String number() {
        return random.nextInt(5) == 0 ? "null" : String.valueOf(random.nextInt(21) - 10);
    }

    private String condition(int depth) {
        if (depth > 0 && random.nextInt(3) > 0) {
            String left = condition(depth - 1);
            return switch (random.nextInt(4)) {
                case 0 -> "NOT (" + left + ")";
                case 1 -> "(" + left + ") OR (" + condition(depth - 1) + ")";
                case 2 -> left + " AND " + condition(0);
                default -> "(" + left + ") AND (" + condition(depth - 1) + ")";
            };
        }
        String not = random.nextInt(3) == 0 ? "NOT " : "";
        return switch (random.nextInt(10)) {
            case 8 -> "c2 " + not + "ILIKE '" + pattern() + "'";
            case 0 -> numeric() + " " + not + "BETWEEN " + numeric() + " AND " + numeric();
            case 1 -> numeric() + " " + not + "IN (" + numeric() + ", " + literal() + ", " + literal() + ")";
            case 2 -> "c2 " + not + "LIKE '" + pattern() + "'";
            case 3 -> (random.nextBoolean() ? "c2" : numeric()) + " IS " + not + "NULL";
            case 9 -> text() + " " + not + "IN (C2, " + text() + ")";
            case 4 -> "c2 " + comparison() + " " + text();
            case 5 -> "c3 IS " + not + (random.nextBoolean() ? "TRUE" : "FALSE");
            case 6 -> "c3 = " + (random.nextBoolean() ? "TRUE" : "FALSE");
            default -> numeric() + " " + comparison() + " " + numeric();
        };
    }

    private String pattern() {
        return PATTERNS[random.nextInt(isPostgres ? PATTERNS.length : PATTERNS.length - 2)];
    }

    private String comparison() {
        return COMPARISONS[random.nextInt(COMPARISONS.length)];
    }

    private String numeric() {
        return switch (random.nextInt(8)) {
            case 7 -> random.nextBoolean() ? "c4" : "c4 * " + literal();
            case 0 -> isPostgres && random.nextBoolean() ? "c0 / 3" : "c0 + " + literal();
            case 1 -> "(c1 - c0) * " + literal();
            case 2 -> "c0 % " + (1 + random.nextInt(4));
            case 3 -> literal();
            case 4 -> "-c1";
            default -> random.nextBoolean() ? "c0" : random.nextBoolean() ? "\"c1\"" : "C1";
        };
    }

    /** Returns a text as a literal, or as a parameter. */
    private String text() {
        String text = TEXTS[random.nextInt(TEXTS.length)];
        if (random.nextBoolean()) {
            return literal(text);
        }
        params.add(json(text));
        literals.add(literal(text));
        return "?";
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private static String json(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private String literal() {
        String number = String.valueOf(random.nextInt(21) - 10);
        if (random.nextInt(4) > 0) {
            return random.nextInt(12) == 0 ? "NULL" : number;
        }
        params.add(number);
        literals.add("(" + number + ")");
        return "?";
    }

    private String withLiterals(String condition) {
        StringBuilder literal = new StringBuilder();
        Iterator<String> next = literals.iterator();
        boolean isQuoted = false;
        for (char c : condition.toCharArray()) {
            isQuoted ^= c == '\'';
            literal.append(c == '?' && !isQuoted ? next.next() : String.valueOf(c));
        }
        return literal.toString();
    }

    private static Set<Integer> found(Statement statement, String condition) throws SQLException {
        Set<Integer> ids = new TreeSet<>();
        try (ResultSet result = statement.executeQuery("SELECT id FROM t WHERE " + condition)) {
            while (result.next()) {
                ids.add(result.getInt(1));
            }
        }
        return ids;
    }

    private static Set<Integer> matches(List<String> rows, String condition, String params) {
        RowCells cells = new RowCells();
        List<Object[]> read = rows.stream().map(cells::row).toList();
        RowCondition parsed = ConditionParser.parse(condition, cells::column);
        return matches(read, parsed, RowCells.params(params));
    }

    private static Set<Integer> matches(List<Object[]> rows, RowCondition condition, Object[] params) {
        Set<Integer> ids = new TreeSet<>();
        for (int id = 0; id < rows.size(); id++) {
            if (condition.matches(rows.get(id), params)) {
                ids.add(id);
            }
        }
        return ids;
    }

    private static Set<Integer> replayed(List<String> rows, String condition, String params) {
        ConditionReplay replay = ConditionReplay.of(condition);
        Set<Integer> ids = new TreeSet<>();
        for (int id = 0; id < rows.size(); id++) {
            if (replay.matches(rows.get(id), params)) {
                ids.add(id);
            }
        }
        return ids;
    }
}
