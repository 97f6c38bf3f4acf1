package io.nightjar.jobs.objects;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** A container named {@code c} of a server on loopback with the protocol of Azure Blob Storage. */
final class StubContainer implements AutoCloseable {

    static final String KEY =
            Base64.getEncoder().encodeToString("stub account key".getBytes(StandardCharsets.US_ASCII));
    static final String TOKEN = "sv=2021&sp=rwdl&sig=stub%2Btoken";

    private static final String TIME = "Fri, 20 Nov 2026 02:00:00 GMT";

    private final HttpServer server;
    private final NavigableMap<String, byte[]> objects = new ConcurrentSkipListMap<>();
    private final Map<String, byte[]> blocks = new ConcurrentHashMap<>();
    private StubBucket.@Nullable Fault fault;

    StubContainer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", this::answer);
        server.start();
    }

    Map<String, byte[]> objects() {
        return objects;
    }

    void failWith(StubBucket.Fault how) {
        fault = how;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    Map<String, String> withKey() {
        return Map.of("AZURE_STORAGE_ACCOUNT", "stub", "AZURE_STORAGE_KEY", KEY, "AZURE_STORAGE_ENDPOINT", url());
    }

    Map<String, String> withToken() {
        return Map.of(
                "AZURE_STORAGE_ACCOUNT",
                "stub",
                "AZURE_STORAGE_SAS_TOKEN",
                "?" + TOKEN,
                "AZURE_STORAGE_ENDPOINT",
                url());
    }

    static Path root(Map<String, String> environment) {
        ObjectStore store = AzureFileSystemProvider.open("c", environment);
        return new ObjectFileSystem(new AzureFileSystemProvider(), store).path("");
    }

    private static void send(HttpExchange request, int status, byte[] body) throws IOException {
        boolean hasBody = body.length > 0 && !request.getRequestMethod().equals("HEAD");
        request.sendResponseHeaders(status, hasBody ? body.length : -1);
        if (hasBody) {
            try (OutputStream out = request.getResponseBody()) {
                out.write(body);
            }
        }
        request.close();
    }

    private static void error(HttpExchange request, int status, String code) throws IOException {
        request.getResponseHeaders().set("x-ms-error-code", code);
        send(request, status, new byte[0]);
    }

    private static Map<String, String> query(HttpExchange request) {
        Map<String, String> query = new TreeMap<>();
        String raw = request.getRequestURI().getRawQuery();
        for (String pair : raw == null ? new String[0] : raw.split("&")) {
            query.put(
                    pair.substring(0, pair.indexOf('=')),
                    URLDecoder.decode(pair.substring(pair.indexOf('=') + 1), StandardCharsets.UTF_8));
        }
        return query;
    }

    private void answer(HttpExchange request) throws IOException {
        StubBucket.Fault failing = fault;
        if (failing != null && failing.answer(request)) {
            return;
        }
        byte[] body = request.getRequestBody().readAllBytes();
        Map<String, String> query = query(request);
        String raw = String.valueOf(request.getRequestURI().getRawQuery());
        if (!raw.endsWith(TOKEN) && !isSigned(request, query)) {
            error(request, 403, "AuthenticationFailed");
            return;
        }
        String key = request.getRequestURI().getPath().replaceFirst("^/c/?", "");
        byte[] content = objects.get(key);
        String condition = request.getRequestHeaders().getFirst("if-none-match");
        switch (request.getRequestMethod()) {
            case "PUT" -> {
                if ("block".equals(query.get("comp"))) {
                    blocks.put(query.get("blockid"), body);
                } else if ("*".equals(condition) && content != null) {
                    error(request, 409, "BlobAlreadyExists");
                    return;
                } else if ("blocklist".equals(query.get("comp"))) {
                    objects.put(key, joined(new String(body, StandardCharsets.UTF_8)));
                } else if ("BlockBlob".equals(request.getRequestHeaders().getFirst("x-ms-blob-type"))) {
                    objects.put(key, body);
                } else {
                    error(request, 400, "MissingRequiredHeader");
                    return;
                }
                send(request, 201, new byte[0]);
            }
            case "DELETE" -> send(request, objects.remove(key) == null ? 404 : 202, new byte[0]);
            default -> {
                if ("list".equals(query.get("comp"))) {
                    send(request, 200, listing(query));
                } else {
                    get(request, content);
                }
            }
        }
    }

    private byte[] joined(String list) {
        StringBuilder whole = new StringBuilder();
        for (String id : list.replaceAll("(?s).*<BlockList>|</BlockList>.*|</Latest>", "")
                .split("<Latest>")) {
            whole.append(id.isEmpty() ? "" : new String(blocks.get(id), StandardCharsets.ISO_8859_1));
        }
        return whole.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void get(HttpExchange request, byte @Nullable [] content) throws IOException {
        if (content == null) {
            error(request, 404, "BlobNotFound");
            return;
        }
        String etag = StubBucket.etag(content);
        String wanted = request.getRequestHeaders().getFirst("if-match");
        if (wanted != null && !wanted.equals(etag)) {
            error(request, 412, "ConditionNotMet");
            return;
        }
        request.getResponseHeaders().set("etag", etag);
        request.getResponseHeaders().set("last-modified", TIME);
        String range = request.getRequestHeaders().getFirst("range");
        if (range == null) {
            request.getResponseHeaders().set("content-length", Integer.toString(content.length));
            send(request, 200, content);
            return;
        }
        String[] bounds = range.replace("bytes=", "").split("-");
        int start = Integer.parseInt(bounds[0]);
        int end = Math.min(content.length, Integer.parseInt(bounds[1]) + 1);
        request.getResponseHeaders().set("content-range", "bytes " + start + "-" + (end - 1) + "/" + content.length);
        send(request, 206, Arrays.copyOfRange(content, start, end));
    }

    /** Returns a page of two entries. */
    private byte[] listing(Map<String, String> query) {
        String prefix = query.get("prefix");
        TreeSet<String> entries = new TreeSet<>();
        for (String key : objects.keySet()) {
            if (key.startsWith(prefix)) {
                int slash = key.indexOf('/', prefix.length());
                entries.add(slash < 0 ? key : key.substring(0, slash + 1));
            }
        }
        List<String> rest = new ArrayList<>(entries.tailSet(query.getOrDefault("marker", ""), false));
        List<String> page = rest.subList(0, Math.min(2, rest.size()));
        StringBuilder xml = new StringBuilder(
                "\uFEFF<?xml version=\"1.0\"?><EnumerationResults><Prefix>" + prefix + "</Prefix><Blobs>");
        for (String entry : page) {
            String name = entry.replace("&", "&amp;");
            xml.append(
                    entry.endsWith("/")
                            ? "<BlobPrefix><Name>" + name + "</Name></BlobPrefix>"
                            : "<Blob><Name>" + name + "</Name><Properties><Last-Modified>" + TIME
                                    + "</Last-Modified><Etag>"
                                    + StubBucket.etag(objects.get(entry)).replace("\"", "") + "</Etag><Content-Length>"
                                    + objects.get(entry).length + "</Content-Length></Properties></Blob>");
        }
        String next = page.size() < rest.size() ? page.get(page.size() - 1) : "";
        xml.append("</Blobs><NextMarker>").append(next).append("</NextMarker></EnumerationResults>");
        return xml.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Verifies the signature by the text of the protocol's documentation. */
    private static boolean isSigned(HttpExchange request, Map<String, String> query) {
        StringBuilder ofStore = new StringBuilder();
        new TreeMap<>(request.getRequestHeaders()).forEach((name, values) -> {
            if (name.toLowerCase(Locale.ROOT).startsWith("x-ms-")) {
                ofStore.append(name.toLowerCase(Locale.ROOT))
                        .append(':')
                        .append(values.get(0))
                        .append('\n');
            }
        });
        StringBuilder resource =
                new StringBuilder("/stub" + request.getRequestURI().getRawPath());
        query.forEach(
                (name, value) -> resource.append('\n').append(name).append(':').append(value));
        String length = header(request, "content-length");
        String text = request.getRequestMethod() + "\n"
                + header(request, "content-encoding") + "\n"
                + header(request, "content-language") + "\n"
                + (length.equals("0") ? "" : length) + "\n"
                + header(request, "content-md5") + "\n"
                + header(request, "content-type") + "\n"
                + header(request, "date") + "\n"
                + header(request, "if-modified-since") + "\n"
                + header(request, "if-match") + "\n"
                + header(request, "if-none-match") + "\n"
                + header(request, "if-unmodified-since") + "\n"
                + header(request, "range") + "\n"
                + ofStore + resource;
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
            String signature = Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
            boolean isDated = header(request, "x-ms-date").matches("[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} .* GMT");
            return isDated && header(request, "authorization").equals("SharedKey stub:" + signature);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String header(HttpExchange request, String name) {
        String value = request.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
