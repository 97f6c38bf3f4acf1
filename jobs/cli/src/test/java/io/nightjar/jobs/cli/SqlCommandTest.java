package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.lake.LakeFixtures;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlCommandTest {

    private static final String QUERY = "SELECT anomaly_type AS type, count(*) AS n FROM anomalies GROUP BY ALL";

    @TempDir
    Path folder;

    @Test
    void aQueryPrintsATable() {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT, "x", "y");

        CommandRun run = CommandRun.of("sql", "--lake", folder.toString(), QUERY);

        assertThat(run).isEqualTo(new CommandRun(0, "type  n\n----  -\nEXT   2\n", ""));
    }

    @Test
    void resultsComeAsJsonCsvAndMarkdown() {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT, "x", "y");

        assertThat(CommandRun.of("sql", "--lake", folder.toString(), "--json", QUERY)
                        .out())
                .isEqualTo("{\"type\":\"EXT\",\"n\":2}\n");
        assertThat(CommandRun.of("sql", "--lake", folder.toString(), "--csv", QUERY)
                        .out())
                .isEqualTo("type,n\nEXT,2\n");
        assertThat(CommandRun.of("sql", "--lake", folder.toString(), "--markdown", QUERY)
                        .out())
                .isEqualTo("| type | n |\n| --- | --- |\n| EXT | 2 |\n");
    }

    @Test
    void twoOutputModesAreWrongUsage() {
        assertThat(CommandRun.of("sql", "--json", "--csv", "SELECT 1").code()).isEqualTo(64);
    }

    @Test
    void severalStatementsRunInTheirOrder() {
        CommandRun run = CommandRun.of(
                "sql", "--lake", folder.toString(), "--csv", "CREATE TABLE t AS SELECT 1 AS a; FROM t; SELECT 2 AS b;");

        assertThat(run.out()).isEqualTo("a\n1\n\nb\n2\n");
    }

    @Test
    void statementsAreReadFromStandardInput() {
        CommandRun run = withInput("SELECT 1 AS a;\nSELECT 2 AS b\n", "sql", "--lake", folder.toString(), "--csv");

        assertThat(run).isEqualTo(new CommandRun(0, "a\n1\n\nb\n2\n", ""));
    }

    @Test
    void noStatementsAreWrongUsage() {
        CommandRun run = withInput("", "sql", "--lake", folder.toString());

        assertThat(run)
                .isEqualTo(new CommandRun(
                        64, "", "nightjar: no query given; name one as an argument or give it on standard input\n"));
    }

    @Test
    void mistakesInSqlAreWrongUsage() {
        CommandRun run = CommandRun.of("sql", "--lake", folder.toString(), "SELEC 1");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("nightjar: Parser Error: ");
    }

    @Test
    void lakeInPlaceOfQueryGetsHint() {
        CommandRun alone = CommandRun.of("sql", folder.toString());
        CommandRun withQuery = CommandRun.of("sql", folder.toString(), "SELECT 1");

        assertThat(alone.code()).isEqualTo(64);
        assertThat(alone.err()).contains("a folder is no query").contains("--lake=" + folder);
        assertThat(withQuery.code()).isEqualTo(64);
        assertThat(withQuery.err()).contains("--lake=DIR");
    }

    @Test
    void aLakeThatIsNotOneIsWrongUsage() throws IOException {
        Files.writeString(folder.resolve("notes.txt"), "mine");

        CommandRun run = CommandRun.of("sql", "--lake", folder.toString(), "FROM runs");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("not a lake");
    }

    @Test
    void aLakeThatIsMissingIsWrongUsage() {
        CommandRun run = CommandRun.of("sql", "--lake", folder.resolve("nope").toString(), "FROM runs");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("no such lake");
    }

    private static CommandRun withInput(String input, String... args) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            return CommandRun.of(args);
        } finally {
            System.setIn(before);
        }
    }
}
