package io.nightjar.pipeline.partition;

import io.nightjar.formats.history.StringTable;

/** Some of the keys of a history. */
public interface KeyFilter {

    /** Whether a number is one of them. */
    boolean holds(long key);

    /** Whether a name is one of them. */
    boolean holds(StringTable names, int name);
}
