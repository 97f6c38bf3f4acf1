package io.nightjar.jobs.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlScannerTest {

    @Test
    void statementsEndAtSemicolons() {
        assertThat(SqlScanner.statements(" FROM a ; ; FROM b;\n FROM c "))
                .containsExactly("FROM a", "FROM b", "FROM c");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 'a;''b'",
                "SELECT \"a;\"\"b\"",
                "SELECT E'a\\';b'",
                "SELECT $$a;b$$",
                "SELECT $x$ a;$$ $x$",
                "SELECT 1 /* ; /* ; */ ; */ + 1",
                "SELECT 1 -- ;\n + 1"
            })
    void semicolonsInQuotesAndCommentsEndNothing(String sql) {
        assertThat(SqlScanner.statements(sql)).containsExactly(sql);
    }

    @Test
    void onlyCommentsAreNoStatement() {
        assertThat(SqlScanner.statements("-- nothing\n/* here */ ;")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"FROM a;", "FROM a; -- done", "", "  ", "SELECT ';' ;"})
    void aStatementIsCompleteBehindItsSemicolon(String sql) {
        assertThat(SqlScanner.isComplete(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"FROM a", "SELECT ';", "SELECT 1 /* ;", "SELECT \"a;", "SELECT $$;", "FROM a; FROM b"})
    void openQuotesCommentsAndStatementsAreNotComplete(String sql) {
        assertThat(SqlScanner.isComplete(sql)).isFalse();
    }
}
