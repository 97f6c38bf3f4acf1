package io.nightjar.formats.arrow;

import io.nightjar.formats.history.InputError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Union;
import org.apache.arrow.flatbuf.UnionMode;

/** A column as the schema declares it, with its position in the nodes and buffers of a record batch. */
final class ArrowField {

    private static final long NO_DICTIONARY = Long.MIN_VALUE;
    private static final int MAX_DEPTH = 32;
    private static final int MAX_CHILDREN = 1 << 12;

    /** A field of which every row is null. */
    static final ArrowField MISSING = new ArrowField("", Type.Null, 0, true, false, NO_DICTIONARY, List.of());

    final String name;

    /** A constant of {@link Type}; the type of the dictionary's values if the field has a dictionary. */
    final byte type;

    /** Width in bits of an integer, or of an index into the dictionary. */
    final int bitWidth;

    final boolean isSigned;
    final List<ArrowField> children;
    private final boolean isDense; // whether a union is dense
    private final long dictionary;

    private ArrowField(
            String name,
            byte type,
            int bitWidth,
            boolean isSigned,
            boolean isDense,
            long dictionary,
            List<ArrowField> children) {
        this.name = name;
        this.type = type;
        this.bitWidth = bitWidth;
        this.isSigned = isSigned;
        this.isDense = isDense;
        this.dictionary = dictionary;
        this.children = children;
    }

    static ArrowField parse(Field field) {
        return parse(field, 0);
    }

    private static ArrowField parse(Field field, int depth) {
        if (depth > MAX_DEPTH || field.childrenLength() > MAX_CHILDREN) {
            throw new CorruptArrowException(InputError.of("schema is nested too deeply or too wide"));
        }
        List<ArrowField> children = new ArrayList<>();
        for (int i = 0; i < field.childrenLength(); i++) {
            children.add(parse(field.children(i), depth + 1));
        }
        DictionaryEncoding encoding = field.dictionary();
        Int integer = field.typeType() == Type.Int ? (Int) field.type(new Int()) : null;
        boolean isFloating = field.typeType() == Type.FloatingPoint;
        Int stored = encoding == null ? integer : encoding.indexType();
        // By the format, a missing index type means a signed int32.
        int bitWidth = stored != null ? stored.bitWidth() : encoding != null ? 32 : isFloating ? floatBits(field) : 0;
        boolean isSigned = stored == null || stored.isSigned();
        return new ArrowField(
                String.valueOf(field.name()),
                field.typeType(),
                bitWidth,
                isSigned,
                field.typeType() == Type.Union && ((Union) field.type(new Union())).mode() == UnionMode.Dense,
                encoding == null ? NO_DICTIONARY : encoding.id(),
                children);
    }

    private static int floatBits(Field field) {
        short precision = ((FloatingPoint) field.type(new FloatingPoint())).precision();
        return precision == Precision.DOUBLE ? 64 : precision == Precision.SINGLE ? 32 : 16;
    }

    /** Returns whether values of the column can be copied to the extra column. */
    boolean isSimple() {
        boolean isNumber = isInteger() || (type == Type.FloatingPoint && bitWidth >= 32) || type == Type.Bool;
        return isString() || (isNumber && !hasDictionary());
    }

    boolean hasDictionary() {
        return dictionary != NO_DICTIONARY;
    }

    long dictionary() {
        return dictionary;
    }

    /** Returns the field that describes the values of this field's dictionary. */
    ArrowField dictionaryValues() {
        return new ArrowField(name, type, 0, true, false, NO_DICTIONARY, children);
    }

    boolean isInteger() {
        return type == Type.Int && !hasDictionary();
    }

    boolean isString() {
        return type == Type.Utf8 || type == Type.LargeUtf8 || type == Type.Utf8View;
    }

    boolean isList() {
        return type == Type.List || type == Type.LargeList;
    }

    boolean isNull() {
        return type == Type.Null;
    }

    /** Returns the type as messages name it. */
    String typeName() {
        if (type == Type.Int && !hasDictionary()) {
            return (isSigned ? "int" : "uint") + bitWidth;
        }
        String base = type >= 0 && type < Type.names.length ? Type.name(type) : "unknown";
        return base.replace("_", "").toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the number of the column's buffers, without the buffers of its children and the variable buffers of view
     * types.
     */
    int bufferCount() {
        if (hasDictionary()) {
            return 2;
        }
        return switch (type) {
            case Type.Null, Type.RunEndEncoded -> 0;
            case Type.Struct_, Type.FixedSizeList -> 1;
            case Type.Union -> isDense ? 2 : 1;
            case Type.Utf8, Type.Binary, Type.LargeUtf8, Type.LargeBinary, Type.ListView, Type.LargeListView -> 3;
            default -> 2;
        };
    }

    /** Returns whether each batch states the number of data buffers of this column. */
    boolean hasVariableBuffers() {
        return !hasDictionary() && (type == Type.Utf8View || type == Type.BinaryView);
    }
}
