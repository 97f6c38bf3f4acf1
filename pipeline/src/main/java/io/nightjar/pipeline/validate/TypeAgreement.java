package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.ValueType;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Rejects a history whose slices do not all have one type of keys and one type of values. */
public final class TypeAgreement implements Serializable {

    private static final long serialVersionUID = 1;

    private ValueType keyType = ValueType.NONE;
    private ValueType valueType = ValueType.NONE;
    private @Nullable InputLocation keyLocation;
    private @Nullable InputLocation valueLocation;

    /** @throws MalformedHistoryException naming a row of each type */
    public void add(HistorySlice slice) {
        if (slice.firstOpOf == null) {
            return;
        }
        if (slice.keyType != ValueType.NONE && slice.keyType != keyType && slice.opCount > 0) {
            addKeyType(slice);
        }
        if (slice.valueType != ValueType.NONE && slice.valueType != valueType) {
            addValueType(slice);
        }
    }

    /** Adds the types of later slices. Returns false if they differ, and then nothing is added. */
    boolean merge(TypeAgreement later) {
        boolean areKeysAlike = keyType == later.keyType || keyType == ValueType.NONE || later.keyType == ValueType.NONE;
        boolean areValuesAlike =
                valueType == later.valueType || valueType == ValueType.NONE || later.valueType == ValueType.NONE;
        if (!areKeysAlike || !areValuesAlike) {
            return false;
        }
        if (keyType == ValueType.NONE) {
            keyType = later.keyType;
            keyLocation = later.keyLocation;
        }
        if (valueType == ValueType.NONE) {
            valueType = later.valueType;
            valueLocation = later.valueLocation;
        }
        return true;
    }

    public ValueType keyType() {
        return keyType;
    }

    public ValueType valueType() {
        return valueType;
    }

    private void addKeyType(HistorySlice slice) {
        InputLocation location = slice.locationOfOp(0);
        if (keyType != ValueType.NONE) {
            throw new MalformedHistoryException(
                    location, disagreement("keys", "key=" + slice.keyText(0), slice.keyType, keyType, keyLocation));
        }
        keyType = slice.keyType;
        keyLocation = location;
    }

    private void addValueType(HistorySlice slice) {
        int op = slice.firstOpWithValue();
        if (op < 0) {
            return;
        }
        InputLocation location = slice.locationOfOp(op);
        if (valueType != ValueType.NONE) {
            throw new MalformedHistoryException(
                    location,
                    disagreement(
                            "values", "value=" + slice.valueTextOf(op), slice.valueType, valueType, valueLocation));
        }
        valueType = slice.valueType;
        valueLocation = location;
    }

    private static InputError disagreement(
            String what, String example, ValueType type, ValueType other, @Nullable InputLocation otherLocation) {
        return InputError.of(what + " of two types")
                .with(example)
                .with("type=%s other-type=%s other-row=%s", type.typeName(), other.typeName(), otherLocation)
                .advise("use one type for the whole history");
    }
}
