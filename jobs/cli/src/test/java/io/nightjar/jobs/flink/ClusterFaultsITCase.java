package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.datasets.inject.Fault;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.cluster.ClusterOptions;
import io.nightjar.jobs.cluster.LocalCluster;
import io.nightjar.jobs.cluster.Waiting;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.RunWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes are killed in the middle of a check on a cluster: the lake then contains a whole run, or none. */
@Tag("slow")
class ClusterFaultsITCase {

    private static final int TASK_MANAGERS = 2;

    /** Enough for the dependencies of a whole history in one task. */
    private static final long MEMORY = 900L << 20;

    private static final int VIOLATED = 1;
    private static final int TERMINATED = 143;

    /**
     * Reports that stopped processes sent before have arrived then, see rest.cache.execution-graph.timeout in their
     * configuration.
     */
    private static final int REPORTS_ARRIVE_MS = 300;

    /** Shorter than the duration of a stage on a quick machine. */
    private static final int TURN_MS = 40;

    private static final int MAX_ATTEMPTS = 3;

    @TempDir
    static Path folder;

    private static Path timestamps;
    private static Path values;
    private static Path lakeRoot;
    private static LocalCluster cluster;
    private static ClusterView view;

    @BeforeAll
    static void startCluster() throws Exception {
        timestamps = folder.resolve("timestamps.parquet");
        values = folder.resolve("values.jsonl");
        lakeRoot = folder.resolve("lake");
        writeTimestamps();
        TenantHistory.write(values, 200, 40_000);
        cluster = LocalCluster.start(
                new ClusterOptions(TASK_MANAGERS, 1, 0, MEMORY, folder.resolve("cluster"), CheckProcess.SHORT_LIVED));
        view = new ClusterView(cluster.restAddress());
        for (Path history : List.of(timestamps, values)) {
            assertViolated(undisturbed(history), history);
        }
        new LakeComparison(lakeRoot).assertNothingElse();
    }

    private static void writeTimestamps() throws IOException {
        GeneratorOptions options = GeneratorOptions.builder()
                .store(StoreKind.SER)
                .transactions(100_000)
                .faults(Fault.parseCounts("stale-read=40,lost-update=40,session-break=10"))
                .build();
        try (HistoryWriter writer = Histories.create(timestamps, null)) {
            HistoryGenerator.generate(options, writer::write);
            writer.finish();
        }
    }

    @AfterAll
    static void closeCluster() throws IOException {
        if (cluster != null) {
            cluster.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "check-lanes"})
    void aTaskManagerThatIsLostWithTimestampsChangesNothing(String stage) throws Exception {
        assertSameWithoutTaskManager(timestamps, stage);
    }

    @Test
    void aTaskManagerThatIsLostWithValuesChangesNothing() throws Exception {
        assertSameWithoutTaskManager(values, "check-values");
    }

    private static void assertSameWithoutTaskManager(Path history, String stage) throws Exception {
        String run = "without-" + stage;
        try (CheckProcess check = check(run, history)) {
            killTaskManagerIn(run, stage, check);
            cluster.startTaskManager();

            assertViolated(run, check);
            assertThat(view.failuresOf(run)).isNotEmpty();
        }
        assertWhole(run, history);
    }

    /** No task of the job runs on it any more, but it stores the data that the job read. */
    @Test
    void hangingTaskManagerDoesNotChangeResult() throws Exception {
        int attempt = 1;
        while (!isSameBesideHungTaskManager("beside-hung-" + attempt)) {
            assertThat(attempt++).as("checks whose stage was not noticed").isLessThan(MAX_ATTEMPTS);
        }
    }

    /** Returns false if the stage began and ended unnoticed, so that no TaskManager was stopped. */
    private static boolean isSameBesideHungTaskManager(String run) throws Exception {
        try (CheckProcess check = check(run, timestamps)) {
            int hung = stopTaskManager(run, "read", "validate", check);
            if (hung < 0) {
                return false;
            }
            try {
                assertViolated(run, check);
                assertThat(view.hasFailedWith(run, "a TaskManager sends nothing"))
                        .as("%s", view.failuresOf(run))
                        .isTrue();
            } finally {
                cluster.killTaskManager(hung);
                cluster.startTaskManager();
            }
        }
        assertWhole(run, timestamps);
        return true;
    }

    /** A TaskManager that is regarded as lost may be alive and hold its run; here this process holds it. */
    @Test
    void runHeldByLostTaskManagerIsAwaited() throws Exception {
        try (CheckProcess check = check("held", timestamps)) {
            killTaskManagerIn("held", "write", check);
            try (RunWriter holder = Lake.open(lakeRoot).begin("held", "h-of-nobody")) {
                cluster.startTaskManager();
                Waiting.until("a refusal", () -> view.hasFailedWith("held", "an attempt before may still write"));
                assertThat(holder.runId()).isEqualTo("held");
            }
            assertViolated("held", check);
        }
        assertWhole("held", timestamps);
    }

    @Test
    void lostJobManagerLeavesNoRunUntilCallIsRepeated() throws Exception {
        try (CheckProcess check = check("orphan", timestamps)) {
            Waiting.until("the check of lanes", () -> isUnderWay("orphan", "check-lanes", check));
            cluster.killJobManager();

            assertThat(check.code()).as("%s", check).isEqualTo(75);
            assertThat(check.out()).contains("\"verdict\":\"failed\",\"error\":\"cluster failed: lost the job: ");
            assertThat(check.err())
                    .startsWith("nightjar: cluster failed: lost the job: ")
                    .hasLineCount(1);
        }
        assertThat(visibleRuns()).doesNotContain("orphan");

        cluster.startJobManager();
        cluster.awaitTaskManagers(TASK_MANAGERS);
        assertViolated("orphan", timestamps);
        assertWhole("orphan", timestamps);
    }

