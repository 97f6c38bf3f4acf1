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
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** The columns of a history in one file; a column that is missing is null here. */
final class ArrowColumns {

    private static final Set<String> TOP_LEVEL = Set.copyOf(HistoryColumn.columnNames(HistoryColumn.OF_TXNS));

    private static final String SCALAR = "int64 or utf8";

    private final Map<HistoryColumn, Field> fieldOf = new EnumMap<>(HistoryColumn.class);

    final Field ops;
    final Field op;
    final @Nullable Field elements;
    final @Nullable Field element;

    /** Numbers, booleans and strings that are not columns of a history; they are copied to extra. */
    final List<Field> others = new ArrayList<>();

    final ValueType keyType;
    final ValueType valueType;

    private final String file;

    ArrowColumns(String file, List<Field> columns) {
        this.file = file;
        for (HistoryColumn column : HistoryColumn.OF_TXNS) {
            put(columns, column);
        }
        this.ops = required(columns, HistoryColumn.OPS.columnName());
        this.op = isList(ops) ? ops.getChildren().get(0) : ops;
        if (!(op.getType() instanceof ArrowType.Struct)) {
            throw wrongType(ops, "list<struct<kind,key,value>>");
        }
        for (HistoryColumn column : HistoryColumn.OF_OPS) {
            put(op.getChildren(), column);
        }
        Field lists = find(op.getChildren(), HistoryColumn.ELEMENTS.columnName());
        if (lists != null && !isList(lists)) {
            throw wrongType(lists, "list of int64 or utf8");
        }
        this.elements = lists;
        this.element = lists == null ? null : lists.getChildren().get(0);
        if (element != null && !isScalar(element)) {
            throw wrongType(element, SCALAR);
        }
        this.keyType = typeOf(field(HistoryColumn.KEY));
        this.valueType = valueType();
        for (Field column : columns) {
            if (!TOP_LEVEL.contains(column.getName()) && isSimple(column)) {
                others.add(column);
            }
        }
    }

    /** Returns the field of a column; null if it is missing, or if it is optional and all its values are null. */
    @Nullable
    Field field(HistoryColumn column) {
        return fieldOf.get(column);
    }

    private void put(List<Field> columns, HistoryColumn column) {
        Field found =
                switch (column.type()) {
                    case INT64, INT32 -> find(columns, column, "int64", ArrowColumns::isInteger);
                    case BOOLEAN -> find(columns, column, "bool", field -> field.getType() instanceof ArrowType.Bool);
                    case STRING -> find(columns, column, "utf8", ArrowColumns::isString);
                    case KEY, VALUE -> find(columns, column, SCALAR, ArrowColumns::isScalar);
                    case VALUES, OPERATIONS -> null; // lists, whose children are mapped
                };
        if (found != null) {
            fieldOf.put(column, found);
        }
    }

    /** Returns LONG, STRING, or NONE for a column without a type because all its values are null. */
    static ValueType typeOf(@Nullable Field field) {
        if (field == null || isNull(field)) {
            return ValueType.NONE;
        }
        return isInteger(field) ? ValueType.LONG : ValueType.STRING;
    }

    private ValueType valueType() {
        Field value = field(HistoryColumn.VALUE);
        ValueType scalars = typeOf(value);
        ValueType listed = typeOf(element);
        if (scalars != ValueType.NONE && listed != ValueType.NONE && scalars != listed) {
            throw new MalformedHistoryException(
                    InputLocation.file(file),
                    InputError.of("values of two types in one history")
                            .with(
                                    "ops.value=%s ops.elements=list<%s>",
                                    typeName(requireNonNull(value)), typeName(requireNonNull(element)))
                            .advise("write all of them as strings or all as integers"));
        }
        return scalars == ValueType.NONE ? listed : scalars;
    }

    private @Nullable Field find(List<Field> columns, HistoryColumn column, String expected, Predicate<Field> fits) {
        boolean isRequired = column.presence() == HistoryColumn.Presence.REQUIRED;
        Field field = isRequired ? required(columns, column.columnName()) : find(columns, column.columnName());
        if (field == null || isNull(field) && !isRequired) {
            return null;
        }
        if (!fits.test(field)) {
            throw wrongType(field, expected);
        }
        return field;
    }

    private static boolean isScalar(Field field) {
        return isInteger(field) || isString(field) || isNull(field);
    }

    private Field required(List<Field> columns, String name) {
        Field field = find(columns, name);
        if (field == null) {
            String present = columns.stream().map(column -> column.getName()).collect(Collectors.joining(","));
            throw new MalformedHistoryException(
                    InputLocation.file(file).in(name),
                    InputError.of("column missing").with("column=%s present=%s", name, present));
        }
        return field;
    }

    private @Nullable Field find(List<Field> columns, String name) {
        Field found = null;
        for (Field column : columns) {
            if (column.getName().equals(name)) {
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

    private MalformedHistoryException wrongType(Field field, String expected) {
        return new MalformedHistoryException(
                InputLocation.file(file).in(field.getName()),
                InputError.of("column has the wrong type")
                        .with("column=%s type=%s expected=%s", field.getName(), typeName(field), expected));
    }

    // ---------------------------------------------------------------- types

    static boolean isInteger(Field field) {
        return field.getType() instanceof ArrowType.Int && field.getDictionary() == null;
    }

    static boolean isString(Field field) {
        return switch (field.getType().getTypeID()) {
            case Utf8, LargeUtf8, Utf8View -> true;
            default -> false;
        };
    }

    static boolean isList(Field field) {
        return field.getType() instanceof ArrowType.List || field.getType() instanceof ArrowType.LargeList;
    }

    private static boolean isNull(Field field) {
        return field.getType() instanceof ArrowType.Null;
    }

    /** Returns whether values of the column can be copied to the extra column. */
    private static boolean isSimple(Field field) {
        boolean isFraction = field.getType() instanceof ArrowType.FloatingPoint type
                && type.getPrecision() != FloatingPointPrecision.HALF;
        boolean isNumber = isInteger(field) || isFraction || field.getType() instanceof ArrowType.Bool;
        return isString(field) || isNumber && field.getDictionary() == null;
    }

    /** Returns the type as messages name it. */
    private static String typeName(Field field) {
        String base = field.getType().getTypeID().name().toLowerCase(Locale.ROOT);
        return isInteger(field) && field.getType() instanceof ArrowType.Int type
                ? (type.getIsSigned() ? base : "u" + base) + type.getBitWidth()
                : base;
    }
}
