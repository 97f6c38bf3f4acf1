package io.nightjar.formats.level;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the words most similar to a mistyped one. */
public final class SpellingSuggestions {

    private SpellingSuggestions() {}

    /**
     * Returns the most similar words, at most {@code limit}; words that begin with the wrong one precede all others.
     */
    public static List<String> nearest(String wrong, Collection<String> words, int limit) {
        List<String> sorted = new ArrayList<>(words);
        sorted.sort(Comparator.comparingInt(word -> distance(wrong, word)));
        return List.copyOf(sorted.subList(0, Math.min(limit, sorted.size())));
    }

    /** Returns the word that was probably meant, or null if none is similar to the wrong one. */
    public static @Nullable String meant(String wrong, Collection<String> words) {
        List<String> nearest = nearest(wrong, words, 1);
        boolean isNear = !nearest.isEmpty() && distance(wrong, nearest.get(0)) <= Math.max(2, wrong.length() / 3);
        return isNear ? nearest.get(0) : null;
    }

    /** Returns the end of a message about a wrong word: the most similar word, or the alternative text. */
    public static String hint(String wrong, Collection<String> words, String otherwise) {
        String meant = meant(wrong, words);
        return meant == null ? otherwise : "; did you mean " + meant + "?";
    }

    /** Returns the number of letters to replace, add or omit, ignoring case; 0 if one word begins with the other. */
    static int distance(String wrong, String word) {
        String wanted = wrong.strip().toLowerCase(Locale.ROOT);
        String other = word.toLowerCase(Locale.ROOT);
        if (wanted.length() > 2 && other.startsWith(wanted)) {
            return 0;
        }
        int[] costs = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            costs[j] = j;
        }
        for (int i = 1; i <= wanted.length(); i++) {
            int diagonal = costs[0];
            costs[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = diagonal + (wanted.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = costs[j];
                costs[j] = Math.min(replaced, 1 + Math.min(costs[j - 1], costs[j]));
            }
        }
        return costs[other.length()];
    }
}
