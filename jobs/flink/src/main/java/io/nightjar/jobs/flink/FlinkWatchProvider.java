package io.nightjar.jobs.flink;

import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.watch.RemoteWatchJob;
import io.nightjar.jobs.watch.WatchJobProvider;
import io.nightjar.jobs.watch.WatchOptions;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Creates the job of a watch with {@code --engine flink}. */
public final class FlinkWatchProvider implements WatchJobProvider {

    @Override
    public String name() {
        return "flink";
    }

    @Override
    public RemoteWatchJob create(
            WatchOptions options,
            @Nullable Integer parallelism,
            @Nullable String cluster,
            InputStream stdin,
            ProgressListener watcher) {
        return new FlinkWatch(options, FlinkOptions.of(parallelism, cluster), stdin, watcher);
    }
}
