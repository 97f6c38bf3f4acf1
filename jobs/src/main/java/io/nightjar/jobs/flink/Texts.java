package io.nightjar.jobs.flink;

import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import java.nio.charset.StandardCharsets;

/** Texts in messages; null is a text like any other. */
final class Texts {

    private Texts() {}

    static void put(String text, ByteSink to) {
        if (text == null) {
            to.putVarint(0);
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        to.putVarint(bytes.length + 1L);
        to.putBytes(bytes, 0, bytes.length);
    }

    static String get(ByteFeed from) {
        int length = from.getCount() - 1;
        return length < 0 ? null : new String(from.array(), from.skip(length), length, StandardCharsets.UTF_8);
    }
}
