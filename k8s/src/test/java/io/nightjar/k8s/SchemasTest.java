package io.nightjar.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The check of manifests must be able to fail. */
class SchemasTest {

    private final ObjectNode flink = Manifests.built("local/flink-application", "FlinkDeployment");
    private final ObjectNode job = Manifests.built("local/job", "Job");

    @Test
    void theManifestsThatAreSpoiledBelowAreRightBefore() {
        assertThat(Schemas.problems(flink)).isEmpty();
        assertThat(Schemas.problems(job)).isEmpty();
    }

    @Test
    void aMisspelledFieldOfFlinkIsFound() {
        rename(flink.path("spec").path("job"), "upgradeMode", "upgrademode");

        assertThat(Schemas.problems(flink)).containsExactly("spec.job.upgrademode: unknown field");
    }

    @Test
    void aMisspelledFieldDeepInFlinksPodTemplateIsFound() {
        rename(flink.at("/spec/podTemplate/spec/containers/0/volumeMounts/0"), "readOnly", "readonly");

        assertThat(Schemas.problems(flink))
                .contains("spec.podTemplate.spec.containers[0].volumeMounts[0].readonly: unknown field");
    }

    @Test
    void aNumberWhereFlinkWantsTextIsFound() {
        ((ObjectNode) flink.at("/spec/flinkConfiguration")).put("taskmanager.numberOfTaskSlots", 2);

        assertThat(Schemas.problems(flink))
                .containsExactly("spec.flinkConfiguration.taskmanager.numberOfTaskSlots: not of type string: 2");
    }

    @Test
    void anUpgradeModeThatIsNoneIsFound() {
        ((ObjectNode) flink.at("/spec/job")).put("upgradeMode", "none");

        assertThat(Schemas.problems(flink))
                .containsExactly(
                        "spec.job.upgradeMode: not one of [\"last-state\",\"savepoint\",\"stateless\"]: \"none\"");
    }

    @Test
    void aFieldBesideTheSpecificationIsFound() {
        flink.put("specs", 1);

        assertThat(Schemas.problems(flink)).containsExactly("specs: unknown field");
    }

    @Test
    void aMisspelledFieldOfAJobIsFound() {
        rename(job.path("spec"), "backoffLimit", "backOffLimit");

        assertThat(Schemas.problems(job)).singleElement().asString().contains("Unrecognized field \"backOffLimit\"");
    }

    @Test
    void aMisspelledFieldDeepInAJobsPodIsFound() {
        rename(job.at("/spec/template/spec/containers/0/securityContext"), "capabilities", "capability");

        assertThat(Schemas.problems(job)).singleElement().asString().contains("Unrecognized field \"capability\"");
    }

    @Test
    void aMisspelledFieldOfMetadataIsFound() {
        rename(job.path("metadata"), "labels", "label");
        rename(flink.path("metadata"), "labels", "label");

        assertThat(Schemas.problems(job)).singleElement().asString().contains("Unrecognized field \"label\"");
        assertThat(Schemas.problems(flink)).singleElement().asString().contains("Unrecognized field \"label\"");
    }

    @Test
    void textWhereAJobWantsANumberIsFound() {
        ((ObjectNode) job.path("spec")).put("backoffLimit", "three");

        assertThat(Schemas.problems(job)).singleElement().asString().contains("backoffLimit");
    }

    @Test
    void anAmountThatIsNoneIsFound() {
        ((ObjectNode) job.at("/spec/template/spec/containers/0/resources/limits")).put("memory", "6GiB");

        assertThat(Schemas.problems(job)).containsExactly("Job: not a quantity: \"6GiB\"");
    }

    @Test
    void aKindOfAnotherVersionIsFound() {
        job.put("apiVersion", "batch/v1beta1");

        assertThat(Schemas.problems(job)).isEqualTo(List.of("apiVersion: not batch/v1: \"batch/v1beta1\""));
    }

    private static void rename(JsonNode object, String from, String to) {
        JsonNode value = ((ObjectNode) object).remove(from);
        assertThat(value).as(from).isNotNull();
        ((ObjectNode) object).set(to, value);
    }
}
