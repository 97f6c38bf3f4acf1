package io.nightjar.jobs.objects;

import io.nightjar.jobs.objects.HttpCaller.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A bucket of S3 or of a store with the same protocol, such as MinIO, Ceph, or Google's XML interface. */
final class S3Store extends ObjectStore {

    /** Objects up to this size are written by one request, larger ones in parts. */
    private static final int PART_BYTES = 16 << 20;

    private static final int MAX_PARTS = 9_000;

    private final URI endpoint; // of the bucket
    private final RequestSigner signer;
    private final Map<String, String> onlyNewHeader;

    /**
     * @param endpoint the address of the bucket at its server
     * @param onlyNewHeader the condition that no object of the key exists
     */
    S3Store(String root, URI endpoint, RequestSigner signer, Map<String, String> onlyNewHeader) {
        this(root, endpoint, signer, onlyNewHeader, new HttpCaller(false));
    }

    private S3Store(
            String root, URI endpoint, RequestSigner signer, Map<String, String> onlyNewHeader, HttpCaller caller) {
        super(root, caller);
        this.endpoint = endpoint;
        this.signer = signer;
        this.onlyNewHeader = onlyNewHeader;
    }

    @Override
    ObjectStore counted() {
        return new S3Store(root, endpoint, signer, onlyNewHeader, caller.counted());
    }

    private Answer call(
            String method,
            String key,
            SortedMap<String, String> query,
            Map<String, String> headers,
            byte @Nullable [] body)
            throws IOException {
        StringBuilder address = new StringBuilder(endpoint.toString());
        if (address.charAt(address.length() - 1) != '/') {
            address.append('/');
        }
        address.append(HttpCaller.encode(key));
        char before = '?';
        for (Map.Entry<String, String> each : query.entrySet()) {
            address.append(before).append(each.getKey()).append('=').append(HttpCaller.encodeValue(each.getValue()));
            before = '&';
        }
        URI uri = URI.create(address.toString());
        HttpCaller.Maker maker = () -> {
            Map<String, String> all = new TreeMap<>(headers);
            all.putAll(signer.headers(method, uri, headers, body == null ? new byte[0] : body));
            HttpRequest request = HttpCaller.request(method, uri, all, body);
            return request;
        };
        Answer answer = caller.call(root + key, maker);
        String region = answer.header("x-amz-bucket-region");
        return (answer.status() == 301 || answer.status() == 400 || answer.status() == 403) && signer.useRegion(region)
                ? caller.call(root + key, maker)
                : answer;
    }

    private static SortedMap<String, String> query(String... pairs) {
        SortedMap<String, String> query = new TreeMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            query.put(pairs[i], pairs[i + 1]);
        }
        return query;
    }

    @Override
    @Nullable
    ObjectInfo find(String key) throws IOException {
        Answer answer = call("HEAD", key, query(), Map.of(), null);
        if (answer.status() == 404) {
            return null;
        }
        if (answer.status() != 200 || answer.length() < 0) {
            throw HttpCaller.refused(root + key, answer);
        }
        return new ObjectInfo(key, answer.length(), answer.modified(), answer.header("etag"), false);
    }

    @Override
    Answer answer(ObjectInfo object, long start, int length) throws IOException {
        return call("GET", object.key(), query(), rangeHeaders(object, start, length), null);
    }

    // ---------------------------------------------------------------- listing

    @Override
    List<ObjectInfo> list(String folder, int max) throws IOException {
        String prefix = folder.isEmpty() ? "" : folder + "/";
        return ListingPage.entries(root + folder, prefix, max, token -> {
            SortedMap<String, String> query = query(
                    "list-type",
                    "2",
                    "delimiter",
                    "/",
                    "prefix",
                    prefix,
                    "encoding-type",
                    "url",
                    "max-keys",
                    Integer.toString((int) Math.min(1_000, (long) max + 1))); // one may be the folder
            if (!token.isEmpty()) {
                query.put("continuation-token", token);
            }
            return call("GET", "", query, Map.of(), null);
        });
    }

    // ---------------------------------------------------------------- writing

    @Override
    void write(String key, FileChannel content, boolean onlyNew) throws IOException {
        long size = content.size();
        if (size > PART_BYTES) {
            writeParts(key, content, size);
            return;
        }
        byte[] body = HttpCaller.part(content, 0, (int) size);
        Answer answer = call("PUT", key, query(), onlyNew ? onlyNewHeader : Map.of(), body);
        if (onlyNew && answer.status() == 501) { // a server without conditions
            if (find(key) != null) {
                throw new FileAlreadyExistsException(root + key);
            }
            answer = call("PUT", key, query(), Map.of(), body);
        }
        if (answer.status() == 412 && !(answer.attempts() > 1 && isWritten(key, body))) {
            throw new FileAlreadyExistsException(root + key);
        }
        if (answer.status() != 200 && answer.status() != 412) {
            throw HttpCaller.refused(root + key, answer);
        }
    }

    private void writeParts(String key, FileChannel content, long size) throws IOException {
        Answer begun = call("POST", key, query("uploads", ""), Map.of(), new byte[0]);
        String upload = begun.text().replaceAll("(?s).*<UploadId>([^<]+)</UploadId>.*", "$1");
        if (begun.status() != 200 || upload.equals(begun.text())) {
            throw HttpCaller.refused(root + key, begun);
        }
        boolean isDone = false;
        try {
            int partBytes = (int) Math.max(PART_BYTES, size / MAX_PARTS + 1);
            StringBuilder parts = new StringBuilder("<CompleteMultipartUpload>");
            int number = 1;
            for (long start = 0; start < size; start += partBytes) {
                byte[] body = HttpCaller.part(content, start, (int) Math.min(partBytes, size - start));
                Answer part = call(
                        "PUT", key, query("partNumber", Integer.toString(number), "uploadId", upload), Map.of(), body);
                if (part.status() != 200) {
                    throw HttpCaller.refused(root + key, part);
                }
                parts.append("<Part><PartNumber>%d</PartNumber><ETag>%s</ETag></Part>"
                        .formatted(number++, part.header("etag").replace("\"", "&quot;")));
            }
            byte[] body = parts.append("</CompleteMultipartUpload>").toString().getBytes(StandardCharsets.UTF_8);
            Answer end = call("POST", key, query("uploadId", upload), Map.of(), body);
            boolean isRepeated = end.status() == 404 && end.attempts() > 1; // the answer before was lost
            if (end.status() != 200 && !isRepeated || end.text().contains("<Error>")) {
                throw HttpCaller.refused(root + key, end);
            }
            isDone = true;
        } finally {
            if (!isDone) {
                call("DELETE", key, query("uploadId", upload), Map.of(), null);
            }
        }
    }

    @Override
    void delete(String key) throws IOException {
        Answer answer = call("DELETE", key, query(), Map.of(), null);
        if (answer.status() != 204 && answer.status() != 200 && answer.status() != 404) {
            throw HttpCaller.refused(root + key, answer);
        }
    }
}
