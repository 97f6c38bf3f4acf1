package io.nightjar.formats.arrow;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import org.jspecify.annotations.Nullable;

/**
 * Types of the columns that differ from file to file.
 *
 * @param areKeysJson whether keys are JSON texts, which are strings
 * @param areValuesJson whether values are JSON texts, which are strings
 * @param isRelational whether the columns of predicate reads are present
 */
record ColumnTypes(
        ValueType keyType, ValueType valueType, boolean areKeysJson, boolean areValuesJson, boolean isRelational) {

    static ColumnTypes unknown(boolean isRelational) {
        return new ColumnTypes(ValueType.NONE, ValueType.NONE, false, false, isRelational);
    }

    /** Returns the types of a file that requires the longest metadata. */
    static ColumnTypes widest(boolean isRelational) {
        return new ColumnTypes(ValueType.STRING, ValueType.STRING, true, true, isRelational);
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
                isRelational);
    }

    private static boolean isJson(@Nullable StringPool names) {
        return names != null && names.isJson();
    }
}
