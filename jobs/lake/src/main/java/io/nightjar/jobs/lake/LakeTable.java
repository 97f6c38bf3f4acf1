package io.nightjar.jobs.lake;

import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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

    private final List<Column> columns;

    LakeTable(Class<? extends LakeRow> row) {
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
