package io.nightjar.pipeline.primitive;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Texts read from a {@link ByteReader}, as written by {@link TextSink}. */
public final class TextFeed {

    private final ByteReader from;
    private final List<String> texts = new ArrayList<>();

    public TextFeed(ByteReader from) {
        this.from = from;
    }

    /** Returns the next text, which may be null. */
    public @Nullable String get() {
        int call = from.getCount();
        if (call == TextSink.NULL) {
            return null;
        }
        if (call == TextSink.NEW) {
            texts.add(from.getString());
            return texts.get(texts.size() - 1);
        }
        return texts.get(call - TextSink.FIRST);
    }
}
