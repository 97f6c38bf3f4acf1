package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.TxnRow;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Explanation of a finding of any kind in sentences. */
public final class FindingSentences {

    private FindingSentences() {}

    /** @param rows the transactions of the finding; null for one that cannot be shown */
    public static String explain(Finding finding, LongFunction<@Nullable TxnRow> rows) {
        Finding plain = PlainFinding.of(finding);
        if (finding.isOfTables()) {
            return TableSentences.explain(plain);
        }
        return finding.isByTimestamps()
                ? TimestampSentences.explain(plain)
                : new ValueSentences(plain, id -> PlainFinding.of(rows.apply(id))).explain();
    }
}
