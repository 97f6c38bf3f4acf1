package io.nightjar.jobs.watch;

/**
 * Position up to which a source was read.
 *
 * @param name the file, or the name of another source
 * @param bytes number of decoded bytes
 * @param lines number of lines in those bytes
 * @param head hash of the first bytes of a file, to detect another file of the same name; see {@link FilePrefixHash}
 */
record FeedPosition(String name, long bytes, long lines, long head) {

    FeedPosition(String name, long bytes, long lines) {
        this(name, bytes, lines, FilePrefixHash.NONE);
    }
}
