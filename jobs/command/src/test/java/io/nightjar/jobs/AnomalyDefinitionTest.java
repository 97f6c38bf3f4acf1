package io.nightjar.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.Anomaly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AnomalyDefinitionTest {

    @ParameterizedTest
    @EnumSource(Anomaly.class)
    void everyAnomalyIsDefinedDrawnAndShown(Anomaly anomaly) throws IOException {
        String document = Files.readString(root().resolve("docs/anomalies.md"));
        String anchor = AnomalyDefinition.of(anomaly.spelling()).replaceFirst(".*#", "");
        boolean isSharingItsSection =
                document.contains("<a id=\"" + anchor + "\">") || document.contains("<a\nid=\"" + anchor + "\">");
        String heading = isSharingItsSection ? "" : "(?m)^### (?i:" + Pattern.quote(anchor) + ")$";

        assertThat(document).containsPattern(heading);
        if (!isSharingItsSection) {
            String section = document.split(heading, 2)[1].split("\n##", 2)[0];
            assertThat(section).as("drawing").contains("\n```\n    ");
            if (anomaly != Anomaly.NO_PREFIX_ORDER) {
                assertThat(section).as("example").contains("\n```\n# ");
            }
        }
    }

    @Test
    void actionOfGitHubLinksToItsRepository() {
        Map<String, String> environment = Map.of(
                "GITHUB_SERVER_URL", "https://git.example",
                "GITHUB_ACTION_REPOSITORY", "someone/nightjar",
                "GITHUB_ACTION_REF", "v1");

        assertThat(AnomalyDefinition.address("G2-item-process", null, environment))
                .isEqualTo("https://git.example/someone/nightjar/blob/v1/docs/anomalies.md#g2-item");
    }

    @Test
    void launcherLinksToItsDocuments() {
        String home = root().toString();

        assertThat(AnomalyDefinition.address("EXT", home, Map.of()))
                .startsWith("file:///")
                .endsWith("/docs/anomalies.md#ext");
        assertThat(AnomalyDefinition.address("EXT", "/nowhere", Map.of())).isNull();
        assertThat(AnomalyDefinition.address("EXT", null, Map.of())).isNull();
    }

    private static Path root() {
        return Path.of("").toAbsolutePath().getParent().getParent();
    }
}
