package io.nightjar.jobs.flink;

import io.nightjar.jobs.run.Watcher;
import io.nightjar.jobs.watch.LiveJob;
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
    public LiveJob create(
            WatchOptions options,
            @Nullable Integer parallelism,
            @Nullable String cluster,
            InputStream stdin,
            Watcher watcher) {
        return new WatchOnFlink(options, FlinkOptions.of(parallelism, cluster), stdin, watcher);
    }
}
