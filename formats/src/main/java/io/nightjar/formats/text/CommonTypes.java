package io.nightjar.formats.text;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Common type of the keys, and of the values, of all slices of a history; JSON text if slices differ.
 *
 * <p>A slice has one type of keys and one of values, each int64, string or JSON text. Slices that were returned cannot
 * be changed, so the first contradiction is an error: the source is read again after a call of {@link #holdAsJson}.
 */
public final class CommonTypes {

    /** Kinds of errors after which a history can be read again with JSON text. */
    public static final String MIXED_KEYS = "keys of several types";

    public static final String MIXED_VALUES = "values of several types";

    /** Metadata key that marks a file whose keys or values are JSON text, and its value. */
    public static final String KEY_TYPE = "nightjar.key_type";

    public static final String VALUE_TYPE = "nightjar.value_type";
    public static final String JSON = "json";

    private final Seen keys = new Seen(MIXED_KEYS, "key");
    private final Seen values = new Seen(MIXED_VALUES, "value");

    /**
     * Returns the difference between a slice and earlier slices; null if its types are equal, or represented as JSON
     * text.
     */
    public synchronized @Nullable MalformedHistoryException differenceOf(HistorySlice slice) {
        if (slice.firstOpOf == null) {
            return null;
        }
        MalformedHistoryException ofKeys = keys.add(new Scalars(slice, true));
        MalformedHistoryException ofValues = values.add(new Scalars(slice, false));
        return ofKeys != null ? ofKeys : ofValues;
    }

    /**
     * Represents keys or values as JSON text from now on if an error of this kind requires it. Returns whether that is
     * a change.
     */
    public synchronized boolean holdAsJson(String faultKind) {
        return keys.holdAsJson(faultKind) || values.holdAsJson(faultKind);
    }

    public synchronized boolean areValuesJson() {
        return values.isJson;
    }

    /** Returns the slice with keys and values in the representation of the history. */
    public HistorySlice convert(HistorySlice slice) {
        boolean convertsKeys;
        boolean convertsValues;
        synchronized (this) {
            boolean hasOps = slice.firstOpOf != null;
            convertsKeys = hasOps && keys.converts(slice.keyType, slice.keyNames);
            convertsValues = hasOps && values.converts(slice.valueType, slice.valueNames);
        }
        if (!convertsKeys && !convertsValues) {
            return slice;
        }
        JsonScalars json = new JsonScalars();
        SliceBuilder copy = slice.copyForChange();
        if (convertsKeys) {
            json.convertKeys(copy, slice.keyType == ValueType.STRING ? slice.keyNames : null);
        }
        if (convertsValues) {
            json.convertValues(copy, slice.valueType == ValueType.STRING ? slice.valueNames : null);
        }
        return copy.build();
    }

    /**
     * @throws MalformedHistoryException if a slice with JSON text has predicate reads, whose conditions do not support
     * it
     */
    public synchronized void checkPredicates(HistorySlice slice) {
        int txn = slice.firstOpOf == null || !keys.isJson && !values.isJson ? -1 : slice.firstTxnBeyondItems();
        if (txn < 0) {
            return;
        }
        boolean hasRelation = false;
        for (int op = 0; op < slice.opCount; op++) {
            hasRelation |= OpKind.isPredicate(slice.kind[op]) && slice.hasKey(op);
        }
        if (values.isJson || hasRelation) {
            throw new MalformedHistoryException(
                    slice.locationOf(txn),
                    InputError.of((values.isJson ? MIXED_VALUES : MIXED_KEYS) + " in a history of tables or conditions")
                            .with("operation=" + firstBeyondItems(slice))
                            .advise("write all of them as strings or all as integers"));
        }
    }

    private static String firstBeyondItems(HistorySlice slice) {
        int op = 0;
        while (OpKind.isItem(slice.kind[op])) {
            op++;
        }
        return OpKind.name(slice.kind[op]);
    }

    /**
     * Returns a slice whose strings are JSON texts, as the metadata of its file states, with each in its canonical
     * form.
     *
     * @throws MalformedHistoryException if a string is not JSON
     */
    public static HistorySlice ofJsonTexts(HistorySlice slice, boolean areKeysJson, boolean areValuesJson) {
        boolean readsKeys = areKeysJson && slice.firstOpOf != null && slice.keyType == ValueType.STRING;
        boolean readsValues = areValuesJson && slice.firstOpOf != null && slice.valueType == ValueType.STRING;
        if (!readsKeys && !readsValues) {
            return slice;
        }
        SliceBuilder copy = slice.copyForChange();
        if (readsKeys) {
            StringPool json = StringPool.ofJson();
            copy.nameKeys(json, canonical(slice, "key", slice.keyNames, json));
        }
        if (readsValues) {
            StringPool json = StringPool.ofJson();
            copy.nameValues(json, canonical(slice, "value", slice.valueNames, json));
        }
        return copy.build();
    }

    private static LongUnaryOperator canonical(HistorySlice slice, String what, StringPool texts, StringPool json) {
        JsonScalars scalars = new JsonScalars();
        int[] ordinalOf = new int[texts.size()];
        for (int i = 0; i < ordinalOf.length; i++) {
            byte[] text = scalars.canonical(texts.bytes(), texts.firstByte(i), texts.length(i));
            if (text == null) {
                throw new MalformedHistoryException(
                        InputLocation.file(slice.file),
                        InputError.of(what + " is not JSON text as the metadata declares")
                                .with("%s=%s", what, texts.get(i))
                                .advise("write numbers, strings in quotes, true or false"));
            }
            ordinalOf[i] = json.intern(text, 0, text.length);
        }
        return ordinal -> ordinalOf[(int) ordinal];
    }

    private static boolean isJson(ValueType type, @Nullable StringPool names) {
        return type == ValueType.STRING && names != null && names.isJson();
    }

    /** The type of keys or of values, and its first location. */
    private static final class Seen {

        private final String faultKind;
        private final String what;
        private ValueType type = ValueType.NONE;
        private @Nullable InputLocation location;
        private @Nullable String example;
        private boolean isJson;

        Seen(String faultKind, String what) {
            this.faultKind = faultKind;
            this.what = what;
        }

        @Nullable
        MalformedHistoryException add(Scalars of) {
            boolean isNew =
                    !isJson && of.type() != ValueType.NONE && (of.type() != type || isJson(of.type(), of.names()));
            int first = isNew ? of.firstOp() : -1;
            if (first < 0) {
                return null;
            }
            InputLocation firstLocation = of.slice.locationOfOp(first);
            if (type == ValueType.NONE) {
                type = of.type();
                location = firstLocation;
                example = of.text(first);
                if (!isJson(of.type(), of.names())) {
                    return null;
                }
                type = ValueType.NONE; // a history without JSON text has no common type
                int other = of.firstOpUnlike(first);
                return other < 0
                        ? fault(firstLocation, of.text(first), false)
                        : fault(of.slice.locationOfOp(other), of.text(other), true);
            }
            return fault(firstLocation, of.text(first), true);
        }

        private MalformedHistoryException fault(InputLocation at, @Nullable String text, boolean isOther) {
            InputError fault = InputError.of(faultKind).with("%s=%s", what, text);
            return new MalformedHistoryException(
                    at,
                    (isOther ? fault.with("other-%s=%s other-row=%s", what, example, location) : fault)
                            .advise("write all of them as strings or all as integers"));
        }

        boolean converts(ValueType of, @Nullable StringPool names) {
            return isJson && of != ValueType.NONE && !CommonTypes.isJson(of, names);
        }

        boolean holdAsJson(String kind) {
            boolean isNew = !isJson && kind.equals(faultKind);
            isJson |= isNew;
            return isNew;
        }
    }

    /** The keys or the values of a slice. */
    private record Scalars(HistorySlice slice, boolean areKeys) {

        ValueType type() {
            return areKeys ? slice.keyType : slice.valueType;
        }

        @Nullable
        StringPool names() {
            return areKeys ? slice.keyNames : slice.valueNames;
        }

        int firstOp() {
            return areKeys ? slice.firstOpWithKey() : slice.firstOpWithValue();
        }

        @Nullable
        String text(int op) {
            return areKeys ? slice.keyText(op) : slice.valueTextOf(op);
        }

        boolean isAt(int op) {
            byte kind = slice.kind[op];
            return areKeys
                    ? slice.hasKey(op)
                    : OpKind.hasValue(kind) || OpKind.hasList(kind) && ListRef.length(slice.value[op]) > 0;
        }

        /** Returns the first operation whose JSON text differs in type from that of {@code first}; -1 if none does. */
        int firstOpUnlike(int first) {
            for (int op = first; op < slice.opCount; op++) {
                if (isAt(op) && isQuoted(op) != isQuoted(first)) {
                    return op;
                }
            }
            return -1;
        }

        private boolean isQuoted(int op) {
            String text = text(op);
            return text != null && text.startsWith("\"");
        }
    }
}
