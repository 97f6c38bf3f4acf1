package io.nightjar.pipeline.predicate;

import io.nightjar.fixtures.Seeds;
import io.nightjar.jobs.record.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random conditions on random rows mean the same to PostgreSQL, to the check and to the verifier. */
@Tag("slow")
class ConditionsOfPostgresITCase {

    private static final int CONDITIONS = 150; // each on a hundred rows

    @ParameterizedTest
    @ValueSource(strings = {"15.13.0", "17.5.0"})
    void rowsThatMatchAreThoseOfTheDatabase(String version) throws Exception {
        try (PostgresServer server = PostgresServer.started(version);
                Connection database = DriverManager.getConnection(server.url())) {
            new RandomConditions(Seeds.seed(78), true)
                    .compare(database, "TEXT COLLATE \"C\"", Seeds.rounds(CONDITIONS));
        }
    }
}
