package io.nightjar.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Holds a value against an OpenAPI schema as custom resources have them, where what a schema does not name is wrong. */
final class SchemaCheck {

    /** A keyword that is not understood would be passed over, so that one stops the check. */
    private static final Set<String> KEYWORDS = Set.of(
            "type",
            "properties",
            "items",
            "additionalProperties",
            "enum",
            "required",
            "description",
            "anyOf",
            "x-kubernetes-int-or-string");

    private final Set<String> openEnums;
    private final List<String> problems = new ArrayList<>();

    private SchemaCheck(Set<String> openEnums) {
        this.openEnums = openEnums;
    }

    /**
     * What is wrong with a value, a line each.
     *
     * @param openEnums paths whose enumerations have grown since the schema was written
     */
    static List<String> problems(JsonNode schema, JsonNode value, String path, Set<String> openEnums) {
        SchemaCheck check = new SchemaCheck(openEnums);
        check.check(schema, value, path);
        return check.problems;
    }

    private void check(JsonNode schema, JsonNode value, String path) {
        schema.fieldNames().forEachRemaining(keyword -> {
            if (!KEYWORDS.contains(keyword)) {
                throw new IllegalStateException("schema has a keyword that is not checked: keyword=" + keyword);
            }
        });
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            if (!value.isTextual() && !value.isIntegralNumber()) {
                problems.add(path + ": neither integer nor string: " + value);
            }
            return;
        }
        if (!hasType(value, schema.path("type").asText())) {
            problems.add(path + ": not of type " + schema.path("type").asText() + ": " + value);
            return;
        }
        checkEnum(schema, value, path);
        if (value.isObject()) {
            checkObject(schema, value, path);
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            check(schema.path("items"), value.get(i), path + "[" + i + "]");
        }
    }

    private static boolean hasType(JsonNode value, String type) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "boolean" -> value.isBoolean();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            default -> throw new IllegalStateException("schema has a type that is not checked: type=" + type);
        };
    }

    private void checkEnum(JsonNode schema, JsonNode value, String path) {
        if (!schema.has("enum") || openEnums.contains(path)) {
            return;
        }
        for (JsonNode allowed : schema.get("enum")) {
            if (allowed.equals(value)) {
                return;
            }
        }
        problems.add(path + ": not one of " + schema.get("enum") + ": " + value);
    }

    private void checkObject(JsonNode schema, JsonNode value, String path) {
        for (JsonNode required : schema.path("required")) {
            if (!value.has(required.asText())) {
                problems.add(path + "." + required.asText() + ": missing");
            }
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            String fieldPath = path + "." + field.getKey();
            if (schema.path("properties").has(field.getKey())) {
                check(schema.get("properties").get(field.getKey()), field.getValue(), fieldPath);
            } else if (schema.path("additionalProperties").isObject()) {
                check(schema.get("additionalProperties"), field.getValue(), fieldPath);
            } else {
                problems.add(fieldPath + ": unknown field");
            }
        }
    }
}
