package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputError;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Decodes the values of one page in batches: numbers unchanged, strings through the leaf's {@link StringEncoder}. */
interface ValueDecoder {

    /** Decodes the next values. Nulls have no values, so {@code count} excludes them. */
    void read(long[] into, int offset, int count);

    /** Range of the values of a page, in an array with {@link RleDecoder#PADDING} after the page. */
    record Range(byte[] bytes, int from, int to) {

        /** Returns the array as a buffer, positioned at the first byte. */
        ByteBuffer buffer() {
            return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(from);
        }

        /** Checks that this many bytes remain at a position before they are read. */
        void require(int at, long count) {
            if (count < 0 || count > to - at) {
                throw new CorruptFileException(InputError.of("page has fewer values than declared"));
            }
        }
    }
}
