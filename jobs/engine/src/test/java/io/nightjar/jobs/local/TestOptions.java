package io.nightjar.jobs.local;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.jobs.run.CheckOptions.Search;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.pipeline.infer.VersionSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Options of checks by values, by default all six levels. */
final class TestOptions {

    private List<IsolationLevel> levels = IsolationLevel.all();
    private Evidence evidence = Evidence.VALUES;
    private String initialValue;
    private Path lake;
    private String runId;
    private long budgetMillis = 60_000;
    private boolean crossChecks;
    private Set<VersionSource> versionOrders = EnumSet.noneOf(VersionSource.class);
    private Path witness;
    private int threads = 1;

    TestOptions levels(IsolationLevel... wanted) {
        levels = List.of(wanted);
        return this;
    }

    TestOptions evidence(Evidence trusted) {
        evidence = trusted;
        return this;
    }

    TestOptions initialValue(String value) {
        initialValue = value;
        return this;
    }

    TestOptions lake(Path folder, String run) {
        lake = folder;
        runId = run;
        return this;
    }

    TestOptions budgetMillis(long millis) {
        budgetMillis = millis;
        return this;
    }

    TestOptions crossChecks(boolean isWanted) {
        crossChecks = isWanted;
        return this;
    }

    TestOptions versionOrders(Set<VersionSource> sources) {
        versionOrders = sources;
        return this;
    }

    TestOptions witness(Path file) {
        witness = file;
        return this;
    }

    TestOptions threads(int count) {
        threads = count;
        return this;
    }

    CheckOptions build() {
        long nanos = budgetMillis * 1_000_000;
        return CheckOptions.of(levels)
                .evidence(evidence)
                .initialValue(initialValue)
                .maxAnomalies(1_000)
                .lake(lake)
                .runId(runId)
                .search(new Search(nanos, nanos, crossChecks))
                .versionOrders(versionOrders)
                .witness(witness)
                .threadCount(threads)
                .memoryBytes(TestHistories.MUCH_MEMORY)
                .build();
    }

    RunResult check(Path history, String format) throws IOException {
        try (HistorySource source = Histories.open(history, format)) {
            return new LocalEngine(build(), "test", ProgressListener.NONE).check(source, history);
        }
    }

    RunResult check(Path history) throws IOException {
        return check(history, null);
    }
}
