package io.nightjar.jobs.run;

import io.nightjar.jobs.UsageException;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Creates an engine that is not the threads of this process; found by {@link ServiceLoader}. */
public interface EngineProvider {

    /** Returns the name that {@code --engine} spells. */
    String name();

    /**
     * @param parallelism null for the default of the cluster
     * @param cluster host and port of a running cluster; null for one inside this process
     */
    CheckEngine create(
            CheckOptions options,
            @Nullable Integer parallelism,
            @Nullable String cluster,
            String checkerVersion,
            ProgressListener watcher);

    /** @throws UsageException if this distribution does not include the engine */
    static EngineProvider named(String name) {
        for (EngineProvider provider :
                ServiceLoader.load(EngineProvider.class, EngineProvider.class.getClassLoader())) {
            if (provider.name().equals(name)) {
                return provider;
            }
        }
        throw new UsageException("engine is not in this distribution: engine=" + name + "; use --engine local");
    }
}
