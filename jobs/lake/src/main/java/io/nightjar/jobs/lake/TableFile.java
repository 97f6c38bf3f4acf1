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
import org.jspecify.annotations.Nullable;

/** One table's rows of one run, in a file that has its final name only after {@link #publish}. */
final class TableFile implements AsyncRowEncoder.Target, AutoCloseable {

    private static final String PART = "part-%05d.parquet";

    /** These are also in the names of folders. */
    private static final Set<String> PARTITIONS = Set.of("history_id", "run_id");

    private final LakeTable table;
    private final Path file;
    private final ParquetTableWriter writer;
    private long rowCount;
    private int column; // index of the next cell

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

    @Override
    public void add(LakeRow row) {
        begin();
        LakeTable.forEachCell((Record) row, (name, cell) -> cell(cell));
        end();
    }

    /** Begins a row, whose cells follow one by one. */
    void begin() {
        writer.begin();
        column = 0;
    }

    void end() {
        if (column != table.columns().size()) {
            throw new IllegalStateException("cells do not fit table: table=" + table + " cells=" + column + " expected="
                    + table.columns().size());
        }
        try {
            writer.end();
        } catch (IOException e) {
            throw LakeException.of("write", file, e);
        }
        rowCount++;
    }

    /** Sets the next cell of the row; null leaves it empty. */
    void cell(@Nullable Object cell) {
        if (cell == null) {
            writer.setNull(column++);
        } else if (cell instanceof String text) {
            writer.set(column++, text);
        } else if (cell instanceof Long number) {
            writer.set(column++, number);
        } else if (cell instanceof Double fraction) {
            writer.set(column++, fraction);
        } else if (cell instanceof Boolean flag) {
            writer.set(column++, flag);
        } else {
            writer.set(column++, micros((Instant) cell));
        }
    }

    /** Microseconds since 1970; all years of a clock fit, which differences in nanoseconds do not. */
    private static long micros(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1_000);
    }

    Path path() {
        return file;
    }

    long rowCount() {
        return rowCount;
    }

    /** Completes the file and brings it to the disk, still hidden. */
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
