package io.nightjar.pipeline.check.timestamp;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.ListPool;
import io.nightjar.formats.history.ListRef;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.LongColumn;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The lists that a lane's reads returned: one trunk for each key, and the few reads that are no prefix of it. */
final class LaneLists {

    /*
     * Layout. trunkOf[key] is the longest of the reads that agree with each other so far. A read is one long:
     *
     *   >= 0   it returned the given number of first elements of the key's trunk
     *   <  0   ~code is the number of a non-prefix list: elements nonPrefixFirst[number] .. nonPrefixFirst[number + 1]
     *          of nonPrefixElements
     *
     * Cost. A chunk's list is compared with the trunk once, however many reads refer to it.
     */

    private static final int NOT_COMPARED = -1;
    private static final int UNSEEN = -2;

    private long[][] trunkOf = new long[16][];
    private int[] trunkLength = new int[16];
    private long trunkBytes;
    private final LongColumn nonPrefixElements = new LongColumn();
    private final IntColumn nonPrefixFirst = new IntColumn();

    private @Nullable ListPool pool; // of the chunk being appended
    private int @Nullable [] valueOfName; // its value names' ordinals here; null if elements are numbers
    private int[] agreeing = new int[0]; // by list of the table: how many elements agree with the trunk

    LaneLists() {
        nonPrefixFirst.add(0);
    }

    long byteSize() {
        return trunkBytes + 12L * trunkOf.length + nonPrefixElements.byteSize() + nonPrefixFirst.byteSize();
    }

    void beginChunk(@Nullable ListPool of) {
        pool = of;
        if (of != null) {
            agreeing = agreeing.length >= of.size() ? agreeing : new int[of.size()];
            Arrays.fill(agreeing, 0, of.size(), UNSEEN);
        }
    }

    /** Returns whether a list of the chunk was not requested before. */
    boolean isFirstMention(int list) {
        boolean first = agreeing[list] == UNSEEN;
        agreeing[list] = NOT_COMPARED;
        return first;
    }

    /** Sets how the chunk's names of values are numbered in the lane; null if elements are numbers. */
    void elementsAre(int @Nullable [] ordinals) {
        valueOfName = ordinals;
    }

    /** Returns the code of a read of a key that the chunk stores as a reference into its table. */
    long code(int key, long ref) {
        int list = ListRef.list(ref);
        int length = ListRef.length(ref);
        if (agreeing[list] < 0) {
            agreeing[list] = compareWithTrunk(key, list);
        }
        return length <= agreeing[list] ? length : addNonPrefix(list, length);
    }

    int length(long code) {
        return code >= 0 ? (int) code : nonPrefixFirst.get((int) ~code + 1) - nonPrefixFirst.get((int) ~code);
    }

    long element(int key, long code, int position) {
        return code >= 0 ? trunkOf[key][position] : nonPrefixElements.get(nonPrefixFirst.get((int) ~code) + position);
    }

    int trunkLength(int key) {
        return key < trunkLength.length ? trunkLength[key] : 0;
    }

    long trunkElement(int key, int position) {
        return trunkOf[key][position];
    }

    private int compareWithTrunk(int key, int list) {
        if (key >= trunkOf.length) {
            trunkOf = Arrays.copyOf(trunkOf, Math.max(key + 1, trunkOf.length * 2));
            trunkLength = Arrays.copyOf(trunkLength, trunkOf.length);
        }
        int length = requireNonNull(pool).length(list);
        int common = Math.min(length, trunkLength[key]);
        int agreed = 0;
        while (agreed < common && trunkOf[key][agreed] == pooledElement(list, agreed)) {
            agreed++;
        }
        if (agreed == trunkLength[key] && length > agreed) {
            extendTrunk(key, list, length);
            return length;
        }
        return agreed;
    }

    private void extendTrunk(int key, int list, int length) {
        long[] trunk = trunkOf[key];
        if (trunk == null || trunk.length < length) {
            int capacity = trunk == null ? length : Math.max(length, trunk.length + (trunk.length >> 1));
            trunkBytes += 8L * (capacity - (trunk == null ? -2 : trunk.length));
            trunk = trunk == null ? new long[capacity] : Arrays.copyOf(trunk, capacity);
            trunkOf[key] = trunk;
        }
        for (int at = trunkLength[key]; at < length; at++) {
            trunk[at] = pooledElement(list, at);
        }
        trunkLength[key] = length;
    }

    private long addNonPrefix(int list, int length) {
        for (int at = 0; at < length; at++) {
            nonPrefixElements.add(pooledElement(list, at));
        }
        nonPrefixFirst.add(nonPrefixElements.size());
        return ~(long) (nonPrefixFirst.size() - 2);
    }

    private long pooledElement(int list, int at) {
        long element = requireNonNull(pool).element(list, at);
        return valueOfName == null ? element : valueOfName[(int) element];
    }
}
