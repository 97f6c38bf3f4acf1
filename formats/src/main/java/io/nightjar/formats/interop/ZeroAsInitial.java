package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;

/** Checks that 0 can represent the initial state: no key may have both an initial read and a write of 0. */
final class ZeroAsInitial {

    private final FormatLimits fit;
    private final LongOpenHashSet found = new LongOpenHashSet();
    private final LongOpenHashSet written = new LongOpenHashSet();

    ZeroAsInitial(FormatLimits fit) {
        this.fit = fit;
    }

    void check(HistorySlice slice, int txn) {
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            long key = slice.key[op];
            boolean isInitial = slice.kind[op] == OpKind.READ_NOTHING;
            boolean isZero = slice.kind[op] == OpKind.WRITE && slice.value[op] == 0;
            if (isInitial) {
                found.add(key);
            } else if (isZero) {
                written.add(key);
            }
            if ((isInitial && written.contains(key)) || (isZero && found.contains(key))) {
                throw fit.unfit(
                        slice,
                        txn,
                        "key=%d has 0 written and its initial state read".formatted(key),
                        "it has 0 for both");
            }
        }
    }
}
