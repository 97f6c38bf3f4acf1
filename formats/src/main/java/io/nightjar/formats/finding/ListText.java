package io.nightjar.formats.finding;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import java.util.function.IntFunction;

/** Text of a list in findings: {@code [3,7,9]}, and beyond a thousand elements only its beginning and size. */
public final class ListText {

    private static final int MAX_ELEMENTS = 1_000;

    private ListText() {}

    /** Returns the elements of a list read. */
    public static String of(HistorySlice slice, long listRef) {
        int list = ListRef.list(listRef);
        return of(ListRef.length(listRef), at -> slice.valueText(slice.lists.element(list, at)));
    }

    public static String of(int length, IntFunction<String> element) {
        StringBuilder text = new StringBuilder("[");
        for (int at = 0; at < Math.min(length, MAX_ELEMENTS); at++) {
            text.append(at == 0 ? "" : ",").append(element.apply(at));
        }
        text.append(']');
        if (length > MAX_ELEMENTS) {
            text.append("… (").append(length).append(" elements)");
        }
        return text.toString();
    }
}
