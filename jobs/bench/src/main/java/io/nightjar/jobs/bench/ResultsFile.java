package io.nightjar.jobs.bench;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.nightjar.jobs.JsonMembers;
import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code results.jsonl} of a folder: a line for each start of a plan that describes the machine, and one for each run.
 *
 * <p>Lines are only ever appended, each in one write; a line that was torn by a kill is skipped and its run repeated.
 */
public final class ResultsFile {

    private static final String NAME = "results.jsonl";
    private static final JsonFactory JSON = new JsonFactory();

    private final Path file;

    public ResultsFile(Path folder) {
        this.file = folder.resolve(NAME);
    }

    /** Returns the file of a folder, or a file that was named itself. */
    public static ResultsFile existing(Path named) {
        ResultsFile results = new ResultsFile(
                Files.isRegularFile(named)
                        ? requireNonNull(named.toAbsolutePath().getParent())
                        : named);
        if (!Files.isRegularFile(results.file)) {
            throw new UsageException("no results there: folder=" + named + "; nightjar bench PLAN --out " + named);
        }
        return results;
    }

    /** Returns the folders in a folder that contain results, by name. */
    public static List<Path> foldersIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(each -> Files.isRegularFile(each.resolve(NAME)))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the results so far. */
    public List<BenchResult> runs() throws IOException {
        List<BenchResult> runs = new ArrayList<>();
        for (Map<String, Object> line : lines("run")) {
            runs.add(BenchResult.of(line));
        }
        return runs;
    }

    /** Returns the names of the plans that were measured. */
    public List<String> plans() throws IOException {
        return runs().stream().map(result -> result.runKey().plan()).distinct().toList();
    }

    /** Returns the descriptions of machines, one for each start. */
    public List<Map<String, Object>> machines() throws IOException {
        return lines("machine");
    }

    private List<Map<String, Object>> lines(String kind) throws IOException {
        List<Map<String, Object>> found = new ArrayList<>();
        if (!Files.exists(file)) {
            return found;
        }
        String text = Files.readString(file);
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n")) {
            if (line.isEmpty()) {
                continue;
            }
            try {
                Map<String, Object> members = JsonMembers.parse(line).values();
                if (kind.equals(members.get("kind"))) {
                    found.add(members);
                }
            } catch (JsonProcessingException torn) {
                continue; // a kill in the middle of a line; the next start ends it
            }
        }
        return found;
    }

    /** Returns a value that may be an object, by the names of its members. */
    static Map<String, Object> map(@Nullable Object value) {
        Map<String, Object> named = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> members) {
            members.forEach((name, member) -> named.put(name.toString(), member));
        }
        return named;
    }

    void append(BenchResult result) throws IOException {
        append(result.members());
    }

    void append(Map<String, ?> members) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(
                file,
                (isTorn() ? "\n" : "") + json(members) + "\n",
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private boolean isTorn() throws IOException {
        if (!Files.exists(file) || Files.size(file) == 0) {
            return false;
        }
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            channel.position(channel.size() - 1).read(last);
            return last.get(0) != '\n';
        }
    }

    /** Returns a value as JSON; numbers that are none are null. */
    public static String json(Object value) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            write(json, value);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value instanceof Map<?, ?> members) {
            json.writeStartObject();
            for (Map.Entry<?, ?> member : members.entrySet()) {
                json.writeFieldName(member.getKey().toString());
                write(json, member.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof Iterable<?> elements) {
            json.writeStartArray();
            for (Object element : elements) {
                write(json, element);
            }
            json.writeEndArray();
        } else if (value instanceof Double number) {
            if (number.isNaN() || number.isInfinite()) {
                json.writeNull();
            } else {
                json.writeNumber(Math.round(number * 1e6) / 1e6);
            }
        } else if (value instanceof Number number) {
            json.writeNumber(number.longValue());
        } else if (value instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else if (value == null) {
            json.writeNull();
        } else {
            json.writeString(value.toString());
        }
    }
}
