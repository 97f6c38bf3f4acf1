package io.nightjar.jobs.flink;

import java.io.Serializable;

/** The request to read all operations again, into lanes, for the positions of transactions. */
record PlacePlan() implements Serializable {}
