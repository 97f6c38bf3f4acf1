package io.nightjar.pipeline.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions that are parsed once a template are the conditions that they are if each is parsed by itself. */
class ConditionTemplatesTest {

    private static final List<String> CONSTANTS = List.of(
            "0",
            "7",
            "-3",
            "- 3",
            "12.50",
            "007",
            "1e3",
            ".5",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "'a'",
            "''",
            "'it''s'",
            "'?'",
            "'1'",
            "'a 1'",
            "'x--y'",
            "'\\'",
            "'\"'",
            "NULL",
            "TRUE",
            "?");
    private static final List<String> CONDITIONS = List.of(
            "c0 = #",
            "c0 > # AND c1 <= #",
            "# < c0 OR NOT (c1 + # = #)",
            "c0 BETWEEN # AND # AND c1 NOT BETWEEN # AND #",
            "c0 IN (#, #, #)",
            "c2 LIKE # OR c2 NOT ILIKE #",
            "(# IS NULL) IS NOT TRUE",
            "-c0 * # - # / # % # >= -(#)",
            "c0-# = #-c1",
            "count(*) WHERE c0 = #",
            "sum(c0 + #) WHERE c1 < #",
            "SELECT max(c0) FROM t WHERE c1 <> #",
            "\"c1\" = # AND t.c0 = #",
            "c10 = # AND c2 = c0 + c1");

    @Test
    void templateParsesSameConditionAsParser() {
        Random random = new Random(1);
        ConditionTemplates templates = new ConditionTemplates(ConditionTemplatesTest::column);
        int understood = 0;
        for (int i = 0; i < 6_000; i++) {
            StringBuilder text = new StringBuilder();
            for (char c : CONDITIONS.get(random.nextInt(CONDITIONS.size())).toCharArray()) {
                text.append(c == '#' ? CONSTANTS.get(random.nextInt(CONSTANTS.size())) : String.valueOf(c));
            }
            Object expected = alone(text.toString());
            understood += expected instanceof RowCondition ? 1 : 0;
            assertThat(answer(() -> templates.parse(text.toString())))
                    .as(text.toString())
                    .isEqualTo(expected);
        }
        assertThat(understood).isBetween(5_000, 6_000);
    }

    /** What stands beside a constant may make another thing of it, and what is refused is refused in its own words. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "c0 = 1 OFFSET 2",
                "c0 = 1 FETCH FIRST 1 ROW ONLY",
                "c0 = 1 LIMIT 3",
                "c0 = 1 ORDER BY 1",
                "c2 = E'a'",
                "c2 = N'a'",
                "c2 = DATE '2020-01-01'",
                "c0 = INTERVAL '1' DAY",
                "c2 = 'a' 'b'",
                "c0 = 1 2",
                "c0 = 1|2",
                "c0 = 1 || 2",
                "c0 = ?1",
                "c0 = ? AND c1 = ?2",
                "c0 = $1",
                "c0 = :1",
                "c0 = 0x1F",
                "c0 = 1.2.3",
                "c0 = 5'a'",
                "c2 = 'a'5",
                "c2 = 'a",
                "c2 LIKE 'a' ESCAPE '1'",
                "c0 /* 1 */ = 2",
                "c0 = 1 -- 2",
                "c2 ? 'a'",
                "c2 @> '1'",
                "c2 -> 'a' = 1",
                "c0[1] = 2",
                "c0::int = 1",
                "cast(c0 AS DECIMAL(8, 2)) = 1",
                "substring(c2, 1, 2) = 'a'",
                "count(1)",
                "count(1, 2)",
                "count(*) > 5",
                "EXISTS (SELECT 1 FROM t WHERE c0 = 1)",
                "c0 = (SELECT 1)",
                "c0 IN (SELECT 1)",
                "c9 = 1",
                "c0 = 1; DELETE FROM t",
                "1",
                "'a'",
                "?",
                "",
            })
    void templateRejectsWithMessageOfParser(String text) {
        ConditionTemplates templates = new ConditionTemplates(ConditionTemplatesTest::column);
        for (int i = 0; i < 2; i++) {
            assertThat(answer(() -> templates.parse(text))).isEqualTo(alone(text));
        }
    }

    private static Object alone(String text) {
        return answer(() -> ConditionParser.parse(text, ConditionTemplatesTest::column));
    }

    private static Object answer(Supplier<RowCondition> parsed) {
        try {
            return parsed.get();
        } catch (ConditionException refused) {
            return refused.getMessage();
        }
    }

    private static int column(String name) {
        if (name.equalsIgnoreCase("c9")) {
            throw new ConditionException("no row has this column: column=" + name);
        }
        return Integer.parseInt(name.substring(1));
    }
}
