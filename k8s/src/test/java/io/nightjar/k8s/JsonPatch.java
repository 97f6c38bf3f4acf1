package io.nightjar.k8s;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/** The operations add, replace, remove and move of JSON patches (RFC 6902), refusing paths that lead nowhere. */
final class JsonPatch {

    private static final Set<String> FIELDS = Set.of("op", "path", "from", "value");

    private JsonPatch() {}

    static void apply(JsonNode operations, ObjectNode to) {
        if (!operations.isArray()) {
            throw new IllegalArgumentException("a JSON patch is a list");
        }
        for (JsonNode operation : operations) {
            operation.fieldNames().forEachRemaining(field -> {
                if (!FIELDS.contains(field)) {
                    throw new IllegalArgumentException("unknown field: field=" + field);
                }
            });
            applyOne(operation, to);
        }
    }

    private static void applyOne(JsonNode operation, ObjectNode to) {
        String path = operation.path("path").asText();
        switch (operation.path("op").asText()) {
            case "add" -> add(to, path, value(operation));
            case "replace" -> {
                remove(to, path);
                add(to, path, value(operation));
            }
            case "remove" -> remove(to, path);
            case "move" -> add(to, path, remove(to, operation.path("from").asText()));
            default -> throw new IllegalArgumentException("unknown operation: operation=" + operation);
        }
    }

    private static JsonNode value(JsonNode operation) {
        if (!operation.has("value")) {
            throw new IllegalArgumentException("operation without a value: operation=" + operation);
        }
        return operation.get("value").deepCopy();
    }

    private static void add(JsonNode root, String path, JsonNode value) {
        JsonPointer pointer = JsonPointer.compile(path);
        JsonNode parent = root.at(pointer.head());
        String last = pointer.last().getMatchingProperty();
        if (parent instanceof ObjectNode object) {
            object.set(last, value);
        } else if (parent instanceof ArrayNode array) {
            int index = last.equals("-") ? array.size() : Integer.parseInt(last);
            if (index > array.size()) {
                throw nowhere(path);
            }
            array.insert(index, value);
        } else {
            throw nowhere(path);
        }
    }

    private static JsonNode remove(JsonNode root, String path) {
        JsonPointer pointer = JsonPointer.compile(path);
        JsonNode parent = root.at(pointer.head());
        String last = pointer.last().getMatchingProperty();
        JsonNode removed = null;
        if (parent instanceof ObjectNode object) {
            removed = object.remove(last);
        } else if (parent instanceof ArrayNode array) {
            removed = array.remove(Integer.parseInt(last));
        }
        if (removed == null) {
            throw nowhere(path);
        }
        return removed;
    }

    private static IllegalArgumentException nowhere(String path) {
        return new IllegalArgumentException("path leads nowhere: path=" + path);
    }
}
