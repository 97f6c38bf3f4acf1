package io.nightjar.pipeline.check.timestamp;

import java.util.function.IntToLongFunction;

/** A list of stored values, with any storage. */
record ListView(int length, IntToLongFunction element) {

    static final ListView NONE = new ListView(0, at -> {
        throw new IndexOutOfBoundsException(at);
    });

    long at(int position) {
        return element.applyAsLong(position);
    }

    /** Returns this list followed by another. */
    ListView with(ListView other) {
        return new ListView(length + other.length, at -> at < length ? element.applyAsLong(at) : other.at(at - length));
    }
}
