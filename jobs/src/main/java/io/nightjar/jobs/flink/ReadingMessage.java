package io.nightjar.jobs.flink;

import io.nightjar.formats.history.Reading;
import io.nightjar.formats.history.SourceRemark;
import java.io.Serializable;
import java.util.List;

/**
 * What the first reading of a split came to, for the tasks that read it again and must find the same.
 *
 * @param split its ordinal
 * @param reading null if it was not read to its end
 * @param remarks what the source found odd
 */
record ReadingMessage(int split, Reading reading, List<SourceRemark> remarks) implements Serializable {

    ReadingMessage {
        remarks = List.copyOf(remarks);
    }
}
