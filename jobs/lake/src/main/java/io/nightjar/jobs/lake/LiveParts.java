package io.nightjar.jobs.lake;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.parquet.ParquetTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts of tables that a watch has published so far; when it ends, the parts of each table are merged. */
final class LiveParts {

    private final Map<LakeTable, List<Path>> partsOf = new EnumMap<>(LakeTable.class);
    private final Map<LakeTable, Long> rowsOf = new EnumMap<>(LakeTable.class);
    private int count;

    /** Adds a file that has become a part. */
    void add(LakeTable table, TableFile file) {
        partsOf.computeIfAbsent(table, absent -> new ArrayList<>()).add(file.path());
        rowsOf.merge(table, file.rowCount(), Long::sum);
        count++;
    }

    /** Returns the number of parts so far, of all tables. */
    int count() {
        return count;
    }

    long rows(LakeTable table) {
        return rowsOf.getOrDefault(table, 0L);
    }

    /** Returns names relative to the lake, table by table. */
    List<String> names(Path root) {
        return partsOf.values().stream()
                .flatMap(List::stream)
                .map(part -> root.relativize(part).toString())
                .toList();
    }

    /** Returns whether a table has several parts, which are to be merged. */
    boolean areSeveral(LakeTable table) {
        return partsOf.getOrDefault(table, List.of()).size() > 1;
    }

    /** Adds all rows of a table's parts to a file. */
    void copy(LakeTable table, TableFile to) {
        for (Path part : requireNonNull(partsOf.get(table))) {
            try (ParquetTable rows = ParquetTable.open(part)) {
                int[] columnOf = table.columns().stream()
                        .mapToInt(column -> rows.columns().indexOf(column.name()))
                        .toArray();
                while (rows.advance()) {
                    to.begin();
                    for (int i = 0; i < columnOf.length; i++) {
                        to.cell(cell(rows, columnOf[i], table.columns().get(i).type()));
                    }
                    to.end();
                }
            } catch (IOException failed) {
                throw LakeException.of("read", part, failed);
            }
        }
    }

    private static @Nullable Object cell(ParquetTable from, int column, LakeTable.Type type) {
        if (from.isNull(column)) {
            return null;
        }
        return switch (type) {
            case STRING -> from.text(column);
            case INT64, TIMESTAMP -> from.number(column);
            case DOUBLE -> from.floating(column);
            case BOOLEAN -> Boolean.parseBoolean(from.text(column));
        };
    }

    /** Removes the parts of tables that became one. */
    void removeMerged() {
        for (LakeTable table : partsOf.keySet()) {
            if (areSeveral(table)) {
                for (Path part : requireNonNull(partsOf.get(table))) {
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
