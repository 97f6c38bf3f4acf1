package io.nightjar.pipeline.partition;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.StringPool;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;

/** The used names of a table, for encoding them after their references. */
final class UsedNames {

    private final UsedOrdinals used = new UsedOrdinals();
    private StringPool names;

    @SetsFields
    void begin(StringPool pool) {
        names = pool;
        used.begin(pool.size());
    }

    /** Returns the encoded number of the name. */
    int number(long name) {
        return used.number((int) name);
    }

    /** Writes count, lengths, and the bytes of all. */
    void encode(ByteWriter to) {
        to.putVarint(used.count());
        for (int number = 0; number < used.count(); number++) {
            to.putVarint(names.length(used.ordinalOf(number)));
        }
        for (int number = 0; number < used.count(); number++) {
            int name = used.ordinalOf(number);
            to.putBytes(names.bytes(), names.firstByte(name), names.length(name));
        }
    }

    static StringPool decode(ByteReader from) {
        int count = from.getCount();
        int[] firstByteOf = new int[count + 1];
        for (int name = 0; name < count; name++) {
            firstByteOf[name + 1] = firstByteOf[name] + from.getCount();
        }
        byte[] bytes = new byte[firstByteOf[count]];
        System.arraycopy(from.array(), from.skip(bytes.length), bytes, 0, bytes.length);
        return StringPool.ofDistinct(bytes, firstByteOf, count);
    }
}
