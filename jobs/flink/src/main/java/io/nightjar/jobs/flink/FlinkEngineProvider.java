package io.nightjar.jobs.flink;

import io.nightjar.jobs.run.CheckEngine;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.EngineProvider;
import io.nightjar.jobs.run.ProgressListener;
import org.jspecify.annotations.Nullable;

/** Creates the engine {@code flink}. */
public final class FlinkEngineProvider implements EngineProvider {

    @Override
    public String name() {
        return "flink";
    }

    @Override
    public CheckEngine create(
            CheckOptions options,
            @Nullable Integer parallelism,
            @Nullable String cluster,
            String checkerVersion,
            ProgressListener watcher) {
        return new FlinkEngine(options, FlinkOptions.of(parallelism, cluster), checkerVersion, watcher);
    }
}
