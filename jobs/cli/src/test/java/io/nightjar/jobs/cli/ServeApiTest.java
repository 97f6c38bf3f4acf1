package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeFixtures;
import io.nightjar.jobs.serve.LakeServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers under {@code /api}, and the document there that describes them. */
class ServeApiTest {

    private static final String LOST_UPDATE = "s1 T1 [1,2]: w(x,1)\ns2 T2 [3,5]: w(x,2)\ns3 T3 [4,6]: w(x,3)\n";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    Path folder;

    private LakeServer server;
    private JsonNode description;

    @BeforeEach
    void serveLake() throws IOException, InterruptedException {
        Path lake = folder.resolve("lake");
        LakeFixtures.writeFullRun(lake, "r1");
        server = LakeServer.start(Lake.open(lake), "test", new InetSocketAddress("127.0.0.1", 0), List.of(), 1 << 20);
        description = MAPPER.readTree(ask("GET", "/api", "").body());
    }

    @AfterEach
    void endServer() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    GET  | /api                                |                                  | 200
                    GET  | /api/runs                           |                                  | 200
                    GET  | /api/schema                         |                                  | 200
                    POST | /api/sql                            | SELECT *, 1.5, true, [1] FROM runs | 200
                    POST | /api/sql                            | FROM range(2000)                 | 200
                    POST | /api/sql                            | selct 1                          | 400
                    POST | /api/check?name=a.txt               | s1 T1 [1,2]: w(x,1)              | 200
                    POST | /api/check?name=a.txt&level=all     | s1 T1: w(x,1) r(y,2)             | 200
                    POST | /api/check?name=a.txt&level=nothing | s1 T1: w(x,1)                    | 400
                    POST | /api/check?name=a.txt               | s1 T1: w(                        | 422
                    """)
    void answersFitTheirSchemas(String method, String path, String body, int code)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = ask(method, path, body == null ? "" : body);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(problems(path.replaceAll("\\?.*", ""), method, code, answer.body()))
                .isEmpty();
    }

    @Test
    void answerOfViolatedHistoryFitsItsSchema() throws IOException, InterruptedException {
        String answer = ask("POST", "/api/check?name=bank.txt", LOST_UPDATE).body();

        assertThat(problems("/api/check", "POST", 200, answer)).isEmpty();
        assertThat(MAPPER.readTree(answer).get("anomalies")).isNotEmpty();
        assertThat(problems("/api/check", "POST", 200, answer.replace("\"violated\"", "\"wrong\"")))
                .isNotEmpty();
    }

    @Test
    void eachPathIsDescribedAndAnswered() throws IOException, InterruptedException {
        List<String> paths = new ArrayList<>();
        description.get("paths").fieldNames().forEachRemaining(paths::add);

        assertThat(paths).containsExactly("/api", "/api/runs", "/api/schema", "/api/sql", "/api/check");
        HttpResponse<String> missing = ask("GET", "/api/nothing", "");
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(MAPPER.readTree(missing.body()).get("error").asText()).contains("/api/nothing");
    }

    /** Returns the differences between an answer and its schema in the description. */
    private Set<ValidationMessage> problems(String path, String method, int code, String body) throws IOException {
        JsonNode response = description.at(
                "/paths/" + path.replace("/", "~1") + "/" + method.toLowerCase(Locale.ROOT) + "/responses/" + code);
        assertThat(response.isMissingNode()).as(path + " " + code).isFalse();
        if (response.has("$ref")) {
            response = description.at(response.get("$ref").asText().substring(1));
        }
        ObjectNode schema = response.at("/content/application~1json/schema").deepCopy();
        schema.set("components", description.get("components"));
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(schema)
                .validate(MAPPER.readTree(body));
    }

    private HttpResponse<String> ask(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
