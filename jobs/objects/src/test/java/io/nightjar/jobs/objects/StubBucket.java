package io.nightjar.jobs.objects;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A bucket named {@code b} of a server on loopback with the protocol of S3, which fails when a test says so. */
public final class StubBucket implements AutoCloseable {

    /** Answers a request instead of the bucket; returns whether it did. */
    @FunctionalInterface
    public interface Fault {
        boolean answer(HttpExchange request) throws IOException;
    }

    public static final String KEY_ID = "stub-key-id";
    public static final String SECRET = "stub-secret-key";

    private static final Instant TIME = Instant.parse("2026-11-20T02:00:00Z");

    private final HttpServer server;
    private final NavigableMap<String, byte[]> objects = new ConcurrentSkipListMap<>();
    private final Map<String, NavigableMap<Integer, byte[]>> uploads = new TreeMap<>();
    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private volatile @Nullable Fault fault;
    private volatile @Nullable Predicate<HttpExchange> acceptance; // null for signatures of S3

    public StubBucket() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", this::answer);
        server.start();
    }

    /** Returns the variables with which a process finds this bucket. */
    public Map<String, String> environment() {
        return Map.of(
                "AWS_ACCESS_KEY_ID",
                KEY_ID,
                "AWS_SECRET_ACCESS_KEY",
                SECRET,
                "AWS_REGION",
                "stub-region-1",
                "NIGHTJAR_S3_ENDPOINT",
                url());
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Returns the root of the bucket as a file system, with an empty cache. */
    public Path root() {
        return root("b", environment());
    }

    static Path root(String bucket, Map<String, String> environment) {
        ObjectStore store = S3FileSystemProvider.open(bucket, environment);
        return new ObjectFileSystem(new S3FileSystemProvider(), store).path("");
    }

    public Map<String, byte[]> objects() {
        return objects;
    }

    /** Returns the requests since the last call, each as method, key, query and range. */
    public List<String> takeRequests() {
        List<String> taken = new ArrayList<>();
        requests.drainTo(taken);
        return taken;
    }

    public void failWith(@Nullable Fault how) {
        fault = how;
    }

    /** Accepts requests by another rule than signatures of S3. */
    void acceptWith(Predicate<HttpExchange> rule) {
        acceptance = rule;
    }

    /** Sends an answer with a body of the protocol for errors. */
    public static void error(HttpExchange request, int status, String code) throws IOException {
        request.getRequestBody().readAllBytes();
        send(request, status, ("<Error><Code>" + code + "</Code></Error>").getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange request, int status, byte[] body) throws IOException {
        boolean hasBody = body.length > 0 && !request.getRequestMethod().equals("HEAD") && status != 304;
        request.sendResponseHeaders(status, hasBody ? body.length : -1);
        if (hasBody) {
            try (OutputStream out = request.getResponseBody()) {
                out.write(body);
            }
        }
        request.close();
    }

    private void answer(HttpExchange request) throws IOException {
        URI uri = request.getRequestURI();
        String key = uri.getPath().replaceFirst("^/b/?", "");
        String query = uri.getQuery() == null ? "" : uri.getQuery();
        String range = request.getRequestHeaders().getFirst("range");
        requests.add(request.getRequestMethod() + " " + key + (query.isEmpty() ? "" : "?" + query)
                + (range == null ? "" : " " + range));
        Fault failing = fault;
        if (failing != null && failing.answer(request)) {
            return;
        }
        byte[] body = request.getRequestBody().readAllBytes();
        Predicate<HttpExchange> rule = acceptance;
        if (rule == null ? !isSigned(request, body) : !rule.test(request)) {
            error(request, 403, "SignatureDoesNotMatch");
            return;
        }
        switch (request.getRequestMethod()) {
            case "HEAD", "GET" -> {
                if (key.isEmpty()) {
                    send(request, 200, listing(query));
                } else {
                    get(request, key, range);
                }
            }
            case "PUT" -> put(request, key, query, body);
            case "POST" -> post(request, key, query);
            default -> {
                objects.remove(key);
                send(request, 204, new byte[0]);
            }
        }
    }

    private static boolean isSigned(HttpExchange request, byte[] body) {
        String given = String.valueOf(request.getRequestHeaders().getFirst("authorization"));
        String time = request.getRequestHeaders().getFirst("x-amz-date");
        if (!given.contains("SignedHeaders=") || time == null) {
            return false;
        }
        Map<String, String> headers = new TreeMap<>();
        for (String name : given.replaceAll(".*SignedHeaders=([^,]+),.*", "$1").split(";")) {
            if (!name.equals("host") && !name.startsWith("x-amz-")) {
                headers.put(name, request.getRequestHeaders().getFirst(name));
            }
        }
        AwsSigner signer = new AwsSigner(
                new AwsCredentials("", Map.of("AWS_ACCESS_KEY_ID", KEY_ID, "AWS_SECRET_ACCESS_KEY", SECRET)),
                "stub-region-1");
        URI uri = URI.create("http://" + request.getRequestHeaders().getFirst("host") + request.getRequestURI());
        Instant at = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssX").parse(time, Instant::from);
        return signer.headers(request.getRequestMethod(), uri, headers, body, at)
                .get("authorization")
                .equals(given);
    }

    private void get(HttpExchange request, String key, @Nullable String range) throws IOException {
        byte[] content = objects.get(key);
        if (content == null) {
            error(request, 404, "NoSuchKey");
            return;
        }
        String etag = etag(content);
        String wanted = request.getRequestHeaders().getFirst("if-match");
        if (wanted != null && !wanted.equals(etag)) {
            error(request, 412, "PreconditionFailed");
            return;
        }
        request.getResponseHeaders().set("etag", etag);
        request.getResponseHeaders()
                .set("last-modified", DateTimeFormatter.RFC_1123_DATE_TIME.format(TIME.atOffset(ZoneOffset.UTC)));
        if (request.getRequestMethod().equals("HEAD")) {
            request.getResponseHeaders().set("content-length", Integer.toString(content.length));
            request.sendResponseHeaders(200, -1);
            request.close();
        } else if (range == null) {
            send(request, 200, content);
        } else {
            String[] bounds = range.replace("bytes=", "").split("-");
            int start = Integer.parseInt(bounds[0]);
            int end = Math.min(content.length, Integer.parseInt(bounds[1]) + 1);
            request.getResponseHeaders()
                    .set("content-range", "bytes " + start + "-" + (end - 1) + "/" + content.length);
            send(request, 206, Arrays.copyOfRange(content, start, end));
        }
    }

    static String etag(byte[] content) {
        return "\"" + Integer.toHexString(Arrays.hashCode(content)) + "-" + content.length + "\"";
    }

    private void put(HttpExchange request, String key, String query, byte[] body) throws IOException {
        if (query.startsWith("partNumber=")) {
            int number = Integer.parseInt(query.replaceAll("partNumber=(\\d+)&.*", "$1"));
            uploads.get(query.replaceAll(".*uploadId=", "")).put(number, body);
        } else if (request.getRequestHeaders().getFirst("if-none-match") == null
                && request.getRequestHeaders().getFirst("x-goog-if-generation-match") == null) {
            objects.put(key, body);
        } else if (objects.putIfAbsent(key, body) != null) {
            error(request, 412, "PreconditionFailed");
            return;
        }
        request.getResponseHeaders().set("etag", etag(body));
        send(request, 200, new byte[0]);
    }

    private void post(HttpExchange request, String key, String query) throws IOException {
        if (query.startsWith("uploads")) {
            String id = "upload-" + uploads.size();
            uploads.put(id, new TreeMap<>());
            send(request, 200, ("<R><UploadId>" + id + "</UploadId></R>").getBytes(StandardCharsets.UTF_8));
            return;
        }
        int size = 0;
        for (byte[] part : uploads.get(query.replaceAll("uploadId=", "")).values()) {
            size += part.length;
        }
        byte[] whole = new byte[size];
        int at = 0;
        for (byte[] part : uploads.get(query.replaceAll("uploadId=", "")).values()) {
            System.arraycopy(part, 0, whole, at, part.length);
            at += part.length;
        }
        objects.put(key, whole);
        send(request, 200, "<R/>".getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a page of two entries, so that every listing has several pages. */
    private byte[] listing(String query) {
        String prefix = query.replaceAll(".*&prefix=([^&]*).*", "$1");
        String after =
                query.contains("continuation-token=") ? query.replaceAll("continuation-token=([^&]*).*", "$1") : "";
        TreeSet<String> entries = new TreeSet<>();
        for (String key : objects.keySet()) {
            if (key.startsWith(prefix)) {
                int slash = key.indexOf('/', prefix.length());
                entries.add(slash < 0 ? key : key.substring(0, slash + 1));
            }
        }
        List<String> rest = new ArrayList<>(entries.tailSet(after, false));
        List<String> page = rest.subList(0, Math.min(2, rest.size()));
        StringBuilder xml =
                new StringBuilder("<?xml version=\"1.0\"?><ListBucketResult><EncodingType>url</EncodingType>");
        for (String entry : page) {
            String name = HttpCaller.encode(entry);
            xml.append(
                    entry.endsWith("/")
                            ? "<CommonPrefixes><Prefix>" + name + "</Prefix></CommonPrefixes>"
                            : "<Contents><Key>" + name + "</Key><Size>" + objects.get(entry).length
                                    + "</Size><LastModified>"
                                    + TIME + "</LastModified><ETag>"
                                    + etag(objects.get(entry)).replace("\"", "&quot;")
                                    + "</ETag></Contents>");
        }
        xml.append("<IsTruncated>").append(page.size() < rest.size()).append("</IsTruncated>");
        if (page.size() < rest.size()) {
            xml.append("<NextContinuationToken>")
                    .append(page.get(page.size() - 1))
                    .append("</NextContinuationToken>");
        }
        return xml.append("</ListBucketResult>").toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
