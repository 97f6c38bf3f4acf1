package io.nightjar.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.nightjar.jobs.command.ExitCode;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must be true of every overlay, and of some. */
class ManifestsTest {

    /** The operator's limit: it makes longer names from it. */
    private static final int MAX_FLINK_NAME = 45;

    static List<Path> overlays() {
        return Manifests.overlays();
    }

    @Test
    void everyDeploymentExistsForBothStorageKinds() {
        assertThat(overlays())
                .extracting(overlay ->
                        Manifests.HOME.resolve("overlays").relativize(overlay).toString())
                .containsExactly(
                        "local/flink-application",
                        "local/flink-session",
                        "local/job",
                        "local/nightly",
                        "local/volumes",
                        "s3/flink-application",
                        "s3/flink-session",
                        "s3/job",
                        "s3/nightly");
    }

    @ParameterizedTest
    @MethodSource("overlays")
    void everyManifestMatchesItsSchema(Path overlay) {
        for (ObjectNode manifest : Kustomize.build(overlay)) {
            assertThat(Schemas.problems(manifest)).as(name(manifest)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("overlays")
    void everyVolumeThatIsMountedIsThere(Path overlay) {
        List<ObjectNode> manifests = Kustomize.build(overlay);
        Set<String> resources = new HashSet<>();
        manifests.forEach(manifest -> resources.add(name(manifest)));
        for (ObjectNode manifest : manifests) {
            Set<String> volumes = new HashSet<>();
            Set<String> mounted = new HashSet<>();
            for (JsonNode pod : Manifests.podSpecs(manifest)) {
                for (JsonNode volume : pod.path("volumes")) {
                    assertThat(volumes.add(volume.path("name").asText()))
                            .as("%s has %s twice", name(manifest), volume)
                            .isTrue();
                    assertSourceIsThere(volume, resources);
                }
                for (JsonNode container : Manifests.containers(pod)) {
                    container
                            .path("volumeMounts")
                            .forEach(mount -> mounted.add(mount.path("name").asText()));
                }
            }
            assertThat(mounted).as(name(manifest)).isEqualTo(volumes);
        }
    }

    private static void assertSourceIsThere(JsonNode volume, Set<String> resources) {
        if (volume.has("persistentVolumeClaim")) {
            assertThat(resources)
                    .contains("PersistentVolumeClaim/"
                            + volume.at("/persistentVolumeClaim/claimName").asText());
        } else if (volume.has("configMap")) {
            assertThat(resources)
                    .contains("ConfigMap/" + volume.at("/configMap/name").asText());
        } else {
            assertThat(volume.has("emptyDir")).as(volume.toString()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("overlays")
    void containersHaveResourceLimitsAndNoPrivileges(Path overlay) {
        for (ObjectNode manifest : Kustomize.build(overlay)) {
            for (JsonNode pod : Manifests.podSpecs(manifest)) {
                for (JsonNode container : Manifests.containers(pod)) {
                    assertShare(container);
                    assertThat(container
                                    .at("/securityContext/allowPrivilegeEscalation")
                                    .asBoolean(true))
                            .as(container.path("name").asText())
                            .isFalse();
                }
            }
        }
    }

    private static void assertShare(JsonNode container) {
        String name = container.path("name").asText();
        JsonNode resources = container.path("resources");
        if (name.equals("flink-main-container")) {
            assertThat(resources.isMissingNode())
                    .as("the operator overwrites them")
                    .isTrue();
            return;
        }
        assertThat(resources.at("/requests/cpu").isMissingNode()).as(name).isFalse();
        assertThat(resources.at("/limits/cpu").isMissingNode()).as(name).isFalse();
        assertThat(resources.at("/limits/memory").isMissingNode()).as(name).isFalse();
        if (!name.equals("copy") && !name.equals("httpd")) {
            assertThat(resources.at("/requests/memory")).as(name).isEqualTo(resources.at("/limits/memory"));
        }
    }

    @ParameterizedTest
    @MethodSource("overlays")
    void podStorageLimitCoversVolumes(Path overlay) {
        for (ObjectNode manifest : Kustomize.build(overlay)) {
            String limit = storageLimit(manifest);
            if (limit != null) {
                BigDecimal bytes = BigDecimal.ZERO;
                for (JsonNode volume : Manifests.podSpecs(manifest).get(0).path("volumes")) {
                    if (volume.has("emptyDir")) {
                        bytes = bytes.add(bytes(volume.at("/emptyDir/sizeLimit").asText()));
                    }
                }
                assertThat(bytes).as(name(manifest)).isPositive().isLessThan(bytes(limit));
            }
        }
    }

    /** Of a TaskManager, or of the check in a pod of its own; null if the manifest has neither. */
    private static String storageLimit(ObjectNode manifest) {
        if (manifest.path("kind").asText().equals("FlinkDeployment")) {
            return manifest.at("/spec/taskManager/resource/ephemeralStorage").asText();
        }
        for (JsonNode pod : Manifests.podSpecs(manifest)) {
            for (JsonNode container : Manifests.containers(pod)) {
                if (container.path("name").asText().equals("check")) {
                    return container.at("/resources/limits/ephemeral-storage").asText();
                }
            }
        }
        return null;
    }

    private static BigDecimal bytes(String quantity) {
        return Quantity.getAmountInBytes(new Quantity(quantity));
    }

    @ParameterizedTest
    @MethodSource("overlays")
    void everySettingComesFromAMapThatIsThere(Path overlay) {
        List<ObjectNode> manifests = Kustomize.build(overlay);
        for (ObjectNode manifest : manifests) {
            for (JsonNode name : manifest.findValues("configMapRef")) {
                assertThat(manifests)
                        .extracting(ManifestsTest::name)
                        .contains("ConfigMap/" + name.path("name").asText());
            }
        }
    }

    @Test
    void podsThatUseBucketShareNoVolume() {
        for (String overlay : List.of("job", "nightly", "flink-application", "flink-session")) {
            int checkers = 0;
            for (ObjectNode manifest : Manifests.built("s3/" + overlay)) {
                for (JsonNode pod : Manifests.podSpecs(manifest)) {
                    boolean isServer = manifest.path("kind").asText().equals("Deployment");
                    assertThat(pod.findValues("persistentVolumeClaim"))
                            .as(overlay)
                            .isEmpty();
                    assertThat(
                                    isServer
                                            ? pod.path("containers").size()
                                            : Manifests.containers(pod).size())
                            .as(overlay)
                            .isEqualTo(1);
                    if (!isServer) {
                        assertThat(pod.at("/containers/0/envFrom").findValuesAsText("name"))
                                .as(overlay)
                                .containsExactly("nightjar-s3", "nightjar-s3-credentials");
                        checkers++;
                    }
                }
            }
            assertThat(checkers).as(overlay).isEqualTo(1);
        }
    }

    @Test
    void nightlyJobEqualsManualJob() {
        for (String storage : List.of("local", "s3")) {
            assertThat(Manifests.built(storage + "/nightly", "CronJob").at("/spec/jobTemplate/spec"))
                    .as(storage)
                    .isEqualTo(Manifests.built(storage + "/job", "Job").path("spec"));
        }
    }

    @Test
    void aNightDoesNotStartWhileAnotherRuns() {
        JsonNode spec = Manifests.built("local/nightly", "CronJob").path("spec");

        assertThat(spec.path("concurrencyPolicy").asText()).isEqualTo("Forbid");
        assertThat(spec.at("/jobTemplate/spec/activeDeadlineSeconds").asInt()).isBetween(1, 24 * 3600 - 1);
    }

    @Test
    void onlyRetryableFailuresAreRetried() {
        JsonNode spec = Manifests.built("local/job", "Job").path("spec");
        JsonNode rules = spec.at("/podFailurePolicy/rules");

        assertThat(spec.at("/template/spec/restartPolicy").asText()).isEqualTo("Never");
        assertThat(spec.path("backoffLimit").asInt()).isPositive();
        assertThat(rules.get(0).path("action").asText()).isEqualTo("Ignore");
        assertThat(rules.get(1).path("action").asText()).isEqualTo("FailJob");
        assertThat(codes(rules.get(1)))
                .containsExactly(
                        ExitCode.VIOLATED, ExitCode.UNDECIDED, ExitCode.REJECTED, ExitCode.USAGE, ExitCode.FAULT);
        assertThat(rules.get(2).path("action").asText()).isEqualTo("Count");
        assertThat(codes(rules.get(2))).containsExactly(ExitCode.STORAGE);
        assertThat(rules.size()).isEqualTo(3);
    }

    private static List<Integer> codes(JsonNode rule) {
        assertThat(rule.at("/onExitCodes/operator").asText()).isEqualTo("In");
        assertThat(rule.path("onExitCodes").has("containerName")).isFalse();
        List<Integer> codes = new ArrayList<>();
        rule.at("/onExitCodes/values").forEach(code -> codes.add(code.asInt()));
        return codes;
    }

    @Test
    void sessionJobUsesExistingClusterAndServedJar() {
        List<ObjectNode> manifests = Manifests.built("local/flink-session");
        ObjectNode job = Manifests.only(manifests, "FlinkSessionJob");
        ObjectNode service = Manifests.only(manifests, "Service");
        String host = service.at("/metadata/name").asText() + "."
                + service.at("/metadata/namespace").asText() + ".svc";

        assertThat(job.at("/spec/deploymentName"))
                .isEqualTo(Manifests.only(manifests, "FlinkDeployment").at("/metadata/name"));
        assertThat(Manifests.only(manifests, "FlinkDeployment").at("/spec").has("job"))
                .isFalse();
        assertThat(job.at("/spec/job/jarURI").asText())
                .isEqualTo(
                        "http://%s:%d/nightjar-flink-job.jar",
                        host, service.at("/spec/ports/0/port").asInt());
        assertThat(service.at("/spec/selector"))
                .isEqualTo(Manifests.only(manifests, "Deployment").at("/spec/template/metadata/labels"));
    }

    @Test
    void bothWaysToRunFlinkRunTheSame() {
        JsonNode application =
                Manifests.built("local/flink-application", "FlinkDeployment").path("spec");
        JsonNode session =
                Manifests.built("local/flink-session", "FlinkDeployment").path("spec");
        JsonNode job = Manifests.built("local/flink-session", "FlinkSessionJob").at("/spec/job");

        for (String field :
                List.of("podTemplate", "jobManager", "taskManager", "image", "flinkVersion", "serviceAccount")) {
            assertThat(session.path(field)).as(field).isEqualTo(application.path(field));
        }
        for (String field : List.of("args", "entryClass", "parallelism", "upgradeMode", "state")) {
            assertThat(job.path(field))
                    .as(field)
                    .isEqualTo(application.at("/job").path(field));
        }
    }

    @Test
    void flinkResourceHasFieldsRequiredByOperator() {
        for (String overlay : List.of("local/flink-application", "s3/flink-application", "s3/flink-session")) {
            ObjectNode deployment = Manifests.built(overlay, "FlinkDeployment");

            assertThat(deployment.at("/metadata/name").asText())
                    .matches("[a-z]([-a-z\\d]*[a-z\\d])?")
                    .hasSizeLessThanOrEqualTo(MAX_FLINK_NAME);
            assertThat(deployment.at("/spec/flinkVersion").asText()).isEqualTo("v2_3");
            assertThat(deployment.at("/spec/flinkConfiguration").has("kubernetes.namespace"))
                    .isFalse();
            assertThat(deployment.at("/spec/flinkConfiguration").has("kubernetes.cluster-id"))
                    .isFalse();
            assertThat(deployment.at("/spec/podTemplate/spec/containers/0/name").asText())
                    .isEqualTo("flink-main-container");
        }
    }

    private static String name(ObjectNode manifest) {
        return manifest.path("kind").asText() + "/"
                + manifest.at("/metadata/name").asText();
    }
}
