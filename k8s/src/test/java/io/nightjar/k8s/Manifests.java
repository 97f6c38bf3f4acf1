package io.nightjar.k8s;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The manifests of this folder, as they stand in files and as kustomize would put them together. */
final class Manifests {

    /** The module's own folder, where its tests run. */
    static final Path HOME = Path.of("").toAbsolutePath();

    static final ObjectMapper YAML =
            new ObjectMapper(new YAMLFactory().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION));

    private Manifests() {}

    /** The folders that a user applies. */
    static List<Path> overlays() {
        try (Stream<Path> files = Files.walk(HOME.resolve("overlays"))) {
            return files.filter(file -> file.endsWith(Kustomize.FILE))
                    .map(Path::getParent)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<ObjectNode> built(String overlay) {
        return Kustomize.build(HOME.resolve("overlays").resolve(overlay));
    }

    static ObjectNode built(String overlay, String kind) {
        return only(built(overlay), kind);
    }

    static ObjectNode only(List<ObjectNode> manifests, String kind) {
        List<ObjectNode> found = manifests.stream()
                .filter(manifest -> manifest.path("kind").asText().equals(kind))
                .toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException("not one manifest: kind=" + kind + " found=" + found.size());
        }
        return found.get(0);
    }

    /** The documents of a file. */
    static List<JsonNode> documents(Path file) {
        try (JsonParser parser = YAML.createParser(Files.readString(file))) {
            List<JsonNode> documents = new ArrayList<>();
            while (parser.nextToken() != null) {
                documents.add(YAML.readTree(parser));
            }
            return documents;
        } catch (IOException e) {
            throw new UncheckedIOException("[" + file + "]", e);
        }
    }

    static JsonNode yaml(String text) {
        try {
            return YAML.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(String file) {
        try {
            return Files.readString(HOME.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The specification of the pods that a manifest makes; a missing node if it makes none. */
    static List<JsonNode> podSpecs(JsonNode manifest) {
        JsonNode spec = manifest.path("spec");
        List<JsonNode> pods = new ArrayList<>();
        switch (manifest.path("kind").asText()) {
            case "Pod" -> pods.add(spec);
            case "Job", "Deployment" -> pods.add(spec.path("template").path("spec"));
            case "CronJob" ->
                pods.add(spec.path("jobTemplate").path("spec").path("template").path("spec"));
            case "FlinkDeployment" -> {
                pods.add(spec.path("podTemplate").path("spec"));
                pods.add(spec.path("jobManager").path("podTemplate").path("spec"));
                pods.add(spec.path("taskManager").path("podTemplate").path("spec"));
            }
            default -> {}
        }
        return pods.stream().filter(JsonNode::isObject).toList();
    }

    /** The containers of a pod, those that run before it included. */
    static List<JsonNode> containers(JsonNode podSpec) {
        List<JsonNode> containers = new ArrayList<>();
        podSpec.path("initContainers").forEach(containers::add);
        podSpec.path("containers").forEach(containers::add);
        return containers;
    }

    static List<String> strings(JsonNode array) {
        List<String> strings = new ArrayList<>();
        array.forEach(element -> strings.add(element.asText()));
        return strings;
    }
}
