package io.nightjar.formats.cdc;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.table.TxnAccumulator;
import io.nightjar.formats.text.Utf8;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/** A parsed event: its transaction and its operations. It can be serialized to bytes and restored. */
final class DecodedChange extends ChangeInfo {

    private static final ChangeEvent.Type[] TYPES = ChangeEvent.Type.values();
    private static final byte KEY_IS_TEXT = 1;
    private static final byte VALUE_IS_TEXT = 2;
    private static final byte HAS_VALUE = 4;
    private static final int NO_TEXT = -1;
    private static final int SHORT = 32; // length of a digest

    private final MessageDigest digest = newDigest();

    /** Location: the ordinal of the file, and the row in it. */
    int file;

    long row;

    // Concatenated operations: kind, flags, key, value.
    private final Utf8 ops = new Utf8();
    private int at;

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new AssertionError(everyJavaHasIt);
        }
    }

    /** Copies the data of an event except its row. */
    void take(ChangeEvent event, String ofTxn) {
        copy(event);
        txn = ofTxn;
        identity = event.identity == null ? null : digestOf(event.identity);
        ops.clear();
    }

    /** Returns a digest instead of a long identity, which may be as long as a row. */
    private String digestOf(String text) {
        if (text.length() < SHORT) {
            return text;
        }
        byte[] full = digest.digest(text.getBytes(StandardCharsets.UTF_8));
        return new String(full, StandardCharsets.ISO_8859_1);
    }

    // ---------------------------------------------------------------- operations

    /** Adds an operation; keys and values are Long or text, the value is null if the kind has none. */
    void op(byte kind, Object key, @Nullable Object value) {
        boolean isKeyNumber = key instanceof Long;
        boolean isValueNumber = value instanceof Long;
        ops.put(kind);
        ops.put((isKeyNumber ? 0 : KEY_IS_TEXT)
                | (isValueNumber ? 0 : VALUE_IS_TEXT)
                | (value == null ? 0 : HAS_VALUE));
        put(key);
        if (value != null) {
            put(value);
        }
    }

    private void put(Object content) {
        if (content instanceof Long number) {
            putLong(number);
        } else if (content instanceof Utf8 text) {
            putLong(text.length);
            ops.put(text.bytes, 0, text.length);
        } else {
            byte[] utf8 = ((String) content).getBytes(StandardCharsets.UTF_8);
            putLong(utf8.length);
            ops.put(utf8, 0, utf8.length);
        }
    }

    private void putLong(long number) {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            ops.put((int) (number >>> shift));
        }
    }

    private long nextLong() {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            number |= (ops.bytes[at++] & 0xffL) << shift;
        }
        return number;
    }

    /** Adds the operations to a transaction. */
    void addTo(TxnAccumulator txn) {
        at = 0;
        while (at < ops.length) {
            byte kind = ops.bytes[at++];
            int flags = ops.bytes[at++];
            txn.op(kind);
            if (position != HistorySlice.NONE) {
                txn.order(position);
            }
            long key = nextLong();
            if ((flags & KEY_IS_TEXT) == 0) {
                txn.key(key);
            } else {
                txn.key(ops.bytes, at, (int) key);
                at += (int) key;
            }
            if ((flags & HAS_VALUE) != 0) {
                long value = nextLong();
                if ((flags & VALUE_IS_TEXT) == 0) {
                    txn.value(value);
                } else {
                    txn.value(ops.bytes, at, (int) value);
                    at += (int) value;
                }
            }
        }
    }

    // ---------------------------------------------------------------- serialization

    void write(DataOutput out) throws IOException {
        out.writeByte(type.ordinal());
        writeText(txn, out);
        out.writeLong(order);
        out.writeLong(suborder);
        out.writeInt(file);
        out.writeLong(row);
        writeText(session, out);
        out.writeLong(position);
        out.writeLong(count);
        out.writeLong(start);
        out.writeLong(commit);
        writeText(extraName, out);
        writeText(extraText, out);
        writeText(identity, out);
        out.writeInt(ops.length);
        out.write(ops.bytes, 0, ops.length);
    }

    void read(DataInput in) throws IOException {
        type = TYPES[in.readByte()];
        txn = readText(in);
        order = in.readLong();
        suborder = in.readLong();
        file = in.readInt();
        row = in.readLong();
        session = readText(in);
        position = in.readLong();
        count = in.readLong();
        start = in.readLong();
        commit = in.readLong();
        extraName = readText(in);
        extraText = readText(in);
        identity = readText(in);
        byte[] content = new byte[in.readInt()];
        in.readFully(content);
        ops.clear();
        ops.put(content, 0, content.length);
    }

    private static void writeText(@Nullable String text, DataOutput out) throws IOException {
        if (text == null) {
            out.writeInt(NO_TEXT);
            return;
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
    }

    private static @Nullable String readText(DataInput in) throws IOException {
        int length = in.readInt();
        if (length == NO_TEXT) {
            return null;
        }
        byte[] utf8 = new byte[length];
        in.readFully(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
