package io.nightjar.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Dockerfile against the build that it copies from and the manifests that use its images. No image is built here. */
class ImagesTest {

    private static final Path ROOT = Manifests.HOME.getParent();
    private static final String VERSION = ":0.1.0";

    private static final Pattern COPY = Pattern.compile("COPY (?:--\\S+ )*(\\S+) (\\S+)");

    @Test
    void copiedFileIsBuildOutput() {
        assertThat(copy().group(1)).isEqualTo("jobs/cli/target/nightjar-flink-job.jar");
        assertThat(Manifests.read("../jobs/cli/pom.xml")).contains("<finalName>nightjar-flink-job</finalName>");
    }

    @Test
    void builtJarsStartWithCalledClasses() throws IOException {
        Map<String, String> mainClassOf = Map.of(
                "nightjar-cli.jar", "io.nightjar.jobs.cli.Main",
                "nightjar-flink-job.jar", "io.nightjar.jobs.cli.FlinkJob");
        for (Map.Entry<String, String> jar : mainClassOf.entrySet()) {
            Path file = ROOT.resolve("jobs/cli/target").resolve(jar.getKey());
            if (Files.exists(file)) { // only after the package phase of jobs
                try (JarFile content = new JarFile(file.toFile())) {
                    assertThat(content.getManifest().getMainAttributes().getValue("Main-Class"))
                            .isEqualTo(jar.getValue());
                    assertThat(content.getEntry(jar.getValue().replace('.', '/') + ".class"))
                            .isNotNull();
                }
            }
        }
    }

    @Test
    void theClassThatFlinkCallsIsThere() throws ClassNotFoundException {
        for (String overlay : List.of("local/flink-application", "local/flink-session")) {
            String kind = overlay.endsWith("session") ? "FlinkSessionJob" : "FlinkDeployment";
            String name =
                    Manifests.built(overlay, kind).at("/spec/job/entryClass").asText();

            assertThat(Class.forName(name, false, getClass().getClassLoader())).hasPublicMethods("main");
        }
    }

    @Test
    void flinkFindsItsJarWhereItWasCopied() {
        String jar = copy().group(2);

        assertThat(Manifests.built("local/flink-application", "FlinkDeployment")
                        .at("/spec/job/jarURI")
                        .asText())
                .isEqualTo("local://" + jar);
        assertThat(Manifests.strings(Manifests.built("local/flink-session", "Deployment")
                        .at("/spec/template/spec/initContainers/0/command")))
                .containsExactly("cp", jar, "/jars/");
    }

    @Test
    void imagesMatchDocumentedImages() {
        Set<String> ours = new TreeSet<>();
        for (Path overlay : Manifests.overlays()) {
            for (ObjectNode manifest : Kustomize.build(overlay)) {
                for (JsonNode image : manifest.findValues("image")) {
                    if (image.asText().startsWith("nightjar")) {
                        ours.add(image.asText());
                    }
                }
            }
        }
        assertThat(ours).containsExactlyInAnyOrder("nightjar" + VERSION, "nightjar-flink" + VERSION);
        assertThat(Manifests.read("README.md"))
                .contains("nightjar package --image")
                .contains("docker build -f k8s/Dockerfile -t nightjar-flink" + VERSION + " .");
    }

    private static MatchResult copy() {
        return COPY.matcher(Manifests.read("Dockerfile")).results().findFirst().orElseThrow();
    }
}
