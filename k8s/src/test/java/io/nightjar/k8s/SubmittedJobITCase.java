package io.nightjar.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.cli.CommandLines;
import io.nightjar.jobs.cli.FlinkJob;
import io.nightjar.jobs.lake.Lake;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job as the operator starts it: its jar goes to a cluster by REST, for a session as a job, else as an application. */
@Tag("slow")
class SubmittedJobITCase {

    private static final long PATIENCE_MS = 120_000;
    private static final Set<String> ENDS = Set.of("FINISHED", "FAILED", "CANCELED");
    private static final String APPLICATION = "run-application";
    private static final String SESSION = "run";

    @TempDir
    private static Path folder;

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static MiniCluster cluster;
    private static String rest;
    private static String jar;
    private static Path history;

    @BeforeAll
    static void uploadAJar() throws Exception {
        cluster = FlinkSql.startCluster();
        rest = cluster.getRestAddress().get().toString();
        history = folder.resolve("orders.parquet");
        CommandLines.run("generate", history.toString(), "--transactions", "500", "--fault", "stale-read=2");
        JsonNode uploaded = upload(jarWithoutClasses());
        String name = uploaded.path("filename").asText();
        jar = name.substring(name.lastIndexOf('/') + 1);
    }

    @AfterAll
    static void stopTheCluster() throws Exception {
        cluster.close();
    }

    @Test
    void aSessionJobWritesItsRunAndIsNotRepeated() throws Exception {
        Path lake = folder.resolve("session");

        String first = start(SESSION, lake, "r-1", history).path("jobid").asText();

        assertThat(endOfJob(first)).isEqualTo("FINISHED");
        assertThat(verdict(lake, "r-1")).isEqualTo(Verdict.VIOLATED);
        assertThat(jobName(first)).contains("r-1");

        String second = start(SESSION, lake, "r-1", history).path("jobid").asText();

        assertThat(endOfJob(second)).isEqualTo("FINISHED");
        assertThat(jobName(second)).isEqualTo("nightjar: nothing to do");
    }

    @Test
    void anApplicationWritesItsRunAndIsNotRepeated() throws Exception {
        Path lake = folder.resolve("application");

        String first =
                start(APPLICATION, lake, "r-1", history).path("applicationid").asText();

        assertThat(endOfApplication(first)).isEqualTo("FINISHED");
        assertThat(verdict(lake, "r-1")).isEqualTo(Verdict.VIOLATED);

        String second =
                start(APPLICATION, lake, "r-1", history).path("applicationid").asText();

        assertThat(endOfApplication(second)).isEqualTo("FINISHED");
    }

    @Test
    void anApplicationWithoutAHistoryFinishesAndWritesNothing() throws Exception {
        Path lake = folder.resolve("nothing");

        String application = start(APPLICATION, lake, "r-1", folder.resolve("no-such.parquet"))
                .path("applicationid")
                .asText();

        assertThat(endOfApplication(application)).isEqualTo("FINISHED");
        assertThat(lake).doesNotExist();
    }

    @Test
    void wrongUsageFailsAnApplication() throws Exception {
        String application = start(APPLICATION, folder.resolve("wrong"), "1-r", history)
                .path("applicationid")
                .asText();

        assertThat(endOfApplication(application)).isEqualTo("FAILED");
    }

    private static Verdict verdict(Path lake, String run) {
        return Lake.openExisting(lake).completedRun(run).orElseThrow().result().verdict();
    }

    private static String endOfJob(String id) throws Exception {
        return end("/jobs/" + id, "state");
    }

    private static String jobName(String id) throws Exception {
        return get("/jobs/" + id).path("name").asText();
    }

    private static String endOfApplication(String id) throws Exception {
        return end("/applications/" + id, "status");
    }

    private static String end(String page, String field) throws Exception {
        String state = "";
        for (long waited = 0; waited < PATIENCE_MS; waited += 100) {
            state = get(page).path(field).asText();
            if (ENDS.contains(state)) {
                return state;
            }
            Thread.sleep(100);
        }
        throw new AssertionError("did not end: page=" + page + " answer=" + get(page));
    }

    private static JsonNode get(String page) throws Exception {
        return send(HttpRequest.newBuilder(URI.create(rest + page)));
    }

    private static JsonNode start(String how, Path lake, String run, Path from) throws Exception {
        List<String> words = new ArrayList<>();
        for (String word :
                List.of("--json", "--parallelism", "2", "--lake", lake.toString(), "--run-id", run, from.toString())) {
            words.add('"' + word + '"');
        }
        String body = "{\"entryClass\":\"%s\",\"parallelism\":2,\"programArgsList\":%s}"
                .formatted(FlinkJob.class.getName(), words);
        JsonNode answer = send(HttpRequest.newBuilder(URI.create(rest + "/jars/" + jar + "/" + how))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
        assertThat(answer.path("errors").toString()).isEmpty();
        return answer;
    }

    private static JsonNode upload(Path file) throws Exception {
        String boundary = "boundary-of-this-request";
        String head = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\""
                + file.getFileName() + "\"\r\nContent-Type: application/x-java-archive\r\n\r\n";
        return send(HttpRequest.newBuilder(URI.create(rest + "/jars/upload"))
                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                .POST(HttpRequest.BodyPublishers.concat(
                        HttpRequest.BodyPublishers.ofString(head),
                        HttpRequest.BodyPublishers.ofFile(file),
                        HttpRequest.BodyPublishers.ofString("\r\n--" + boundary + "--\r\n"))));
    }

    private static JsonNode send(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return Manifests.YAML.readTree(response.body());
    }

    /** The classes are those of this process. */
    private static Path jarWithoutClasses() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, FlinkJob.class.getName());
        Path file = folder.resolve("job.jar");
        new JarOutputStream(Files.newOutputStream(file), manifest).close();
        return file;
    }
}
