package io.nightjar.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The Dockerfile against the build that it copies from and the manifests that use its images. No image is built here. */
class ImagesTest {

    private static final Path ROOT = Manifests.HOME.getParent();
    private static final String VERSION = ":0.1.0";

    private record Copy(String target, String from, String to) {}

    @Test
    void everyFileThatIsCopiedIsAnOutputOfTheBuildOrLiesHere() {
        String jobs = Manifests.read("../jobs/pom.xml");

        assertThat(copies())
                .extracting(Copy::from)
                .containsExactly(
                        "jobs/target/lib/",
                        "jobs/target/nightjar-jobs.jar",
                        "k8s/nightjar.sh",
                        "jobs/target/nightjar-flink-job.jar");
        assertThat(jobs)
                .contains("<finalName>nightjar-jobs</finalName>")
                .contains("<finalName>nightjar-flink-job</finalName>")
                .contains("<outputDirectory>${project.build.directory}/lib</outputDirectory>");
        assertThat(ROOT.resolve("k8s/nightjar.sh")).isExecutable();
    }

    @Test
    void jarsThatHaveBeenBuiltStartWithTheClassesThatAreCalled() throws IOException {
        Map<String, String> mainClassOf = Map.of(
                "nightjar-jobs.jar", "io.nightjar.jobs.cli.Main",
                "nightjar-flink-job.jar", "io.nightjar.jobs.cli.FlinkJob");
        for (Map.Entry<String, String> jar : mainClassOf.entrySet()) {
            Path file = ROOT.resolve("jobs/target").resolve(jar.getKey());
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
    void theScriptStartsTheJarThatWasCopied() {
        assertThat(Manifests.read("nightjar.sh")).contains("-jar " + destination("nightjar-jobs.jar") + " \"$@\"");
        assertThat(Manifests.read("Dockerfile")).contains("ENTRYPOINT [\"" + destination("nightjar.sh") + "\"]");
        assertThat(destination("lib/"))
                .isEqualTo(Path.of(destination("nightjar-jobs.jar")).getParent() + "/lib/");
    }

    @Test
    void flinkFindsItsJarWhereItWasCopied() {
        String jar = destination("nightjar-flink-job.jar");

        assertThat(Manifests.built("local/flink-application", "FlinkDeployment")
                        .at("/spec/job/jarURI")
                        .asText())
                .isEqualTo("local://" + jar);
        assertThat(Manifests.strings(Manifests.built("local/flink-session", "Deployment")
                        .at("/spec/template/spec/initContainers/0/command")))
                .containsExactly("cp", jar, "/jars/");
    }

    @Test
    void ourImagesAreTheTargetsOfTheDockerfile() {
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
        assertThat(copies()).extracting(Copy::target).containsOnly("nightjar", "nightjar-flink");
        for (String image : ours) {
            String target = image.substring(0, image.length() - VERSION.length());
            assertThat(Manifests.read("README.md")).contains("--target " + target + " -t " + image + " .");
        }
    }

    private static String destination(String file) {
        return copies().stream()
                .filter(copy -> copy.from().endsWith("/" + file))
                .findFirst()
                .orElseThrow()
                .to();
    }

    private static List<Copy> copies() {
        List<Copy> copies = new ArrayList<>();
        String target = null;
        for (String line : Manifests.read("Dockerfile").split("\n")) {
            String[] words = line.split(" +");
            if (words[0].equals("FROM")) {
                target = words[3];
            } else if (words[0].equals("COPY")) {
                copies.add(new Copy(target, words[words.length - 2], words[words.length - 1]));
            }
        }
        return copies;
    }
}
