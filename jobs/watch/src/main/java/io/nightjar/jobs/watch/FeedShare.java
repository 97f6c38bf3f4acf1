package io.nightjar.jobs.watch;

/**
 * Which part of a source one of several feeds reads: of a directory some of the files, of a topic some of the partitions.
 *
 * @param number of this one, from 0
 * @param count how many there are
 */
record FeedShare(int number, int count) {

    /** All of it. */
    static final FeedShare WHOLE = new FeedShare(0, 1);

    boolean hasPartition(int partition) {
        return partition % count == number;
    }

    boolean hasFile(String name) {
        return count == 1 || Math.floorMod(name.hashCode(), count) == number;
    }
}
