package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ValueType;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.HashSet;
import java.util.Set;

/** Parameters of dbcop's generator for a history of this size. */
record DbcopSize(long sessions, long variables, long longestSession, long longestTxn) {

    static DbcopSize of(BufferedHistory history) {
        LongOpenHashSet numbers = new LongOpenHashSet();
        Set<String> names = new HashSet<>();
        long sessions = 0;
        long longestSession = 0;
        long longestTxn = 0;
        for (int i = 0; i < history.size(); ) {
            int end = history.endOfSession(i);
            sessions++;
            longestSession = Math.max(longestSession, end - i);
            for (; i < end; i++) {
                HistorySlice slice = history.slice(i);
                int first = slice.firstOpOf[history.txn(i)];
                int last = slice.firstOpOf[history.txn(i) + 1];
                longestTxn = Math.max(longestTxn, last - first);
                for (int op = first; op < last; op++) {
                    if (slice.keyType == ValueType.STRING) {
                        names.add(slice.keyText(op));
                    } else {
                        numbers.add(slice.key[op]);
                    }
                }
            }
        }
        return new DbcopSize(sessions, numbers.size() + names.size(), longestSession, longestTxn);
    }
}
