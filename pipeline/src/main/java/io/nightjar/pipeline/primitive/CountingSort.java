package io.nightjar.pipeline.primitive;

/**
 * Sorts entries by the ordinal of their group, in two linear passes: the first finds where each group begins, the
 * second lays the entries out. Entries of one group keep their order.
 */
public final class CountingSort {

    private CountingSort() {}

    /**
     * Returns where each group begins, followed by the end of the last group; entry {@code i} belongs to {@code
     * groupOf[i]}.
     */
    public static int[] firstOf(int[] groupOf, int groupCount) {
        int[] firstOf = new int[groupCount + 1];
        for (int group : groupOf) {
            firstOf[group + 1]++;
        }
        addUp(firstOf);
        return firstOf;
    }

    /**
     * Returns where each group begins, followed by the end of the last group; entry {@code i} belongs to {@code
     * groupOf.get(i)}.
     */
    public static int[] firstOf(IntColumn groupOf, int groupCount) {
        int[] firstOf = new int[groupCount + 1];
        for (int entry = 0; entry < groupOf.size(); entry++) {
            firstOf[groupOf.get(entry) + 1]++;
        }
        addUp(firstOf);
        return firstOf;
    }

    /** Converts counts to first indexes: {@code firstOf[g + 1]} contains the number of entries of group {@code g}. */
    public static void addUp(int[] firstOf) {
        for (int group = 1; group < firstOf.length; group++) {
            firstOf[group] = Math.addExact(firstOf[group], firstOf[group - 1]);
        }
    }

    /** Returns the entries in the order of their groups. */
    public static int[] entries(int[] groupOf, int[] firstOf) {
        int[] next = firstOf.clone();
        int[] entries = new int[groupOf.length];
        for (int entry = 0; entry < entries.length; entry++) {
            entries[next[groupOf[entry]]++] = entry;
        }
        return entries;
    }

    /** Returns the entries in the order of their groups. */
    public static int[] entries(IntColumn groupOf, int[] firstOf) {
        int[] next = firstOf.clone();
        int[] entries = new int[groupOf.size()];
        for (int entry = 0; entry < entries.length; entry++) {
            entries[next[groupOf.get(entry)]++] = entry;
        }
        return entries;
    }

    /** Returns the values of a column in the order of their groups. */
    public static int[] values(IntColumn groupOf, IntColumn valueOf, int[] firstOf) {
        int[] next = firstOf.clone();
        int[] values = new int[groupOf.size()];
        for (int entry = 0; entry < values.length; entry++) {
            values[next[groupOf.get(entry)]++] = valueOf.get(entry);
        }
        return values;
    }
}
