package io.nightjar.jobs.flink;

import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.history.SplitDigest;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sums of the first reading of a split, which the tasks that read it again must find equal.
 *
 * @param split its ordinal
 * @param reading null if it was not read to its end
 * @param remarks diagnostics of the source
 */
record ReadingMessage(int split, @Nullable SplitDigest reading, List<SourceDiagnostic> remarks)
        implements Serializable {

    ReadingMessage {
        remarks = List.copyOf(remarks);
    }
}
