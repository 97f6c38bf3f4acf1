package io.nightjar.jobs.flink;

import io.nightjar.formats.history.Reading;
import java.io.Serializable;

/**
 * What the first reading of a split came to, for the tasks that read it again and must find the same.
 *
 * @param split its ordinal
 * @param reading null if it was not read to its end
 */
record ReadingMessage(int split, Reading reading) implements Serializable {}
