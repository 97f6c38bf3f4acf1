package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.nightjar.fixtures.JsonTree;
import io.nightjar.jobs.lake.Lake;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** The output of {@code check --ci} for builds, and its exit codes. */
class CiOutputsTest {

    private static final String SKEW =
            """
            s1 T1: w(x,1) w(y,1)
            s2 T2: r(x,1) r(y,1) w(x,2)
            s3 T3: r(x,1) r(y,1) w(y,2)
            """;

    private static final String SKEW_AGAIN =
            """
            s4 T70: w(x,11) w(y,11)
            s9 T13: r(x,11) r(y,11) w(y,12)
            s8 T50: r(x,11) r(y,11) w(x,12)
            """;

    @TempDir
    private Path folder;

    private Path skew;
    private Path lake;

    @BeforeEach
    void writeHistory() throws IOException {
        skew = Files.writeString(folder.resolve("skew.txt"), SKEW);
        lake = folder.resolve("lake");
    }

    // ---------------------------------------------------------------- files

    @Test
    void filesLieInTheFolderOfTheRun() {
        assertThat(check(skew, "--ci", "github,junit,sarif", "--run-id", "one").code())
                .isEqualTo(1);

        assertThat(lake.resolve("_runs/one")).isDirectoryContaining("glob:**junit.xml");
        assertThat(lake.resolve("_runs/one")).isDirectoryContaining("glob:**results.sarif");
        assertThat(lake.resolve("_runs/one")).isDirectoryContaining("glob:**summary.json");
    }

    @Test
    void withoutALakeTheyLieAmongTheArtifacts() throws IOException {
        Path artifacts = folder.resolve("artifacts");
        CommandRun run = CommandRun.of(
                "check", "" + skew, "--lake", "none", "--ci", "junit,sarif", "--artifacts", "" + artifacts);

        assertThat(run.code()).isEqualTo(1);
        Map<String, Object> summary = JsonTree.object(Files.readString(artifacts.resolve("summary.json")));
        assertThat(summary).containsEntry("verdict", "violated").containsEntry("exit_code", 1L);
        assertThat(summary.get("run_id")).isNull();
        assertThat(artifacts.resolve("junit.xml")).exists();
        assertThat(artifacts.resolve("results.sarif")).exists();
        assertThat(Path.of("nightjar-lake")).doesNotExist();
    }

    @Test
    void sarifIsValid() throws IOException {
        check(skew, "--ci", "sarif", "--run-id", "one", "--level", "all");
        String sarif = Files.readString(lake.resolve("_runs/one/results.sarif"));

        assertValid(sarif);
        Map<String, Object> result = results(sarif).get(0);
        assertThat(JsonTree.<String>at(result, "partialFingerprints", "nightjarAnomaly/v1"))
                .startsWith("f");
        assertThat(sarif).contains("\"codeFlows\"").contains("\"startLine\" : 2");
    }

    @Test
    void rejectedHistoryIsInSarifAndJUnit() throws Exception {
        Path artifacts = folder.resolve("artifacts");
        Path bad = Files.writeString(folder.resolve("b,ad: <1>.jsonl"), "{\"txn\":1,\"ops\":[[\"q\",\"x\",1]]}\n");
        CommandRun run = CommandRun.of(
                "check",
                "" + skew,
                "" + bad,
                "--lake",
                "" + lake,
                "--ci",
                "github,junit,sarif",
                "--artifacts",
                "" + artifacts);

        assertThat(run.code()).isEqualTo(3);
        String sarif = Files.readString(artifacts.resolve("results.sarif"));
        assertValid(sarif);
        assertThat(sarif).contains("\"executionSuccessful\" : false");
        Element suites = xml(Files.readString(artifacts.resolve("junit.xml"))).getDocumentElement();
        assertThat(suites.getAttribute("errors")).isEqualTo("1");
        assertThat(run.out()).contains("::error file=").contains("%2C").contains("%3A");
    }

    @Test
    void aThousandResultsAreWrittenAndTheLogSaysSo() throws IOException {
        String many = "s1 T1 [1,2]: w(x,1)\n"
                + IntStream.range(2, 1_300)
                        .mapToObj(i -> "s" + i + " T" + i + " [" + 2 * i + "," + (2 * i + 1) + "]: r(x,7)\n")
                        .collect(Collectors.joining());
        Path history = Files.writeString(folder.resolve("many.txt"), many);
        check(history, "--ci", "sarif,github", "--run-id", "many", "--level", "si");
        String sarif = Files.readString(lake.resolve("_runs/many/results.sarif"));

        assertValid(sarif);
        assertThat(results(sarif)).hasSize(1_000);
        assertThat(sarif).contains("not all anomalies are here: written=1000 found=1298");
    }

