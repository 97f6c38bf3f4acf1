package io.nightjar.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of the S3 overlays, with a folder for the bucket and stand-ins for aws and nightjar. */
class BucketScriptsTest {

    /** Understands as much as the scripts use, and writes down what it was asked; s3://b/x is the folder b/x. */
    private static final String AWS =
            """
            #!/bin/sh
            echo "$*" >>"$WORLD/log"
            [ -z "$BROKEN" ] || exit 1
            from=$(echo "$3" | sed "s#^s3://#$WORLD/#")
            to=$(echo "$4" | sed "s#^s3://#$WORLD/#")
            case "$*" in
              "s3 cp "*) mkdir -p "$(dirname "$to")" && cp "$from" "$to" ;;
              *--include*)
                run=$(echo "$*" | sed 's/.*run_id=\\([^/]*\\).*/\\1/')
                case "$*" in *"--exclude runs/*"*) out=./runs ;; *) out=./none ;; esac
                cd "$from" && find . -path $out -prune -o -path "*/run_id=$run/part-*.parquet" -print | while read -r file; do
                  mkdir -p "$to/$(dirname "$file")" && cp "$file" "$to/$file"
                done ;;
              *) [ ! -d "$from" ] || { mkdir -p "$to" && cp -r "$from/." "$to/"; } ;;
            esac
            """;

    private static final String NIGHTJAR = "#!/bin/sh\necho \"nightjar $*\" >>\"$WORLD/log\"\nexit $CODE\n";

    private static final long PATIENCE_S = 60;

    @TempDir
    private Path world;

    private final Map<String, String> environment = new TreeMap<>();

    @BeforeEach
    void layOutAPodAndABucket() throws IOException {
        map("nightjar-s3").properties().forEach(setting -> {
            String value = setting.getValue().asText();
            environment.put(setting.getKey(), value.startsWith("/") ? world + value : value);
        });
        environment.putAll(
                Map.of("WORLD", world.toString(), "RUN_ID", "r-1", "PATH", world + "/bin:" + System.getenv("PATH")));
        for (Map.Entry<String, JsonNode> script : map("nightjar-s3-scripts").properties()) {
            write("scripts/" + script.getKey(), script.getValue().asText());
        }
        program("aws", AWS);
        program("nightjar", NIGHTJAR);
        Files.createDirectories(world.resolve("state"));
        write("my-bucket/histories/orders/part-0.parquet", "history");
    }

    private static JsonNode map(String name) {
        return Manifests.built("s3/job").stream()
                .filter(manifest -> manifest.at("/metadata/name").asText().equals(name))
                .findFirst()
                .orElseThrow()
                .path("data");
    }

    @Test
    void everyVariableOfTheScriptsIsSetSomewhere() {
        Matcher used = Pattern.compile("\\$\\{?([A-Z_]+)")
                .matcher(map("nightjar-s3-scripts").toString());
        TreeSet<String> names = new TreeSet<>();
        while (used.find()) {
            names.add(used.group(1));
        }
        names.removeAll(List.of("RUN_ID", "PAUSE")); // set by the pod, and never

        assertThat(names).isNotEmpty().isSubsetOf(environment.keySet());
    }

    @Test
    void historyAndStoredRunAreFetched() throws Exception {
        write("my-bucket/lake/_runs/r-1/_SUCCESS", "");
        write("my-bucket/lake/_runs/r-2/_SUCCESS", "");

        assertThat(run("fetch.sh")).isZero();

        assertThat(world.resolve("histories/orders/part-0.parquet")).hasContent("history");
        assertThat(world.resolve("lake/nightjar/_runs/r-1/_SUCCESS")).exists();
        assertThat(world.resolve("lake/nightjar/_runs/r-2")).doesNotExist();
    }

    @Test
    void withoutARunOnlyTheHistoryIsFetched() throws Exception {
        environment.remove("RUN_ID");

        assertThat(run("fetch.sh")).isZero();

        assertThat(log()).hasSize(1);
        assertThat(world.resolve("histories/orders/part-0.parquet")).exists();
    }

