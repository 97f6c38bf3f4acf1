package io.nightjar.jobs.flink;

import org.apache.flink.api.common.BatchShuffleMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;

/**
 * Flink configuration of every job, except the settings that {@link CheckJob} makes because results depend on them.
 */
final class JobSettings {

    private JobSettings() {}

    /** Adds the settings to others. */
    static Configuration of(Configuration config) {
        config.set(ExecutionOptions.BATCH_SHUFFLE_MODE, BatchShuffleMode.ALL_EXCHANGES_BLOCKING);
        config.set(PipelineOptions.GENERIC_TYPES, false);
        config.set(PipelineOptions.OBJECT_REUSE, true);
        return config;
    }
}
