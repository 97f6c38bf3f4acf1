package io.nightjar.formats.parquet;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.StringPool;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reader of the rows of any Parquet file without nesting; lists are skipped. */
public final class ParquetTable implements AutoCloseable {

    private static final int BATCH = 1 << 13;

    /** Type of a value. */
    public enum Type {
        NUMBER,
        FLOATING,
        TEXT
    }

    private final String file;
    private final FileChannel channel;
    private final FileFooter footer;
    private final PageDecompressor codec = new PageDecompressor();
    private final List<Field> fields = new ArrayList<>();
    private final List<String> passedOver = new ArrayList<>();

    private int rowGroup = -1;
    private long leftInGroup;
    private int batch;
    private int at;
    private long row;

    /** A column, and its values in the current rows. */
    private static final class Field {
        private final SchemaNode leaf;
        private final Type type;
        private @Nullable LeafReader reader;
        private @Nullable NameMap names;
        private final long[] values = new long[BATCH];
        private final boolean[] isNull = new boolean[BATCH];
        private boolean sawNull;

        private Field(SchemaNode leaf) {
            this.leaf = leaf;
            this.type = typeOf(leaf);
        }

        private static Type typeOf(SchemaNode leaf) {
            boolean isFraction = leaf.annotation == Annotation.DECIMAL && leaf.scale > 0;
            return switch (leaf.leafType()) {
                case INT32, INT64 -> isFraction ? Type.TEXT : Type.NUMBER;
                case FLOAT, DOUBLE -> Type.FLOATING;
                default -> Type.TEXT;
            };
        }
    }

    /**
     * Opens a file.
     *
     * @throws MalformedHistoryException if it is not Parquet, or is corrupt
     */
    public static ParquetTable open(Path path) throws IOException {
        FileChannel channel = ParquetHistorySource.channel(path);
        try {
            return new ParquetTable(path.toString(), channel);
        } catch (CorruptFileException e) {
            channel.close();
            throw new MalformedHistoryException(InputLocation.file(path.toString()), e.fault(), e);
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    private ParquetTable(String file, FileChannel channel) throws IOException {
        this.file = file;
        this.channel = channel;
        this.footer = FooterReader.read(channel);
        for (SchemaNode leaf : footer.leaves()) {
            if (leaf.maxRep == 0 && leaf.type != PhysicalType.INT96) {
                fields.add(new Field(leaf));
            } else {
                passedOver.add(leaf.path().replaceFirst("\\..*", ""));
            }
        }
    }

    /** Returns whether the file has the column of operations, which a transaction per row requires. */
    public boolean hasOperations() {
        return footer.root().child(HistoryColumn.OPS.columnName()) != null;
    }

    public List<String> columns() {
        return fields.stream().map(field -> field.leaf.path()).toList();
    }

    /** Returns the names of columns that cannot be read: lists, and timestamps of twelve bytes. */
    public List<String> passedOver() {
        return passedOver;
    }

    /** Returns the number of nanoseconds per unit of a timestamp column; 0 for any other column. */
    public long nanosPerUnit(int column) {
        SchemaNode leaf = fields.get(column).leaf;
        boolean isTimestamp = leaf.annotation == Annotation.TIMESTAMP && leaf.type == PhysicalType.INT64;
        return switch (isTimestamp ? leaf.scale : 0) {
            case 3 -> 1_000_000;
            case 6 -> 1_000;
            case 9 -> 1;
            default -> 0;
        };
    }

    /** Advances to the next row; returns false after the last. */
    public boolean advance() throws IOException {
        if (++at < batch) {
            row++;
            return true;
        }
        while (leftInGroup == 0) {
            if (++rowGroup == footer.rowGroups().size()) {
                return false;
            }
            beginRowGroup();
        }
        batch = (int) Math.min(BATCH, leftInGroup);
        leftInGroup -= batch;
        for (Field field : fields) {
            if (field.names != null) {
                field.names.begin();
                requireNonNull(field.reader).forgetWords();
            }
            requireNonNull(field.reader).fill(field.values, 0, field.isNull, batch, 0, 0);
            field.sawNull = field.reader.sawNull();
        }
        at = 0;
        row++;
        return true;
    }

    private void beginRowGroup() {
        leftInGroup = footer.rowGroups().get(rowGroup).rowCount();
        for (Field field : fields) {
            field.names = field.leaf.leafType().isBinary() ? new NameMap(false) : null;
            field.reader = new LeafReader(file, rowGroup, field.leaf, channel, footer, codec, field.names);
        }
    }

    /** Returns the current row, counted from 1. */
    public long row() {
        return row;
    }

    public boolean isNull(int column) {
        Field field = fields.get(column);
        return field.sawNull && field.isNull[at] || field.leaf.annotation == Annotation.ALL_NULL;
    }

    public Type type(int column) {
        return fields.get(column).type;
    }

    public long number(int column) {
        return fields.get(column).values[at];
    }

    /** Returns whether a number is at least 2^63, and so appears negative. */
    public boolean isTooLarge(int column) {
        return requireNonNull(fields.get(column).reader).isUnsignedInt64() && number(column) < 0;
    }

    public double floating(int column) {
        Field field = fields.get(column);
        long bits = field.values[at];
        return field.leaf.type == PhysicalType.FLOAT ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
    }

    /** Returns the table of a column's texts in the current rows; null if they must be read one by one. */
    public @Nullable StringPool texts(int column) {
        Field field = fields.get(column);
        return field.names != null && isPlainText(field.leaf) ? field.names.pool() : null;
    }

    private static boolean isPlainText(SchemaNode leaf) {
        return switch (leaf.annotation) {
            case STRING, ENUM, JSON -> true;
            case NONE -> leaf.typeLength == 0;
            default -> false;
        };
    }

    /** Returns the text of a column that {@link #texts} does not contain. */
    public String text(int column) {
        Field field = fields.get(column);
        long value = field.values[at];
        if (field.leaf.type == PhysicalType.BOOLEAN) {
            return Boolean.toString(value != 0);
        }
        if (field.names == null) {
            return BigDecimal.valueOf(value, field.leaf.scale).toPlainString();
        }
        StringPool pool = field.names.pool();
        byte[] bytes = new byte[pool.length((int) value)];
        System.arraycopy(pool.bytes(), pool.firstByte((int) value), bytes, 0, bytes.length);
        if (field.leaf.annotation == Annotation.UUID && bytes.length == 2 * Long.BYTES) {
            return new UUID(number(bytes, 0), number(bytes, Long.BYTES)).toString();
        }
        if (field.leaf.annotation == Annotation.DECIMAL && bytes.length > 0) {
            return new BigDecimal(new BigInteger(bytes), field.leaf.scale).toPlainString();
        }
        return NameMap.isUtf8(bytes, 0, bytes.length) && field.leaf.typeLength == 0
                ? new String(bytes, StandardCharsets.UTF_8)
                : Base64.getEncoder().encodeToString(bytes);
    }

    private static long number(byte[] bytes, int from) {
        return new BigInteger(1, Arrays.copyOfRange(bytes, from, from + Long.BYTES)).longValue();
    }

    @Override
    public void close() throws IOException {
        codec.close();
        channel.close();
    }
}
