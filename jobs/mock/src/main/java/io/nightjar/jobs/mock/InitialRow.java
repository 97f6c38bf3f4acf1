package io.nightjar.jobs.mock;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The content of an object before its first write in a run. */
final class InitialRow {

    private final Object content;
    private final LongFunction<String> maker;
    private @Nullable String text;
    private boolean isDeclared;

    /** @param maker makes what the archive keeps, of the version's id */
    InitialRow(Object content, LongFunction<String> maker) {
        this.content = content;
        this.maker = maker;
    }

    Object content() {
        return content;
    }

    /** Returns what the archive keeps, made with an id when it is asked for first. */
    String text(MockStore shared) {
        if (text == null) {
            text = maker.apply(shared.nextVersionId());
        }
        return text;
    }

    /** Whether the archive has it; it does from now on. */
    boolean declare() {
        boolean wasDeclared = isDeclared;
        isDeclared = true;
        return wasDeclared;
    }
}
