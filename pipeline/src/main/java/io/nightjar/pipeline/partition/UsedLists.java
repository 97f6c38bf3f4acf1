package io.nightjar.pipeline.partition;

import io.nightjar.formats.history.ListPool;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The used lists of a table, each up to its longest read. */
final class UsedLists {

    private final UsedOrdinals used = new UsedOrdinals();
    private ListPool lists;
    private long[] lengthOf = new long[64]; // by number
    private long[] elements = new long[64];

    @SetsFields
    void begin(ListPool pool) {
        lists = pool;
        used.begin(pool.size());
    }

    /** Returns the encoded number of the list, for a read of the given number of its elements. */
    int number(int list, int length) {
        int known = used.count();
        int number = used.number(list);
        if (number == known) {
            if (number == lengthOf.length) {
                lengthOf = Arrays.copyOf(lengthOf, number * 2);
            }
            lengthOf[number] = length;
        } else if (length > lengthOf[number]) {
            lengthOf[number] = length;
        }
        return number;
    }

    /**
     * Writes count, lengths, and the elements of all.
     *
     * @param names null if elements are numbers
     */
    void encode(ByteWriter to, @Nullable UsedNames names) {
        int count = used.count();
        to.putVarint(count);
        PackedLongs.put(lengthOf, count, to);
        int end = 0;
        for (int number = 0; number < count; number++) {
            end = gather(used.ordinalOf(number), (int) lengthOf[number], end);
        }
        for (int i = 0; names != null && i < end; i++) {
            elements[i] = names.number(elements[i]);
        }
        PackedLongs.put(elements, end, to);
    }

    private int gather(int list, int length, int first) {
        int end = Math.addExact(first, length);
        if (end > elements.length) {
            elements = Arrays.copyOf(elements, Math.max(end, elements.length + (elements.length >> 1)));
        }
        System.arraycopy(lists.elements(), lists.firstElement(list), elements, first, length);
        return end;
    }

    static ListPool decode(ByteReader from) {
        int count = from.getCount();
        long[] lengthOf = new long[count];
        PackedLongs.get(from, lengthOf, count);
        int[] firstElementOf = new int[count + 1];
        for (int list = 0; list < count; list++) {
            firstElementOf[list + 1] = firstElementOf[list] + (int) lengthOf[list];
        }
        long[] elements = new long[firstElementOf[count]];
        PackedLongs.get(from, elements, elements.length);
        return new ListPool(elements, firstElementOf, count);
    }
}
