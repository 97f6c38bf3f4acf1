package io.nightjar.formats.text;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.nightjar.formats.file.CorruptDataException;
import io.nightjar.formats.file.InputFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON values of a file as trees of standard Java types: one or two per line, or the elements of one array.
 *
 * <p>A value is null, Boolean, Long, Double, String, List or Map; a number that fits neither is its text. A console's
 * prefix before the first brace of a line is skipped.
 */
public final class JsonItems implements AutoCloseable {

    /** Reads UTF-8 without detection of encodings. */
    private static final JsonFactory FACTORY =
            JsonFactory.builder().disable(JsonFactory.Feature.CHARSET_DETECTION).build();

    private static final int MAX_DEPTH = 200;

    private final @Nullable JsonProcessingException atBeginning; // error at the beginning; null if none
    private final @Nullable LineReader lines; // null for an array
    private final @Nullable InputStream in;
    private final @Nullable JsonParser array;
    private long ordinal;
    private final boolean isOfConsole; // lines may have a prefix
    private final boolean mayBePairs;
    private boolean isLost;
    private boolean isDone;
    private @Nullable Object item;
    private @Nullable Object second;

    /** Opens a file with one value per line. */
    public JsonItems(Path file) throws IOException {
        this(file, false, false);
    }

    /** @param mayBePairs whether a line may contain a second value, which {@link #second} returns */
    public static JsonItems ofConsole(Path file, boolean mayBePairs) throws IOException {
        return new JsonItems(file, true, mayBePairs);
    }

    private JsonItems(Path file, boolean isOfConsole, boolean mayBePairs) throws IOException {
        this.isOfConsole = isOfConsole;
        this.mayBePairs = mayBePairs;
        InputFile.check(file);
        byte[] head = InputFile.decompressedHead(file, 1 << 10);
        int at = head.length >= 3 && head[0] == (byte) 0xef ? 3 : 0;
        while (at < head.length && head[at] <= ' ' && head[at] >= 0) {
            at++;
        }
        boolean isArray = at < head.length && head[at] == '[';
        lines = isArray ? null : new LineReader(file);
        in = isArray ? InputFile.openText(file) : null;
        array = in == null ? null : FACTORY.createParser(in);
        JsonProcessingException fault = null;
        try {
            if (array != null) {
                array.nextToken();
            }
        } catch (JsonProcessingException noArray) {
            fault = noArray;
        }
        atBeginning = fault;
    }

    /** Returns whether rows are lines. */
    public static boolean hasLines(Path file) throws IOException {
        byte[] head = InputFile.decompressedHead(file, 1 << 10);
        int at = 0;
        while (at < head.length && head[at] <= ' ') {
            at++;
        }
        return at == head.length || head[at] != '[';
    }

    /** Advances to the next value; returns false at the end. Lines without a brace are skipped. */
    public boolean advance() throws IOException {
        item = null;
        second = null;
        if (isDone) {
            return false;
        }
        if (atBeginning != null) {
            isLost = true;
            throw notJson(atBeginning);
        }
        try {
            return array == null ? advanceLine() : advanceElement();
        } catch (JsonEOFException fault) {
            isLost = array != null;
            BadRowException notJson = notJson(fault);
            throw array == null
                    ? new BadRowException(
                            notJson.fault().advise("an object occupies one line; print it without pretty-print"))
                    : notJson;
        } catch (JsonProcessingException fault) {
            isLost = array != null;
            throw notJson(fault);
        } catch (CorruptDataException damaged) {
            isLost = true;
            throw new BadRowException(damaged.fault());
        }
    }

    private boolean advanceLine() throws IOException {
        while (requireNonNull(lines).advance()) {
            int from = lines.start();
            while (from < lines.end() && lines.bytes()[from] != '{') {
                from++;
            }
            if (from == lines.end()) {
                if (!isBlank(from)) {
                    throw BadRowException.of("line has no object");
                }
                continue;
            }
            if (!isOfConsole && !isBlank(from)) {
                throw BadRowException.of("unexpected text before the object on its line");
            }
            try (JsonParser parser = FACTORY.createParser(lines.bytes(), from, lines.end() - from)) {
                parser.nextToken();
                item = tree(parser, 0);
                JsonToken following = parser.nextToken();
                if (following != null && mayBePairs) {
                    second = tree(parser, 0);
                    following = parser.nextToken();
                }
                if (following != null) {
                    throw BadRowException.of("unexpected text after the value on its line");
                }
            }
            return true;
        }
        return false;
    }