    @Test
    void jobOfDeadClientIsCanceledAndRepeatedCallCompletes() throws Exception {
        try (CheckProcess check = check("abandoned", timestamps)) {
            Waiting.until("the first reading", () -> isUnderWay("abandoned", "read", check));
            check.kill();
        }
        killTaskManagers(); // so that the job cannot end before its client is missed
        Waiting.until("the end of the job", () -> "CANCELED".equals(view.stateOf("abandoned")));
        assertThat(visibleRuns()).doesNotContain("abandoned");

        startTaskManagers();
        assertViolated("abandoned", timestamps);
        assertWhole("abandoned", timestamps);
    }

    @Test
    void aClientThatIsInterruptedCancelsItsJob() throws Exception {
        List<Long> pids = cluster.taskManagerPids();
        try (CheckProcess check = check("interrupted", timestamps)) {
            Waiting.until("the first reading", () -> isUnderWay("interrupted", "read", check));
            signal("STOP", pids); // so that the job cannot end before its client does
            check.terminate();

            assertThat(check.code()).as("%s", check).isEqualTo(TERMINATED);
            assertThat(check.out() + check.err()).isEmpty();
        } finally {
            signal("CONT", pids);
        }
        Waiting.until("the end of the job", () -> "CANCELED".equals(view.stateOf("interrupted")));
        assertThat(visibleRuns()).doesNotContain("interrupted");
    }

    // ------------------------------------------------------------------------------------------------ kills

    private static CheckProcess check(String run, Path history) throws IOException {
        return CheckProcess.start(
                folder,
                "--engine=flink",
                "--cluster=" + cluster.restAddress(),
                "--parallelism=2",
                "--lake=" + lakeRoot,
                "--run-id=" + run,
                "--level=" + (history.equals(values) ? "ra,si,ser" : "si,ser"),
                history.toString());
    }

    private static boolean isUnderWay(String run, String stage, CheckProcess check) throws IOException {
        if (check.hasEnded()) {
            throw new AssertionError("check ended before it reached a stage: stage=" + stage + " " + check);
        }
        return !view.taskManagersOf(run, stage).isEmpty();
    }

    /**
     * Kills a TaskManager that has a task of this stage. All are stopped first, so that the stage cannot end between
     * the detection that it runs and the kill.
     */
    private static void killTaskManagerIn(String run, String stage, CheckProcess check) throws Exception {
        while (true) {
            Waiting.until(stage, () -> isUnderWay(run, stage, check));
            signal("STOP", cluster.taskManagerPids());
            Thread.sleep(REPORTS_ARRIVE_MS);
            List<Integer> running = view.taskManagersOf(run, stage);
            if (!running.isEmpty()) {
                cluster.killTaskManager(running.get(0));
                signal("CONT", cluster.taskManagerPids());
                return;
            }
            signal("CONT", cluster.taskManagerPids());
        }
    }

    /**
     * Stops a TaskManager that has no task of this stage while it runs; it stays stopped. From the stage before on they
     * run only alternately, so that the stage hardly begins and ends unnoticed. Returns -1 if it did.
     */
    private static int stopTaskManager(String run, String before, String stage, CheckProcess check) throws Exception {
        Waiting.until(before, () -> isUnderWay(run, before, check));
        List<Long> pids = cluster.taskManagerPids();
        while (true) {
            signal("STOP", pids);
            Thread.sleep(REPORTS_ARRIVE_MS);
            List<Integer> running = view.taskManagersOf(run, stage);
            if (!running.isEmpty()) {
                int chosen = IntStream.range(0, pids.size())
                        .filter(number -> isRunning(pids.get(number)) && !running.contains(number))
                        .findFirst()
                        .orElseThrow();
                List<Long> others = new ArrayList<>(pids);
                others.remove(chosen);
                signal("CONT", others);
                return chosen;
            }
            signal("CONT", pids);
            if (check.hasEnded()) {
                return -1;
            }
            Thread.sleep(TURN_MS);
        }
    }

    private static void killTaskManagers() {
        for (int number = 0; number < cluster.taskManagerPids().size(); number++) {
            cluster.killTaskManager(number);
        }
    }

    private static void startTaskManagers() throws Exception {
        for (int i = 0; i < TASK_MANAGERS; i++) {
            cluster.startTaskManager();
        }
        cluster.awaitTaskManagers(TASK_MANAGERS);
    }

    private static boolean isRunning(long pid) {
        return ProcessHandle.of(pid).filter(Waiting::isRunning).isPresent();
    }

    private static void signal(String name, List<Long> pids) throws Exception {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        for (long pid : pids) {
            if (isRunning(pid)) {
                command.add(String.valueOf(pid));
            }
        }
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    // ------------------------------------------------------------------------------------------------ results

    private static Set<String> visibleRuns() {
        return Lake.openExisting(lakeRoot).completeRuns();
    }

    private static String undisturbed(Path history) {
        return "undisturbed-" + history.getFileName().toString().split("\\.")[0];
    }

    private static void assertViolated(String run, Path history) throws Exception {
        try (CheckProcess check = check(run, history)) {
            assertViolated(run, check);
        }
    }

    private static void assertViolated(String run, CheckProcess check) throws Exception {
        int code = check.code();
        assertThat(code)
                .as("%s failures=%s", check, code == VIOLATED ? "" : view.failuresOf(run))
                .isEqualTo(VIOLATED);
    }

    private static void assertWhole(String run, Path history) throws Exception {
        LakeComparison comparison = new LakeComparison(lakeRoot);
        comparison.assertSame(undisturbed(history), run);
        comparison.assertNothingElse();
    }
}