    @Test
    void aBucketThatCannotBeReadIsWorthARetry() throws Exception {
        environment.put("BROKEN", "yes");

        assertThat(run("fetch.sh")).isEqualTo(75);
    }

    @Test
    void checkResultIsKeptForNextContainer() throws Exception {
        for (int code : new int[] {0, 1, 2}) {
            environment.put("CODE", Integer.toString(code));

            assertThat(run("check.sh", "check", "--run-id", "a b")).isZero();

            assertThat(world.resolve("state/exit-code")).hasContent(code + "\n");
        }
        assertThat(log()).contains("nightjar check --run-id a b");
    }

    @Test
    void aCheckWithoutAResultEndsThePod() throws Exception {
        for (int code : new int[] {3, 64, 70, 75, 137}) {
            environment.put("CODE", Integer.toString(code));

            assertThat(run("check.sh", "check")).isEqualTo(code);
        }
        assertThat(world.resolve("state/exit-code")).doesNotExist();
    }

    @Test
    void runIsStoredWithSuccessMarkLast() throws Exception {
        writeRun("r-1");
        writeRun("r-2");
        write("state/exit-code", "1\n");

        assertThat(run("store.sh")).isEqualTo(1);

        assertThat(world.resolve("my-bucket/lake/runs/history_id=h/run_id=r-1/part-00000.parquet"))
                .exists();
        assertThat(world.resolve("my-bucket/lake/_runs/r-1/run.json")).exists();
        assertThat(world.resolve("my-bucket/lake/_runs/r-1/_SUCCESS")).exists();
        assertThat(world.resolve("my-bucket/lake/runs/history_id=h/run_id=r-2")).doesNotExist();
        assertThat(log()).last().asString().contains("_SUCCESS");
    }

    @Test
    void aBucketThatCannotBeWrittenIsWorthARetry() throws Exception {
        writeRun("r-1");
        write("state/exit-code", "0\n");
        environment.put("BROKEN", "yes");

        assertThat(run("store.sh")).isEqualTo(75);
    }

    @Test
    void besideFlinkEveryRunIsStoredOnceItIsComplete() throws Exception {
        environment.put("PAUSE", "0.1");
        writeRun("r-1");
        write("lake/nightjar/_runs/r-2/run.json", "{}");

        Process loop = start("store-all.sh");
        try {
            awaitFile("my-bucket/lake/_runs/r-1/_SUCCESS");
            assertThat(world.resolve("my-bucket/lake/_runs/r-2")).doesNotExist();
            writeRun("r-2");
            awaitFile("my-bucket/lake/_runs/r-2/_SUCCESS");
        } finally {
            loop.destroyForcibly().waitFor();
        }
        assertThat(log())
                .filteredOn(line -> line.contains("_runs/r-1/_SUCCESS"))
                .hasSize(1);
    }

    private void awaitFile(String file) throws InterruptedException {
        for (long waited = 0; waited < PATIENCE_S * 20 && !Files.exists(world.resolve(file)); waited++) {
            Thread.sleep(50);
        }
        assertThat(world.resolve(file)).exists();
    }

    private void writeRun(String run) throws IOException {
        write("lake/nightjar/runs/history_id=h/run_id=" + run + "/part-00000.parquet", "rows");
        write("lake/nightjar/stages/history_id=h/run_id=" + run + "/part-00000.parquet", "rows");
        write("lake/nightjar/_runs/" + run + "/run.json", "{}");
        write("lake/nightjar/_runs/" + run + "/_SUCCESS", "");
    }

    private int run(String... command) throws IOException, InterruptedException {
        Process process = start(command);
        assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private Process start(String... command) throws IOException {
        List<String> words = new ArrayList<>(
                List.of("/bin/sh", world.resolve("scripts").resolve(command[0]).toString()));
        words.addAll(List.of(command).subList(1, command.length));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.redirectOutput(world.resolve("output").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("AWS"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private List<String> log() throws IOException {
        return Files.readAllLines(world.resolve("log"));
    }

    private void program(String name, String text) throws IOException {
        write("bin/" + name, text);
        Files.setPosixFilePermissions(world.resolve("bin").resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void write(String file, String text) throws IOException {
        Path path = world.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
