package io.nightjar.jobs.mock;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The content of an object before its first write in a run. */
final class InitialRow {

    private final Object content;
    private final LongFunction<String> maker;
    private @Nullable String text;
    private boolean isDeclared;

    /** @param maker creates the archived text from the version's id */
    InitialRow(Object content, LongFunction<String> maker) {
        this.content = content;
        this.maker = maker;
    }

    Object content() {
        return content;
    }

    /** Returns the archived text; the first call creates it with a new version id. */
    String text(MockStore shared) {
        if (text == null) {
            text = maker.apply(shared.nextVersionId());
        }
        return text;
    }

    /** Marks the content as archived; returns whether it was already. */
    boolean declare() {
        boolean wasDeclared = isDeclared;
        isDeclared = true;
        return wasDeclared;
    }
}
