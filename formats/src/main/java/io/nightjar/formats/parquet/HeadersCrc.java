package io.nightjar.formats.parquet;

import java.util.zip.CRC32;

/**
 * A checksum of the page headers of a chunk; the headers in turn contain checksums of their pages.
 *
 * <p>The dictionary is first in a chunk but complete last, so its part is stored separately.
 */
final class HeadersCrc {

    private final CRC32 dictionary = new CRC32();
    private final CRC32 data = new CRC32();

    void reset() {
        dictionary.reset();
        data.reset();
    }

    void add(boolean isDictionary, byte[] bytes, int offset, int length) {
        (isDictionary ? dictionary : data).update(bytes, offset, length);
    }

    int value() {
        return (int) (dictionary.getValue() ^ data.getValue());
    }
}
