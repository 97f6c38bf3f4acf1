package io.nightjar.jobs.lake;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Encodes rows on a separate thread while the caller makes the next ones: one batch is filled while the other is
 * written.
 *
 * <p>One thread adds. Rows reach their files in the order in which they were added. A run of few rows never has the
 * second thread.
 */
final class AsyncRowEncoder implements AutoCloseable {

    private static final int BATCH = 1_024;

    /** Rows that are written at once, before a thread is worth its start. */
    private static final int FEW = 4 * BATCH;

    /** The destination of a row: a file. */
    interface Target {
        void add(LakeRow row);
    }

    private final boolean hasCores = Runtime.getRuntime().availableProcessors() > 1;
    private long direct;
    private Target[] files = new Target[BATCH];
    private LakeRow[] rows = new LakeRow[BATCH];
    private int count;

    // the batch that is being written
    private Target[] writingFiles = new Target[BATCH];
    private LakeRow[] writingRows = new LakeRow[BATCH];
    private @Nullable Future<?> writing;
    private @Nullable ExecutorService thread;

    void add(Target file, LakeRow row) {
        if (!hasCores || direct < FEW) {
            direct++;
            file.add(row);
            return;
        }
        files[count] = file;
        rows[count++] = row;
        if (count == BATCH) {
            handOver();
        }
    }

    private void handOver() {
        await();
        Target[] toFiles = files;
        LakeRow[] toWrite = rows;
        int many = count;
        files = writingFiles;
        rows = writingRows;
        count = 0;
        writingFiles = toFiles;
        writingRows = toWrite;
        if (thread == null) {
            thread = Executors.newSingleThreadExecutor(task -> {
                Thread made = new Thread(task, "rows");
                made.setDaemon(true);
                return made;
            });
        }
        writing = thread.submit(() -> {
            for (int i = 0; i < many; i++) {
                toFiles[i].add(toWrite[i]);
                toWrite[i] = null;
            }
        });
    }

    /** Returns when every row that was added is with its file. */
    void settle() {
        if (count > 0) {
            handOver();
        }
        await();
    }

    private void await() {
        boolean wasInterrupted = false;
        while (writing != null) {
            try {
                writing.get();
                writing = null;
            } catch (InterruptedException later) {
                wasInterrupted = true; // a batch is soon written, and must not be written to twice
            } catch (ExecutionException failed) {
                writing = null;
                rethrow(requireNonNull(failed.getCause()));
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void rethrow(Throwable cause) {
        if (cause instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        throw new AssertionError("rows are written without checked exceptions", cause);
    }

    /** Writes nothing more, but waits for the batch that is being written: its files must stay open until then. */
    @Override
    public void close() {
        count = 0;
        try {
            await();
        } finally {
            if (thread != null) {
                thread.shutdown();
            }
        }
    }
}
