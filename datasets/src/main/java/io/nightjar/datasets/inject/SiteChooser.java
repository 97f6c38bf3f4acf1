package io.nightjar.datasets.inject;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** Chooses sites that share no transaction, and whose moves in time do not overlap. */
final class SiteChooser {

    /*
     * Greedy: faults with the fewest sites are placed first. Of the sites that move timestamps the shortest windows are
     * first, because they leave the largest space for others.
     */

    private static final List<Fault> SCARCE_FIRST = List.of(
            Fault.CLOCK_SKEW,
            Fault.LOST_UPDATE,
            Fault.START_AFTER_COMMIT,
            Fault.INTERMEDIATE_READ,
            Fault.ABORTED_READ,
            Fault.STALE_READ,
            Fault.SESSION_BREAK,
            Fault.GARBAGE_VALUE,
            Fault.PHANTOM,
            Fault.STALE_ROW,
            Fault.PREDICATE_WRITE_SKEW,
            Fault.ROW_TOO_MANY,
            Fault.ROW_LEFT_OUT,
            Fault.WRONG_AGGREGATE);

    private static final Comparator<FaultSite> BEST_FIRST =
            Comparator.comparing((FaultSite site) -> site.isSecondChoice).thenComparingLong(FaultSite::windowLength);

    private final Map<Fault, Integer> countOf;
    private final Map<Fault, List<FaultSite>> sitesOf;
    private final Set<Long> taken = new HashSet<>();
    private final NavigableMap<Long, Long> windows = new TreeMap<>();

    SiteChooser(Map<Fault, Integer> countOf, Map<Fault, List<FaultSite>> sitesOf) {
        this.countOf = countOf;
        this.sitesOf = sitesOf;
    }

    /** Returns the sites in the order of faults, then of victims. */
    List<FaultSite> choose() {
        List<FaultSite> chosen = new ArrayList<>();
        Map<Fault, Integer> possibleOf = new EnumMap<>(Fault.class);
        for (Fault fault : SCARCE_FIRST) {
            if (countOf.containsKey(fault)) {
                int before = chosen.size();
                chooseOf(fault, chosen);
                possibleOf.put(fault, chosen.size() - before);
            }
        }
        requireAll(possibleOf);
        chosen.sort(Comparator.comparing((FaultSite site) -> site.fault).thenComparingLong(FaultSite::victim));
        return chosen;
    }

    private void chooseOf(Fault fault, List<FaultSite> chosen) {
        List<FaultSite> sites = sitesOf.get(fault);
        requireNonNull(sites).sort(BEST_FIRST);
        int wanted = countOf.getOrDefault(fault, 0);
        for (FaultSite site : sites) {
            if (wanted == 0) {
                return;
            }
            if (!site.isSpoiled && isFree(site)) {
                take(site);
                chosen.add(site);
                wanted--;
            }
        }
    }

    private boolean isFree(FaultSite site) {
        for (long txn : site.transactions) {
            if (taken.contains(txn)) {
                return false;
            }
        }
        for (long txn : site.bystanders) {
            if (taken.contains(txn)) {
                return false;
            }
        }
        if (!site.movesTimestamps()) {
            return true;
        }
        Map.Entry<Long, Long> before = windows.floorEntry(site.windowLast);
        return before == null || before.getValue() < site.windowFirst;
    }

    private void take(FaultSite site) {
        taken.addAll(site.transactions);
        taken.addAll(site.bystanders);
        if (site.movesTimestamps()) {
            windows.put(site.windowFirst, site.windowLast);
        }
    }

    private void requireAll(Map<Fault, Integer> possibleOf) {
        for (Map.Entry<Fault, Integer> entry : possibleOf.entrySet()) {
            int asked = countOf.getOrDefault(entry.getKey(), 0);
            if (entry.getValue() < asked) {
                throw new TooFewSitesException(entry.getKey(), asked, entry.getValue());
            }
        }
    }
}
