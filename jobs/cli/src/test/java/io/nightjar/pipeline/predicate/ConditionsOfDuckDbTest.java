package io.nightjar.pipeline.predicate;

import io.nightjar.fixtures.Seeds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random conditions on random rows mean the same to DuckDB, to the check and to the verifier. */
@Tag(Seeds.TAG)
class ConditionsOfDuckDbTest {

    private static final int CONDITIONS = 150; // each on a hundred rows

    @Test
    void rowsThatMatchAreThoseOfTheDatabase() throws SQLException {
        try (Connection database = DriverManager.getConnection("jdbc:duckdb:")) {
            new RandomConditions(Seeds.seed(77), false).compare(database, "VARCHAR", Seeds.rounds(CONDITIONS));
        }
    }
}
