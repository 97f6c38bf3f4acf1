package io.nightjar.jobs.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StoredRowsTest {

    private record Inner(String word) {}

    private record Outer(long firstCount, Inner inner) {}

    @Test
    void recordedQueryIsReadBack() {
        try (SqlSession session = SqlSession.open(null)) {
            List<Outer> rows = StoredRows.read(session, Outer.class, "SELECT 3 AS first_count, 'x' AS word");

            assertThat(rows).containsExactly(new Outer(3, new Inner("x")));
            assertThat(StoredRows.cells(rows.get(0)))
                    .containsEntry("first_count", 3L)
                    .containsEntry("word", "x")
                    .hasSize(2);
        }
    }
}
