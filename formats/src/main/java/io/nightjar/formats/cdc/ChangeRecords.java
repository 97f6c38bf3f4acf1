package io.nightjar.formats.cdc;

import java.io.Closeable;
import java.io.IOException;

/** Records one after another. */
interface ChangeRecords extends Closeable {

    /** Steps to the next record; false at the end. */
    boolean next(DecodedChange into) throws IOException;
}
