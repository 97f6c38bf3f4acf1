package io.nightjar.pipeline.online;

import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.partition.KeyHash;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.LongOrdinals;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** All keys so far as dense ints with the use of each, and values as numbers. */
final class OnlineKeys {

    static final int REGISTER = 1;
    static final int LIST = 2;
    static final int UNJUDGED = 4;
    private static final int WROTE_INITIAL = 8;
    private static final int TOUCHED = 32;

    private static final byte[] MODEL_OF_KIND = new byte[LaneOp.COUNT];

    static {
        for (byte kind : new byte[] {
            LaneOp.READ, LaneOp.WRITE, LaneOp.INTERMEDIATE_WRITE, LaneOp.OWN_EXPECTED, LaneOp.OWN_OBSERVED
        }) {
            MODEL_OF_KIND[kind] = REGISTER;
        }
        for (byte kind : new byte[] {
            LaneOp.READ_LIST,
            LaneOp.READ_LIST_LOOSE,
            LaneOp.APPEND,
            LaneOp.APPEND_AGAIN,
            LaneOp.OWN_EXPECTED_LIST,
            LaneOp.OWN_OBSERVED_LIST
        }) {
            MODEL_OF_KIND[kind] = LIST;
        }
        MODEL_OF_KIND[LaneOp.UNJUDGED] = UNJUDGED;
    }

    private final @Nullable String initialText;
    private ValueType keyType = ValueType.NONE;
    private ValueType valueType = ValueType.NONE;
    private final LongOrdinals numbers = new LongOrdinals();
    private final StringPool names = new StringPool();
    private final ValueTexts valueTexts = new ValueTexts();
    private byte[] modelOf = new byte[1 << 10];
    private final InitialStates initials = new InitialStates();
    private boolean hasInitial;
    private long initial;
    private int[] keyOfName = new int[0];
    private long[] valueOfName = new long[0];
    private boolean[] isValueKnown = new boolean[0]; // by name

    OnlineKeys(@Nullable String initialText) {
        this.initialText = initialText;
    }

    /** Returns the use of a key that a kind of operation implies; null reads and mentions imply none. */
    static byte model(byte kind) {
        return MODEL_OF_KIND[kind];
    }

    int count() {
        return keyType == ValueType.STRING ? names.size() : numbers.size();
    }

    long byteSize() {
        return numbers.byteSize() + names.byteSize() + valueTexts.byteSize() + modelOf.length + initials.byteSize();
    }

    /** Returns whether keys and values have the types of earlier rows. */
    boolean agreesWith(ValueType keys, ValueType values) {
        return (keyType == ValueType.NONE || keys == ValueType.NONE || keys == keyType)
                && (valueType == ValueType.NONE || values == ValueType.NONE || values == valueType);
    }

    /** Prepares for a chunk's names. */
    void begin(LaneChunk chunk) {
        keyType = keyType == ValueType.NONE ? chunk.keyType : keyType;
        valueType = valueType == ValueType.NONE ? chunk.valueType : valueType;
        if (chunk.keyType == ValueType.STRING) {
            keyOfName = unmapped(keyOfName, chunk.keyNames().size());
        }
        if (chunk.valueType == ValueType.STRING) {
            int count = chunk.valueNames().size();
            valueOfName = valueOfName.length >= count ? valueOfName : new long[count];
            isValueKnown = isValueKnown.length >= count ? isValueKnown : new boolean[count];
            Arrays.fill(isValueKnown, 0, count, false);
        }
        if (!hasInitial && initialText != null && valueType != ValueType.NONE) {
            findInitial(initialText);
        }
    }

