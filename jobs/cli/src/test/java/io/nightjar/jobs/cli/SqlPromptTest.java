package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeFixtures;
import io.nightjar.jobs.sql.OutputMode;
import io.nightjar.jobs.sql.SqlSession;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlPromptTest {

    @TempDir
    Path folder;

    @Test
    void aStatementGoesOnUntilItsSemicolon() throws IOException {
        assertThat(typed("SELECT 1 +\n 41\n AS answer;\n")).contains("answer\n------\n    42\n");
    }

    @Test
    void errorIsReportedAndPromptContinues() throws IOException {
        assertThat(typed("SELEC 1;\nSELECT 42 AS answer;\n"))
                .contains("Parser Error: ")
                .contains("    42\n");
    }

    @Test
    void theModeCanBeChanged() throws IOException {
        assertThat(typed(".mode json\nSELECT 42 AS answer;\n")).contains("{\"answer\":42}\n");
    }

    @Test
    void boxesAreDrawn() throws IOException {
        assertThat(typed(".mode box\nSELECT 42 AS answer, 'x' AS b;\n"))
                .contains(
                        """
                        ┌────────┬───┐
                        │ answer │ b │
                        ├────────┼───┤
                        │     42 │ x │
                        └────────┴───┘
                        """);
    }

    @Test
    void anUnknownModeSaysWhichThereAre() throws IOException {
        assertThat(typed(".mode xml\n")).contains("the mode is table; others: box table json csv markdown");
    }

    @Test
    void tablesAndTheirColumnsAreListed() throws IOException {
        assertThat(typed(".tables\n")).contains("\nanomalies\n").contains("\nv_new_anomalies\n");
        assertThat(typed(".schema level_verdicts\n")).contains("anomaly_count  BIGINT");
    }

    @Test
    void quitLeavesWhatFollowsUnread() throws IOException {
        assertThat(typed(".quit\nSELECT 42 AS answer;\n")).doesNotContain("    42");
    }

    @Test
    void helpListsTheCommands() throws IOException {
        assertThat(typed(".help\n"))
                .contains(".tables ")
                .contains(".schema ")
                .contains(".mode ")
                .contains(".quit ");
    }

    @Test
    void unknownCommandIsReported() throws IOException {
        assertThat(typed(".frob\n"))
                .contains(
                        "no such command: .frob; the commands are .help .tables .schema .mode .rows .timer .read .quit (");
    }

    @Test
    void namesAreCompleted() throws IOException {
        assertThat(typed("FROM v_anomalies_r\t;\n")).contains("T3 read x=1");
    }

    @Test
    void filesAreCompletedWhereAHistoryIsNamed() throws IOException {
        Files.writeString(folder.resolve("orders-of-today.txt"), "s1 T1 [1,2]: w(x,1)\n");

        assertThat(typed("SELECT count(*) AS n FROM history('" + folder + "/orders-\t;\n"))
                .contains("n\n-\n1\n");
    }

    @Test
    void statementsAreReadFromAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("queries.sql"), "SELECT 42 AS answer; SELECT 43 AS next;");

        assertThat(typed(".read " + file + "\n")).contains("    42\n").contains("  43\n");
        assertThat(typed(".read nowhere.sql\n")).contains("cannot read: file=nowhere.sql");
    }

    @Test
    void longResultsAreTruncatedWithNotice() throws IOException {
        assertThat(typed("SELECT 7000 + range AS n FROM range(150);\n"))
                .contains("\n7099\n50 more rows; .rows N shows more, .rows 0 all\n")
                .doesNotContain("7100");
        assertThat(typed(".rows 2\nSELECT 7000 + range AS n FROM range(3);\n")).contains("\n7001\n1 more rows;");
        assertThat(typed(".rows 0\nSELECT 7000 + range AS n FROM range(150);\n"))
                .contains("\n7149\n");
    }

    @Test
    void theTimerTellsHowLongAStatementTook() throws IOException {
        assertThat(typed(".timer on\nSELECT 42 AS answer;\n")).containsPattern("time: \\d+\\.\\d{3} s\n");
        assertThat(typed("SELECT 42 AS answer;\n")).doesNotContain("time: ");
    }

    @Test
    void whatWasTypedIsRemembered() throws IOException {
        typed("SELECT 42 AS answer;\n");

        assertThat(Files.readString(folder.resolve("history"))).contains("SELECT 42 AS answer;");
    }

    /** Returns the content of the screen after these keys and then Ctrl-D. */
    private String typed(String keys) throws IOException {
        Path lake = folder.resolve("lake");
        if (!Files.exists(lake)) {
            LakeFixtures.writeRun(lake, "r1", "a", LakeFixtures.MIDNIGHT, "x");
        }
        ByteArrayInputStream in = new ByteArrayInputStream((keys + "\u0004").getBytes(StandardCharsets.UTF_8));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Terminal terminal = new DumbTerminal("test", "ansi", in, out, StandardCharsets.UTF_8);
        try (SqlSession session = SqlSession.open(Lake.open(lake))) {
            new SqlPrompt(session, OutputMode.TABLE, terminal, folder.resolve("history")).run();
        }
        return out.toString(StandardCharsets.UTF_8).replace("\r", "");
    }
}
