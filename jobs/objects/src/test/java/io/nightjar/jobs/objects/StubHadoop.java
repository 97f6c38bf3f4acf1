package io.nightjar.jobs.objects;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A NameNode and a DataNode on loopback with the protocol of WebHDFS. */
public final class StubHadoop implements AutoCloseable {

    public static final String TOKEN = "c3R1YiBkZWxlZ2F0aW9u";

    private final HttpServer nameNode = server(this::answerByName);
    private final HttpServer dataNode = server(this::answerByData);
    private final NavigableMap<String, byte[]> files = new ConcurrentSkipListMap<>();
    private final NavigableSet<String> folders = new ConcurrentSkipListSet<>(Set.of(""));
    private final Map<String, Long> idOf = new ConcurrentSkipListMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile String identity = "user.name=" + System.getProperty("user.name");
    private volatile StubBucket.@Nullable Fault fault;

    private static HttpServer server(HttpHandler handler) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(Executors.newCachedThreadPool());
            server.createContext("/webhdfs/v1/", handler);
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String host() {
        return "127.0.0.1:" + nameNode.getAddress().getPort();
    }

    /** Returns the root as a file system, with an empty cache. */
    Path root(Map<String, String> environment) {
        ObjectStore store = WebHdfsFileSystemProvider.open(host(), environment);
        return new ObjectFileSystem(new WebHdfsFileSystemProvider(), store).path("");
    }

    public Map<String, byte[]> files() {
        return files;
    }

    List<String> requests() {
        return requests;
    }

    /** Accepts requests with a delegation token only. */
    void requireToken() {
        identity = "delegation=" + TOKEN;
    }

    void failWith(StubBucket.@Nullable Fault how) {
        fault = how;
    }

    static void error(HttpExchange request, int status, String exception) throws IOException {
        request.getRequestBody().readAllBytes();
        send(request, status, "{\"RemoteException\":{\"exception\":\"" + exception + "\",\"message\":\"stub\"}}");
    }