    @Test
    void eachLevelHasJUnitCase() throws Exception {
        Path unclear = Files.writeString(
                folder.resolve("unclear.txt"), "s1 T1: append(x,1)\ns2 T2: append(x,1)\ns3 T3: r(x,[1])\n");
        check(unclear, "--ci", "junit", "--run-id", "unclear");
        check(skew, "--ci", "junit", "--run-id", "skew");

        Element ofSkew =
                xml(Files.readString(lake.resolve("_runs/skew/junit.xml"))).getDocumentElement();
        assertThat(ofSkew.getAttribute("tests")).isEqualTo("2");
        assertThat(ofSkew.getAttribute("failures")).isEqualTo("1");
        assertThat(ofSkew.getElementsByTagName("failure").item(0).getTextContent())
                .contains("T2", "T3");
        Element ofUnclear =
                xml(Files.readString(lake.resolve("_runs/unclear/junit.xml"))).getDocumentElement();
        assertThat(ofUnclear.getAttribute("errors")).isEqualTo("2");
        assertThat(ofUnclear.getAttribute("skipped")).isEqualTo("0");
    }

    @Test
    void keysThatNoXmlCanHoldDoNotBreakIt() throws Exception {
        Path hostile = Files.writeString(
                folder.resolve("hostile.jsonl"),
                """
                {"txn":1,"session":0,"ops":[["w","a\\u0001<b>]]>&\\"'\\uffff",1]],"start":1,"commit":2}
                {"txn":2,"ops":[["r","a\\u0001<b>]]>&\\"'\\uffff",7]],"session":1,"start":3,"commit":4}
                """);
        check(hostile, "--ci", "junit,sarif", "--run-id", "hostile");

        assertThat(xml(Files.readString(lake.resolve("_runs/hostile/junit.xml"))))
                .isNotNull();
        assertValid(Files.readString(lake.resolve("_runs/hostile/results.sarif")));
    }

    @Test
    void onlyTenErrorsAreAnnotatedAndOthersCounted() throws IOException {
        String many = "s1 T1 [1,2]: w(x,1)\n"
                + IntStream.range(2, 40)
                        .mapToObj(i -> "s" + i + " T" + i + " [" + 2 * i + "," + (2 * i + 1) + "]: r(x,7)\n")
                        .collect(Collectors.joining());
        CommandRun run = check(Files.writeString(folder.resolve("many.txt"), many), "--ci", "github");

        assertThat(run.out().lines().filter(line -> line.startsWith("::error ")))
                .hasSize(10);
        assertThat(run.out().lines().filter(line -> line.startsWith("::notice ")))
                .hasSize(2)
                .anyMatch(line -> line.contains("lower bounds"));
    }

    @Test
    void withJsonAnnotationsStayOffStdout() {
        CommandRun run = check(skew, "--ci", "github", "--json");

        assertThat(JsonTree.lines(run.out())).hasSize(1);
        assertThat(run.err()).contains("::error ");
    }

    // ---------------------------------------------------------------- new anomalies

    @Test
    void baselineAnomaliesDoNotFailBuild() throws IOException {
        Path again = Files.writeString(folder.resolve("again.txt"), SKEW_AGAIN);
        check(skew, "--run-id", "monday", "--level", "ser");

        CommandRun same = check(again, "--level", "ser", "--baseline", "monday", "--fail-on", "new", "--json");
        assertThat(same.code()).isZero();
        assertThat(JsonTree.object(same.out()))
                .containsEntry("verdict", "violated")
                .containsEntry("baseline", "monday")
                .containsEntry("new_anomalies", 0L);
        assertThat(check(again, "--level", "ser", "--baseline", "monday").code())
                .isEqualTo(1);
    }

    @Test
    void somethingNewFailsIt() throws IOException {
        check(skew, "--run-id", "monday", "--level", "ser");
        Path worse = Files.writeString(
                folder.resolve("worse.txt"), SKEW + "s4 T4: w(z,1)\ns5 T5 !: w(z,2)\ns6 T6: r(z,2)\n");

        CommandRun run = check(
                worse,
                "--level",
                "ser",
                "--baseline",
                "monday",
                "--fail-on",
                "new",
                "--ci",
                "sarif",
                "--run-id",
                "worse");
        assertThat(run.code()).isEqualTo(1);
        assertThat(Files.readString(lake.resolve("_runs/worse/results.sarif")))
                .contains("\"baselineState\" : \"new\"")
                .contains("\"baselineState\" : \"unchanged\"");
    }

    @Test
    void latestIsTheRunBeforeOfTheSameHistory() {
        assertThat(check(skew, "--baseline", "latest", "--fail-on", "new").code())
                .isEqualTo(1);
        assertThat(check(skew, "--baseline", "latest", "--fail-on", "new").code())
                .isZero();
    }

