package io.nightjar.datasets.inject;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fault that was injected into the history.
 *
 * @param transactions those involved, the victim first
 * @param key null where none is involved
 * @param expected every anomaly that the fault causes, and no other
 */
public record PlantedFault(
        Fault fault,
        List<Long> transactions,
        @Nullable String key,
        List<Change> changes,
        List<ExpectedAnomaly> expected) {

    public PlantedFault {
        transactions = List.copyOf(transactions);
        changes = List.copyOf(changes);
        expected = List.copyOf(expected);
    }

    /**
     * One cell of the history that was changed.
     *
     * @param op ordinal of the operation in its transaction, from 0; {@link #WHOLE_TXN} if a column of the transaction
     *     was changed
     * @param field the column, or {@code op} for the operation as a whole
     * @param from its previous content, as JSON
     * @param to its new content, as JSON
     */
    public record Change(long txnId, int op, String field, String from, String to) {

        public static final int WHOLE_TXN = -1;
    }
}
