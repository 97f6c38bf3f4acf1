package io.nightjar.jobs.objects;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process of S3Proxy on loopback, which checks signatures and conditions, with one empty bucket named {@code archive}. */
public final class S3ProxyServer implements AutoCloseable {

    private static final String KEY_ID = "proxy-key-id";
    private static final String SECRET = "proxy-secret-key";
    private static final Pattern LISTENS = Pattern.compile("ServerConnector.*\\{127\\.0\\.0\\.1:(\\d+)}");

    private final Process process;
    private final int port;

    private S3ProxyServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** @param folder receives the settings and the log */
    public static S3ProxyServer start(Path folder) throws IOException, InterruptedException {
        Path inBuild = Path.of("target", "servers", "s3proxy-jar-with-dependencies.jar");
        Path ofJobs = Path.of("..", "..").resolve(inBuild);
        Path jar = Files.exists(ofJobs) ? ofJobs : Path.of("..").resolve(inBuild);
        if (!Files.exists(jar)) {
            throw new IllegalStateException(
                    "the build copies the server: run mvn -pl jobs/objects generate-test-resources");
        }
        Path settings = Files.writeString(
                folder.resolve("s3proxy.conf"),
                """
                s3proxy.endpoint=http://127.0.0.1:0
                s3proxy.authorization=aws-v4
                s3proxy.identity=%s
                s3proxy.credential=%s
                jclouds.provider=transient-nio2
                jclouds.identity=unused
                jclouds.credential=unused
                """
                        .formatted(KEY_ID, SECRET));
        Path log = folder.resolve("s3proxy.log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        jar.toAbsolutePath().toString(),
                        "--properties",
                        settings.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        S3ProxyServer server = new S3ProxyServer(process, awaitPort(process, log));
        server.createBucket();
        return server;
    }

    private static int awaitPort(Process process, Path log) throws IOException, InterruptedException {
        for (long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2); System.nanoTime() < end; Thread.sleep(50)) {
            String text = Files.readString(log);
            Matcher port = LISTENS.matcher(text);
            if (port.find()) {
                return Integer.parseInt(port.group(1));
            }
            if (!process.isAlive()) {
                throw new IOException("server ended: " + text);
            }
        }
        process.destroyForcibly();
        throw new IOException("server does not listen: " + Files.readString(log));
    }

    private void createBucket() throws IOException, InterruptedException {
        URI uri = URI.create(url() + "/archive");
        AwsCredentials credentials = new AwsCredentials("s3://archive/", environment());
        HttpRequest request = HttpCaller.request(
                "PUT",
                uri,
                new AwsSigner(credentials, credentials.region()).headers("PUT", uri, Map.of(), new byte[0]),
                new byte[0]);
        int status = HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
        if (status != 200) {
            throw new IOException("server creates no bucket: status=" + status);
        }
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Returns the variables with which a process finds the bucket. */
    public Map<String, String> environment() {
        return Map.of(
                "AWS_ACCESS_KEY_ID",
                KEY_ID,
                "AWS_SECRET_ACCESS_KEY",
                SECRET,
                "AWS_REGION",
                "us-east-1",
                "NIGHTJAR_S3_ENDPOINT",
                url());
    }

    /** Returns the secrets that no output may contain. */
    public List<String> secrets() {
        return List.of(KEY_ID, SECRET);
    }

    /** Returns the root of the bucket as a file system, with an empty cache. */
    public Path root() {
        return StubBucket.root("archive", environment());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
