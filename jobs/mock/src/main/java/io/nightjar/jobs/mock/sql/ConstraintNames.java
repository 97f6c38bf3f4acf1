package io.nightjar.jobs.mock.sql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.h2.constraint.Constraint;
import org.h2.constraint.Constraint.Type;
import org.h2.constraint.ConstraintReferential;
import org.h2.constraint.ConstraintUnique;
import org.h2.engine.SessionLocal;
import org.h2.index.Index;
import org.h2.schema.Schema;
import org.h2.table.Column;

/** Names unnamed constraints and their indexes as PostgreSQL or MySQL would. */
final class ConstraintNames {

    /** Name prefix of an index that H2 creates for a foreign key and PostgreSQL does not. */
    static final String HIDDEN = "nightjar$";

    /** Separator of table and index name, as MySQL's index names are unique only within a table. */
    private static final String OF_TABLE = "$";

    private static final int MAX_NAME_LENGTH = 63;

    private static final Pattern CONSTRAINT_OF_H2 = Pattern.compile("CONSTRAINT_[0-9A-F]+(_\\d+)?");
    private static final Pattern INDEX_OF_H2 = Pattern.compile("(?:PRIMARY_KEY|(?:.*_)?INDEX)_[0-9A-F]+(_\\d+)?");

    private final SessionLocal session;
    private final EngineDialect dialect;
    private final Schema schema;

    private ConstraintNames(SessionLocal session, EngineDialect dialect, Schema schema) {
        this.session = session;
        this.dialect = dialect;
        this.schema = schema;
    }

    /** Names constraints and indexes after a session has created or altered tables. */
    static void settle(SessionLocal session, EngineDialect dialect) {
        for (Schema schema : session.getDatabase().getAllSchemasNoMeta()) {
            new ConstraintNames(session, dialect, schema).settle();
        }
    }

    private void settle() {
        List<Constraint> all = new ArrayList<>(schema.getAllConstraints());
        all.sort(Comparator.comparing(Constraint::getId));
        for (Constraint constraint : all) {
            if (CONSTRAINT_OF_H2.matcher(constraint.getName()).matches()
                    && constraint.getTable() instanceof MockTable) {
                String name = free(number -> named(constraint, number), constraint.getConstraintType());
                run("ALTER TABLE " + constraint.getTable().getSQL(0) + " RENAME CONSTRAINT \"" + constraint.getName()
                        + "\" TO \"" + name + '"');
            }
            Index index = constraint.getConstraintType() == Type.DOMAIN ? null : constraint.getIndex();
            if (index != null
                    && index.getIndexType().getBelongsToConstraint()
                    && INDEX_OF_H2.matcher(index.getName()).matches()) {
                rename(index, constraint);
            }
        }
        if (dialect == EngineDialect.POSTGRES) {
            nameIndexes();
        }
    }

    /** Names the unnamed indexes that belong to no constraint. */
    private void nameIndexes() {
        for (Index index : new ArrayList<>(schema.getAllIndexes())) {
            if (index.getTable() instanceof MockTable
                    && !index.getIndexType().getBelongsToConstraint()
                    && INDEX_OF_H2.matcher(index.getName()).matches()) {
                List<String> columns = Arrays.stream(index.getIndexColumns())
                        .map(column -> column.column.getName())
                        .toList();
                String name = free(
                        number -> postgres(index.getTable().getName(), columns, "_idx" + (number == 0 ? "" : number)),
                        Type.UNIQUE);
                run("ALTER INDEX " + index.getSQL(0) + " RENAME TO \"" + name + '"');
            }
        }
    }

    private void rename(Index index, Constraint constraint) {
        String name = constraint.getName();
        if (constraint.getConstraintType() == Type.REFERENTIAL) {
            name = dialect == EngineDialect.POSTGRES
                    ? HIDDEN + name
                    : constraint.getTable().getName()
                            + OF_TABLE
                            + columns(constraint).get(0);
        }
        if (schema.findIndex(session, name) == null) {
            run("ALTER INDEX " + index.getSQL(0) + " RENAME TO \"" + name + '"');
        }
    }

    private void run(String sql) {
        session.prepareCommand(sql).executeUpdate(null);
    }

    private String free(IntFunction<String> names, Type type) {
        Predicate<String> isTaken = name -> schema.findConstraint(session, name) != null
                || type != Type.CHECK
                        && type != Type.REFERENTIAL
                        && (schema.findIndex(session, name) != null || schema.findTableOrView(session, name) != null);
        int number = 0;
        while (isTaken.test(names.apply(number))) {
            number++;
        }
        return names.apply(number);
    }

    private String named(Constraint constraint, int number) {
        String table = constraint.getTable().getName();
        List<String> columns = columns(constraint);
        Type type = constraint.getConstraintType();
        if (dialect == EngineDialect.MYSQL) {
            return switch (type) {
                case PRIMARY_KEY -> table + OF_TABLE + "PRIMARY";
                case UNIQUE -> table + OF_TABLE + columns.get(0) + (number == 0 ? "" : "_" + (number + 1));
                case REFERENTIAL -> table + "_ibfk_" + (number + 1);
                default -> table + "_chk_" + (number + 1);
            };
        }
        String end = number == 0 ? "" : Integer.toString(number);
        return switch (type) {
            case PRIMARY_KEY -> postgres(table, List.of(), "_pkey" + end);
            case UNIQUE -> postgres(table, columns, "_key" + end);
            case REFERENTIAL -> postgres(table, columns, "_fkey" + end);
            default -> postgres(table, columns.size() == 1 ? columns : List.of(), "_check" + end);
        };
    }

    /** Returns PostgreSQL's name for the sequence of a column, or a numbered variant if that name is taken. */
    static String ofSequence(String table, String column, int number) {
        return postgres(table, List.of(column), "_seq" + (number == 0 ? "" : Integer.toString(number)));
    }

    /** Returns a name composed of parts, truncating the longer part until the name fits PostgreSQL's limit. */
    private static String postgres(String table, List<String> columns, String label) {
        String first = table;
        String second = columns.isEmpty() ? "" : "_" + String.join("_", columns);
        while (first.length() + second.length() + label.length() > MAX_NAME_LENGTH) {
            if (first.length() > second.length() - 1) {
                first = first.substring(0, first.length() - 1);
            } else {
                second = second.substring(0, second.length() - 1);
            }
        }
        return first + second + label;
    }

    private static List<String> columns(Constraint constraint) {
        Stream<Column> columns;
        if (constraint instanceof ConstraintUnique unique) {
            columns = Arrays.stream(unique.getColumns()).map(column -> column.column);
        } else if (constraint instanceof ConstraintReferential reference) {
            columns = Arrays.stream(reference.getColumns()).map(column -> column.column);
        } else {
            columns = constraint.getReferencedColumns(constraint.getTable()).stream();
        }
        return columns.map(Column::getName).collect(Collectors.toList());
    }
}
