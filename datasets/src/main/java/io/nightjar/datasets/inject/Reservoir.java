package io.nightjar.datasets.inject;

import io.nightjar.datasets.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/** A uniform sample, of bounded size, of sites offered one after the other. */
final class Reservoir {

    private static final int NONE = -1;

    private final int capacity;
    private final SeededRandom random;
    private final List<FaultSite> sites = new ArrayList<>();
    private long offered;
    private int position = NONE;

    Reservoir(int capacity, SeededRandom random) {
        this.capacity = capacity;
        this.random = random;
    }

    /** Offers a site that need not exist yet; if true, it must be made and {@link #put}. */
    boolean wants() {
        offered++;
        if (sites.size() < capacity) {
            position = sites.size();
            return true;
        }
        long drawn = random.below(offered);
        position = drawn < capacity ? (int) drawn : NONE;
        return position != NONE;
    }

    void put(FaultSite site) {
        if (position == sites.size()) {
            sites.add(site);
        } else {
            sites.set(position, site);
        }
    }

    /** Returns the sample in random order. */
    List<FaultSite> shuffled() {
        List<FaultSite> shuffled = new ArrayList<>(sites);
        for (int i = shuffled.size() - 1; i > 0; i--) {
            int other = random.below(i + 1);
            FaultSite moved = shuffled.set(other, shuffled.get(i));
            shuffled.set(i, moved);
        }
        return shuffled;
    }
}
