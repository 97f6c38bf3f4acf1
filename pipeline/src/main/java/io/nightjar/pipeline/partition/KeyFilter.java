package io.nightjar.pipeline.partition;

import io.nightjar.formats.history.StringPool;

/** Some of the keys of a history. */
public interface KeyFilter {

    /** Returns whether a number is one of them. */
    boolean holds(long key);

    /** Returns whether a name is one of them. */
    boolean holds(StringPool names, int name);
}
