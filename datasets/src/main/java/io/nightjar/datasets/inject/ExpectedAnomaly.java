package io.nightjar.datasets.inject;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One anomaly that a checker must report because of a fault, counted as the timestamp checks count.
 *
 * @param transactions the transactions that identify it: the reader of EXT and INT, both writers of NOCONFLICT in the
 *     order of their commits, the later transaction of SESSION, the transaction of TIMESTAMP-ORDER
 * @param key null where none is involved
 */
public record ExpectedAnomaly(Anomaly type, IsolationLevel level, List<Long> transactions, @Nullable String key) {

    public ExpectedAnomaly {
        transactions = List.copyOf(transactions);
    }
}
