package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.primitive.Mix;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The operations of a history of tables that belong to one lane: operations on its keys, and every predicate read. */
public final class TableLane {

    private static final int UNSEEN = 0;
    private static final int INSIDE = 1;
    private static final int OUTSIDE = 2;

    private final int index;
    private final int count;
    private @Nullable StringPool names;
    private byte[] sideOf = new byte[0]; // by ordinal in the names of the current slice

    /** @param index from 0, of {@code count} lanes */
    public TableLane(int index, int count) {
        this.index = index;
        this.count = count;
    }

    /** Returns whether this is the first lane, which checks the rules that concern no key. */
    boolean isFirst() {
        return index == 0;
    }

    boolean has(HistorySlice slice, int op) {
        if (OpKind.isPredicate(slice.kind[op])) {
            return true;
        }
        if (slice.keyType != ValueType.STRING) {
            return isInside(Mix.hash(slice.key[op]));
        }
        if (names != slice.keyNames || sideOf.length < names.size()) {
            sideOf = names == slice.keyNames ? Arrays.copyOf(sideOf, names.size()) : new byte[slice.keyNames.size()];
            names = slice.keyNames;
        }
        int name = (int) slice.key[op];
        if (sideOf[name] == UNSEEN) {
            long hash = Mix.hash(names.bytes(), names.firstByte(name), names.length(name));
            sideOf[name] = (byte) (isInside(hash) ? INSIDE : OUTSIDE);
        }
        return sideOf[name] == INSIDE;
    }

    private boolean isInside(long hash) {
        return Long.remainderUnsigned(hash, count) == index;
    }
}
