package io.nightjar.jobs.cli;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/** Writes slices on a separate thread, so that making them and encoding them overlap. */
final class WriterThread implements AutoCloseable {

    private static final int SLICES_WAITING = 8;

    private final HistoryWriter writer;
    private final BlockingQueue<Message> queue = new ArrayBlockingQueue<>(SLICES_WAITING);
    private final Thread thread;
    private volatile @Nullable Throwable failure;

    WriterThread(HistoryWriter writer) {
        this.writer = writer;
        this.thread = new Thread(this::run, "writer");
        thread.setDaemon(true);
        thread.start();
    }

    /** Queues a slice; throws the failure of an earlier one. */
    void write(HistorySlice slice) throws IOException {
        throwFailure();
        put(new Message(slice));
    }

    /** Waits until all slices are written and makes the file visible. */
    void finish() throws IOException {
        put(Message.END);
        join();
        throwFailure();
        writer.finish();
    }

    /** Ends the thread; without a {@link #finish} before, deletes the file. */
    @Override
    public void close() throws IOException {
        thread.interrupt();
        join();
        writer.close();
    }

    private void run() {
        try {
            for (Message message = queue.take(); message != Message.END; message = queue.take()) {
                if (failure == null) {
                    write(message);
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Stores a failure and continues to take messages, so that the other side never waits for a queue that stays full.
     */
    private void write(Message message) {
        try {
            writer.write(requireNonNull(message.slice()));
        } catch (IOException | RuntimeException | Error thrown) {
            failure = thrown;
        }
    }

    private void put(Message message) throws IOException {
        try {
            queue.put(message);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while writing");
        }
    }

    private void join() throws IOException {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while writing");
        }
    }

    private void throwFailure() throws IOException {
        if (failure instanceof IOException storage) {
            throw storage;
        }
        if (failure instanceof RuntimeException wrong) {
            throw wrong;
        }
        if (failure instanceof Error fatal) {
            throw fatal;
        }
    }

    private record Message(@Nullable HistorySlice slice) {

        static final Message END = new Message(null);
    }
}
