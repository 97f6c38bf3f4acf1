package io.nightjar.jobs.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryCallsTest {

    @Test
    void eachCallIsReplacedByItsView() {
        assertThat(replaced(
                        "SELECT * FROM history('a.jsonl') x, History ( 'it''s' ) JOIN history('b', 'edn') USING (t)"))
                .isEqualTo("SELECT * FROM <a.jsonl|null> x, <it's|null> JOIN <b|edn> USING (t)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 'history(''a'')'",
                "SELECT \"history('a')\"",
                "SELECT 1 -- history('a')",
                "SELECT 1 /* history('a') */",
                "SELECT * FROM my.history('a')",
                "CREATE TABLE history (a int)",
                "SELECT history.a FROM history",
                "SELECT * FROM history(a)",
                "SELECT * FROM history('a', 'b', 'c')",
                "SELECT * FROM history('a'",
                "SELECT * FROM histories('a')"
            })
    void textWithoutCallIsUnchanged(String sql) {
        assertThat(replaced(sql)).isEqualTo(sql);
    }

    private static String replaced(String sql) {
        return HistoryCalls.replace(sql, (file, format) -> "<" + file + "|" + format + ">");
    }
}
