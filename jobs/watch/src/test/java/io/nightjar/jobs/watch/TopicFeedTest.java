package io.nightjar.jobs.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.topic.TopicReader;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** A topic whose broker goes away and comes back at will. */
class TopicFeedTest {

    private final List<String> seen = new ArrayList<>();

    @Test
    void brokerOutageAndReturnAreReportedOnce() throws Exception {
        run(new Scripted(null, "slow", "slower", null, "gone"));

        assertThat(seen)
                .containsSubsequence(
                        "note [kafka://a:1/t part 2 of 3] no answer from the broker: reason=slow;"
                                + " restart it, and the watch continues",
                        "note [kafka://a:1/t part 2 of 3] the broker answers again; the watch continues",
                        "note [kafka://a:1/t part 2 of 3] no answer from the broker: reason=gone;"
                                + " restart it, and the watch continues")
                .filteredOn(each -> each.startsWith("note "))
                .hasSize(3);
    }

    private void run(Scripted script) throws Exception {
        TopicFeed feed =
                new TopicFeed("kafka://a:1/t", script, false, Map.of(), new FeedShare(1, 3), new ProgressListener() {
                    @Override
                    public Task begin(String what, long total) {
                        return amount -> {};
                    }

                    @Override
                    public void printNote(String line) {
                        seen.add("note " + line);
                    }
                });
        feed.run(new ArrivalSink() {
            @Override
            public void put(HistorySlice slice, FeedPosition position) {
                seen.add("rows " + (position.bytes() - 1));
            }

            @Override
            public BadRowHandler badRows() {
                return (file, row, fault, rawText) -> seen.add(fault.text());
            }

            @Override
            public boolean isClosed() {
                return !script.silences.hasNext();
            }
        });
    }

    /** A message with each poll, of which two were there from the beginning. */
    private static final class Scripted implements TopicReader {

        private final Iterator<String> silences;
        private String silence;
        private int offset;

        Scripted(String... silences) {
            this.silences = Arrays.asList(silences).iterator();
        }

        @Override
        public void begin(Map<Integer, Long> offsets, IntPredicate wanted) {}

        @Override
        public void poll(Visitor to) throws IOException, InterruptedException {
            silence = silences.next();
            String row =
                    "{\"txn\":%d,\"session\":1,\"seq\":%d,\"ops\":[[\"w\",1,%d]]}".formatted(offset, offset, offset);
            to.message(1, offset++, row.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String silence() {
            return silence;
        }

        @Override
        public boolean isAtEnd() {
            return offset >= 2;
        }

        @Override
        public void close() {}
    }
}
