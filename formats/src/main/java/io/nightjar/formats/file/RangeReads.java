package io.nightjar.formats.file;

import java.util.List;

/** A channel of a store, where one large request is much cheaper than many small ones. */
public interface RangeReads {

    /** A part of a file. */
    record Range(long start, long length) {}

    /** Announces parts that will be read, each from its beginning to its end, in any order among them. */
    void plan(List<Range> ranges);
}
