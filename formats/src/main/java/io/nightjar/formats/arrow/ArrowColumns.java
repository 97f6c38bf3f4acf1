package io.nightjar.formats.arrow;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.ValueType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.arrow.flatbuf.Type;
import org.jspecify.annotations.Nullable;

/** The columns of a history in one file; a column that is missing is null here. */
final class ArrowColumns {

    private static final Set<String> TOP_LEVEL = Set.copyOf(HistoryColumn.columnNames(HistoryColumn.OF_TXNS));

    private static final String SCALAR = "int64 or utf8";

    private final Map<HistoryColumn, ArrowField> fieldOf = new EnumMap<>(HistoryColumn.class);

    final ArrowField ops;
    final ArrowField op;
    final @Nullable ArrowField elements;
    final @Nullable ArrowField element;

    /** Numbers, booleans and strings that are not columns of a history; they are copied to extra. */
    final List<ArrowField> others = new ArrayList<>();

    final ValueType keyType;
    final ValueType valueType;

    private final String file;

    ArrowColumns(String file, List<ArrowField> columns) {
        this.file = file;
        for (HistoryColumn column : HistoryColumn.OF_TXNS) {
            put(columns, column);
        }
        this.ops = required(columns, HistoryColumn.OPS.columnName());
        this.op = ops.isList() ? ops.children.get(0) : ops;
        if (op.type != Type.Struct_) {
            throw wrongType(ops, "list<struct<kind,key,value>>");
        }
        for (HistoryColumn column : HistoryColumn.OF_OPS) {
            put(op.children, column);
        }
        ArrowField lists = find(op.children, HistoryColumn.ELEMENTS.columnName());
        if (lists != null && !lists.isList()) {
            throw wrongType(lists, "list of int64 or utf8");
        }
        this.elements = lists;
        this.element = lists == null ? null : lists.children.get(0);
        if (element != null && !isScalar(element)) {
            throw wrongType(element, SCALAR);
        }
        this.keyType = typeOf(field(HistoryColumn.KEY));
        this.valueType = valueType();
        for (ArrowField column : columns) {
            if (!TOP_LEVEL.contains(column.name) && column.isSimple()) {
                others.add(column);
            }
        }
    }

    /** Returns the field of a column; null if it is missing, or if it is optional and all its values are null. */
    @Nullable
    ArrowField field(HistoryColumn column) {
        return fieldOf.get(column);
    }

    private void put(List<ArrowField> columns, HistoryColumn column) {
        ArrowField found =
                switch (column.type()) {
                    case INT64, INT32 -> find(columns, column, "int64", ArrowField::isInteger);
                    case BOOLEAN -> find(columns, column, "bool", field -> field.type == Type.Bool);
                    case STRING -> find(columns, column, "utf8", ArrowField::isString);
                    case KEY, VALUE -> find(columns, column, SCALAR, ArrowColumns::isScalar);
                    case VALUES, OPERATIONS -> null; // lists, whose children are mapped
                };
        if (found != null) {
            fieldOf.put(column, found);
        }
    }

    /** Returns LONG, STRING, or NONE for a column without a type because all its values are null. */
    static ValueType typeOf(@Nullable ArrowField field) {
        if (field == null || field.isNull()) {
            return ValueType.NONE;
        }
        return field.isInteger() ? ValueType.LONG : ValueType.STRING;
    }

    private ValueType valueType() {
        ArrowField value = field(HistoryColumn.VALUE);
        ValueType scalars = typeOf(value);
        ValueType listed = typeOf(element);
        if (scalars != ValueType.NONE && listed != ValueType.NONE && scalars != listed) {
            throw new MalformedHistoryException(
                    InputLocation.file(file),
                    InputError.of("values of two types in one history")
                            .with(
                                    "ops.value=%s ops.elements=list<%s>",
                                    requireNonNull(value).typeName(),
                                    requireNonNull(element).typeName())
                            .advise("write all of them as strings or all as integers"));
        }
        return scalars == ValueType.NONE ? listed : scalars;
    }

    private @Nullable ArrowField find(
            List<ArrowField> columns, HistoryColumn column, String expected, Predicate<ArrowField> fits) {
        boolean isRequired = column.presence() == HistoryColumn.Presence.REQUIRED;
        ArrowField field = isRequired ? required(columns, column.columnName()) : find(columns, column.columnName());
        if (field == null || field.isNull() && !isRequired) {
            return null;
        }
        if (!fits.test(field)) {
            throw wrongType(field, expected);
        }
        return field;
    }

    private static boolean isScalar(ArrowField field) {
        return field.isInteger() || field.isString() || field.isNull();
    }

    private ArrowField required(List<ArrowField> columns, String name) {
        ArrowField field = find(columns, name);
        if (field == null) {
            String present = columns.stream().map(column -> column.name).collect(Collectors.joining(","));
            throw new MalformedHistoryException(
                    InputLocation.file(file).in(name),
                    InputError.of("column missing").with("column=%s present=%s", name, present));
        }
        return field;
    }

    private @Nullable ArrowField find(List<ArrowField> columns, String name) {
        ArrowField found = null;
        for (ArrowField column : columns) {
            if (column.name.equals(name)) {
                if (found != null) {
                    throw new MalformedHistoryException(
                            InputLocation.file(file).in(name),
                            InputError.of("column twice").with("column=" + name));
                }
                found = column;
            }
        }
        return found;
    }

    private MalformedHistoryException wrongType(ArrowField field, String expected) {
        return new MalformedHistoryException(
                InputLocation.file(file).in(field.name),
                InputError.of("column has the wrong type")
                        .with("column=%s type=%s expected=%s", field.name, field.typeName(), expected));
    }
}
