package io.nightjar.jobs.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.watch.WatchFeeds.FeedPlan;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bad rows of a compressed file, which is read as a whole. */
class TailFeedTest {

    private static final int BAD_ROWS = 40_000;
    private static final int MAX_PASSED_AT_ONCE = 1 << 14;

    @TempDir
    private Path folder;

    private final List<Integer> passed = new ArrayList<>(); // bad rows with each arrival
    private final List<FeedPosition> positions = new ArrayList<>();

    @Test
    void badRowsOfCompressedFileArriveInBoundedBatches() throws Exception {
        Path file = compressed("nonsense\n".repeat(BAD_ROWS) + "{\"txn\":1,\"session\":1,\"seq\":0,\"ops\":[]}\n");

        read(file, Map.of());

        assertThat(passed).allMatch(count -> count <= MAX_PASSED_AT_ONCE);
        assertThat(passed.stream().mapToInt(count -> count).sum()).isEqualTo(BAD_ROWS);
        assertThat(positions.get(positions.size() - 1).bytes()).isEqualTo(Files.size(file));
    }

    @Test
    void badRowsBeforeCheckpointAreNotRepeated() throws Exception {
        Path file = compressed("nonsense\n".repeat(BAD_ROWS));
        read(file, Map.of());
        FeedPosition first = positions.get(0);
        int countBefore = passed.get(0);
        passed.clear();

        read(file, Map.of(file.toString(), first));

        assertThat(passed.stream().mapToInt(count -> count).sum()).isEqualTo(BAD_ROWS - countBefore);
        assertThat(positions.get(positions.size() - 1).bytes()).isEqualTo(Files.size(file));
    }

    private Path compressed(String rows) throws Exception {
        Path file = folder.resolve("h.jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(rows.getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    private void read(Path file, Map<String, FeedPosition> from) throws Exception {
        FeedPlan plan = new FeedPlan(file.toString(), new FeedShare(0, 1), true, false, List.of());
        int[] waiting = {0};
        new TailFeed(plan, file, from, ProgressListener.NONE).run(new ArrivalSink() {
            @Override
            public void put(@Nullable HistorySlice slice, FeedPosition position) {
                if (slice != null || waiting[0] > 0) {
                    passed.add(waiting[0]);
                    positions.add(position);
                }
                waiting[0] = 0;
            }

            @Override
            public BadRowHandler badRows() {
                return (name, row, fault, rawText) -> waiting[0]++;
            }

            @Override
            public boolean isClosed() {
                return false;
            }
        });
    }
}
