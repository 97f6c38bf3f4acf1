package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.jobs.lake.LakeFixtures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportCommandTest {

    @TempDir
    Path folder;

    private String lake;
    private String page;

    @BeforeEach
    void writeARun() {
        lake = folder.resolve("lake").toString();
        page = folder.resolve("report.html").toString();
        LakeFixtures.writeRun(Path.of(lake), "r1", "orders.parquet", LakeFixtures.MIDNIGHT, "x");
    }

    @Test
    void pageIsWrittenAndReported() {
        CommandRun run = CommandRun.of("report", lake, "--run", "r1", "-o", page, "--json");

        assertThat(run.code()).isZero();
        assertThat(Path.of(page)).content().startsWith("<!DOCTYPE html>").endsWith("</html>\n");
        assertThat(JsonTree.object(run.out()))
                .containsEntry("schema", 1L)
                .containsEntry("out", page)
                .containsEntry("verdict", "violated")
                .containsEntry("runs", List.of("r1"))
                .containsEntry("anomalies", 1L)
                .containsEntry("anomalies_listed", 1L)
                .containsKeys("lake", "histories", "bytes", "seconds");
    }

    @Test
    void bannerNamesTheWeakestLevelsRuledOut() throws IOException {
        assertThat(pageOf("s1 T1 [1,2]: w(x,1)\ns2 T2 [3,5]: r(x,1) w(x,2)\ns3 T3 [4,6]: r(x,1) w(x,3)"))
                .contains("<p class=\"lead\">1 lost update rules out snapshot isolation and serializable.</p>");
        assertThat(pageOf("s1 T1!: w(x,1)\ns2 T2: r(x,1)"))
                .contains("<p class=\"lead\">1 aborted read rules out read committed.");
    }

    private String pageOf(String history) throws IOException {
        String file = Files.writeString(folder.resolve("h.txt"), history).toString();
        String run = "r" + history.length();
        CommandRun.of("check", file, "--level=all", "--lake=" + lake, "--run-id=" + run);
        CommandRun.of("report", lake, "--run=" + run, "-o", page);
        return Files.readString(Path.of(page));
    }

    @Test
    void aDashPrintsThePage() {
        CommandRun run = CommandRun.of("report", lake, "-o", "-");

        assertThat(run.out()).startsWith("<!DOCTYPE html>").endsWith("</html>\n");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void invalidArgumentsAreWrongUsage() {
        assertThat(CommandRun.of("report").code()).isEqualTo(64);
        assertThat(CommandRun.of("report", lake).code()).isEqualTo(64);
        assertThat(CommandRun.of("report", lake, "-o", folder.toString()).code())
                .isEqualTo(64);
        assertThat(CommandRun.of("report", lake, "-o", "-", "--json").code()).isEqualTo(64);
        assertThat(CommandRun.of("report", lake, "--run", "r2", "-o", page).err())
                .contains("no such run: run-id=r2");
        assertThat(CommandRun.of("report", lake, "--baseline", "r2", "-o", page).err())
                .contains("no such run: run-id=r2");
        assertThat(CommandRun.of("report", lake + "x", "-o", page).err()).contains("no such lake");
        assertThat(Files.exists(Path.of(page))).isFalse();
    }

    @Test
    void aTimelineIsOfOneAnomaly() {
        String id = LakeFixtures.staleRead("x").anomalyId();

        assertThat(CommandRun.of("explain", lake, id, "--timeline").out())
                .startsWith(id)
                .contains("× r(x,1)");
        assertThat(CommandRun.of("explain", lake, "--timeline").code()).isEqualTo(64);
        assertThat(CommandRun.of("explain", lake, id, "--timeline", "--json").code())
                .isEqualTo(64);
    }

    @ParameterizedTest
    @CsvSource({
        "--port,99999,not a port",
        "--port,-1,not a port",
        "--http,8080,not an address",
        "--http,localhost:x,not an address",
        "--http,no.such.host.invalid:0,no such host"
    })
    void anAddressThatIsNoneIsWrongUsage(String option, String value, String message) {
        CommandRun run = CommandRun.of("serve", lake, option + "=" + value);

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains(message);
    }
}
