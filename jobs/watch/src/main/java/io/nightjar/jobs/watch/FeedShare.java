package io.nightjar.jobs.watch;

/**
 * Part of a source, for each of several feeds: some files of a directory, or some partitions of a topic.
 *
 * @param number of the part, from 0
 * @param count number of parts
 */
record FeedShare(int number, int count) {

    /** The whole source. */
    static final FeedShare WHOLE = new FeedShare(0, 1);

    boolean hasPartition(int partition) {
        return partition % count == number;
    }

    boolean hasFile(String name) {
        return count == 1 || Math.floorMod(name.hashCode(), count) == number;
    }
}
