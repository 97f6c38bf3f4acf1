package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputError;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decodes strings stored after all their lengths; with prefixes, each string shares its beginning with the previous
 * one.
 */
final class DeltaStrings implements ValueDecoder {

    private final Range range;
    private final StringEncoder map;
    private final @Nullable DeltaNumbers prefixes;
    private final DeltaNumbers lengths;
    private int at;
    private byte[] current = new byte[64];
    private int currentLength;
    private final long[] number = new long[1];

    DeltaStrings(Range range, boolean hasPrefixes, StringEncoder map) {
        this.range = range;
        this.map = map;
        Range rest = range;
        if (hasPrefixes) {
            rest = new Range(range.bytes(), new DeltaNumbers(range, true, false).end(), range.to());
            prefixes = new DeltaNumbers(range, true, false);
        } else {
            prefixes = null;
        }
        lengths = new DeltaNumbers(rest, true, false);
        at = new DeltaNumbers(rest, true, false).end();
    }

    @Override
    public void read(long[] into, int offset, int count) {
        for (int i = offset; i < offset + count; i++) {
            int length = next(lengths);
            range.require(at, length);
            into[i] = prefixes == null ? map.map(range.bytes(), at, length) : prefixed(next(prefixes), length);
            at += length;
        }
    }

    private int prefixed(int prefix, int length) {
        if (prefix < 0 || prefix > currentLength) {
            throw new CorruptFileException(InputError.of("shared prefix is longer than the previous string"));
        }
        int whole = Math.addExact(prefix, length);
        if (whole > current.length) {
            current = Arrays.copyOf(current, Math.max(whole, current.length * 2));
        }
        System.arraycopy(range.bytes(), at, current, prefix, length);
        currentLength = whole;
        return map.map(current, 0, whole);
    }

    private int next(DeltaNumbers numbers) {
        numbers.read(number, 0, 1);
        return (int) number[0];
    }
}
