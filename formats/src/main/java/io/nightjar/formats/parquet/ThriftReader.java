package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputFault;
import java.nio.charset.StandardCharsets;

/** Reads structures in Thrift's compact protocol, field by field; every length is checked against what is there. */
final class ThriftReader {

    /** What {@link #nextField} returns at the end of a structure. */
    static final int NO_FIELD = 0;

    private static final int DEEPEST = 64;

    private final byte[] bytes;
    private final int end;
    private int at;
    private final int[] outerField = new int[DEEPEST];
    private int depth;
    private int lastField;
    private int type;

    ThriftReader(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.at = from;
        this.end = to;
    }

    int position() {
        return at;
    }

    /** Begins the outermost structure, one that is an element of a list, or the value of the current field. */
    void beginStruct() {
        if (depth == DEEPEST) {
            throw new CorruptFileException(InputFault.of("structures nested too deep"));
        }
        outerField[depth++] = lastField;
        lastField = 0;
    }

    /** Begins the structure that is the value of the current field. */
    void beginStructField() {
        require(ThriftType.STRUCT);
        beginStruct();
    }

    /** The id of the next field, or {@link #NO_FIELD} at the end of the structure, which then is left. */
    int nextField() {
        int b = next();
        type = b & 0x0F;
        if (b == ThriftType.STOP) {
            lastField = outerField[--depth];
            return NO_FIELD;
        }
        int delta = b >>> 4;
        lastField = delta == 0 ? i32Element() : lastField + delta;
        if (lastField <= 0) {
            throw new CorruptFileException(InputFault.of("bad field number"));
        }
        return lastField;
    }

    boolean bool() {
        if (type != ThriftType.TRUE && type != ThriftType.FALSE) {
            throw unexpected();
        }
        return type == ThriftType.TRUE;
    }

    int i32() {
        require(ThriftType.I32);
        return i32Element();
    }

    long i64() {
        require(ThriftType.I64);
        long zigzag = varint();
        return (zigzag >>> 1) ^ -(zigzag & 1);
    }

    String string() {
        require(ThriftType.BINARY);
        return stringElement();
    }

    int i32Element() {
        long zigzag = varint();
        return (int) ((zigzag >>> 1) ^ -(zigzag & 1));
    }

    String stringElement() {
        int length = length();
        String string = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return string;
    }

    /** Elements of the list that is the value of the current field; each takes at least a byte. */
    int list(int elementType) {
        require(ThriftType.LIST);
        int head = next();
        int size = head >>> 4 == 15 ? length() : head >>> 4;
        if (size > end - at || size > 0 && (head & 0x0F) != elementType) {
            throw new CorruptFileException(InputFault.of("bad list"));
        }
        return size;
    }

    /** Passes over the value of the current field. */
    void skip() {
        skip(type, 0);
    }

    private void skip(int of, int nesting) {
        if (nesting > DEEPEST) {
            throw new CorruptFileException(InputFault.of("structures nested too deep"));
        }
        switch (of) {
            case ThriftType.TRUE, ThriftType.FALSE -> {
                // the type is the value
            }
            case ThriftType.BYTE -> pass(1);
            case ThriftType.I16, ThriftType.I32, ThriftType.I64 -> varint();
            case ThriftType.DOUBLE -> pass(Double.BYTES);
            case ThriftType.BINARY -> pass(length());
            case ThriftType.LIST, ThriftType.SET -> skipList(nesting);
            case ThriftType.MAP -> skipMap(nesting);
            case ThriftType.STRUCT -> skipStruct(nesting);
            default -> throw unexpected();
        }
    }

    private void skipList(int nesting) {
        int head = next();
        int size = head >>> 4 == 15 ? length() : head >>> 4;
        for (int i = 0; i < size; i++) {
            skipElement(head & 0x0F, nesting + 1);
        }
    }

    private void skipMap(int nesting) {
        int size = length();
        int types = size == 0 ? 0 : next();
        for (int i = 0; i < size; i++) {
            skipElement(types >>> 4, nesting + 1);
            skipElement(types & 0x0F, nesting + 1);
        }
    }

    private void skipElement(int of, int nesting) {
        if (of == ThriftType.TRUE || of == ThriftType.FALSE) {
            pass(1);
        } else {
            skip(of, nesting);
        }
    }

    private void skipStruct(int nesting) {
        for (int b = next(); b != ThriftType.STOP; b = next()) {
            if (b >>> 4 == 0) {
                varint();
            }
            skip(b & 0x0F, nesting + 1);
        }
    }

    private int length() {
        long length = varint();
        if (length < 0 || length > end - at) {
            throw new CorruptFileException(InputFault.of("bad length"));
        }
        return (int) length;
    }

    private void pass(int count) {
        if (count > end - at) {
            throw new CorruptFileException(InputFault.of("structure ends early"));
        }
        at += count;
    }

    private int next() {
        if (at >= end) {
            throw new CorruptFileException(InputFault.of("structure ends early"));
        }
        return bytes[at++] & 0xFF;
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int b = next();
            value |= (long) (b & 0x7F) << shift;
            if (b < 0x80) {
                return value;
            }
        }
        throw new CorruptFileException(InputFault.of("bad number"));
    }

    private void require(int expected) {
        if (type != expected) {
            throw unexpected();
        }
    }

    private CorruptFileException unexpected() {
        return new CorruptFileException(
                InputFault.of("unexpected type in structure").with("type=" + type));
    }
}
