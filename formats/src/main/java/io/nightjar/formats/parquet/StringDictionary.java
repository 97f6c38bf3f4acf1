package io.nightjar.formats.parquet;

import java.util.Arrays;

/** The dictionary of a chunk of strings; each entry is mapped once, independent of its number of occurrences. */
final class StringDictionary {

    private static final int UNMAPPED = Integer.MIN_VALUE;

    private final byte[] bytes;
    private final int[] firstByteOf;
    private final int[] lengthOf;
    private final int[] mappedOf;
    private final StringEncoder map;

    /** @param fixedLength length of every string; 0 if a length precedes each string */
    StringDictionary(ValueDecoder.Range range, int count, int fixedLength, StringEncoder map) {
        range.require(range.from(), (long) count * (fixedLength == 0 ? Integer.BYTES : fixedLength));
        this.bytes = range.bytes();
        this.firstByteOf = new int[count];
        this.lengthOf = new int[count];
        this.mappedOf = new int[count];
        this.map = map;
        int[] entry = {0};
        PlainStrings strings = new PlainStrings(range, fixedLength, (in, offset, length) -> {
            firstByteOf[entry[0]] = offset;
            lengthOf[entry[0]] = length;
            return entry[0]++;
        });
        strings.read(new long[count], 0, count);
        forget();
    }

    /** Clears the mappings of entries. */
    void forget() {
        Arrays.fill(mappedOf, UNMAPPED);
    }

    void map(int[] ordinals, int count, long[] into, int offset) {
        for (int i = 0; i < count; i++) {
            int ordinal = ordinals[i];
            int mapped = mappedOf[ordinal];
            if (mapped == UNMAPPED) {
                mapped = map.map(bytes, firstByteOf[ordinal], lengthOf[ordinal]);
                mappedOf[ordinal] = mapped;
            }
            into[offset + i] = mapped;
        }
    }
}
