package io.nightjar.pipeline.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.pipeline.verify.ConditionReplay;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Random conditions on random rows mean the same to a database, to the check and to the verifier. */
class ConditionsOfDuckDbTest {

    private static final int ROWS = 100;
    private static final int CONDITIONS = 150;
    private static final String[] TEXTS = {"a", "b", "ab", "ba", "aab", "B", "é", "日本", ""};
    private static final String[] COMPARISONS = {"=", "<>", "<", "<=", ">", ">="};
    private static final String[] PATTERNS = {"a%", "%b", "_", "%a%", "a_b", "%", "__", "é"};

    private final List<String> params = new ArrayList<>();
    private Random random;

    @Test
    void rowsThatMatchAreThoseOfTheDatabase() throws SQLException {
        long seed = Seeds.seed(77);
        random = new Random(seed);
        List<String> rows = new ArrayList<>();
        int scale = Integer.getInteger("nightjar.scale", 1);
        try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = database.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER, c0 BIGINT, c1 BIGINT, c2 VARCHAR, c3 BOOLEAN)");
            for (int id = 0; id < ROWS; id++) {
                rows.add(addRow(statement, id));
            }
            for (int i = 0; i < CONDITIONS * scale; i++) {
                params.clear();
                String condition = condition(3);
                String given = "[" + String.join(",", params) + "]";
                assertThat(matches(rows, condition, given))
                        .as("seed=%d condition=%s params=%s", seed, condition, given)
                        .isEqualTo(replayed(rows, condition, given))
                        .isEqualTo(found(statement, withLiterals(condition)));
            }
        }
    }

    private String addRow(Statement statement, int id) throws SQLException {
        String c0 = number();
        String c1 = number();
        String c2 = random.nextInt(5) == 0 ? "null" : TEXTS[random.nextInt(TEXTS.length)];
        String c3 = random.nextInt(5) == 0 ? "null" : String.valueOf(random.nextBoolean());
        String text = c2.equals("null") ? "NULL" : "'" + c2 + "'";
        statement.execute("INSERT INTO t VALUES (" + id + ", " + c0 + ", " + c1 + ", " + text + ", " + c3 + ")");
        String json = c2.equals("null") ? "null" : '"' + c2 + '"';
        return "{\"c0\":" + c0 + ",\"c1\":" + c1 + ",\"c2\":" + json + ",\"c3\":" + c3 + "}";
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
        return switch (random.nextInt(8)) {
            case 0 -> numeric() + " " + not + "BETWEEN " + numeric() + " AND " + numeric();
            case 1 -> numeric() + " " + not + "IN (" + numeric() + ", " + literal() + ", " + literal() + ")";
            case 2 -> "c2 " + not + "LIKE '" + PATTERNS[random.nextInt(PATTERNS.length)] + "'";
            case 3 -> (random.nextBoolean() ? "c2" : numeric()) + " IS " + not + "NULL";
            case 4 -> "c2 " + comparison() + " '" + TEXTS[random.nextInt(TEXTS.length)] + "'";
            case 5 -> "c3 IS " + not + (random.nextBoolean() ? "TRUE" : "FALSE");
            case 6 -> "c3 = " + (random.nextBoolean() ? "TRUE" : "FALSE");
            default -> numeric() + " " + comparison() + " " + numeric();
        };
    }

    private String comparison() {
        return COMPARISONS[random.nextInt(COMPARISONS.length)];
    }

    private String numeric() {
        return switch (random.nextInt(7)) {
            case 0 -> "c0 + " + literal();
            case 1 -> "(c1 - c0) * " + literal();
            case 2 -> "c0 % " + (1 + random.nextInt(4));
            case 3 -> literal();
            case 4 -> "-c1";
            default -> random.nextBoolean() ? "c0" : "c1";
        };
    }

    private String literal() {
        String number = String.valueOf(random.nextInt(21) - 10);
        if (random.nextInt(4) > 0) {
            return random.nextInt(12) == 0 ? "NULL" : number;
        }
        params.add(number);
        return "?";
    }

    private String withLiterals(String condition) {
        String literal = condition;
        for (String param : params) {
            literal = literal.replaceFirst("\\?", "(" + param + ")");
        }
        return literal;
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
        Object[] given = cells.params(params);
        Set<Integer> ids = new TreeSet<>();
        for (int id = 0; id < read.size(); id++) {
            if (parsed.matches(read.get(id), given)) {
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
