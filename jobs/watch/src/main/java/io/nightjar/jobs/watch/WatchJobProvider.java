package io.nightjar.jobs.watch;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.run.ProgressListener;
import java.io.InputStream;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Creates the job of a watch on an engine that is not this process; found by {@link ServiceLoader}. */
public interface WatchJobProvider {

    /** Returns the name that {@code --engine} spells. */
    String name();

    /**
     * @param parallelism null for the default of the cluster
     * @param cluster host and port of a running cluster; null for one inside this process
     */
    RemoteWatchJob create(
            WatchOptions options,
            @Nullable Integer parallelism,
            @Nullable String cluster,
            InputStream stdin,
            ProgressListener watcher);

    /** @throws UsageException if this distribution does not include the engine */
    static WatchJobProvider named(String name) {
        for (WatchJobProvider provider :
                ServiceLoader.load(WatchJobProvider.class, WatchJobProvider.class.getClassLoader())) {
            if (provider.name().equals(name)) {
                return provider;
            }
        }
        throw new UsageException("engine is not in this distribution: engine=" + name + "; use --engine local");
    }
}
