package io.nightjar.jobs.lake;

import io.nightjar.formats.parquet.ParquetTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The parts of tables that a watch has shown so far; when it ends, those of a table become one. */
final class LiveParts {

    private final Map<LakeTable, List<Path>> partsOf = new EnumMap<>(LakeTable.class);
    private final Map<LakeTable, Long> rowsOf = new EnumMap<>(LakeTable.class);
    private int count;

    /** A file has become a part. */
    void add(LakeTable table, TableFile file) {
        partsOf.computeIfAbsent(table, absent -> new ArrayList<>()).add(file.path());
        rowsOf.merge(table, file.rowCount(), Long::sum);
        count++;
    }

    /** How many parts there have been, of all tables. */
    int count() {
        return count;
    }

    long rows(LakeTable table) {
        return rowsOf.getOrDefault(table, 0L);
    }

    /** Relative to the lake, table by table. */
    List<String> names(Path root) {
        return partsOf.values().stream()
                .flatMap(List::stream)
                .map(part -> root.relativize(part).toString())
                .toList();
    }

    /** Whether a table has several parts, which are to become one. */
    boolean areSeveral(LakeTable table) {
        return partsOf.getOrDefault(table, List.of()).size() > 1;
    }

    /** Adds all rows of a table's parts to a file. */
    void copy(LakeTable table, TableFile to) {
        for (Path part : partsOf.get(table)) {
            try (ParquetTable rows = ParquetTable.open(part)) {
                int[] columnOf = table.columns().stream()
                        .mapToInt(column -> rows.columns().indexOf(column.name()))
                        .toArray();
                while (rows.advance()) {
                    to.add(row(rows, table, columnOf));
                }
            } catch (IOException failed) {
                throw LakeException.of("read", part, failed);
            }
        }
    }

    private static Object[] row(ParquetTable rows, LakeTable table, int[] columnOf) {
        Object[] cells = new Object[columnOf.length];
        for (int i = 0; i < cells.length; i++) {
            int column = columnOf[i];
            if (!rows.isNull(column)) {
                cells[i] = switch (table.columns().get(i).type()) {
                    case STRING -> rows.text(column);
                    case INT64 -> rows.number(column);
                    case DOUBLE -> rows.floating(column);
                    case BOOLEAN -> Boolean.valueOf(rows.text(column));
                    case TIMESTAMP -> Instant.EPOCH.plus(rows.number(column), ChronoUnit.MICROS);
                };
            }
        }
        return cells;
    }

    /** Removes the parts of tables that became one. */
    void removeMerged() {
        for (LakeTable table : partsOf.keySet()) {
            if (areSeveral(table)) {
                for (Path part : partsOf.get(table)) {
                    try {
                        Files.deleteIfExists(part);
                    } catch (IOException failed) {
                        throw LakeException.of("delete", part, failed);
                    }
                }
            }
        }
    }
}
