package io.nightjar.pipeline.predicate;

import io.nightjar.pipeline.predicate.SmallTables.Version;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;

/**
 * A condition on the columns of small tables, as SQL and as what it means of the number that they are made of.
 *
 * @param params a JSON array
 * @param meaning asked of rows whose columns are not NULL
 * @param isOfNulls whether it is true of rows whose columns are
 */
record SmallCondition(String sql, String params, IntPredicate meaning, boolean isOfNulls) {

    /** The number that stands for columns that are NULL. */
    static final int NULL = 6;

    private static final String[] TEXTS = {"a", "b", "ab", "é", "b", "B", null, "日"};

    private SmallCondition(String sql, String params, IntPredicate meaning) {
        this(sql, params, meaning, false);
    }

    /** The row of a number: itself, a text, and its half. */
    static String row(int number) {
        if (number == NULL) {
            return "{\"c\":null,\"d\":null,\"e\":null}";
        }
        return "{\"c\":" + number + ",\"d\":\"" + TEXTS[number] + "\",\"e\":" + number / 2.0 + "}";
    }

    static SmallCondition any(Random random) {
        int a = random.nextInt(5);
        int b = random.nextInt(5);
        List<SmallCondition> all = List.of(
                new SmallCondition("c >= ?", "[" + a + "]", c -> c >= a),
                new SmallCondition("? >= c", "[" + a + "]", c -> c <= a),
                new SmallCondition("c >= ? AND c <= ?", "[1," + a + "]", c -> c >= 1 && c <= a),
                new SmallCondition("c BETWEEN ? AND ?", "[" + a + "," + b + "]", c -> c >= a && c <= b),
                new SmallCondition(
                        "c >= ? AND c > ? AND d <> 'b'",
                        "[" + a + "," + b + "]",
                        c -> c >= a && c > b && !text(c).equals("b")),
                new SmallCondition("c % 2 = " + a % 2, "[]", c -> c % 2 == a % 2),
                new SmallCondition("NOT c IN (?, ?)", "[" + a + "," + b + "]", c -> c != a && c != b),
                new SmallCondition("c IN (?, NULL)", "[" + a + "]", c -> c == a),
                new SmallCondition("c = ? OR c = " + b, "[" + a + "]", c -> c == a || c == b),
                new SmallCondition("c = ? AND c = " + b, "[" + a + "]", c -> c == a && c == b),
                new SmallCondition("NOT (c > ?)", "[" + a + "]", c -> c <= a),
                new SmallCondition("c + 1 > ?", "[" + a + "]", c -> c + 1 > a),
                new SmallCondition("c < NULL", "[]", c -> false),
                new SmallCondition("c IS NOT NULL", "[]", c -> true),
                new SmallCondition("c IS NULL", "[]", c -> false, true),
                new SmallCondition("c IS NULL OR c > ?", "[" + a + "]", c -> c > a, true),
                new SmallCondition("d = ?", "[\"" + text(a) + "\"]", c -> text(c).equals(text(a))),
                new SmallCondition("d >= ?", "[\"" + text(a) + "\"]", c -> text(c).compareTo(text(a)) >= 0),
                new SmallCondition(
                        "d > 'a' AND d < 'c'", "[]", c -> text(c).compareTo("a") > 0 && text(c).compareTo("c") < 0),
                new SmallCondition("d LIKE 'a%'", "[]", c -> text(c).startsWith("a")),
                new SmallCondition("e > ?", "[" + a / 2.0 + "]", c -> c > a),
                new SmallCondition("e = ?", "[" + a + "]", c -> c == 2 * a),
                new SmallCondition("e <= 1.5 AND c >= ?", "[" + a + "]", c -> c <= 3 && c >= a));
        return all.get(random.nextInt(all.size()));
    }

    private static String text(int number) {
        return TEXTS[number];
    }

    boolean matches(Version version) {
        if (version == null || version.column() == null) {
            return false;
        }
        return version.column() == NULL ? isOfNulls : meaning.test(version.column());
    }
}
