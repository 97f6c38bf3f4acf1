package io.nightjar.formats.history;

import org.jspecify.annotations.Nullable;

/**
 * Types of the columns that differ from file to file.
 *
 * @param areKeysJson whether keys are JSON texts, which are strings
 * @param areValuesJson whether values are JSON texts, which are strings
 * @param opColumns the fields of operations
 */
public record ColumnTypes(
        ValueType keyType, ValueType valueType, boolean areKeysJson, boolean areValuesJson, OpColumns opColumns) {

    public static ColumnTypes unknown(OpColumns opColumns) {
        return new ColumnTypes(ValueType.NONE, ValueType.NONE, false, false, opColumns);
    }

    /** Returns the types of a file that requires the longest metadata. */
    public static ColumnTypes widest(OpColumns opColumns) {
        return new ColumnTypes(ValueType.STRING, ValueType.STRING, true, true, opColumns);
    }

    public boolean areKnown() {
        return keyType != ValueType.NONE && valueType != ValueType.NONE;
    }

    /** Returns the union of these types and the types of a slice, which must agree with them. */
    public ColumnTypes with(HistorySlice slice) {
        if (!opColumns.with(OpColumns.of(slice)).equals(opColumns)) {
            throw new IllegalStateException("writer does not support predicates or conditions: file=" + slice.file);
        }
        boolean addsKeys = slice.opCount > 0 && slice.keyType != ValueType.NONE;
        boolean addsValues = slice.valueType != ValueType.NONE;
        if (addsKeys && keyType != ValueType.NONE && (slice.keyType != keyType || isJson(slice.keyNames) != areKeysJson)
                || addsValues
                        && valueType != ValueType.NONE
                        && (slice.valueType != valueType || isJson(slice.valueNames) != areValuesJson)) {
            throw new IllegalArgumentException("slices of two types: file=" + slice.file);
        }
        return new ColumnTypes(
                addsKeys ? slice.keyType : keyType,
                addsValues ? slice.valueType : valueType,
                addsKeys ? isJson(slice.keyNames) : areKeysJson,
                addsValues ? isJson(slice.valueNames) : areValuesJson,
                opColumns);
    }

    private static boolean isJson(@Nullable StringPool names) {
        return names != null && names.isJson();
    }
}
