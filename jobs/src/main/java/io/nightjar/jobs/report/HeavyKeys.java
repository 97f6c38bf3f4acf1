package io.nightjar.jobs.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which keys have the most operations; exact up to a million keys, about right beyond. */
final class HeavyKeys {

    private static final int MOST = 1_000_000;

    private final Map<String, long[]> countOf = new HashMap<>();
    private boolean isExact = true;

    /** A key and how many operations it has. */
    record HeavyKey(String key, long count) {}

    void add(String key, long count) {
        countOf.computeIfAbsent(key, absent -> new long[1])[0] += count;
        if (countOf.size() > MOST) {
            forgetLightest();
        }
    }

    /** Halves what is kept; a key that is heavy in the end is hardly among those that go. */
    private void forgetLightest() {
        isExact = false;
        long[] counts =
                countOf.values().stream().mapToLong(count -> count[0]).sorted().toArray();
        long median = counts[counts.length / 2];
        countOf.values().removeIf(count -> count[0] <= median);
    }

    boolean isExact() {
        return isExact;
    }

    List<HeavyKey> heaviest(int most) {
        List<HeavyKey> keys = new ArrayList<>();
        countOf.forEach((key, count) -> keys.add(new HeavyKey(key, count[0])));
        keys.sort(Comparator.comparingLong(HeavyKey::count).reversed().thenComparing(HeavyKey::key));
        return List.copyOf(keys.subList(0, Math.min(most, keys.size())));
    }
}
