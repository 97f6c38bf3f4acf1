package io.nightjar.pipeline.check.timestamp;

import java.util.function.IntToLongFunction;

/** A list of stored values, wherever it stands. */
record Elements(int length, IntToLongFunction element) {

    static final Elements NONE = new Elements(0, at -> {
        throw new IndexOutOfBoundsException(at);
    });

    long at(int position) {
        return element.applyAsLong(position);
    }

    /** This list with another behind it. */
    Elements with(Elements other) {
        return new Elements(length + other.length, at -> at < length ? element.applyAsLong(at) : other.at(at - length));
    }
}
