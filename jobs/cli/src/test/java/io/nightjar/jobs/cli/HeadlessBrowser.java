package io.nightjar.jobs.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.fixtures.JsonTree;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Chromium of this machine without a window, driven by WebDriver. Debian has it as chromium and chromium-driver. */
final class HeadlessBrowser implements AutoCloseable {

    private static final List<String> BINARIES =
            List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
    private static final List<String> DRIVERS =
            List.of("/usr/bin/chromedriver", "/usr/lib/chromium-browser/chromedriver", "/usr/local/bin/chromedriver");
    private static final List<String> OPTIONS = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage");

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process driver;
    private final Path profile;
    private final String base;
    private final String session;

    private HeadlessBrowser(Process driver, Path profile, String base) {
        this.driver = driver;
        this.profile = profile;
        this.base = base;
        this.session = begin();
    }

    /** Returns whether a browser is installed on this machine. */
    static boolean isThere() {
        return find(BINARIES).isPresent() && find(DRIVERS).isPresent();
    }

    private static Optional<String> find(List<String> paths) {
        return paths.stream().filter(path -> Files.isExecutable(Path.of(path))).findFirst();
    }

    static HeadlessBrowser start() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Path profile = Files.createTempDirectory("nightjar-browser-");
        Process driver = new ProcessBuilder(find(DRIVERS).orElseThrow(), "--port=" + port, "--log-level=SEVERE")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return new HeadlessBrowser(driver, profile, "http://127.0.0.1:" + port);
        } catch (RuntimeException | Error failed) {
            driver.destroyForcibly();
            remove(profile);
            throw failed;
        }
    }

    private String begin() {
        List<String> options = new ArrayList<>(OPTIONS);
        options.add("--user-data-dir=" + profile);
        Map<String, Object> capabilities = Map.of(
                "browserName",
                "chrome",
                "goog:loggingPrefs",
                Map.of("browser", "ALL"),
                "goog:chromeOptions",
                Map.of("binary", find(BINARIES).orElseThrow(), "args", options));
        Map<String, Object> asked = Map.of("capabilities", Map.of("alwaysMatch", capabilities));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try {
                return "/session/" + JsonTree.<String>at(call("POST", "/session", asked), "sessionId");
            } catch (UncheckedIOException notYet) {
                if (System.nanoTime() > end || !driver.isAlive()) {
                    throw notYet;
                }
                Thread.onSpinWait();
            }
        }
    }

    /** Opens a page; an empty page before it prevents that a script runs in the earlier page when both have one address. */
    void open(String address) {
        leave();
        call("POST", session + "/url", Map.of("url", address));
        await("location.href !== 'about:blank' && document.readyState === 'complete'");
    }

    /** Opens an empty page. */
    void leave() {
        call("POST", session + "/url", Map.of("url", "about:blank"));
    }

    /** Clicks on the first element that fits, as a person does. */
    void click(String selector) {
        Object found = call("POST", session + "/element", Map.of("using", "css selector", "value", selector));
        String id = (String) ((Map<?, ?>) found).values().iterator().next();
        call("POST", session + "/element/" + id + "/click", Map.of());
    }

    /** Returns the result of a piece of script. */
    @SuppressWarnings("unchecked")
    <T> T run(String script) {
        return (T) call("POST", session + "/execute/sync", Map.of("script", script, "args", List.of()));
    }

    /** Waits until a piece of script returns true. */
    void await(String condition) {
        run("return new Promise((resolve, reject) => { const end = Date.now() + 30000; const look = () => { if ("
                + condition
                + ") resolve(true); else if (Date.now() > end) reject(new Error('waited in vain: "
                + condition.replace("\\", "\\\\").replace("'", "\\'")
                + "')); else setTimeout(look, 20); }; look(); });");
    }

    void size(int width, int height) {
        devtools(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    void dark(boolean isDark) {
        String value = isDark ? "dark" : "light";
        devtools(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", value))));
    }

    /** Enables or disables scripts of pages that are opened afterwards. */
    void scripts(boolean areOn) {
        devtools("Emulation.setScriptExecutionDisabled", Map.of("value", !areOn));
    }

    /** Returns the page as a picture. */
    byte[] picture() {
        Map<String, Object> picture = devtools("Page.captureScreenshot", Map.of());
        return Base64.getDecoder().decode((String) picture.get("data"));
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> devtools(String command, Map<String, Object> parameters) {
        return (Map<String, Object>)
                call("POST", session + "/goog/cdp/execute", Map.of("cmd", command, "params", parameters));
    }

    /**
     * Returns the messages on the console since the last call: errors, warnings, and violations of the page's policy.
     */
    List<String> console() {
        List<Map<String, Object>> entries =
                JsonTree.at(Map.of("all", call("POST", session + "/se/log", Map.of("type", "browser"))), "all");
        return entries.stream()
                .map(entry -> entry.get("level") + " " + entry.get("message"))
                .toList();
    }

    private Object call(String method, String path, Map<String, Object> body) {
        HttpRequest.BodyPublisher content =
                body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(json(body));
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(Duration.ofSeconds(90))
                .header("Content-Type", "application/json")
                .method(method, content)
                .build();
        try {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            Object value = JsonTree.object(response.body()).get("value");
            if (response.statusCode() != 200) {
                throw new AssertionError("browser: " + path + " " + value);
            }
            return value;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String json(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            write(json, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName((String) entry.getKey());
                write(json, entry.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object element : list) {
                write(json, element);
            }
            json.writeEndArray();
        } else if (value instanceof Boolean claim) {
            json.writeBoolean(claim);
        } else if (value instanceof Integer number) {
            json.writeNumber(number);
        } else {
            json.writeString((String) value);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            call("DELETE", session, null);
        } finally {
            driver.destroy();
            remove(profile);
        }
    }

    /** The browser may still be writing there. */
    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (UncheckedIOException | IOException stillInUse) {
            folder.toFile().deleteOnExit();
        }
    }
}
