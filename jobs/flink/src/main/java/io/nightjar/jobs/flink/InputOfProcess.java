package io.nightjar.jobs.flink;

import io.nightjar.jobs.run.Watcher;
import java.io.InputStream;

/** What tasks inside this process share with its command: standard input, and the listener for what they find. */
final class InputOfProcess {

    private static volatile InputStream stdin = InputStream.nullInputStream();
    private static volatile Watcher watcher = Watcher.NOBODY;

    private InputOfProcess() {}

    static void set(InputStream in, Watcher notes) {
        stdin = in;
        watcher = notes;
    }

    static InputStream stdin() {
        return stdin;
    }

    static Watcher watcher() {
        return watcher;
    }
}
