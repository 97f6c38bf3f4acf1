package io.nightjar.jobs.watch;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

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

    void write(DataOutputStream out) throws IOException {
        Checkpoint.writeText(out, name);
        out.writeLong(bytes);
        out.writeLong(lines);
        out.writeLong(head);
    }

    static FeedPosition read(DataInputStream in) throws IOException {
        return new FeedPosition(Checkpoint.readText(in), in.readLong(), in.readLong(), in.readLong());
    }
}
