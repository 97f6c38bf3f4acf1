package io.nightjar.jobs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.jobs.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanReaderTest {

    private static final PlanReader ALONG = new PlanReader(
            Path.of(System.getProperty("basedir", "."), "..", "..", "bench").normalize());

    @TempDir
    Path folder;

    @Test
    void plansThatComeAlongAreReadWithTheirRivals() throws Exception {
        assertThat(ALONG.names()).contains("smoke", "chronos-transactions", "ours-timestamps");
        for (String name : ALONG.names()) {
            BenchPlan plan = ALONG.plan(name);
            assertThat(plan.points(1)).as(name).isNotEmpty();
            for (BenchPlan.Series series : plan.series()) {
                if (series.isRival()) {
                    assertThat(ALONG.rival(series.rival()).name()).isEqualTo(series.rival());
                }
            }
        }
    }

    @Test
    void aScaleMakesHistoriesSmaller() throws Exception {
        assertThat(ALONG.plan("chronos-transactions").points(0.01))
                .extracting(point -> point.settings().get("transactions"))
                .contains("50", "1000", "10000");
    }

    @Test
    void aScaleLeavesAsManyFaultsForEachTransaction() throws Exception {
        assertThat(ALONG.plan("faults").points(0.01))
                .extracting(point -> point.settings().get("fault"))
                .containsExactly("stale-read=1", "stale-read=1", "stale-read=100");
    }

    @Test
    void axisParameterIsSetAtEachPoint() throws Exception {
        assertThat(ALONG.plan("threads-weak").points(1))
                .filteredOn(point -> point.series().name().startsWith("zipfian"))
                .extracting(point -> point.x() + " " + point.settings().get("transactions"))
                .containsExactly("1 250000", "2 500000", "4 1000000", "8 2000000");
    }

    @Test
    void goalIsRatioToAnotherSeriesOrBoundOfMemory() throws Exception {
        assertThat(ALONG.plan("lists").series())
                .filteredOn(series -> series.goal() != null)
                .extracting(series -> series.goal().words())
                .containsExactly(
                        "2.00 times the CPU of \"100,000 transactions, Parquet\"",
                        "10.00 times the CPU of \"100,000 transactions, Parquet\", 1,200 MB");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "titel: x | did you mean title",
                "'title: [x' | not YAML",
                "'title: x\nseries: []' | nothing to measure",
                "'title: x\nx: {vary: sesions, values: [1]}\nseries: [{name: a}]' | did you mean sessions",
                "'title: x\nx: {vary: keys, values: [1]}\nseries: [{name: a}]\ntimeout: soon' | timeout=soon",
                "'title: x\nx: {vary: keys, values: [1]}\nseries: [{name: a}, {name: a}]' | two series of one name",
                "'title: x\nx: {vary: keys, values: [1], with: {ops: [1, 2]}}\nseries: [{name: a}]' | as many values",
                "'title: x\nx: {vary: keys, values: [1], scale: lgo}\nseries: [{name: a}]' | scale=lgo known=linear,log,even",
                "'title: x\nsettings: {cores: two}\nseries: [{name: a}]' | a positive number is wanted: cores=two",
                "'title: x\nseries: [{name: a, settings: {expect: hold}}]' | one of holds, violated",
                "'title: x\nseries: [{name: a, settings: {tables: maybe}}]' | true or false is wanted: tables=maybe",
                "'title: x\nseries: [{name: a, settings: {command: chek}}]' | one of check, watch, generate, version",
                "'title: x\nx: {vary: transactions, values: [many]}\nseries: [{name: a}]' | transactions=many",
                "'title: x\nx: {vary: keys, values: [1], with: {histories: [x]}}\nseries: [{name: a}]' | histories=x",
                "'title: x\nseries: [{name: a, goal: {cpu: soon}}]' | cpu=soon",
                "'title: x\nseries: [{name: a, goal: {to: a}}]' | a goal of an unknown quantity: known=wall,cpu,rss",
                "'title: x\nseries: [{name: a, goal: {cpu: 1}}]' | a ratio to which series? name=to cpu=1",
                "'title: x\nseries: [{name: a, goal: {cpu: 1, to: b}}]' | no series has that name: to=b",
                "'title: x\nx: {vary: keys, values: []}\nseries: [{name: a}]' | no values",
                "'title: x\nx: {vary: keys, values: [1]}\nruns: -1\nseries: [{name: a}]' | a positive number is wanted",
            })
    void planErrorIsReportedWithLocation(String text, String message) throws Exception {
        Path file = folder.resolve("p.yaml");
        Files.writeString(file, text);

        assertThatThrownBy(() -> ALONG.plan(file.toString()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("p.yaml")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "timekiller | 'Satisfy SESSION\nSatisfy SI\n' | holds",
                "timekiller | 'Satisfy SESSION\nDo NOT satisfy SI\nTotal 1 violation of SI is found' | violated",
                "timekiller | 'Do NOT satisfy SESSION\nSatisfy SI\n' | violated",
                "timekiller | 'Invalid history path' | unclear",
                "elle | 'h.edn \t true' | holds",
                "elle | 'h.edn \t false' | violated",
                "awdit | 'Done parsing: 3ms\nConsistent.\nDone checking: 1ms' | holds",
                "awdit | 'Inconsistent.' | violated",
                "plume | 'Construction: 1ms\n{}\n' | holds",
                "plume | '{AbortedRead=2}' | violated",
                "polysi | '[[[[ ACCEPT ]]]]' | holds",
                "polysi | '[[[[ REJECT ]]]]' | violated",
                "veristrong | 'accept: true' | holds",
                "veristrong | 'accept: false' | violated",
                "cobra | 'x [[[[ ACCEPT ]]]]' | holds",
                "cobra | 'x [[[[ REJECT ]]]]' | violated",
                "dbcop | 'hist-00000 done' | holds",
                "dbcop | 'hist-00000 failed - minimum level failed Causal' | violated",
                "viper | 'logs/a: True' | holds",
                "viper | 'logs/a: False' | violated",
            })
    void outputOfOtherCheckersIsParsed(String rival, String printed, String verdict) throws Exception {
        assertThat(ALONG.rival(rival).verdict(printed)).isEqualTo(verdict);
    }

    @Test
    void anAdaptersCommandIsFilledIn() throws Exception {
        CheckerAdapter adapter = ALONG.rival("timekiller");

        assertThat(adapter.missing(Map.of())).isEqualTo("environment=TIMEKILLER_JAR");
        assertThat(adapter.command(
                        Path.of("/h/a.json"), "ser", Path.of("/s"), Map.of("TIMEKILLER_JAR", "/opt/$1 tk.jar")))
                .containsExactly(
                        "java",
                        "-Xmx14g",
                        "-jar",
                        "/opt/$1 tk.jar",
                        "--consistency_model",
                        "SER",
                        "--history_path",
                        "/h/a.json");
    }
}
