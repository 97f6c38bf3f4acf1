package io.nightjar.jobs.shrink;

import io.nightjar.formats.level.IsolationLevel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The anomaly that shrinking must preserve.
 *
 * @param type as tables spell it
 * @param level null if it rules out none
 * @param pattern its classic name, or null
 * @param txnIds its transactions
 * @param typesOfSameFault types of anomalies in which its transactions take part as well
 * @param keys the keys that it is about, as text; empty if none is known
 * @param isWhole whether all its transactions identify it, unlike a cycle or a search that may find a shorter one
 */
public record ShrinkTarget(
        String type,
        @Nullable IsolationLevel level,
        @Nullable String pattern,
        Set<Long> txnIds,
        Set<String> typesOfSameFault,
        Set<String> keys,
        boolean isWhole) {

    public ShrinkTarget {
        txnIds = Set.copyOf(txnIds);
        typesOfSameFault = Set.copyOf(typesOfSameFault);
        keys = Set.copyOf(keys);
    }
}
