package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ValueType;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.HashSet;
import java.util.Set;

/** Parameters of dbcop's generator for a history of this size. */
record DbcopSize(long sessions, long variables, long maxSessionLength, long maxTxnLength) {

    static DbcopSize of(BufferedHistory history) {
        LongOpenHashSet numbers = new LongOpenHashSet();
        Set<String> names = new HashSet<>();
        long sessions = 0;
        long maxSessionLength = 0;
        long maxTxnLength = 0;
        for (int i = 0; i < history.size(); ) {
            int end = history.endOfSession(i);
            sessions++;
            maxSessionLength = Math.max(maxSessionLength, end - i);
            for (; i < end; i++) {
                HistorySlice slice = history.slice(i);
                int first = slice.firstOpOf[history.txn(i)];
                int last = slice.firstOpOf[history.txn(i) + 1];
                maxTxnLength = Math.max(maxTxnLength, last - first);
                for (int op = first; op < last; op++) {
                    if (slice.keyType == ValueType.STRING) {
                        names.add(slice.keyText(op));
                    } else {
                        numbers.add(slice.key[op]);
                    }
                }
            }
        }
        return new DbcopSize(sessions, numbers.size() + names.size(), maxSessionLength, maxTxnLength);
    }
}
