package io.nightjar.pipeline.check.cycle;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import java.util.List;

/** Small histories as logs; what they give as start and commit serves as client times too. */
final class SmallLogs {

    private SmallLogs() {}

    static OperationLog parse(String... lines) {
        return of(SmallHistory.parse(String.join("\n", lines)));
    }

    static OperationLog of(SmallHistory history) {
        OperationLogBuilder builder = new OperationLogBuilder(history.initialValue());
        slices(history).forEach(builder::add);
        return builder.build();
    }

    static List<HistorySlice> slices(SmallHistory history) {
        List<HistorySlice> slices = history.slices(3);
        for (HistorySlice slice : slices) {
            System.arraycopy(slice.startTs, 0, slice.invokeNs, 0, slice.txnCount);
            System.arraycopy(slice.commitTs, 0, slice.completeNs, 0, slice.txnCount);
        }
        return slices;
    }
}
