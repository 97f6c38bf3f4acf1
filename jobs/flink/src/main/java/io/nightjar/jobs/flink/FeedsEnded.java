package io.nightjar.jobs.flink;

import org.apache.flink.api.connector.source.SourceEvent;

/** A message from a task that its sources have ended, and back to each task that all sources have ended. */
final class FeedsEnded implements SourceEvent {

    private static final long serialVersionUID = 1;
}
