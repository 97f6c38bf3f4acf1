package io.nightjar.jobs.sql;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the Parquet files with a history's rows, and converts a history in another format. */
interface HistoryFiles {

    /** @param format as {@code --from} spells it, or null to detect it */
    List<Path> parquetOf(Path history, @Nullable String format);
}
