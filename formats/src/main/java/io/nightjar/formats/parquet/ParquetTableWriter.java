package io.nightjar.formats.parquet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a flat table row by row: {@link #begin}, a setter for each column, {@link #end}.
 *
 * <p>The file appears under its name only when {@link #finish} returns; a writer that is closed before leaves no file.
 * The same rows produce the same bytes.
 */
public final class ParquetTableWriter implements AutoCloseable {

    private static final long ROWS_IN_GROUP = 1 << 17;
    private static final long BYTES_IN_GROUP = 64 << 20;

    private final List<TableColumn> columns;
    private final FileWriter file;
    private final boolean[] isSet;
    private final long[] numberOf;
    private final String[] stringOf;

    public ParquetTableWriter(Path file, List<TableColumn> columns) throws IOException {
        this(file, columns, Map.of());
    }

    /** @param metadata entries of the footer, in order of iteration */
    public ParquetTableWriter(Path file, List<TableColumn> columns, Map<String, String> metadata) throws IOException {
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("a table needs a column: file=" + file);
        }
        this.columns = List.copyOf(columns);
        SchemaNode root = SchemaNode.group("table", Repetition.REQUIRED, Annotation.NONE);
        for (TableColumn column : columns) {
            root.children.add(column.toSchema());
        }
        this.file = new FileWriter(file, root, metadata);
        this.isSet = new boolean[columns.size()];
        this.numberOf = new long[columns.size()];
        this.stringOf = new String[columns.size()];
    }

    /** Starts a row; all its columns are null until they are set. */
    public ParquetTableWriter begin() {
        for (int column = 0; column < isSet.length; column++) {
            isSet[column] = false;
        }
        return this;
    }

    /** Sets a string cell; null leaves it null. */
    public ParquetTableWriter set(int column, @Nullable String value) {
        require(column, columns.get(column).type() == TableColumn.Type.STRING);
        isSet[column] = value != null;
        stringOf[column] = value;
        return this;
    }

    /** Sets a cell of type INT64, TIMESTAMP_MICROS_UTC or INT32. */
    public ParquetTableWriter set(int column, long value) {
        TableColumn.Type type = columns.get(column).type();
        boolean isInt = type == TableColumn.Type.INT32;
        require(column, isInt || type == TableColumn.Type.INT64 || type == TableColumn.Type.TIMESTAMP_MICROS_UTC);
        return number(column, isInt ? Math.toIntExact(value) : value);
    }

    public ParquetTableWriter set(int column, boolean value) {
        require(column, columns.get(column).type() == TableColumn.Type.BOOLEAN);
        return number(column, value ? 1 : 0);
    }

    public ParquetTableWriter set(int column, double value) {
        require(column, columns.get(column).type() == TableColumn.Type.DOUBLE);
        return number(column, Double.doubleToRawLongBits(value));
    }

    public ParquetTableWriter setNull(int column) {
        isSet[column] = false;
        return this;
    }

    public void end() throws IOException {
        for (int column = 0; column < isSet.length; column++) {
            ChunkWriter chunk = file.chunk(column);
            TableColumn to = columns.get(column);
            if (!isSet[column]) {
                if (!to.isNullable()) {
                    throw new IllegalStateException("column may not be null: column=" + to.name());
                }
                chunk.entry(0, 0);
                continue;
            }
            chunk.entry(0, chunk.leaf.maxDef);
            if (to.type() == TableColumn.Type.STRING) {
                chunk.string(stringOf[column]);
            } else {
                chunk.value(numberOf[column]);
            }
        }
        file.endRow();
        if (file.rowsInGroup() >= ROWS_IN_GROUP || file.bytesInGroup() >= BYTES_IN_GROUP) {
            file.endRowGroup();
        }
    }

    private ParquetTableWriter number(int column, long value) {
        isSet[column] = true;
        numberOf[column] = value;
        return this;
    }

    private void require(int column, boolean fits) {
        if (!fits) {
            throw new IllegalArgumentException("value does not fit its column: column="
                    + columns.get(column).name() + " type="
                    + columns.get(column).type());
        }
    }

    /** Makes the file visible under its name. */
    public void finish() throws IOException {
        complete();
        publish();
    }

    /** Syncs the complete file to the disk, still hidden, after the last row. */
    public void complete() throws IOException {
        file.complete();
    }

    /** Renames a complete file to its target. */
    public void publish() throws IOException {
        file.publish();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
