package io.nightjar.jobs.lake;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of a lake; the components of their rows are their columns, in the order in which files hold them. */
public enum LakeTable {
    RUNS(LakeRow.Run.class),
    LEVEL_VERDICTS(LakeRow.LevelVerdict.class),
    ANOMALIES(LakeRow.Anomaly.class),
    ANOMALY_TXNS(LakeRow.AnomalyTxn.class),
    ANOMALY_EDGES(LakeRow.AnomalyEdge.class),
    LINT_FINDINGS(LakeRow.LintFinding.class),
    DEAD_LETTERS(LakeRow.DeadLetter.class),
    COMPONENTS(LakeRow.Component.class),
    STAGES(LakeRow.Stage.class),
    VERDICT_CHANGES(LakeRow.VerdictChange.class),
    WATCH_INTERVALS(LakeRow.WatchInterval.class);

    private static final ClassValue<List<Cell>> CELLS = new ClassValue<>() {
        @Override
        protected List<Cell> computeValue(Class<?> type) {
            return Stream.of(type.getRecordComponents()).map(Cell::of).toList();
        }
    };

    private record Cell(String name, Method accessor) {

        static Cell of(RecordComponent component) {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true); // the record of a query is private to its caller
            return new Cell(columnName(component), accessor);
        }
    }

    private final Class<? extends LakeRow> row;
    private final List<Column> columns;

    LakeTable(Class<? extends LakeRow> row) {
        this.row = row;
        List<Column> found = new ArrayList<>();
        addColumns(row, found);
        this.columns = List.copyOf(found);
    }

    private static void addColumns(Class<?> row, List<Column> to) {
        for (RecordComponent component : row.getRecordComponents()) {
            Class<?> type = component.getType();
            if (type.isRecord()) {
                addColumns(type, to);
            } else {
                to.add(new Column(columnName(component), Type.of(type)));
            }
        }
    }

    static LakeTable of(LakeRow row) {
        return Stream.of(values())
                .filter(table -> table.row == row.getClass())
                .findAny()
                .orElseThrow();
    }

    /** Passes on the cells of a record, and of the records in it, with the names of their columns, in their order. */
    public static void forEachCell(Record row, BiConsumer<String, @Nullable Object> to) {
        try {
            for (Cell cell : CELLS.get(row.getClass())) {
                Object value = cell.accessor.invoke(row);
                if (value instanceof Record nested) {
                    forEachCell(nested, to);
                } else {
                    to.accept(cell.name, value);
                }
            }
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError("bug: a record has its accessors: record=" + row, impossible);
        }
    }

    /** Returns the name of the column for a component of a row. */
    public static String columnName(RecordComponent component) {
        ColumnName other = component.getAnnotation(ColumnName.class);
        if (other != null) {
            return other.value();
        }
        StringBuilder name = new StringBuilder();
        for (char c : component.getName().toCharArray()) {
            name.append(Character.isUpperCase(c) ? "_" : "").append(Character.toLowerCase(c));
        }
        return name.toString();
    }

    /** Returns the name of its folder and of its view. */
    public String tableName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public List<Column> columns() {
        return columns;
    }

    /** One column; every column may be null, unless the page on the anomaly tables states otherwise. */
    public record Column(String name, Type type) {}

    /** The types that every reader of Parquet supports. */
    public enum Type {
        STRING,
        INT64,
        DOUBLE,
        BOOLEAN,
        /** Microseconds since 1970, UTC. */
        TIMESTAMP;

        private static Type of(Class<?> type) {
            if (type == String.class) {
                return STRING;
            }
            if (type == long.class || type == Long.class) {
                return INT64;
            }
            if (type == double.class) {
                return DOUBLE;
            }
            if (type == boolean.class) {
                return BOOLEAN;
            }
            if (type == Instant.class) {
                return TIMESTAMP;
            }
            throw new IllegalArgumentException("no type of a column: type=" + type);
        }
    }
}
