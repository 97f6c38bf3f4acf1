package io.nightjar.jobs.flink;

import org.apache.flink.api.connector.source.SourceEvent;

/** Says of one task that its sources have ended, and back to each that those of all have. */
final class FeedsEnded implements SourceEvent {

    private static final long serialVersionUID = 1;
}
