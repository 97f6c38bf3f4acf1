package io.nightjar.jobs.flink;

import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.lib.util.IteratorSourceEnumerator;

/**
 * Assigns the splits of a history (row groups, batches, files) to readers on request, in the order of the file.
 *
 * <p>It emits the ordinals of splits; the chained task opens and reads them.
 */
final class SplitSource extends NumberSequenceSource {

    private static final long serialVersionUID = 1;

    private final int splitCount;

    SplitSource(int splitCount) {
        super(0, Math.max(0, splitCount - 1));
        this.splitCount = splitCount;
    }

    @Override
    public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> createEnumerator(
            SplitEnumeratorContext<NumberSequenceSplit> context) {
        return new OneByOne(context, splitCount == 0 ? List.of() : splitNumberRange(getFrom(), getTo(), splitCount));
    }

    private static final class OneByOne extends IteratorSourceEnumerator<NumberSequenceSplit> {

        private final SplitEnumeratorContext<NumberSequenceSplit> context;

        OneByOne(SplitEnumeratorContext<NumberSequenceSplit> context, Collection<NumberSequenceSplit> splits) {
            super(context, splits);
            this.context = context;
        }

        @Override
        public void handleSplitRequest(int reader, String host) {
            if (context.registeredReaders().containsKey(reader)) { // not lost since it asked
                super.handleSplitRequest(reader, host);
            }
        }
    }
}
