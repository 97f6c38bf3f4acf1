package io.nightjar.formats.parquet;

import java.nio.charset.StandardCharsets;

/** Writes structures in Thrift's compact protocol, as far as Parquet's footer and page headers need it. */
final class ThriftWriter {

    private final LittleEndianBytes out = new LittleEndianBytes(1024);
    private int[] outerField = new int[16];
    private int depth;
    private int lastField;

    byte[] bytes() {
        return out.bytes();
    }

    int size() {
        return out.size();
    }

    /** Forgets everything written. */
    void clear() {
        out.clear();
        depth = 0;
        lastField = 0;
    }

    /** Begins the outermost structure, or one that is an element of a list. */
    void beginStruct() {
        if (depth == outerField.length) {
            throw new AssertionError("cannot happen: structures nested too deep: depth=" + depth);
        }
        outerField[depth++] = lastField;
        lastField = 0;
    }

    void beginStruct(int field) {
        header(field, ThriftType.STRUCT);
        beginStruct();
    }

    void endStruct() {
        out.put(ThriftType.STOP);
        lastField = outerField[--depth];
    }

    /** An empty structure, which is how unions spell a choice without parameters. */
    void emptyStruct(int field) {
        beginStruct(field);
        endStruct();
    }

    void bool(int field, boolean value) {
        header(field, value ? ThriftType.TRUE : ThriftType.FALSE);
    }

    void i32(int field, int value) {
        header(field, ThriftType.I32);
        element(value);
    }

    void i64(int field, long value) {
        header(field, ThriftType.I64);
        out.varint((value << 1) ^ (value >> 63));
    }

    void string(int field, String value) {
        header(field, ThriftType.BINARY);
        element(value);
    }

    void binary(int field, byte[] value) {
        header(field, ThriftType.BINARY);
        out.varint(value.length);
        out.put(value, 0, value.length);
    }

    /** Begins a list; its elements follow without headers. */
    void list(int field, int elementType, int size) {
        header(field, ThriftType.LIST);
        if (size < 15) {
            out.put((size << 4) | elementType);
        } else {
            out.put(0xF0 | elementType);
            out.varint(size);
        }
    }

    void element(int value) {
        out.varint(((value << 1) ^ (value >> 31)) & 0xFFFFFFFFL);
    }

    void element(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        out.varint(utf8.length);
        out.put(utf8, 0, utf8.length);
    }

    private void header(int field, int type) {
        int delta = field - lastField;
        if (delta > 0 && delta <= 15) {
            out.put((delta << 4) | type);
        } else {
            out.put(type);
            element(field);
        }
        lastField = field;
    }
}
