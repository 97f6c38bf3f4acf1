package io.nightjar.formats.parquet;

/** Decodes booleans stored as runs after their total length. */
final class RleBooleans implements ValueDecoder {

    private final RleDecoder bits = new RleDecoder();
    private int[] scratch = new int[0];

    RleBooleans(Range range) {
        range.require(range.from(), Integer.BYTES);
        bits.begin(range.bytes(), range.from() + Integer.BYTES, range.to(), 1);
    }

    @Override
    public void read(long[] into, int offset, int count) {
        if (scratch.length < count) {
            scratch = new int[count];
        }
        bits.read(scratch, 0, count);
        for (int i = 0; i < count; i++) {
            into[offset + i] = scratch[i];
        }
    }
}
