package io.nightjar.jobs.lake;

import io.nightjar.formats.arrow.ArrowTableSchema;
import io.nightjar.formats.parquet.ParquetTableWriter;
import io.nightjar.formats.parquet.TableColumn;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** One table's rows of one run, in a file that has its final name only after {@link #publish}. */
final class TableFile implements AutoCloseable {

    private static final String PART = "part-%05d.parquet";

    /** These stand in the names of folders as well. */
    private static final Set<String> PARTITIONS = Set.of("history_id", "run_id");

    private final LakeTable table;
    private final Path file;
    private final ParquetTableWriter writer;
    private long rowCount;

    private TableFile(LakeTable table, Path file, ParquetTableWriter writer) {
        this.table = table;
        this.file = file;
        this.writer = writer;
    }

    /** @param number of the part, from 0 */
    static TableFile create(LakeTable table, Path folder, int number) {
        DurableFiles.createFolder(folder);
        Path file = folder.resolve(String.format(Locale.ROOT, PART, number));
        List<TableColumn> columns = columns(table);
        Map<String, String> metadata = Map.of(
                "schema_version",
                Long.toString(Lake.SCHEMA_VERSION),
                ArrowTableSchema.KEY,
                ArrowTableSchema.encode(columns, PARTITIONS));
        try {
            return new TableFile(table, file, new ParquetTableWriter(file, columns, metadata));
        } catch (IOException e) {
            throw LakeException.of("write", file, e);
        }
    }

    private static List<TableColumn> columns(LakeTable table) {
        List<TableColumn> columns = new ArrayList<>();
        for (LakeTable.Column column : table.columns()) {
            columns.add(new TableColumn(column.name(), type(column.type()), true));
        }
        return columns;
    }

    private static TableColumn.Type type(LakeTable.Type type) {
        return switch (type) {
            case STRING -> TableColumn.Type.STRING;
            case INT64 -> TableColumn.Type.INT64;
            case DOUBLE -> TableColumn.Type.DOUBLE;
            case BOOLEAN -> TableColumn.Type.BOOLEAN;
            case TIMESTAMP -> TableColumn.Type.TIMESTAMP_MICROS_UTC;
        };
    }

    /** Adds a row; cells are in the order of the table's columns. */
    void add(Object... cells) {
        if (cells.length != table.columns().size()) {
            throw new IllegalArgumentException("cells do not fit table: table=" + table + " cells=" + cells.length
                    + " expected=" + table.columns().size());
        }
        writer.begin();
        for (int column = 0; column < cells.length; column++) {
            set(column, cells[column]);
        }
        try {
            writer.end();
        } catch (IOException e) {
            throw LakeException.of("write", file, e);
        }
        rowCount++;
    }

    private void set(int column, Object cell) {
        if (cell instanceof String string) {
            writer.set(column, string);
        } else if (cell instanceof Long number) {
            writer.set(column, number);
        } else if (cell instanceof Double number) {
            writer.set(column, number);
        } else if (cell instanceof Boolean claim) {
            writer.set(column, claim);
        } else if (cell instanceof Instant instant) {
            writer.set(column, micros(instant));
        } else if (cell != null) {
            throw new IllegalArgumentException("no column type for a cell: class=" + cell.getClass());
        }
    }

    /** Since 1970; all years of a clock fit, which differences in nanoseconds do not. */
    private static long micros(Instant instant) {
        long ofSeconds = Math.multiplyExact(instant.getEpochSecond(), 1_000_000L);
        return Math.addExact(ofSeconds, instant.getNano() / 1_000);
    }

    Path path() {
        return file;
    }

    long rowCount() {
        return rowCount;
    }

    /** Everything was added: brings the file to the disk, still hidden. */
    void finish() {
        try {
            writer.complete();
        } catch (IOException e) {
            throw LakeException.of("write", file, e);
        }
    }

    void publish() {
        try {
            writer.publish();
        } catch (IOException e) {
            throw LakeException.of("rename", file, e);
        }
    }

    @Override
    public void close() {
        try {
            writer.close();
        } catch (IOException e) {
            throw LakeException.of("close", file, e);
        }
    }
}