    private void findInitial(String text) {
        if (valueType == ValueType.STRING) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            initial = valueTexts.number(utf8, 0, utf8.length);
            valueTexts.hold(initial);
            hasInitial = true;
            return;
        }
        try {
            initial = Long.parseLong(text);
            hasInitial = true;
        } catch (NumberFormatException notANumber) {
            hasInitial = false; // such a text is never read as a number
        }
    }

    private static int[] unmapped(int[] scratch, int count) {
        int[] map = scratch.length >= count ? scratch : new int[count];
        Arrays.fill(map, 0, count, -1);
        return map;
    }

    /** Returns the key of an operation of the chunk. */
    int key(LaneChunk chunk, long key) {
        int ordinal;
        if (chunk.keyType == ValueType.STRING) {
            int name = (int) key;
            if (keyOfName[name] < 0) {
                keyOfName[name] = names.internFrom(chunk.keyNames(), name);
            }
            ordinal = keyOfName[name];
        } else {
            ordinal = numbers.ordinal(key);
        }
        ensureModel(ordinal);
        return ordinal;
    }

    private void ensureModel(int ordinal) {
        if (ordinal >= modelOf.length) {
            modelOf = Arrays.copyOf(modelOf, ordinal + (ordinal >> 1));
        }
    }

    /** Returns the number of a value, or of a list's element. */
    long value(LaneChunk chunk, long value) {
        if (chunk.valueType != ValueType.STRING) {
            return value;
        }
        int name = (int) value;
        if (!isValueKnown[name]) {
            isValueKnown[name] = true;
            valueOfName[name] = valueTexts.number(chunk.valueNames(), name);
        }
        return valueOfName[name];
    }

    /** Returns the elements of an operation's list. */
    long[] elements(LaneChunk chunk, int op) {
        long ref = chunk.value[op];
        long[] elements = new long[ListRef.length(ref)];
        for (int at = 0; at < elements.length; at++) {
            elements[at] = value(chunk, chunk.lists().element(ListRef.list(ref), at));
        }
        return elements;
    }

    String keyText(int key) {
        return keyType == ValueType.STRING ? names.get(key) : Long.toString(numbers.name(key));
    }

    String valueText(long value) {
        return valueType == ValueType.STRING ? valueTexts.text(value) : Long.toString(value);
    }

    int modelOf(int key) {
        return modelOf[key] & (REGISTER | LIST | UNJUDGED);
    }

    void addModel(int key, int model) {
        modelOf[key] |= (byte) model;
    }

    static boolean isJudged(int model) {
        return model != (REGISTER | LIST) && model < UNJUDGED;
    }

    boolean isInitialValue(long value) {
        return hasInitial && value == initial;
    }

    /** Returns whether a value read from a key means its initial state. */
    boolean isInitial(int key, long value) {
        return hasInitial && value == initial && (modelOf[key] & WROTE_INITIAL) == 0;
    }

    /** Records that a transaction wrote the initial value; returns whether it is the first one. */
    boolean recordInitialWritten(int key) {
        boolean isNew = (modelOf[key] & WROTE_INITIAL) == 0;
        modelOf[key] |= WROTE_INITIAL;
        return isNew;
    }

    // ---------------------------------------------------------------- before the first version

    InitialStates initials() {
        return initials;
    }

    /** Returns whether a read that sees no version is wrong according to the rows so far. */
    boolean isWrongInitially(int key, long value, boolean isNothing) {
        if (initials.isValue(key)) {
            return isNothing || value != initials.value(key);
        }
        return !initials.isOpen(key) && !isNothing && !isInitial(key, value);
    }

    /** Retains the text of a value permanently. */
    void hold(long value) {
        if (valueType == ValueType.STRING) {
            valueTexts.hold(value);
        }
    }

    /** Retains all texts of values. */
    void holdAll() {
        valueTexts.keepAll();
    }

    /** Returns the initial value of a register, as text; null if it is empty. */
    @Nullable
    String initialText(int key) {
        return initials.isValue(key) ? valueText(initials.value(key)) : null;
    }

    /** Records that a transaction used a key. */
    void touch(int key) {
        if ((modelOf[key] & TOUCHED) == 0) {
            modelOf[key] |= TOUCHED;
            initials.recordTouched(key);
        }
    }

    boolean isTouched(int key) {
        return (modelOf[key] & TOUCHED) != 0;
    }

    /** Removes the recorded use of a key. */
    void forgetUse(int key) {
        modelOf[key] = 0;
    }

    /** Returns a key as a slice represents it. */
    long keyIn(SliceBuilder slice, int key) {
        if (areNames()) {
            slice.keysAreStrings();
            return slice.keyNames().internFrom(names, key);
        }
        slice.keysAreLongs();
        return numbers.name(key);
    }

    /** Returns a value as a slice represents it. */
    long valueIn(SliceBuilder slice, long value) {
        if (valueType == ValueType.STRING) {
            slice.valuesAreStrings();
            byte[] utf8 = valueTexts.utf8(value);
            return slice.valueNames().intern(utf8, 0, utf8.length);
        }
        slice.valuesAreLongs();
        return value;
    }

    // ---------------------------------------------------------------- state

    /** Returns whether values are hashes of texts. */
    boolean areValuesHashed() {
        return valueType == ValueType.STRING;
    }

    boolean areNames() {
        return keyType == ValueType.STRING;
    }

    /** Returns the hash that determines the lane of a key. */
    long hash(int key) {
        return areNames() ? KeyHash.of(names, key) : KeyHash.of(numbers.name(key));
    }

    void writeTypes(ByteWriter to) {
        to.putByte(keyType.ordinal());
        to.putByte(valueType.ordinal());
    }

    void readTypes(ByteReader from) {
        ValueType keys = ValueType.values()[from.getByte()];
        ValueType values = ValueType.values()[from.getByte()];
        keyType = keyType == ValueType.NONE ? keys : keyType;
        valueType = valueType == ValueType.NONE ? values : valueType;
    }

    /** Writes a key and its use. */
    void writeKey(int key, ByteWriter to) {
        if (areNames()) {
            writeName(names, key, to);
        } else {
            to.putSigned(numbers.name(key));
        }
        to.putByte(modelOf[key]);
        initials.write(key, this, to);
    }

    int readKey(ByteReader from) {
        int key = areNames() ? readName(names, from) : numbers.ordinal(from.getSigned());
        ensureModel(key);
        modelOf[key] |= (byte) from.getByte();
        initials.read(key, this, from);
        return key;
    }

    /** Writes a value as its text, or as a number if it is a number or the text was evicted. */
    void writeValue(long value, ByteWriter to) {
        byte[] utf8 = valueType == ValueType.STRING ? valueTexts.utf8(value) : null;
        to.putByte(utf8 == null ? 0 : 1);
        if (utf8 == null) {
            to.putSigned(value);
        } else {
            to.putVarint(utf8.length);
            to.putBytes(utf8, 0, utf8.length);
        }
    }

    long readValue(ByteReader from) {
        if (from.getByte() == 0) {
            return from.getSigned();
        }
        int length = from.getCount();
        return valueTexts.number(from.array(), from.skip(length), length);
    }

    void writeElements(long[] elements, ByteWriter to) {
        to.putVarint(elements.length);
        for (long element : elements) {
            writeValue(element, to);
        }
    }

    long[] readElements(ByteReader from) {
        long[] elements = new long[from.getCount()];
        for (int at = 0; at < elements.length; at++) {
            elements[at] = readValue(from);
        }
        return elements;
    }

    private static void writeName(StringPool pool, int name, ByteWriter to) {
        to.putVarint(pool.length(name));
        to.putBytes(pool.bytes(), pool.firstByte(name), pool.length(name));
    }

    private static int readName(StringPool pool, ByteReader from) {
        int length = from.getCount();
        return pool.intern(from.array(), from.skip(length), length);
    }
}
