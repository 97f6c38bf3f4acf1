package io.nightjar.jobs.flink;

import java.util.List;

/** Splits of a watch that are not assigned to a task. */
record FeedSplits(List<FeedSplit> all) {}
