package io.nightjar.k8s;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a manifest may look like: by the operator's own schema for Flink's kinds, by a client's model of the API for
 * Kubernetes' own. Both say what is unknown, which an API server may drop without a word.
 */
final class Schemas {

    private record Kind(String apiVersion, Class<?> model) {}

    private static final Map<String, Kind> KINDS = Map.of(
            "Job", new Kind("batch/v1", Job.class),
            "CronJob", new Kind("batch/v1", CronJob.class),
            "Deployment", new Kind("apps/v1", Deployment.class),
            "Service", new Kind("v1", Service.class),
            "Pod", new Kind("v1", Pod.class),
            "PersistentVolumeClaim", new Kind("v1", PersistentVolumeClaim.class),
            "ConfigMap", new Kind("v1", ConfigMap.class));

    private static final Map<String, String> CUSTOM = Map.of(
            "FlinkDeployment", "flinkdeployments.flink.apache.org-v1.yml",
            "FlinkSessionJob", "flinksessionjobs.flink.apache.org-v1.yml");

    /** The newest schema that can be had is older than the Flink version that we name. */
    private static final Set<String> OPEN_ENUMS = Set.of("spec.flinkVersion");

    private static final ObjectMapper STRICT = strict();

    private Schemas() {}

    /** What is wrong with a manifest, a line each. */
    static List<String> problems(ObjectNode manifest) {
        String kind = manifest.path("kind").asText();
        List<String> problems = new ArrayList<>();
        if (CUSTOM.containsKey(kind)) {
            checkCustom(manifest, CUSTOM.get(kind), problems);
        } else if (KINDS.containsKey(kind)) {
            checkApiVersion(manifest, KINDS.get(kind).apiVersion(), problems);
            checkModel(manifest, KINDS.get(kind).model(), kind, problems);
        } else {
            problems.add("unknown kind: " + kind);
        }
        checkQuantities(manifest, kind, problems);
        return problems;
    }

    private static void checkCustom(ObjectNode manifest, String file, List<String> problems) {
        JsonNode definition = definition(file);
        JsonNode version = definition.path("spec").path("versions").path(0);
        String apiVersion = definition.path("spec").path("group").asText() + "/"
                + version.path("name").asText();
        checkApiVersion(manifest, apiVersion, problems);
        checkModel(manifest.path("metadata"), ObjectMeta.class, "metadata", problems);
        JsonNode schema = version.path("schema").path("openAPIV3Schema").path("properties");
        manifest.fieldNames().forEachRemaining(field -> {
            if (!Set.of("apiVersion", "kind", "metadata", "spec").contains(field)) {
                problems.add(field + ": unknown field");
            }
        });
        problems.addAll(SchemaCheck.problems(schema.path("spec"), manifest.path("spec"), "spec", OPEN_ENUMS));
        for (String path :
                List.of("/spec/podTemplate", "/spec/jobManager/podTemplate", "/spec/taskManager/podTemplate")) {
            if (manifest.at(path).isObject()) {
                checkModel(manifest.at(path), PodTemplateSpec.class, path, problems);
            }
        }
    }

    private static JsonNode definition(String file) {
        try (InputStream in = Schemas.class.getResourceAsStream("/META-INF/fabric8/" + file)) {
            return Manifests.YAML.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void checkApiVersion(ObjectNode manifest, String expected, List<String> problems) {
        if (!manifest.path("apiVersion").asText().equals(expected)) {
            problems.add("apiVersion: not " + expected + ": " + manifest.path("apiVersion"));
        }
    }

    private static void checkModel(JsonNode value, Class<?> model, String path, List<String> problems) {
        try {
            STRICT.treeToValue(value, model);
        } catch (JsonProcessingException e) {
            problems.add(path + ": " + e.getMessage());
        }
    }

    /** The model takes any text for a quantity, the API server does not. */
    private static void checkQuantities(JsonNode node, String path, List<String> problems) {
        for (String field : List.of("requests", "limits")) {
            node.path(field).properties().forEach(amount -> checkQuantity(amount.getValue(), path, problems));
        }
        if (node.has("sizeLimit")) {
            checkQuantity(node.get("sizeLimit"), path, problems);
        }
        node.forEach(child -> checkQuantities(child, path, problems));
    }

    private static void checkQuantity(JsonNode amount, String path, List<String> problems) {
        try {
            if (new Quantity(amount.asText()).getNumericalAmount().signum() <= 0) {
                problems.add(path + ": not an amount: " + amount);
            }
        } catch (IllegalArgumentException e) {
            problems.add(path + ": not a quantity: " + amount);
        }
    }

    /** The model's classes keep unknown fields in a map, which this mapper does not see; so they are unknown again. */
    private static ObjectMapper strict() {
        return JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .annotationIntrospector(new JacksonAnnotationIntrospector() {
                    @Override
                    public Boolean hasAnySetter(Annotated member) {
                        return Boolean.FALSE;
                    }
                })
                .build();
    }
}
