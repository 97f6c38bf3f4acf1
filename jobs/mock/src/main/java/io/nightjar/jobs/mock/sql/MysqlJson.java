package io.nightjar.jobs.mock.sql;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;

/** MySQL's JSON functions: documents are trees of maps, lists, texts, numbers, booleans and null. */
public final class MysqlJson {

    /** Method by MySQL function name. */
    static final Map<String, String> METHODS = Map.ofEntries(
            Map.entry("json_extract", "extract"),
            Map.entry("json_value", "value"),
            Map.entry("json_unquote", "unquote"),
            Map.entry("json_quote", "quote"),
            Map.entry("json_valid", "isValid"),
            Map.entry("json_length", "length"),
            Map.entry("json_type", "type"),
            Map.entry("json_keys", "keys"),
            Map.entry("json_contains", "contains"),
            Map.entry("json_contains_path", "containsPath"),
            Map.entry("json_object", "object"),
            Map.entry("json_array", "array"),
            Map.entry("json_set", "set"),
            Map.entry("json_insert", "insert"),
            Map.entry("json_replace", "replace"),
            Map.entry("json_remove", "remove"),
            Map.entry("json_array_append", "append"),
            Map.entry("json_merge_patch", "patch"));

    /** The functions that return documents. */
    static final Set<String> DOCUMENTS = Set.of(
            "json_extract",
            "json_keys",
            "json_object",
            "json_array",
            "json_set",
            "json_insert",
            "json_replace",
            "json_remove",
            "json_array_append",
            "json_merge_patch");

    private static final String NOT_VALID = "22032";

    /** A step of a path: a member, or an element by index or as the last element. */
    private static final Pattern STEP = Pattern.compile(
            "\\.\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([\\p{L}_$][\\p{L}\\p{N}_$]*))|\\[\\s*(\\d{1,9}|last)\\s*]");

    private static final JsonFactory FACTORY = new JsonFactory();

    /** Marker for an absent value, where NULL is a value. */
    private static final Object MISSING = new Object();

    private MysqlJson() {}

    // ---------------------------------------------------------------- documents

    private static boolean isNull(@Nullable Value value) {
        return value == null || value == ValueNull.INSTANCE;
    }

    private static boolean isAnyNull(Value... values) {
        return Arrays.stream(values).anyMatch(MysqlJson::isNull);
    }

    /** Parses a document; null for JSON's null. */
    private static @Nullable Object document(Value value) throws SQLException {
        try {
            return parsed(value.getString());
        } catch (IOException none) {
            throw new SQLException("Invalid JSON text: " + value.getString(), NOT_VALID, none);
        }
    }

    private static @Nullable Object parsed(String text) throws IOException {
        try (JsonParser parser = FACTORY.createParser(text)) {
            parser.nextToken();
            Object document = parsed(parser);
            if (parser.nextToken() != null) {
                throw new IOException("text after the document");
            }
            return document;
        }
    }

