package io.nightjar.pipeline.split;

import io.nightjar.formats.history.ListTable;
import io.nightjar.formats.history.StringTable;

/** Operations that {@link OpCodec} decoded. */
final class OpColumns {

    int opCount;
    byte[] kind;
    long[] key;
    long[] value;

    /** Null unless keys are names. */
    StringTable keyNames;

    /** Null unless values are names. */
    StringTable valueNames;

    /** Null if there is no list. */
    ListTable lists;
}
