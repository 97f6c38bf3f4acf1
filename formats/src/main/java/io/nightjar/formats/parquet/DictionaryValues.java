package io.nightjar.formats.parquet;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.InputError;
import org.jspecify.annotations.Nullable;

/** Decodes ordinals of the chunk's dictionary, which contains numbers or strings. */
final class DictionaryValues implements ValueDecoder {

    private final RleDecoder ordinals = new RleDecoder();
    private final long @Nullable [] numbers;
    private final @Nullable StringDictionary strings;
    private int[] scratch = new int[0];

    DictionaryValues(Range range, long @Nullable [] numbers, @Nullable StringDictionary strings) {
        this.numbers = numbers;
        this.strings = strings;
        if (numbers == null && strings == null) {
            throw new CorruptFileException(InputError.of("dictionary is missing"));
        }
        if (range.from() < range.to()) {
            int bitWidth = range.bytes()[range.from()] & 0xFF;
            ordinals.begin(range.bytes(), range.from() + 1, range.to(), bitWidth);
        } else {
            ordinals.begin(range.bytes(), range.from(), range.to(), 1);
        }
    }

    @Override
    public void read(long[] into, int offset, int count) {
        if (scratch.length < count) {
            scratch = new int[count];
        }
        ordinals.read(scratch, 0, count);
        if (strings != null) {
            strings.map(scratch, count, into, offset);
            return;
        }
        long[] numbers = requireNonNull(this.numbers);
        int[] scratch = this.scratch;
        for (int i = 0; i < count; i++) {
            into[offset + i] = numbers[scratch[i]];
        }
    }
}
