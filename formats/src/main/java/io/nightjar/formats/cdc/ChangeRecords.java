package io.nightjar.formats.cdc;

import java.io.Closeable;
import java.io.IOException;

/** Iterator over decoded changes. */
interface ChangeRecords extends Closeable {

    /** Advances to the next record; returns false at the end. */
    boolean next(DecodedChange into) throws IOException;
}
