package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A job says nothing of a history that is not the one it was planned for. */
@Tag("slow")
@Tag("slow")
class ChangedHistoryTest {

    private static final String WRITES =
            "{\"txn\":1,\"session\":0,\"start\":1,\"commit\":2,\"ops\":[[\"w\",\"x\",1]]}\n";
    private static final String READS =
            "{\"txn\":2,\"session\":1,\"start\":3,\"commit\":4,\"ops\":[[\"r\",\"x\",%d]]}\n";

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(Evidence.class)
    void aHistoryThatIsReplacedBeforeItIsReadGetsNoVerdictAndNoRun(Evidence evidence) throws Exception {
        Path history = Files.writeString(folder.resolve("history.jsonl"), WRITES + READS.formatted(1));
        EmbeddedCluster cluster = new EmbeddedCluster(1, folder);
        try (FlinkEngine engine = new FlinkEngine(
                options(evidence),
                1,
                "test",
                ProgressListener.NONE,
                new Before(cluster, () -> Files.writeString(history, WRITES + READS.formatted(7))),
                Long.MAX_VALUE)) {
            assertThatThrownBy(() -> engine.check(history, null))
                    .isInstanceOf(ChangedInputException.class)
                    .hasMessageStartingWith("[" + history);
        }
        assertThat(Lake.open(folder.resolve("lake")).completeRuns()).isEmpty();
    }

    private CheckOptions options(Evidence evidence) {
        return CheckOptions.of(List.of(IsolationLevel.SNAPSHOT_ISOLATION))
                .evidence(evidence)
                .lake(folder.resolve("lake"))
                .runId("changed")
                .search(new CheckOptions.Search(600_000_000_000L, 0, false))
                .threadCount(1)
                .memoryBytes(256L << 20)
                .spillParent(folder)
                .build();
    }

    /** What happens when a job was planned and before it runs. */
    @FunctionalInterface
    private interface Event {
        void happen() throws IOException;
    }

    private static final class Before extends ForwardingRunner {

        private final Event event;

        Before(JobRunner runner, Event event) {
            super(runner);
            this.event = event;
        }

        @Override
        public JobReply run(StreamExecutionEnvironment env, String jobName, Consumer<Map<String, Object>> counted)
                throws Exception {
            event.happen();
            return super.run(env, jobName, counted);
        }
    }
}
