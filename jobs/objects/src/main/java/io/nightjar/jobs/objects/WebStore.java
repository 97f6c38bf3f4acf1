package io.nightjar.jobs.objects;

import io.nightjar.formats.file.AddressException;
import io.nightjar.jobs.objects.HttpCaller.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Files of a web server, which are only read, one by one.
 *
 * <p>A file of a server that supports no ranges is copied into the temporary folder, and compared with the server's
 * state when its attributes are requested again.
 */
final class WebStore extends ObjectStore {

    private final Map<String, String> queryOf;
    private final Map<String, Copy> copyOf; // its own lock

    /** A file of a server without ranges. */
    private record Copy(ObjectInfo object, Path file, String modified) {}

    /** @param queryOf the queries of addresses by key, which may be secrets and so are in no path */
    WebStore(String root, Map<String, String> queryOf) {
        this(root, queryOf, new HashMap<>(), new HttpCaller(true));
    }

    private WebStore(String root, Map<String, String> queryOf, Map<String, Copy> copyOf, HttpCaller caller) {
        super(root, caller);
        this.queryOf = queryOf;
        this.copyOf = copyOf;
    }

    @Override
    ObjectStore counted() {
        return new WebStore(root, queryOf, copyOf, caller.counted());
    }

    private HttpCaller.Maker get(String key, Map<String, String> headers) {
        URI uri = URI.create(root + HttpCaller.encode(key) + queryOf.getOrDefault(key, ""));
        return () -> HttpCaller.request("GET", uri, headers, null);
    }

    /** Requests one byte, which shows the size and the support of ranges; presigned addresses permit no HEAD. */
    @Override
    @Nullable
    ObjectInfo find(String key) throws IOException {
        synchronized (copyOf) {
            return findOrCopy(key);
        }
    }

    private @Nullable ObjectInfo findOrCopy(String key) throws IOException {
        Map<String, String> headers = new TreeMap<>(Map.of("range", "bytes=0-0"));
        Copy known = copyOf.get(key);
        if (known != null) {
            headers.remove("range");
            condition(known, headers);
        }
        Path file = Files.createTempFile("nightjar-web-", ".tmp");
        file.toFile().deleteOnExit();
        Answer answer = caller.fetch(root + key, get(key, headers), file);
        if (answer.status() == 200) {
            ObjectInfo whole = new ObjectInfo(key, Files.size(file), answer.modified(), answer.header("etag"), false);
            return copy(known, new Copy(whole, file, answer.header("last-modified")));
        }
        Files.delete(file);
        if (answer.status() == 404 || answer.status() == 410) {
            return null;
        }
        if (answer.status() == 304 && known != null) {
            return known.object;
        }
        String range = answer.header("content-range");
        boolean isPart = answer.status() == 206 && range.matches("bytes 0-0/\\d{1,18}");
        if (!isPart && answer.status() != 416) { // an empty file has no ranges
            throw HttpCaller.refused(root + key, answer);
        }
        long size = isPart ? Long.parseLong(range.substring(range.indexOf('/') + 1)) : 0;
        String etag = answer.header("etag");
        return new ObjectInfo(key, size, answer.modified(), etag.startsWith("W/") ? "" : etag, false);
    }

    private static void condition(Copy known, Map<String, String> headers) {
        if (!known.object.etag().isEmpty()) {
            headers.put("if-none-match", known.object.etag());
        } else if (!known.modified.isEmpty()) {
            headers.put("if-modified-since", known.modified);
        }
    }

    /** Keeps the first copy while the server has the same content. */
    private ObjectInfo copy(@Nullable Copy known, Copy fetched) throws IOException {
        if (known != null && Files.mismatch(known.file, fetched.file) < 0) {
            Files.delete(fetched.file);
            return known.object;
        }
        copyOf.put(fetched.object.key(), fetched);
        return fetched.object;
    }

    private @Nullable Copy copy(String key) {
        synchronized (copyOf) {
            return copyOf.get(key);
        }
    }

    @Override
    byte[] read(ObjectInfo object, long start, int length) throws IOException {
        Copy copy = copy(object.key());
        if (copy != null && copy.object.equals(object)) {
            try (FileChannel content = FileChannel.open(copy.file)) {
                return HttpCaller.part(content, start, length);
            }
        }
        return super.read(object, start, length);
    }

    @Override
    Answer answer(ObjectInfo object, long start, int length) throws IOException {
        Answer answer = caller.call(root + object.key(), get(object.key(), rangeHeaders(object, start, length)));
        boolean isSuccess = answer.status() == 200 || answer.status() == 206;
        return isSuccess && !answer.modified().equals(object.modified())
                ? new Answer(412, answer.headers(), answer.body(), answer.attempts())
                : answer;
    }

    @Override
    List<ObjectInfo> list(String folder, int max) {
        return List.of(); // web servers list no files
    }

    @Override
    void write(String key, FileChannel content, boolean onlyNew) {
        throw readOnly(key);
    }

    @Override
    void delete(String key) {
        throw readOnly(key);
    }

    private AddressException readOnly(String key) {
        return new AddressException("[" + root + key + "] files of a web server are only read; name another location");
    }
}
