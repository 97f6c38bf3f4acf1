package io.nightjar.jobs.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While the check takes nothing of what has arrived, senders have to wait, and nothing is lost. */
@Timeout(180)
class BusyWatchTest {

    private static final int ROWS = 200_000;
    private static final String OPS = "[\"w\",%d,%d]," + "[\"r\",1,null],".repeat(12) + "[\"r\",2,null]";

    @Test
    void aSocketIsNotReadWhileTheCheckIsBusy() throws Exception {
        SocketFeed feed = new SocketFeed("tcp://test", new InetSocketAddress("127.0.0.1", 0), true, new Silent());
        FeedThreads feeds = new FeedThreads(List.of(feed), 1 << 20, () -> {});
        feeds.start();
        AtomicLong sent = new AtomicLong();
        CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> send(feed.port(), sent));
        long before = -1;
        while (before != sent.get() && sent.get() < ROWS) { // until it does not get any farther
            before = sent.get();
            Thread.sleep(1_000);
        }

        assertThat(sent.get()).as("rows sent while none was taken").isLessThan(ROWS);

        long taken = 0;
        while (taken < ROWS) {
            Arrival arrival = feeds.poll(TimeUnit.SECONDS.toNanos(60));
            assertThat(arrival).as("after %d rows", taken).isNotNull();
            taken += arrival.slice().txnCount;
        }
        sending.get(60, TimeUnit.SECONDS);
        assertThat(taken).isEqualTo(ROWS);
    }

    private static void send(int port, AtomicLong sent) {
        try (Socket socket = new Socket("127.0.0.1", port);
                OutputStream out = socket.getOutputStream()) {
            for (int row = 0; row < ROWS; row++) {
                String text = "{\"txn\":%d,\"session\":1,\"seq\":%d,\"start\":%d,\"commit\":%d,\"ops\":[%s]}\n"
                        .formatted(row, row, 2 * row, 2 * row + 1, OPS.formatted(row, row));
                out.write(text.getBytes(StandardCharsets.US_ASCII));
                sent.incrementAndGet();
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static final class Silent implements ProgressListener {

        @Override
        public Task begin(String what, long total) {
            return amount -> {};
        }

        @Override
        public void printNote(String message) {}
    }
}
