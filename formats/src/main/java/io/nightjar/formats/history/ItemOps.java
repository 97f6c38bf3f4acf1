package io.nightjar.formats.history;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reduces a slice to reads and writes of items, including the rows of predicate reads, for checks that support no other
 * operations.
 */
final class ItemOps {

    private ItemOps() {}

    /** Returns the transactions of a slice without their predicate reads, inspected rows, and deletions. */
    static HistorySlice of(HistorySlice slice) {
        int[] firstOpOf = new int[slice.txnCount + 1];
        int[] kept = new int[slice.opCount];
        int count = 0;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            firstOpOf[txn] = count;
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                if (!OpKind.isRelational(slice.kind[op])) {
                    kept[count++] = op;
                }
            }
        }
        firstOpOf[slice.txnCount] = count;
        byte[] kind = new byte[count];
        for (int op = 0; op < count; op++) {
            kind[op] = slice.kind[kept[op]];
        }
        SliceBuilder items = slice.copy(slice.file);
        SliceBuilder.Columns columns = items.columns();
        columns.ops(count, firstOpOf, kind, gathered(slice.key, kept, count), gathered(slice.value, kept, count));
        for (HistoryColumn column : HistoryColumn.OF_OPS) {
            boolean isItems = HistoryColumn.OF_ITEM_OPS.contains(column);
            columns.numbers(column, isItems ? gathered(slice.numbers(column), kept, count) : null);
        }
        columns.texts(null);
        return items.buildItemsOf(slice);
    }

    private static long @Nullable [] gathered(long[] column, int[] kept, int count) {
        if (column == null) {
            return null;
        }
        long[] gathered = new long[count];
        Arrays.setAll(gathered, op -> column[kept[op]]);
        return gathered;
    }
}
