package io.nightjar.jobs.flink;

import io.nightjar.jobs.run.ProgressListener;
import java.io.InputStream;

/** Objects that tasks inside this process share with its command: standard input, and the listener for findings. */
final class EmbeddedInput {

    private static volatile InputStream stdin = InputStream.nullInputStream();
    private static volatile ProgressListener watcher = ProgressListener.NONE;

    private EmbeddedInput() {}

    static void set(InputStream in, ProgressListener notes) {
        stdin = in;
        watcher = notes;
    }

    static InputStream stdin() {
        return stdin;
    }

    static ProgressListener watcher() {
        return watcher;
    }
}
