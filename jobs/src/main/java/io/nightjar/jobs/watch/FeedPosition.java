package io.nightjar.jobs.watch;

/**
 * How far a source was read.
 *
 * @param name the file, or what the source is called
 * @param bytes read and decoded of it
 * @param lines in those bytes
 */
record FeedPosition(String name, long bytes, long lines) {}
