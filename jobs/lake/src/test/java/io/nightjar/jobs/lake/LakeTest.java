package io.nightjar.jobs.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LakeTest {

    @TempDir
    Path folder;

    @Test
    void emptyOrMissingFolderMayBecomeLake() {
        Path missing = folder.resolve("deep/lake");

        LakeFixtures.writeRun(folder.resolve("."), "r1", "a", LakeFixtures.MIDNIGHT);
        LakeFixtures.writeRun(missing, "r1", "a", LakeFixtures.MIDNIGHT);

        assertThat(Lake.open(missing).completeRuns()).containsExactly("r1");
    }

    @Test
    void lakeIsValidThroughoutFirstRun() throws Exception {
        ExecutorService writer = Executors.newSingleThreadExecutor();
        try {
            for (int round = 0; round < 100; round++) {
                Path lake = folder.resolve("lake-" + round);
                Future<?> run = writer.submit(() -> LakeFixtures.writeRun(lake, "r1", "a", LakeFixtures.MIDNIGHT));
                while (!run.isDone()) {
                    Lake.open(lake);
                }
                run.get();
                assertThat(Lake.open(lake).completeRuns()).containsExactly("r1");
            }
        } finally {
            writer.shutdownNow();
        }
    }

    @Test
    void aFolderWithForeignFilesIsNotALake() throws IOException {
        Files.writeString(folder.resolve("notes.txt"), "mine");

        assertThatThrownBy(() -> Lake.open(folder))
                .isInstanceOf(UsageException.class)
                .hasMessage("[" + folder + "] not a lake: missing=_runs; "
                        + "name a directory that nightjar wrote, an empty one or a new one");
    }

    @Test
    void aFileIsNotALake() throws IOException {
        Path file = Files.writeString(folder.resolve("lake"), "");

        assertThatThrownBy(() -> Lake.open(file)).isInstanceOf(UsageException.class);
    }

    @Test
    void missingLakeIsWrongUsage() {
        Path missing = folder.resolve("lake");

        assertThatThrownBy(() -> Lake.openExisting(missing))
                .isInstanceOf(UsageException.class)
                .hasMessage("[" + missing + "] no such lake; nightjar check --lake " + missing + " HISTORY writes one");
    }

    @Test
    void aCompleteRunGivesItsResultBack() {
        LakeFixtures.writeRun(folder, "r1", "orders.parquet", LakeFixtures.MIDNIGHT, "x");

        StoredRun run = Lake.open(folder).completedRun("r1").orElseThrow();

        RunResult expected = LakeFixtures.result("r1", 1);
        assertThat(run.result()).isEqualTo(expected);
        assertThat(run.facts()).isEqualTo(LakeFixtures.facts(LakeFixtures.MIDNIGHT));
        assertThat(run.historyId()).isEqualTo(LakeNames.historyId("orders.parquet"));
        assertThat(run.schemaVersion()).isEqualTo(Lake.SCHEMA_VERSION);
    }

    @Test
    void sameOptionsAndInputMatchStoredRunDespiteSpacing() {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT);
        StoredRun run = Lake.open(folder).completedRun("r1").orElseThrow();

        assertThat(run.matches(LakeFixtures.OPTIONS.replace(":", " : "), "sha256:abc"))
                .isTrue();
        assertThat(run.matches("{\"level\":[\"serializable\"]}", "sha256:abc")).isFalse();
        assertThat(run.matches(LakeFixtures.OPTIONS, "sha256:def")).isFalse();
    }

    @Test
    void anUnknownRunIsNotComplete() {
        assertThat(Lake.open(folder).completedRun("r1")).isEmpty();
    }

    @Test
    void aRunWithoutSuccessFileIsNotComplete() throws IOException {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT, "x");
        Files.delete(folder.resolve("_runs/r1/_SUCCESS"));
        Lake lake = Lake.open(folder);

        assertThat(lake.completedRun("r1")).isEmpty();
        assertThat(lake.completeRuns()).isEmpty();
        assertThat(lake.files(LakeTable.ANOMALIES, lake.completeRuns())).isEmpty();
    }

    @Test
    void filesAreThoseOfTheRunsAskedFor() {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT, "x");
        LakeFixtures.writeRun(folder, "r2", "b", LakeFixtures.MIDNIGHT, "x");
        Lake lake = Lake.open(folder);

        assertThat(lake.completeRuns()).containsExactly("r1", "r2");
        assertThat(lake.files(LakeTable.ANOMALIES, Set.of("r2")))
                .singleElement()
                .asString()
                .endsWith("/run_id=r2/part-00000.parquet");
    }

    @Test
    void aDamagedRunFileIsAFailureOfStorage() throws IOException {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT);
        Files.writeString(folder.resolve("_runs/r1/run.json"), "{\"run_id\":");

        assertThatThrownBy(() -> Lake.open(folder).completedRun("r1"))
                .isInstanceOf(LakeException.class)
                .hasMessageStartingWith("[" + folder.resolve("_runs/r1/run.json") + "] cannot read run: reason=");
    }
}
