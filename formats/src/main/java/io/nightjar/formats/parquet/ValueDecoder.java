package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputError;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads the values of one page, some at a time: numbers as they are, strings as the leaf's {@link StringEncoder} says. */
interface ValueDecoder {

    /** Nulls have no values, so the caller counts only what is there. */
    void read(long[] into, int offset, int count);

    /** Where values of a page begin and end, in an array with {@link RleDecoder#PADDING} behind the page. */
    record Range(byte[] bytes, int from, int to) {

        /** All of the array, positioned at the first byte. */
        ByteBuffer buffer() {
            return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(from);
        }

        /** Checks that this many bytes are left at a position before they are read. */
        void require(int at, long count) {
            if (count < 0 || count > to - at) {
                throw new CorruptFileException(InputError.of("page has fewer values than it says"));
            }
        }
    }
}