    @Test
    void undecidedStaysUndecidedThoughNothingIsNew() throws IOException {
        Path partly = Files.writeString(
                folder.resolve("partly.txt"),
                "s1 T1 [1,4]: append(x,1)\ns2 T2 [2,5]: append(x,1)\ns3 T3 [6,7]: r(x,[1,1])\n");

        assertThat(check(partly, "--run-id", "one", "--level", "cc,si").code()).isEqualTo(1);
        assertThat(check(partly, "--level", "cc,si", "--baseline", "one", "--fail-on", "new")
                        .code())
                .isEqualTo(2);
    }

    @Test
    void exitZeroIsForVerdictsOnly() {
        assertThat(check(skew, "--exit-zero").code()).isZero();
        assertThat(check(folder.resolve("missing.txt"), "--exit-zero").code()).isEqualTo(3);
    }

    @Test
    void incompatibleOptionsAreWrongUsage() {
        assertThat(check(skew, "--fail-on", "new").code()).isEqualTo(64);
        assertThat(check(skew, "--fail-on", "old", "--baseline", "x").code()).isEqualTo(64);
        assertThat(check(skew, "--baseline", "nobody").code()).isEqualTo(64);
        assertThat(check(skew, "--ci", "jenkins").code()).isEqualTo(64);
        assertThat(CommandRun.of("check", "" + skew, "--lake", "none", "--ci", "junit")
                        .code())
                .isEqualTo(64);
        assertThat(CommandRun.of("check", "" + skew, "--lake", "none", "--baseline", "x")
                        .code())
                .isEqualTo(64);
    }

    // ---------------------------------------------------------------- stored runs

    @Test
    void diffReportsNewAndDisappearedAnomalies() throws IOException {
        Path worse = Files.writeString(folder.resolve("worse.txt"), SKEW_AGAIN + "s5 T5 !: w(z,2)\ns6 T6: r(z,2)\n");
        check(skew, "--run-id", "one", "--level", "ser");
        check(worse, "--run-id", "two", "--level", "ser");

        CommandRun there = CommandRun.of("diff", "one", "two", "--lake", "" + lake, "--json");
        assertThat(there.code()).isEqualTo(1);
        Map<String, Object> diff = JsonTree.object(there.out());
        assertThat(diff).containsEntry("new_count", 1L).containsEntry("gone_count", 0L);
        assertThat(JsonTree.<String>at(((List<?>) diff.get("new")).get(0), "type"))
                .isEqualTo("G1a");
        CommandRun back = CommandRun.of("diff", "two", "one", "--lake", "" + lake);
        assertThat(back.code()).isZero();
        assertThat(back.out()).startsWith("two to one: 0 new, 1 gone, 2 in both");
        assertThat(CommandRun.of("diff", "one", "three", "--lake", "" + lake).code())
                .isEqualTo(64);
    }

    @Test
    void verdictExitsAsTheCheckDid() throws IOException {
        Path good = Files.writeString(folder.resolve("good.txt"), "s1 T1: w(x,1)\n");
        CommandRun.of("check", "" + skew, "" + good, "--lake", "" + lake);
        assertThat(CommandRun.of("verdict", "" + lake).code()).isEqualTo(1);

        check(good, "--run-id", "good");
        assertThat(CommandRun.of("verdict", "" + lake).code()).isZero();
        assertThat(CommandRun.of("verdict", "" + lake, "--run", "good").code()).isZero();
        assertThat(CommandRun.of("verdict", "" + lake, "--run", "nobody").code())
                .isEqualTo(64);
        assertThat(CommandRun.of("verdict", "" + folder.resolve("nowhere")).code())
                .isEqualTo(64);
        assertThat(Lake.open(lake).completeRuns()).hasSize(3);
    }

    // ---------------------------------------------------------------- helpers

    private CommandRun check(Path history, String... more) {
        String[] args = new String[more.length + 4];
        args[0] = "check";
        args[1] = history.toString();
        args[2] = "--lake";
        args[3] = lake.toString();
        System.arraycopy(more, 0, args, 4, more.length);
        return CommandRun.of(args);
    }

    private static void assertValid(String sarif) throws IOException {
        try (InputStream schema = CiOutputsTest.class.getResourceAsStream("/sarif/sarif-schema-2.1.0.json")) {
            JsonSchema rules =
                    JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V4).getSchema(schema);
            assertThat(rules.validate(
                            sarif, com.networknt.schema.InputFormat.JSON, context -> context.getExecutionConfig()
                                    .setFormatAssertionsEnabled(true)))
                    .isEmpty();
        }
    }

    private static List<Map<String, Object>> results(String sarif) {
        List<Map<String, Object>> runs = JsonTree.at(JsonTree.object(sarif), "runs");
        return JsonTree.at(runs.get(0), "results");
    }

    private static Document xml(String text) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }
}
