package io.nightjar.pipeline.explain;

/** Cuts long values and lists to what matters. */
final class ListCut {

    private static final int LONGEST = 60;
    private static final String GAP = "…";

    private ListCut() {}

    /** The beginning and the end of a long text. */
    static String shortened(String text) {
        return text.length() <= LONGEST
                ? text
                : text.substring(0, LONGEST / 2) + " " + GAP + " " + text.substring(text.length() - LONGEST / 2);
    }

    /** Two lists in brackets, both cut around their first difference. */
    static String[] aroundDifference(String one, String other) {
        String first = one == null ? "[]" : one;
        String second = other == null ? "[]" : other;
        int same = 0;
        while (same < Math.min(first.length(), second.length()) && first.charAt(same) == second.charAt(same)) {
            same++;
        }
        int from = same <= LONGEST / 2 ? 0 : first.lastIndexOf(',', same - LONGEST / 4) + 1;
        return new String[] {window(first, from), window(second, from)};
    }

    private static String window(String list, int from) {
        String head = from == 0 ? "" : "[" + GAP + ",";
        int end = Math.min(list.length(), from + LONGEST);
        return head + list.substring(from, end) + (end < list.length() ? GAP + "]" : "");
    }

    /** A list cut to the elements that matter, with what stands beside them: {@code [… 953 954 … 960]}. */
    static String around(String list, Iterable<String> elements) {
        if (list.length() <= LONGEST || !list.startsWith("[") || !list.endsWith("]")) {
            return shortened(list);
        }
        String[] parts = list.substring(1, list.length() - 1).split(",", -1);
        boolean[] kept = new boolean[parts.length];
        kept[parts.length - 1] = true;
        for (String element : elements) {
            for (int i = 0; i < parts.length; i++) {
                if (parts[i].equals(element)) {
                    kept[i] = true;
                    kept[Math.max(0, i - 1)] = true;
                }
            }
        }
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < parts.length; i++) {
            if (kept[i]) {
                text.append(text.length() == 1 || text.toString().endsWith(GAP + ",") ? "" : ",")
                        .append(parts[i]);
            } else if (!text.toString().endsWith(GAP + ",")) {
                text.append(text.length() == 1 ? "" : ",").append(GAP).append(',');
            }
        }
        return text.append(']').toString();
    }
}
