package io.nightjar.formats.history;

/** The type of a history's keys, or of its values: one for the whole history. */
public enum ValueType {
    /** No key or value has been read yet, so every type fits. */
    NONE,
    LONG,
    STRING;

    /** Returns the word that error messages use. */
    public String typeName() {
        return this == STRING ? "string" : "int64";
    }
}
