package io.nightjar.jobs.report;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counter of the keys with the most operations; exact up to a million keys, approximate beyond. */
final class HeavyKeys {

    private static final int MAX_KEYS = 1_000_000;

    private final Long2LongOpenHashMap countOfNumber = new Long2LongOpenHashMap();
    private final Map<String, long[]> countOfName = new HashMap<>();
    private boolean isExact = true;

    /** A key and its number of operations. */
    record HeavyKey(String key, long count) {}

    void add(long key) {
        countOfNumber.addTo(key, 1);
    }

    void add(String key, long count) {
        countOfName.computeIfAbsent(key, absent -> new long[1])[0] += count;
    }

    void addAll(HeavyKeys other) {
        other.countOfNumber
                .long2LongEntrySet()
                .fastForEach(entry -> countOfNumber.addTo(entry.getLongKey(), entry.getLongValue()));
        other.countOfName.forEach((name, count) -> add(name, count[0]));
        isExact &= other.isExact;
        if (countOfNumber.size() > MAX_KEYS) {
            long median = median(countOfNumber.values().toLongArray());
            countOfNumber.values().removeIf((long count) -> count <= median);
            isExact = false;
        }
        if (countOfName.size() > MAX_KEYS) {
            long median = median(
                    countOfName.values().stream().mapToLong(count -> count[0]).toArray());
            countOfName.values().removeIf(count -> count[0] <= median);
            isExact = false;
        }
    }

    /** Returns the median count; the heaviest keys are rarely among the lighter half, which is removed. */
    private static long median(long[] counts) {
        Arrays.sort(counts);
        return counts[counts.length / 2];
    }

    boolean isExact() {
        return isExact;
    }

    List<HeavyKey> heaviest(int maxKeys) {
        List<HeavyKey> keys = new ArrayList<>();
        countOfNumber
                .long2LongEntrySet()
                .fastForEach(entry -> keys.add(new HeavyKey(Long.toString(entry.getLongKey()), entry.getLongValue())));
        countOfName.forEach((key, count) -> keys.add(new HeavyKey(key, count[0])));
        keys.sort(Comparator.comparingLong(HeavyKey::count).reversed().thenComparing(HeavyKey::key));
        return List.copyOf(keys.subList(0, Math.min(maxKeys, keys.size())));
    }
}
