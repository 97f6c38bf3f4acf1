package io.nightjar.jobs.flink;

import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.local.CheckOptions;
import io.nightjar.jobs.local.Watcher;
import java.io.IOException;
import java.nio.file.Path;

/** Checks one history on a Flink cluster. */
public final class FlinkEngine {

    public FlinkEngine(CheckOptions options, FlinkOptions flink, String checkerVersion, Watcher watcher) {}

    public RunResult check(Path history, String from) throws IOException {
        throw new UnsupportedOperationException("history=" + history + " from=" + from);
    }
}
