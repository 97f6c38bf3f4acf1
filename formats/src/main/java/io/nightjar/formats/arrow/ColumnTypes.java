package io.nightjar.formats.arrow;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpColumns;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import org.jspecify.annotations.Nullable;

/**
 * Types of the columns that differ from file to file.
 *
 * @param areKeysJson whether keys are JSON texts, which are strings
 * @param areValuesJson whether values are JSON texts, which are strings
 * @param opColumns the fields of operations
 */
record ColumnTypes(
        ValueType keyType, ValueType valueType, boolean areKeysJson, boolean areValuesJson, OpColumns opColumns) {

    static ColumnTypes unknown(OpColumns opColumns) {
        return new ColumnTypes(ValueType.NONE, ValueType.NONE, false, false, opColumns);
    }

    /** Returns the types of a file that requires the longest metadata. */
    static ColumnTypes widest(OpColumns opColumns) {
        return new ColumnTypes(ValueType.STRING, ValueType.STRING, true, true, opColumns);
    }

    /** Returns the union of these types and the types of a slice. */
    ColumnTypes with(HistorySlice slice) {
        boolean addsKeys = slice.keyType != ValueType.NONE;
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
