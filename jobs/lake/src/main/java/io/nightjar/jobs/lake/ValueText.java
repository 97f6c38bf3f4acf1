package io.nightjar.jobs.lake;

import io.nightjar.formats.history.Contract;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values as text, long lists and strings cut; omitted elements are shown as a count: {@code [1,2,…+950,953,954]}. */
public final class ValueText {

    private static final String GAP = "…+";

    private ValueText() {}

    /** Returns whether a text may be cut. */
    public static boolean isCut(@Nullable String text) {
        return text != null && text.contains(GAP);
    }

    /**
     * Returns a value with at most about this many characters. A list keeps a little of its start and more of its end.
     */
    @Contract("!null,_ -> !null")
    public static @Nullable String cut(@Nullable String value, int maxChars) {
        if (value == null || value.length() <= maxChars) {
            return value;
        }
        int width = Math.max(8, maxChars);
        if (!isList(value)) {
            int kept = Math.max(1, width - GAP.length() - 6);
            return value.substring(0, kept) + GAP + (value.length() - kept);
        }
        List<String> elements = elements(value);
        int head = fitting(elements, 0, 1, width / 4);
        int tail = fitting(elements, elements.size() - 1, -1, width - width / 4 - 10);
        return list(elements, head, elements.size() - tail, elements.size());
    }

    /** Cuts a list around an element, so that two lists that differ there show their difference. */
    @Contract("!null,_,_ -> !null")
    public static @Nullable String cutAround(@Nullable String value, int element, int maxChars) {
        if (value == null || value.length() <= maxChars || !isList(value)) {
            return cut(value, maxChars);
        }
        List<String> elements = elements(value);
        int middle = Math.min(element, elements.size() - 1);
        int before = fitting(elements, middle, -1, maxChars / 2 - 10);
        int after = fitting(elements, middle + 1, 1, maxChars / 2 - 10);
        return list(elements, 0, middle + 1 - before, middle + 1 + after);
    }

    /** Returns the first position at which two lists differ; 0 if they are not both lists. */
    public static int firstDifference(@Nullable String one, @Nullable String other) {
        if (one == null || other == null || !isList(one) || !isList(other)) {
            return 0;
        }
        List<String> ones = elements(one);
        List<String> others = elements(other);
        int common = Math.min(ones.size(), others.size());
        for (int i = 0; i < common; i++) {
            if (!ones.get(i).equals(others.get(i))) {
                return i;
            }
        }
        return common;
    }

    private static boolean isList(String value) {
        return value.length() >= 2 && value.charAt(0) == '[' && value.charAt(value.length() - 1) == ']';
    }

    private static List<String> elements(String list) {
        List<String> elements = new ArrayList<>();
        int start = 1;
        int end = list.length() - 1;
        for (int comma = list.indexOf(',', start); comma >= 0 && comma < end; comma = list.indexOf(',', start)) {
            elements.add(list.substring(start, comma).strip());
            start = comma + 1;
        }
        if (start < end) {
            elements.add(list.substring(start, end).strip());
        }
        return elements;
    }

    /** Returns the number of elements that fit into this many characters, from an index in a direction. */
    private static int fitting(List<String> elements, int from, int step, int width) {
        int count = 0;
        int left = width;
        for (int i = from; i >= 0 && i < elements.size(); i += step) {
            left -= elements.get(i).length() + 1;
            if (left < 0) {
                break;
            }
            count++;
        }
        return count;
    }

    /** Returns the first {@code head} elements, and those from {@code from} to {@code to}. */
    private static String list(List<String> elements, int head, int from, int to) {
        List<String> shown = new ArrayList<>();
        int start = Math.max(head, from);
        shown.addAll(elements.subList(0, head));
        if (start > head) {
            shown.add(GAP + (start - head));
        }
        shown.addAll(elements.subList(start, Math.max(start, to)));
        if (to < elements.size()) {
            shown.add(GAP + (elements.size() - Math.max(start, to)));
        }
        return "[" + String.join(",", shown) + "]";
    }
}
