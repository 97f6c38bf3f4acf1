package io.nightjar.datasets.inject;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;

/** Operations as JSON Lines spells them: {@code ["r",12,5]}. */
final class SliceJson {

    private SliceJson() {}

    static String op(HistorySlice slice, int op) {
        return "[\"" + OpKind.name(slice.kind[op]) + "\"," + slice.key[op] + "," + value(slice, op) + "]";
    }

    private static String value(HistorySlice slice, int op) {
        if (slice.kind[op] == OpKind.READ_NOTHING) {
            return "null";
        }
        if (slice.kind[op] != OpKind.READ_LIST) {
            return Long.toString(slice.value[op]);
        }
        StringBuilder elements = new StringBuilder("[");
        for (int i = 0; i < ListRef.length(slice.value[op]); i++) {
            elements.append(i == 0 ? "" : ",");
            elements.append(slice.lists.element(ListRef.list(slice.value[op]), i));
        }
        return elements.append(']').toString();
    }
}
