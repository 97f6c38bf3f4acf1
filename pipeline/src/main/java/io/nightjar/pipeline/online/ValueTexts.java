package io.nightjar.pipeline.online;

import io.nightjar.formats.history.StringPool;
import io.nightjar.pipeline.primitive.Mix;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Table of string values: each has a number, its hash, and recent ones have their texts. */
final class ValueTexts {

    /*
     * Texts are retained for messages and for a check that resumes in another process; values are compared by their
     * hashes.
     *
     * Layout. Two generations of tables. A full one replaces the older one; a text that occurs again is added to the
     * newer one. Texts of initial states are retained permanently.
     */

    /** Placeholder for the text of an unknown hash. */
    static final String FORGOTTEN = "(forgotten)";

    private static final long MIN_BYTES = 1 << 20;
    private static final int SHARE_OF_MEMORY = 16;

    private long maxBytes;
    private Generation now = new Generation();
    private Generation before = new Generation();
    private final Long2ObjectOpenHashMap<byte[]> held = new Long2ObjectOpenHashMap<>();

    private static final class Generation {

        private final StringPool texts = new StringPool();
        private final Long2IntOpenHashMap textOf = new Long2IntOpenHashMap();

        Generation() {
            textOf.defaultReturnValue(-1);
        }

        private byte @Nullable [] text(long hash) {
            int text = textOf.get(hash);
            return text < 0 ? null : texts.get(text).getBytes(StandardCharsets.UTF_8);
        }
    }

    ValueTexts() {
        this(Math.max(MIN_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_MEMORY));
    }

    /** @param maxBytes size limit of each table */
    ValueTexts(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Retains all texts from now on. */
    void keepAll() {
        maxBytes = Long.MAX_VALUE;
    }

    /** Adds a value; returns its number. */
    long number(byte[] utf8, int offset, int length) {
        long hash = Mix.hash(utf8, offset, length);
        if (!now.textOf.containsKey(hash)) {
            if (now.texts.byteSize() + 16L * now.textOf.size() > maxBytes) {
                before = now;
                now = new Generation();
            }
            now.textOf.put(hash, now.texts.intern(utf8, offset, length));
        }
        return hash;
    }

    long number(StringPool names, int name) {
        return number(names.bytes(), names.firstByte(name), names.length(name));
    }

    /** Retains a value's text permanently. */
    void hold(long number) {
        byte[] text = utf8(number);
        if (text != null) {
            held.put(number, text);
        }
    }

    /** Returns the text of a number; null if it was evicted. */
    byte[] utf8(long number) {
        byte[] text = now.text(number);
        text = text == null ? before.text(number) : text;
        return text == null ? held.get(number) : text;
    }

    String text(long number) {
        byte[] utf8 = utf8(number);
        return utf8 == null ? FORGOTTEN : new String(utf8, StandardCharsets.UTF_8);
    }

    long byteSize() {
        return now.texts.byteSize() + before.texts.byteSize() + 24L * (now.textOf.size() + before.textOf.size());
    }
}
