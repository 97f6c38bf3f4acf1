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
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;

/** MySQL's functions that read JSON: documents are trees of maps, lists, texts, numbers, booleans and null. */
public final class MysqlJson {

    /** Method by MySQL function name. */
    static final Map<String, String> METHODS =
            Map.of("json_extract", "extract", "json_value", "value", "json_unquote", "unquote");

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
}
