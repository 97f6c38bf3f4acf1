package io.nightjar.jobs.run;

import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.input.HistoryArgument;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An engine that checks histories one after another. */
public interface CheckEngine extends AutoCloseable {

    /** @param format as {@code --from} spells it; null to detect it */
    RunResult check(HistoryArgument history, @Nullable String format) throws IOException;

    @Override
    void close() throws IOException;
}
