package io.nightjar.pipeline.online;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The states of keys before their first version: empty, given, or learned from their first sealed reads. */
final class InitialStates {

    private static final byte OPEN = 0;
    private static final byte NOTHING = 1;
    private static final byte VALUE = 2;
    private static final byte LIST = 3;

    private byte[] stateOf = new byte[64]; // by key
    private long[] valueOf = new long[64];
    private final Int2ObjectOpenHashMap<long[]> listOf = new Int2ObjectOpenHashMap<>();
    private boolean isLearning;
    private long learned;
    private boolean isAnyKnown;

    /** Keys in use whose state became known since the last {@link #takeNews}; null if not requested. */
    private @Nullable IntArrayList news;

    /** Enables learning of states that are not given. */
    void learn() {
        isLearning = true;
    }

    boolean isLearning() {
        return isLearning;
    }

    /** Returns the number of keys with a learned state that is not empty. */
    long learnedCount() {
        return learned;
    }

    /** Returns whether any key has a state that is not empty. */
    boolean isAnyKnown() {
        return isAnyKnown;
    }

    // ---------------------------------------------------------------- news

    /** Starts recording the keys in use whose state becomes known. */
    void recordNews() {
        news = new IntArrayList();
    }

    /** Records the first arrival that uses a key. */
    void recordTouched(int key) {
        if (news != null && state(key) >= VALUE) {
            news.add(key);
        }
    }

    /** Passes on the recorded keys, and clears them. */
    void takeNews(IntConsumer to) {
        IntArrayList keys = requireNonNull(news);
        keys.forEach(to);
        keys.clear();
    }

    private byte state(int key) {
        return key < stateOf.length ? stateOf[key] : OPEN;
    }

    private void set(int key, byte state) {
        if (key >= stateOf.length) {
            int capacity = key + (key >> 1);
            stateOf = Arrays.copyOf(stateOf, capacity);
            valueOf = Arrays.copyOf(valueOf, capacity);
        }
        stateOf[key] = state;
        isAnyKnown |= state >= VALUE;
    }

    // ---------------------------------------------------------------- registers

    /** Returns whether the state of a key may still be learned. */
    boolean isOpen(int key) {
        return isLearning && state(key) == OPEN;
    }

    boolean isValue(int key) {
        return state(key) == VALUE;
    }

    long value(int key) {
        return valueOf[key];
    }

    /** Learns the open state of a key from a sealed read that sees no version. */
    void learnValue(int key, long value, boolean isNothing) {
        if (isNothing) {
            set(key, NOTHING);
        } else {
            give(key, value);
            learned++;
            recordTouched(key);
        }
    }

    void give(int key, long value) {
        set(key, VALUE);
        valueOf[key] = value;
    }

    // ---------------------------------------------------------------- lists

    /** Returns the initial list of a key; null if unknown. */
    long @Nullable [] list(int key) {
        return state(key) == LIST ? listOf.get(key) : state(key) == NOTHING ? new long[0] : null;
    }

    void learnList(int key, long[] elements) {
        if (elements.length == 0) {
            set(key, NOTHING);
        } else {
            giveList(key, elements);
            learned++;
            recordTouched(key);
        }
    }

    void giveList(int key, long[] elements) {
        set(key, LIST);
        listOf.put(key, elements);
    }

    // ---------------------------------------------------------------- state

    void write(int key, OnlineKeys keys, ByteWriter to) {
        to.putByte(state(key));
        if (state(key) == VALUE) {
            keys.writeValue(valueOf[key], to);
        } else if (state(key) == LIST) {
            keys.writeElements(listOf.get(key), to);
        }
    }

    void read(int key, OnlineKeys keys, ByteReader from) {
        int state = from.getByte();
        learned += isLearning && state >= VALUE && state(key) == OPEN ? 1 : 0;
        if (state == VALUE) {
            give(key, keys.readValue(from));
            keys.hold(valueOf[key]);
        } else if (state == LIST) {
            long[] elements = keys.readElements(from);
            for (long element : elements) {
                keys.hold(element);
            }
            giveList(key, elements);
        } else if (state == NOTHING) {
            set(key, NOTHING);
        }
    }

    long byteSize() {
        return 9L * stateOf.length;
    }
}