    private static @Nullable Object parsed(JsonParser parser) throws IOException {
        if (parser.currentToken() == null) {
            throw new IOException("no document");
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> members = members();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    members.put(name, parsed(parser));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<Object> elements = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(parsed(parser));
                }
                yield elements;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new BigDecimal(parser.getText());
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_NULL -> null;
            default -> parser.getText();
        };
    }

    /** Creates an object with members ordered as in MySQL, by name length. */
    private static Map<String, Object> members() {
        return new TreeMap<>(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
    }

    /** Converts a SQL value to a document value. */
    private static @Nullable Object node(Value value) throws SQLException {
        if (isNull(value)) {
            return null;
        }
        return switch (value.getValueType()) {
            case Value.JSON -> document(value);
            case Value.BOOLEAN -> value.getBoolean();
            case Value.TINYINT,
                    Value.SMALLINT,
                    Value.INTEGER,
                    Value.BIGINT,
                    Value.NUMERIC,
                    Value.DECFLOAT,
                    Value.REAL,
                    Value.DOUBLE -> value.getBigDecimal();
            default -> value.getString();
        };
    }

    /** Formats a document as MySQL does. */
    static String written(@Nullable Object node) {
        StringBuilder text = new StringBuilder();
        write(text, node);
        return text.toString();
    }

    /** Reformats a document as MySQL does. */
    static String rewritten(String json) {
        try {
            return written(parsed(json));
        } catch (IOException none) {
            return json;
        }
    }

    private static void write(StringBuilder text, @Nullable Object node) {
        if (node instanceof Map<?, ?> members) {
            text.append('{');
            members.forEach((name, member) -> {
                text.append(text.charAt(text.length() - 1) == '{' ? "" : ", ");
                write(text, name);
                text.append(": ");
                write(text, member);
            });
            text.append('}');
        } else if (node instanceof List<?> elements) {
            text.append('[');
            for (int i = 0; i < elements.size(); i++) {
                text.append(i == 0 ? "" : ", ");
                write(text, elements.get(i));
            }
            text.append(']');
        } else if (node instanceof String string) {
            text.append('"')
                    .append(JsonStringEncoder.getInstance().quoteAsString(string))
                    .append('"');
        } else {
            text.append(node instanceof BigDecimal number ? number.toPlainString() : String.valueOf(node));
        }
    }

    // ---------------------------------------------------------------- paths

    private static List<Object> steps(Value path) throws SQLException {
        String text = path.getString().strip();
        Matcher step = STEP.matcher(text);
        List<Object> steps = new ArrayList<>();
        int at = 1;
        while (at < text.length() && step.find(at) && step.start() == at) {
            String quoted = step.group(1);
            String name = quoted == null ? step.group(2) : quoted.replaceAll("\\\\(.)", "$1");
            steps.add(name != null ? name : step.group(3).equals("last") ? -1 : Integer.parseInt(step.group(3)));
            at = step.end();
        }
        if (!text.startsWith("$") || at < text.length()) {
            throw new SQLException("this path of JSON is not supported by this server: " + text, "0A000");
        }
        return steps;
    }

    /** Returns the value at a path; {@link #MISSING} if none. */
    private static @Nullable Object at(@Nullable Object document, List<Object> steps) {
        Object node = document;
        for (Object step : steps) {
            if (step instanceof String name && node instanceof Map<?, ?> members && members.containsKey(name)) {
                node = members.get(name);
            } else if (step instanceof Integer number && node instanceof List<?> elements) {
                int position = number < 0 ? elements.size() - 1 : number;
                if (position < 0 || position >= elements.size()) {
                    return MISSING;
                }
                node = elements.get(position);
            } else if (!(step instanceof Integer number && number <= 0)) { // a non-array is its own first element
                return MISSING;
            }
        }
        return node;
    }

    // ---------------------------------------------------------------- document queries

    public static @Nullable String extract(Value document, Value... paths) throws SQLException {
        if (isNull(document) || isAnyNull(paths)) {
            return null;
        }
        Object whole = document(document);
        List<Object> found = new ArrayList<>();
        for (Value path : paths) {
            Object node = at(whole, steps(path));
            if (node != MISSING) {
                found.add(node);
            }
        }
        return found.isEmpty() ? null : written(paths.length == 1 ? found.get(0) : found);
    }

    public static @Nullable String value(Value document, Value path) throws SQLException {
        if (isAnyNull(document, path)) {
            return null;
        }
        Object node = at(document(document), steps(path));
        return node == MISSING || node == null ? null : node instanceof String text ? text : written(node);
    }

    public static @Nullable String unquote(Value value) throws SQLException {
        if (isNull(value)) {
            return null;
        }
        String text = value.getString();
        boolean isQuoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
        Object node = value.getValueType() == Value.JSON || isQuoted ? document(value) : text;
        return node instanceof String plain ? plain : written(node);
    }

    public static @Nullable String quote(@Nullable String text) {
        return text == null ? null : written(text);
    }

    public static @Nullable Integer isValid(Value value) {
        if (isNull(value)) {
            return null;
        }
        try {
            parsed(value.getString());
            return 1;
        } catch (IOException none) {
            return 0;
        }
    }

    public static @Nullable Integer length(Value document) throws SQLException {
        return isNull(document) ? null : length(document(document));
    }

    public static @Nullable Integer length(Value document, Value path) throws SQLException {
        Object node = isAnyNull(document, path) ? MISSING : at(document(document), steps(path));
        return node == MISSING ? null : length(node);
    }

    private static int length(@Nullable Object node) {
        return node instanceof Map<?, ?> members
                ? members.size()
                : node instanceof List<?> elements ? elements.size() : 1;
    }

    public static @Nullable String type(Value document) throws SQLException {
        if (isNull(document)) {
            return null;
        }
        Object node = document(document);
        if (node instanceof BigDecimal number) {
            return number.scale() <= 0 ? "INTEGER" : "DOUBLE";
        }
        return node == null
                ? "NULL"
                : node instanceof Map
                        ? "OBJECT"
                        : node instanceof List ? "ARRAY" : node instanceof String ? "STRING" : "BOOLEAN";
    }

    public static @Nullable String keys(Value document) throws SQLException {
        return isNull(document) ? null : keys(document(document));
    }

    public static @Nullable String keys(Value document, Value path) throws SQLException {
        return isAnyNull(document, path) ? null : keys(at(document(document), steps(path)));
    }

    private static @Nullable String keys(@Nullable Object node) {
        return node instanceof Map<?, ?> members ? written(new ArrayList<>(members.keySet())) : null;
    }

    public static @Nullable Integer contains(Value document, Value candidate) throws SQLException {
        return isAnyNull(document, candidate) ? null : isIn(document(document), document(candidate)) ? 1 : 0;
    }

    public static @Nullable Integer contains(Value document, Value candidate, Value path) throws SQLException {
        if (isAnyNull(document, candidate, path)) {
            return null;
        }
        Object node = at(document(document), steps(path));
        return node == MISSING ? null : isIn(node, document(candidate)) ? 1 : 0;
    }

    private static boolean isIn(@Nullable Object node, @Nullable Object candidate) {
        if (node instanceof List<?> elements) {
            return candidate instanceof List<?> candidates
                    ? candidates.stream().allMatch(each -> elements.stream().anyMatch(element -> isIn(element, each)))
                    : elements.stream().anyMatch(element -> isIn(element, candidate));
        }
        if (node instanceof Map<?, ?> members && candidate instanceof Map<?, ?> wanted) {
            return wanted.entrySet().stream()
                    .allMatch(each ->
                            members.containsKey(each.getKey()) && isIn(members.get(each.getKey()), each.getValue()));
        }
        if (node instanceof BigDecimal number && candidate instanceof BigDecimal other) {
            return number.compareTo(other) == 0;
        }
        return node == null ? candidate == null : node.equals(candidate);
    }

    public static @Nullable Integer containsPath(Value document, @Nullable String oneOrAll, Value... paths)
            throws SQLException {
        if (isNull(document) || oneOrAll == null || isAnyNull(paths)) {
            return null;
        }
        Object whole = document(document);
        int found = 0;
        for (Value path : paths) {
            found += at(whole, steps(path)) == MISSING ? 0 : 1;
        }
        return oneOrAll.equalsIgnoreCase("one") ? Math.min(found, 1) : found == paths.length ? 1 : 0;
    }

    // ---------------------------------------------------------------- new documents

    public static String object(Value... namesAndValues) throws SQLException {
        if (namesAndValues.length % 2 != 0) {
            throw new SQLException("Incorrect parameter count in the call to native function 'json_object'", "42601");
        }
        Map<String, Object> members = members();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            if (isNull(namesAndValues[i])) {
                throw new SQLException("JSON documents may not contain NULL member names.", NOT_VALID);
            }
            members.put(namesAndValues[i].getString(), node(namesAndValues[i + 1]));
        }
        return written(members);
    }

    public static String array(Value... values) throws SQLException {
        List<Object> elements = new ArrayList<>();
        for (Value value : values) {
            elements.add(node(value));
        }
        return written(elements);
    }

    public static @Nullable String set(Value document, Value... pathsAndValues) throws SQLException {
        return changed(document, true, true, pathsAndValues);
    }

    public static @Nullable String insert(Value document, Value... pathsAndValues) throws SQLException {
        return changed(document, true, false, pathsAndValues);
    }

    public static @Nullable String replace(Value document, Value... pathsAndValues) throws SQLException {
        return changed(document, false, true, pathsAndValues);
    }

    private static @Nullable String changed(Value document, boolean adds, boolean replaces, Value... pathsAndValues)
            throws SQLException {
        if (isNull(document)) {
            return null;
        }
        Object whole = document(document);
        for (int i = 0; i + 1 < pathsAndValues.length; i += 2) {
            if (isNull(pathsAndValues[i])) {
                return null;
            }
            List<Object> steps = steps(pathsAndValues[i]);
            boolean isThere = at(whole, steps) != MISSING;
            if (isThere ? replaces : adds) {
                whole = put(whole, steps, node(pathsAndValues[i + 1]));
            }
        }
        return written(whole);
    }

    /** Returns the document with a value set at a path whose parent must exist. */
    private static @Nullable Object put(@Nullable Object whole, List<Object> steps, @Nullable Object node) {
        if (steps.isEmpty()) {
            return node;
        }
        Object parent = at(whole, steps.subList(0, steps.size() - 1));
        Object last = steps.get(steps.size() - 1);
        if (last instanceof String name && parent instanceof Map<?, ?>) {
            asMembers(parent).put(name, node);
        } else if (last instanceof Integer number && parent instanceof List<?> elements) {
            int position = number < 0 ? Math.max(elements.size() - 1, 0) : number;
            if (position < elements.size()) {
                asElements(parent).set(position, node);
            } else {
                asElements(parent).add(node);
            }
        }
        return whole;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> asMembers(Object node) {
        return (Map<String, Object>) node;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> asElements(Object node) {
        return (List<Object>) node;
    }

    public static @Nullable String remove(Value document, Value... paths) throws SQLException {
        if (isNull(document) || isAnyNull(paths)) {
            return null;
        }
        Object whole = document(document);
        for (Value path : paths) {
            List<Object> steps = steps(path);
            if (steps.isEmpty()) {
                throw new SQLException("The path expression '$' is not allowed in this context.", "42601");
            }
            if (at(whole, steps) == MISSING) {
                continue;
            }
            Object parent = at(whole, steps.subList(0, steps.size() - 1));
            Object last = steps.get(steps.size() - 1);
            if (parent instanceof Map<?, ?> members) {
                members.remove(last);
            } else if (parent instanceof List<?> elements) {
                elements.remove((int) last < 0 ? elements.size() - 1 : (int) last);
            }
        }
        return written(whole);
    }

    public static @Nullable String append(Value document, Value... pathsAndValues) throws SQLException {
        if (isNull(document)) {
            return null;
        }
        Object whole = document(document);
        for (int i = 0; i + 1 < pathsAndValues.length; i += 2) {
            List<Object> steps = steps(pathsAndValues[i]);
            Object node = at(whole, steps);
            if (node instanceof List<?>) {
                asElements(node).add(node(pathsAndValues[i + 1]));
            } else if (node != MISSING) {
                whole = put(whole, steps, new ArrayList<>(Arrays.asList(node, node(pathsAndValues[i + 1]))));
            }
        }
        return written(whole);
    }

    public static @Nullable String patch(Value document, Value... patches) throws SQLException {
        if (isNull(document) || isAnyNull(patches)) {
            return null;
        }
        Object whole = document(document);
        for (Value patch : patches) {
            whole = patched(whole, document(patch));
        }
        return written(whole);
    }

    private static @Nullable Object patched(@Nullable Object node, @Nullable Object patch) {
        if (!(patch instanceof Map<?, ?> changes)) {
            return patch;
        }
        Map<String, Object> members = node instanceof Map<?, ?> ? asMembers(node) : members();
        changes.forEach((name, change) -> {
            if (change == null) {
                members.remove(name.toString());
            } else {
                members.put(name.toString(), patched(members.get(name.toString()), change));
            }
        });
        return members;
    }
}
