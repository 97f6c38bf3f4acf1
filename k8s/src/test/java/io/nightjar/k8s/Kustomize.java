package io.nightjar.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The part of kustomize that our manifests use: resources, components, JSON patches by kind and name, a namespace.
 * Everything else is refused, as is what kustomize would pass over in silence, such as a patch without a target.
 */
final class Kustomize {

    static final String FILE = "kustomization.yaml";

    private static final Set<String> FIELDS =
            Set.of("apiVersion", "kind", "namespace", "resources", "components", "patches");

    private static final Map<String, String> VERSIONS = Map.of(
            "Kustomization", "kustomize.config.k8s.io/v1beta1",
            "Component", "kustomize.config.k8s.io/v1alpha1");

    private Kustomize() {}

    static List<ObjectNode> build(Path folder) {
        List<ObjectNode> manifests = new ArrayList<>();
        apply(folder, "Kustomization", manifests);
        refuseDoubles(manifests, folder);
        return manifests;
    }

    /** Adds the resources of a folder to those that are there, and changes all of them as the folder says. */
    private static void apply(Path folder, String kind, List<ObjectNode> manifests) {
        JsonNode kustomization = kustomization(folder, kind);
        for (JsonNode resource : kustomization.path("resources")) {
            addResource(folder, resource.asText(), manifests);
        }
        for (JsonNode component : kustomization.path("components")) {
            apply(folder.resolve(component.asText()).normalize(), "Component", manifests);
        }
        for (JsonNode patch : kustomization.path("patches")) {
            patch(folder, patch, manifests);
        }
        if (kustomization.has("namespace")) {
            for (ObjectNode manifest : manifests) {
                ((ObjectNode) manifest.path("metadata")).set("namespace", kustomization.get("namespace"));
            }
        }
    }

    private static JsonNode kustomization(Path folder, String kind) {
        List<JsonNode> documents = Manifests.documents(folder.resolve(FILE));
        if (documents.size() != 1) {
            throw refused(folder, "not one document: documents=" + documents.size());
        }
        JsonNode kustomization = documents.get(0);
        onlyFields(folder, kustomization, FIELDS);
        if (!kustomization.path("kind").asText().equals(kind)
                || !kustomization.path("apiVersion").asText().equals(VERSIONS.get(kind))) {
            throw refused(
                    folder,
                    "not a " + kind + ": kind=" + kustomization.path("kind") + " apiVersion="
                            + kustomization.path("apiVersion"));
        }
        for (String list : List.of("resources", "components", "patches")) {
            if (kustomization.has(list) && !kustomization.get(list).isArray()) {
                throw refused(folder, "not a list: field=" + list);
            }
        }
        return kustomization;
    }

    private static void addResource(Path folder, String name, List<ObjectNode> manifests) {
        Path resource = folder.resolve(name).normalize();
        if (Files.isDirectory(resource)) {
            manifests.addAll(build(resource));
            return;
        }
        stayInside(folder, resource);
        for (JsonNode document : Manifests.documents(resource)) {
            if (!document.path("metadata").path("name").isTextual()) {
                throw refused(folder, "resource without a name: file=" + name);
            }
            manifests.add((ObjectNode) document);
        }
    }

    private static void patch(Path folder, JsonNode patch, List<ObjectNode> manifests) {
        onlyFields(folder, patch, Set.of("path", "target"));
        JsonNode target = patch.path("target");
        onlyFields(folder, target, Set.of("kind", "name"));
        Path file = folder.resolve(patch.path("path").asText()).normalize();
        stayInside(folder, file);
        JsonNode operations = Manifests.documents(file).get(0);
        List<ObjectNode> hit = manifests.stream()
                .filter(manifest -> manifest.path("kind").equals(target.get("kind"))
                        && manifest.path("metadata").path("name").equals(target.get("name")))
                .toList();
        if (hit.size() != 1) {
            throw refused(folder, "patch does not hit one resource: target=" + target + " hit=" + hit.size());
        }
        JsonPatch.apply(operations, hit.get(0));
    }

    /** Kustomize reads no file above the folder that names it. */
    private static void stayInside(Path folder, Path file) {
        if (!file.startsWith(folder)) {
            throw refused(folder, "file outside of the folder that names it: file=" + file);
        }
    }

    private static void onlyFields(Path folder, JsonNode node, Set<String> known) {
        node.fieldNames().forEachRemaining(field -> {
            if (!known.contains(field)) {
                throw refused(folder, "unknown field: field=" + field);
            }
        });
    }

    private static void refuseDoubles(List<ObjectNode> manifests, Path folder) {
        Set<String> seen = new HashSet<>();
        for (ObjectNode manifest : manifests) {
            String name = manifest.path("kind").asText() + "/"
                    + manifest.path("metadata").path("name").asText();
            if (!seen.add(name)) {
                throw refused(folder, "resource twice: resource=" + name);
            }
        }
    }

    private static IllegalArgumentException refused(Path folder, String why) {
        return new IllegalArgumentException("[" + folder + "] " + why);
    }
}
