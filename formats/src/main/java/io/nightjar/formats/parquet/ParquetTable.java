package io.nightjar.formats.parquet;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.StringPool;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    private final List<SchemaNode> leaves = new ArrayList<>();
    private final List<FlatColumn> fields = new ArrayList<>(); // of the row group
    private final List<String> passedOver = new ArrayList<>();

    private int rowGroup = -1;
    private long leftInGroup;
    private int batch;
    private int at;
    private long row;

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
                leaves.add(leaf);
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
        return leaves.stream().map(SchemaNode::path).toList();
    }

    /** Returns the names of columns that cannot be read: lists, and timestamps of twelve bytes. */
    public List<String> passedOver() {
        return passedOver;
    }

    /** Returns the number of nanoseconds per unit of a timestamp column; 0 for any other column. */
    public long nanosPerUnit(int column) {
        SchemaNode leaf = leaves.get(column);
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
        for (FlatColumn field : fields) {
            field.read(batch);
        }
        at = 0;
        row++;
        return true;
    }

    private void beginRowGroup() {
        leftInGroup = footer.rowGroups().get(rowGroup).rowCount();
        fields.clear();
        for (SchemaNode leaf : leaves) {
            fields.add(new FlatColumn(
                    leaf, (node, names) -> new LeafReader(file, rowGroup, node, channel, footer, codec, names)));
        }
    }

    /** Returns the current row, counted from 1. */
    public long row() {
        return row;
    }

    public boolean isNull(int column) {
        return fields.get(column).isNull(at) || leaves.get(column).annotation == Annotation.ALL_NULL;
    }

    public Type type(int column) {
        SchemaNode leaf = leaves.get(column);
        boolean isFraction = leaf.annotation == Annotation.DECIMAL && leaf.scale > 0;
        return switch (leaf.leafType()) {
            case INT32, INT64 -> isFraction ? Type.TEXT : Type.NUMBER;
            case FLOAT, DOUBLE -> Type.FLOATING;
            default -> Type.TEXT;
        };
    }

    public long number(int column) {
        return fields.get(column).number(at);
    }

    /** Returns whether a number is at least 2^63, and so appears negative. */
    public boolean isTooLarge(int column) {
        return fields.get(column).isUnsigned() && number(column) < 0;
    }

    public double floating(int column) {
        return fields.get(column).floating(at);
    }

    /** Returns the table of a column's texts in the current rows; null if they must be read one by one. */
    public @Nullable StringPool texts(int column) {
        SchemaNode leaf = leaves.get(column);
        return leaf.leafType().isBinary() && leaf.isText() ? fields.get(column).names() : null;
    }

    /** Returns the text of a column that {@link #texts} does not contain. */
    public String text(int column) {
        return fields.get(column).text(at);
    }

    @Override
    public void close() throws IOException {
        codec.close();
        channel.close();
    }
}
