package io.nightjar.formats.finding;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import java.util.function.IntFunction;

/** A list as text: {@code [3,7,9]}; a very long one is cut, {@code [3,7,...] … (70000 elements)} with a thousand shown. */
public final class ListText {

    /** How many elements are written out. */
    public static final int MAX_ELEMENTS = 1000;

    private ListText() {}

    /** The elements of a list read. */
    public static String of(HistorySlice slice, long listRef) {
        int list = ListRef.list(listRef);
        return of(ListRef.length(listRef), i -> slice.valueText(slice.lists.element(list, i)));
    }

    /** @param element an element's text by position; asked for positions that are written out only */
    public static String of(int length, IntFunction<String> element) {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < Math.min(length, MAX_ELEMENTS); i++) {
            text.append(i == 0 ? "" : ",").append(element.apply(i));
        }
        text.append(']');
        if (length > MAX_ELEMENTS) {
            text.append(" … (").append(length).append(" elements)");
        }
        return text.toString();
    }
}