    private static void send(HttpExchange request, int status, String body) throws IOException {
        send(request, status, body.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange request, int status, byte[] body) throws IOException {
        request.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        try (OutputStream out = request.getResponseBody()) {
            out.write(body);
        }
        request.close();
    }

    private static Map<String, String> query(HttpExchange request) {
        Map<String, String> query = new TreeMap<>();
        for (String pair : request.getRequestURI().getRawQuery().split("&")) {
            String[] parts = pair.split("=", 2);
            query.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return query;
    }

    private static String key(HttpExchange request) {
        return request.getRequestURI().getPath().replaceFirst("^/webhdfs/v1/", "");
    }

    // ---------------------------------------------------------------- NameNode

    private void answerByName(HttpExchange request) throws IOException {
        Map<String, String> query = query(request);
        String key = key(request);
        requests.add(query.get("op") + " " + key);
        StubBucket.Fault failing = fault;
        if (failing != null && failing.answer(request)) {
            return;
        }
        if (!("&" + request.getRequestURI().getRawQuery() + "&").contains("&" + identity + "&")) {
            error(request, 401, "SecurityException");
            return;
        }
        switch (request.getRequestMethod() + " " + query.get("op")) {
            case "GET GETFILESTATUS" -> status(request, key);
            case "GET LISTSTATUS" -> list(request, key);
            case "GET OPEN" -> {
                if (files.containsKey(key)) {
                    redirect(request);
                } else {
                    error(request, 404, "FileNotFoundException");
                }
            }
            case "PUT CREATE" -> redirect(request);
            case "PUT RENAME" -> rename(request, key, query);
            case "DELETE DELETE" -> delete(request, key);
            default -> error(request, 400, "IllegalArgumentException");
        }
    }

    private void redirect(HttpExchange request) throws IOException {
        String location = "http://127.0.0.1:" + dataNode.getAddress().getPort() + request.getRequestURI()
                + "&namenoderpcaddress=stub:8020";
        request.getResponseHeaders().set("location", location);
        send(request, 307, new byte[0]);
    }

    private void addFolders(String key) {
        for (int slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
            folders.add(key.substring(0, slash));
        }
    }

    /** Returns the files and folders below a folder. */
    private List<String> below(String folder) {
        String prefix = folder.isEmpty() ? "" : folder + "/";
        return Stream.of(files.keySet(), folders)
                .flatMap(Set::stream)
                .filter(entry -> entry.startsWith(prefix) && entry.length() > prefix.length())
                .toList();
    }

    private String statusOf(String key, String suffix) {
        byte[] content = files.get(key);
        return "{\"pathSuffix\":\"%s\",\"type\":\"%s\",\"length\":%d,\"fileId\":%d,\"modificationTime\":1700000000000}"
                .formatted(
                        suffix,
                        content == null ? "DIRECTORY" : "FILE",
                        content == null ? 0 : content.length,
                        idOf.computeIfAbsent(key, added -> ids.incrementAndGet()));
    }

    private void status(HttpExchange request, String key) throws IOException {
        if (files.containsKey(key) || folders.contains(key)) {
            send(request, 200, "{\"FileStatus\":" + statusOf(key, "") + "}");
        } else {
            error(request, 404, "FileNotFoundException");
        }
    }

    private void list(HttpExchange request, String key) throws IOException {
        List<String> entries = new ArrayList<>();
        if (files.containsKey(key)) {
            entries.add(statusOf(key, ""));
        } else if (!folders.contains(key)) {
            error(request, 404, "FileNotFoundException");
            return;
        }
        String prefix = key.isEmpty() ? "" : key + "/";
        TreeSet<String> names = new TreeSet<>();
        for (String entry : below(key)) {
            names.add(entry.substring(prefix.length()).replaceAll("/.*", ""));
        }
        names.forEach(name -> entries.add(statusOf(prefix + name, name)));
        send(request, 200, "{\"FileStatuses\":{\"FileStatus\":[" + String.join(",", entries) + "]}}");
    }

    private synchronized void rename(HttpExchange request, String key, Map<String, String> query) throws IOException {
        String to = query.get("destination").substring(1);
        if (!files.containsKey(key) && !folders.contains(key)) {
            error(request, 404, "FileNotFoundException");
            return;
        }
        if (folders.contains(to)
                || files.containsKey(to) && query.get("renameoptions").equals("NONE")) {
            error(request, 403, "FileAlreadyExistsException");
            return;
        }
        List<String> moved = new ArrayList<>(below(key));
        moved.add(key);
        for (String entry : moved) {
            String renamed = to + entry.substring(key.length());
            byte[] content = files.remove(entry);
            if (content == null) {
                folders.remove(entry);
                folders.add(renamed);
            } else {
                files.put(renamed, content);
            }
            Long id = idOf.remove(entry);
            idOf.put(renamed, id == null ? ids.incrementAndGet() : id);
        }
        send(request, 200, new byte[0]);
    }

    private void delete(HttpExchange request, String key) throws IOException {
        if (!below(key).isEmpty()) {
            error(request, 403, "PathIsNotEmptyDirectoryException");
            return;
        }
        idOf.remove(key);
        send(request, 200, "{\"boolean\":" + (files.remove(key) != null || folders.remove(key)) + "}");
    }

    // ---------------------------------------------------------------- DataNode

    private void answerByData(HttpExchange request) throws IOException {
        Map<String, String> query = query(request);
        String key = key(request);
        requests.add("data " + query.get("op") + " " + key);
        byte[] body = request.getRequestBody().readAllBytes();
        StubBucket.Fault failing = fault;
        if (failing != null && failing.answer(request)) {
            return;
        }
        if (query.get("op").equals("CREATE")) {
            addFolders(key);
            files.put(key, body);
            idOf.put(key, ids.incrementAndGet());
            send(request, 201, new byte[0]);
            return;
        }
        byte[] content = files.get(key);
        if (content == null) {
            error(request, 404, "FileNotFoundException");
            return;
        }
        int start = Integer.parseInt(query.get("offset"));
        int end = Math.min(content.length, start + Integer.parseInt(query.get("length")));
        send(request, 200, Arrays.copyOfRange(content, Math.min(start, end), end));
    }

    @Override
    public void close() {
        nameNode.stop(0);
        dataNode.stop(0);
    }
}
