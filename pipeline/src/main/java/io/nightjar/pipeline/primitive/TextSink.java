package io.nightjar.pipeline.primitive;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Texts appended to a {@link ByteWriter}, each distinct one once; read by a {@link TextFeed} in the same order. */
public final class TextSink {

    static final int NULL = 0;
    static final int NEW = 1;
    static final int FIRST = 2; // marks the first text when it recurs

    private final ByteWriter to;
    private final Map<String, Integer> callOf = new HashMap<>();

    public TextSink(ByteWriter to) {
        this.to = to;
    }

    /** @param text may be null */
    public void put(@Nullable String text) {
        if (text == null) {
            to.putVarint(NULL);
            return;
        }
        int call = callOf.getOrDefault(text, NEW);
        to.putVarint(call);
        if (call == NEW) {
            callOf.put(text, callOf.size() + FIRST);
            to.putString(text);
        }
    }
}
