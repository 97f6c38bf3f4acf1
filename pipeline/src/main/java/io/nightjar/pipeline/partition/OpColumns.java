package io.nightjar.pipeline.partition;

import io.nightjar.formats.history.ListTable;
import io.nightjar.formats.history.StringTable;
import org.jspecify.annotations.Nullable;

/** Operations that {@link OpCodec} decoded. */
final class OpColumns {

    int opCount;
    byte[] kind = {};
    long[] key = {};
    long[] value = {};

    /** Null unless keys are names. */
    @Nullable
    StringTable keyNames;

    /** Null unless values are names. */
    @Nullable
    StringTable valueNames;

    /** Null without lists. */
    @Nullable
    ListTable lists;
}
