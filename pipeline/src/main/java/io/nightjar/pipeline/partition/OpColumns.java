package io.nightjar.pipeline.partition;

import io.nightjar.formats.history.ListPool;
import io.nightjar.formats.history.StringPool;
import org.jspecify.annotations.Nullable;

/** Operations that {@link OpCodec} decoded. */
final class OpColumns {

    int opCount;
    byte[] kind = {};
    long[] key = {};
    long[] value = {};

    /** Null unless keys are names. */
    @Nullable
    StringPool keyNames;

    /** Null unless values are names. */
    @Nullable
    StringPool valueNames;

    /** Null without lists. */
    @Nullable
    ListPool lists;
}
