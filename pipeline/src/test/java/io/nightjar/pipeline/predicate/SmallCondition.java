package io.nightjar.pipeline.predicate;

import io.nightjar.pipeline.predicate.SmallTables.Version;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;

/**
 * A condition on the one column of small tables, as SQL and as what it means.
 *
 * @param params a JSON array
 */
record SmallCondition(String sql, String params, IntPredicate meaning) {

    static SmallCondition any(Random random) {
        int a = random.nextInt(5);
        int b = random.nextInt(5);
        return List.of(
                        new SmallCondition("c >= ?", "[" + a + "]", c -> c >= a),
                        new SmallCondition("c >= ? AND c <= ?", "[1," + a + "]", c -> c >= 1 && c <= a),
                        new SmallCondition("c % 2 = " + a % 2, "[]", c -> c % 2 == a % 2),
                        new SmallCondition("NOT c IN (?, ?)", "[" + a + "," + b + "]", c -> c != a && c != b),
                        new SmallCondition("c = ? OR c = " + b, "[" + a + "]", c -> c == a || c == b),
                        new SmallCondition("c IS NOT NULL", "[]", c -> true))
                .get(random.nextInt(6));
    }

    boolean matches(Version version) {
        return version != null && version.column() != null && meaning.test(version.column());
    }
}