    private boolean isBlank(int end) {
        for (int at = requireNonNull(lines).start(); at < end; at++) {
            if (lines.bytes()[at] > ' ' || lines.bytes()[at] < 0) {
                return false;
            }
        }
        return true;
    }

    private boolean advanceElement() throws IOException {
        JsonToken token = requireNonNull(array).nextToken();
        if (token == JsonToken.END_ARRAY) {
            if (array.nextToken() != null) {
                isLost = true;
                JsonLocation at = array.currentTokenLocation();
                throw BadRowException.of("unexpected text after the array")
                        .with("at-line=%d column=%d", at.getLineNr(), at.getColumnNr());
            }
            isDone = true;
            return false;
        }
        if (token == null) {
            isLost = true;
            throw BadRowException.of("array without an end");
        }
        ordinal++;
        item = tree(array, 0);
        return true;
    }

    /** Returns the value at the current position. */
    public @Nullable Object item() {
        return item;
    }

    /** Returns the second value on the line, if keys of messages precede them; null if the line has only one. */
    public @Nullable Object second() {
        return second;
    }

    /** Returns the line, or the element, counted from 1. */
    public long row() {
        return lines == null ? Math.max(1, ordinal) : Math.max(1, lines.line());
    }

    public @Nullable String raw() {
        return lines == null ? null : lines.text(RowSliceBuilder.RAW_LENGTH);
    }

    public boolean isLost() {
        return isLost;
    }

    @Override
    public void close() throws IOException {
        if (lines != null) {
            lines.close();
        } else {
            requireNonNull(in).close();
        }
    }

    /** Returns the tree of one JSON text; null if the text is not JSON. */
    public static @Nullable Object parse(String json) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            parser.nextToken();
            return parser.currentToken() == null ? null : tree(parser, 0);
        } catch (IOException | BadRowException notJson) {
            return null;
        }
    }

    private static @Nullable Object tree(JsonParser parser, int depth) throws IOException {
        JsonToken token = parser.currentToken();
        if (depth > MAX_DEPTH) {
            throw BadRowException.of("nested too deeply").with("depth>" + MAX_DEPTH);
        }
        switch (token) {
            case START_OBJECT -> {
                Map<String, Object> members = new LinkedHashMap<>();
                for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                    parser.nextToken();
                    members.put(name, tree(parser, depth + 1));
                }
                return members;
            }
            case START_ARRAY -> {
                List<Object> elements = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(tree(parser, depth + 1));
                }
                return elements;
            }
            case VALUE_NUMBER_INT -> {
                boolean fits = parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
                return fits ? (Object) parser.getLongValue() : parser.getText();
            }
            case VALUE_NUMBER_FLOAT -> {
                return parser.getDoubleValue();
            }
            case VALUE_TRUE -> {
                return Boolean.TRUE;
            }
            case VALUE_FALSE -> {
                return Boolean.FALSE;
            }
            case VALUE_NULL -> {
                return null;
            }
            default -> {
                return parser.getText();
            }
        }
    }

    /** Returns the error for text that is not JSON, with its position in the row. */
    public static BadRowException notJson(JsonProcessingException fault) {
        String reason = String.valueOf(fault.getOriginalMessage());
        int end = reason.indexOf('\n');
        String first = end < 0 ? reason : reason.substring(0, end);
        int source = first.indexOf(" (start marker at");
        JsonLocation at = fault.getLocation();
        return BadRowException.of("not JSON")
                .with(
                        "reason=%s%s",
                        source < 0 ? first : first.substring(0, source),
                        at == null ? "" : " column=" + at.getColumnNr());
    }

    // ---------------------------------------------------------------- access to trees

    /** Returns a nested member of an object; null if a value on the path is not an object or lacks the member. */
    public static @Nullable Object member(@Nullable Object of, String... path) {
        Object found = of;
        for (String name : path) {
            found = found instanceof Map<?, ?> object ? object.get(name) : null;
        }
        return found;
    }

    /** Returns the text of a scalar; null for null and for structures. */
    public static @Nullable String text(@Nullable Object scalar) {
        boolean isScalar = scalar != null && !(scalar instanceof Map) && !(scalar instanceof List);
        return isScalar ? String.valueOf(scalar) : null;
    }

    /** Returns a list; empty for any other value. */
    public static List<?> list(@Nullable Object of) {
        return of instanceof List<?> list ? list : List.of();
    }

    /** Returns a number; the default for any other value. */
    public static long number(@Nullable Object of, long otherwise) {
        return of instanceof Long number ? number : otherwise;
    }
}
