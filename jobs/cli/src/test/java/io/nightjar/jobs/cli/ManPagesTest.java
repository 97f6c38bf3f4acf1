package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Manual pages as {@code man} reads them. */
class ManPagesTest {

    @TempDir
    private Path folder;

    @Test
    void everyCommandHasAPageWithAllItsOptions() {
        Map<String, String> pages = ManPages.all();

        for (String command : Commands.names()) {
            assertThat(pages).containsKey("nightjar-" + command + ".1");
        }
        assertThat(pages.get("nightjar-check.1"))
                .contains("\\-\\-fail\\-on")
                .contains(".SH EXIT STATUS")
                .contains("nightjar check history.parquet")
                .doesNotContain("${");
    }

    @Test
    void pagesAreTheSameEachTime() {
        assertThat(ManPages.all()).isEqualTo(ManPages.all());
    }

    @Test
    void groffFindsNothingWrong() throws IOException, InterruptedException {
        Path groff = Path.of("/usr/bin/groff");
        assumeTrue(Files.isExecutable(groff), "groff is not installed");
        for (Map.Entry<String, String> page : ManPages.all().entrySet()) {
            Path file = Files.writeString(folder.resolve(page.getKey()), page.getValue());
            Process run = new ProcessBuilder(groff.toString(), "-man", "-Tutf8", "-ww", "-z", file.toString())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(run.waitFor()).isZero();
            assertThat(output.lines().filter(line -> !line.contains("can't break line") && !line.contains("adjust")))
                    .as(page.getKey())
                    .isEmpty();
        }
    }
}
