package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.run.ProgressListener;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobProgressTest {

    private final Map<String, String> shown = new LinkedHashMap<>();

    private final ProgressListener watcher = new ProgressListener() {
        @Override
        public Task begin(String what, long total) {
            shown.put(what, "0 of " + total);
            return new Task() {
                private long done;

                @Override
                public void advance(long amount) {
                    done += amount;
                    shown.put(what, done + " of " + total);
                }

                @Override
                public void close() {
                    shown.remove(what);
                }
            };
        }

        @Override
        public void printNote(String line) {}
    };

    @Test
    void stageIsShownWhileItRuns() {
        JobProgress progress = new JobProgress(8, 32, 100, watcher);
        progress.accept(Map.of("done read", 0L));
        assertThat(shown).isEmpty();
        progress.accept(Map.of("done read", 30L));
        assertThat(shown).containsOnly(Map.entry("read", "30 of 100"));
        progress.accept(Map.of("done read", 100L, "done validate", 10L));
        assertThat(shown).containsOnly(Map.entry("validate", "10 of 100"));
        progress.close();
        assertThat(shown).isEmpty();
    }

    @Test
    void transactionTotalIsKnownAfterReading() {
        JobProgress progress = new JobProgress(8, 32, -1, watcher);
        progress.accept(Map.of("done read", 30L));
        assertThat(shown).containsOnly(Map.entry("read", "30 of -1"));
        progress.accept(Map.of("done read", 70L, "done validate-parts", 10L));
        assertThat(shown).containsOnly(Map.entry("validate-parts", "10 of 70"));
    }

    @Test
    void lanesAreShownBeforeTheFirstIsDone() {
        JobProgress progress = new JobProgress(8, 32, 100, watcher);
        progress.accept(Map.of("done read", 100L, "total check-lanes", 4L));
        assertThat(shown).containsOnly(Map.entry("check-lanes", "0 of 8"));
        progress.accept(Map.of("done read", 100L, "total check-lanes", 8L, "done check-lanes", 8L));
        assertThat(shown).isEmpty();
    }

    @Test
    void repeatedWorkReducesShownProgress() {
        JobProgress progress = new JobProgress(8, 32, 100, watcher);
        progress.accept(Map.of("done read", 100L, "done validate", 50L));
        progress.accept(Map.of("done read", 40L, "done validate", 0L));
        assertThat(shown).containsOnly(Map.entry("read", "40 of 100"));
        progress.accept(Map.of("done read", 20L));
        assertThat(shown).containsOnly(Map.entry("read", "20 of 100"));
    }
}
