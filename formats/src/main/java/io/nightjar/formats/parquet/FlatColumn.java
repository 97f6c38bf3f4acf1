package io.nightjar.formats.parquet;

import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.text.Utf8;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import java.util.function.BiFunction;

/** A column outside of lists, and its values in the current rows. */
final class FlatColumn {

    final SchemaNode leaf;
    private final LeafReader reader;
    private final NameMap names = new NameMap(false);
    private long[] values = new long[0];
    private boolean[] isNull = new boolean[0];

    FlatColumn(SchemaNode leaf, BiFunction<SchemaNode, StringEncoder, LeafReader> open) {
        this.leaf = leaf;
        this.reader = open.apply(leaf, names);
    }

    /** Reads the next rows. */
    void read(int rows) throws IOException {
        if (values.length < rows) {
            values = new long[rows];
            isNull = new boolean[rows];
        }
        names.begin();
        reader.forgetWords();
        reader.fill(values, 0, isNull, rows, 0, 0);
    }

    boolean isNull(int row) {
        return reader.sawNull() && isNull[row];
    }

    long number(int row) {
        return values[row];
    }

    boolean isUnsigned() {
        return reader.isUnsignedInt64();
    }

    /** Returns the table of the column's strings in the current rows, whose ordinals are its numbers. */
    StringPool names() {
        return names.pool();
    }

    double floating(int row) {
        return leaf.type == PhysicalType.FLOAT
                ? Float.intBitsToFloat((int) values[row])
                : Double.longBitsToDouble(values[row]);
    }

    /** Returns whether the text of a value is a number or a truth value. */
    boolean isPlain(int row) {
        return leaf.leafType().isBinary()
                ? leaf.annotation == Annotation.DECIMAL && names.pool().length((int) values[row]) > 0
                : !(isFloating() && !Double.isFinite(floating(row)));
    }

    private boolean isFloating() {
        return leaf.type == PhysicalType.FLOAT || leaf.type == PhysicalType.DOUBLE;
    }

    String text(int row) {
        long value = values[row];
        return switch (leaf.leafType()) {
            case BOOLEAN -> Boolean.toString(value != 0);
            case INT32, INT64 -> {
                if (leaf.annotation == Annotation.DECIMAL) {
                    yield BigDecimal.valueOf(value, leaf.scale).toPlainString();
                }
                yield isUnsigned() ? Long.toUnsignedString(value) : Long.toString(value);
            }
            case FLOAT -> Float.toString((float) floating(row));
            case DOUBLE -> Double.toString(floating(row));
            default -> textOfBytes((int) value);
        };
    }

    private String textOfBytes(int name) {
        int first = names.pool().firstByte(name);
        byte[] bytes = Arrays.copyOfRange(
                names.pool().bytes(), first, first + names.pool().length(name));
        if (leaf.annotation == Annotation.UUID && bytes.length == 2 * Long.BYTES) {
            return new UUID(longAt(bytes, 0), longAt(bytes, Long.BYTES)).toString();
        }
        if (leaf.annotation == Annotation.DECIMAL && bytes.length > 0) {
            return new BigDecimal(new BigInteger(bytes), leaf.scale).toPlainString();
        }
        boolean isText = leaf.isText() && leaf.annotation != Annotation.NONE;
        return isText || leaf.typeLength == 0 && Utf8.isWellFormed(bytes, 0, bytes.length)
                ? new String(bytes, StandardCharsets.UTF_8)
                : Base64.getEncoder().encodeToString(bytes);
    }

    private static long longAt(byte[] bytes, int from) {
        return new BigInteger(1, Arrays.copyOfRange(bytes, from, from + Long.BYTES)).longValue();
    }
}
