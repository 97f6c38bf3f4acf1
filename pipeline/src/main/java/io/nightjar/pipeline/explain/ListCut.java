package io.nightjar.pipeline.explain;

import io.nightjar.formats.history.Contract;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Abbreviation of long lists to the relevant elements: {@code [1,…+15,17,18,*19*,…+30]}. Omitted elements appear as a
 * count.
 */
public final class ListCut {

    private static final String GAP = "…+";
    private static final int GAP_CHARS = 7;
    private static final char ELLIPSIS = '…';

    private ListCut() {}

    /**
     * Returns the value with at most about the given number of characters; relevant elements are retained and marked by
     * stars.
     */
    public static @Nullable String marked(String value, Collection<String> mattering, int maxChars) {
        return cut(value, mattering, maxChars, true);
    }

    /**
     * Returns the value with at most about the given number of characters; relevant elements are retained, and their
     * neighbors as far as they fit.
     */
    @Contract("!null,_,_ -> !null")
    public static @Nullable String cut(@Nullable String value, Collection<String> mattering, int maxChars) {
        return cut(value, mattering, maxChars, false);
    }

    private static @Nullable String cut(
            @Nullable String value, Collection<String> mattering, int maxChars, boolean marks) {
        if (value == null) {
            return null;
        }
        int end = value.lastIndexOf(']');
        if (!value.startsWith("[") || end < 0) {
            return cutText(value, maxChars);
        }
        List<String> elements = elements(value.substring(1, end));
        String rest = value.substring(end + 1); // number of elements beyond those given
        BitSet matters = new BitSet(elements.size());
        for (int i = 0; i < elements.size(); i++) {
            matters.set(i, mattering.contains(elements.get(i)));
        }
        BitSet kept = new BitSet(elements.size());
        if (value.length() <= maxChars) {
            kept.set(0, elements.size());
        } else {
            keep(kept, matters, elements, maxChars);
        }
        return text(elements, kept, marks ? matters : new BitSet(), maxChars) + rest;
    }

    /** Abbreviates text that is no list, retaining its start and end. */
    @Contract("!null,_ -> !null")
    public static @Nullable String cutText(@Nullable String text, int maxChars) {
        if (text == null || text.length() <= maxChars) {
            return text;
        }
        int width = Math.max(4, maxChars - 1);
        int head = width - width / 2;
        int tail = text.length() - width / 2;
        head -= Character.isHighSurrogate(text.charAt(head - 1)) ? 1 : 0;
        tail += Character.isLowSurrogate(text.charAt(tail)) ? 1 : 0;
        return text.substring(0, head) + ELLIPSIS + text.substring(tail);
    }

    private static List<String> elements(String inner) {
        List<String> elements = new ArrayList<>();
        if (inner.isEmpty()) {
            return elements;
        }
        int start = 0;
        for (int comma = inner.indexOf(','); comma >= 0; comma = inner.indexOf(',', start)) {
            elements.add(inner.substring(start, comma).strip());
            start = comma + 1;
        }
        elements.add(inner.substring(start).strip());
        return elements;
    }

    /**
     * Retains relevant elements first, then the last element, which shows the length of the list, then ever more
     * distant neighbors.
     */
    private static void keep(BitSet kept, BitSet matters, List<String> elements, int maxChars) {
        int width = maxChars - 2;
        for (int i = matters.nextSetBit(0); i >= 0; i = matters.nextSetBit(i + 1)) {
            width -= needed(kept, elements, i, maxChars) + 2;
            if (width < 0 && !kept.isEmpty()) {
                return;
            }
            kept.set(i);
        }
        BitSet anchors = (BitSet) kept.clone();
        int last = elements.size() - 1;
        width = keepOne(kept, elements, last, width, maxChars);
        if (anchors.isEmpty()) {
            anchors.set(last);
        }
        for (int distance = 1; distance < elements.size() && width > 0; distance++) {
            for (int i = anchors.nextSetBit(0); i >= 0 && width > 0; i = anchors.nextSetBit(i + 1)) {
                width = keepOne(kept, elements, i - distance, width, maxChars);
                width = keepOne(kept, elements, i + distance, width, maxChars);
            }
        }
    }

    /** Returns the number of characters left; none if the element did not fit. */
    private static int keepOne(BitSet kept, List<String> elements, int i, int width, int maxChars) {
        if (i < 0 || i >= elements.size() || kept.get(i)) {
            return width;
        }
        int needed = needed(kept, elements, i, maxChars);
        if (needed > width) {
            return 0;
        }
        kept.set(i);
        return width - needed;
    }

    /**
     * Returns the characters required: an element that is not adjacent to a retained one also opens a gap, whose count
     * needs characters.
     */
    private static int needed(BitSet kept, List<String> elements, int i, int maxChars) {
        boolean joins = (i > 0 && kept.get(i - 1)) || kept.get(i + 1);
        return Math.min(elements.get(i).length(), maxChars / 2) + 1 + (joins ? 0 : GAP_CHARS);
    }

    private static String text(List<String> elements, BitSet kept, BitSet marked, int maxChars) {
        List<String> shown = new ArrayList<>();
        int next = 0;
        for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
            addGap(shown, i - next);
            String element = cutText(elements.get(i), Math.max(4, maxChars / 2));
            shown.add(marked.get(i) ? "*" + element + "*" : element);
            next = i + 1;
        }
        addGap(shown, elements.size() - next);
        return "[" + String.join(",", shown) + "]";
    }

    private static void addGap(List<String> shown, int count) {
        if (count > 0) {
            shown.add(GAP + count);
        }
    }
}
