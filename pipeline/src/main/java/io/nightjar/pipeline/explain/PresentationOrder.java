package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.Anomaly;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Grouping of findings that report the same violation, and an order of all findings by increasing reading effort. */
public final class PresentationOrder {

    /*
     * Two findings report the same violation if they have the same subject:
     *
     *   a read            its reader, its key and the value returned; also the reader and the expected writer
     *   two writers       the two, and the key
     *   a cycle           its transactions, and one of the keys of its steps
     *   a search          a minimized set of transactions: any finding on some of them (two at least) and one of
     *                     the keys
     *
     * The first report of a group is the finding with the smallest reading effort: few transactions, few steps, no
     * search. The others refer to it.
     */

    private static final int NONE = -1;
    private static final int COST_OF_SEARCH = 100;
    private static final int COST_OF_NO_LEVEL = 1 << 24; // lint, which follows everything that rules out a level

    private final List<Finding> findings;
    private final long[] effort; // of reading a finding: its cost, then its ordinal
    private final int[] parent; // of the trees of findings with the same violation
    private final int[] firstOf; // by root
    private final Map<Integer, List<Integer>> othersOf = new HashMap<>(); // by first report

    private PresentationOrder(List<Finding> findings) {
        this.findings = findings;
        this.effort = new long[findings.size()];
        this.parent = new int[findings.size()];
        this.firstOf = new int[findings.size()];
        for (int i = 0; i < parent.length; i++) {
            effort[i] = (long) cost(findings.get(i)) << Integer.SIZE | i;
            parent[i] = i;
        }
        joinSame();
        joinSearches();
        Arrays.fill(firstOf, NONE);
        for (int i = 0; i < parent.length; i++) {
            int root = root(i);
            if (firstOf[root] == NONE || effort[i] < effort[firstOf[root]]) {
                firstOf[root] = i;
            }
        }
        for (int i = 0; i < parent.length; i++) {
            if (first(i) != i) {
                othersOf.computeIfAbsent(first(i), absent -> new ArrayList<>(1)).add(i);
            }
        }
    }

    /** @param findings in the order of time, which decides between findings that are read as easily */
    public static PresentationOrder of(List<Finding> findings) {
        return new PresentationOrder(findings);
    }

    /** Returns the first report of the finding's violation; null if the finding is the first report itself. */
    public @Nullable Finding relatedTo(int finding) {
        return first(finding) == finding ? null : findings.get(first(finding));
    }

    /** Returns the types of the other findings with the violation of a first report, without repetition. */
    public List<String> otherTellings(int finding) {
        return othersOf.getOrDefault(finding, List.of()).stream()
                .map(other -> findings.get(other).anomaly().spelling())
                .toList();
    }

    /** Returns the number of faults that rule out a level, each counted once. */
    public long faultCount() {
        long count = 0;
        for (int i = 0; i < parent.length; i++) {
            count += first(i) == i && findings.get(i).level() != null ? 1 : 0;
        }
        return count;
    }

    /**
     * Returns the ordinals of the findings to list, at most the given number: first one of each type if the number
     * allows, from easy to hard; then first reports, then other reports, and last findings that rule out no level.
     */
    public List<Integer> listed(int max) {
        int[] firsts = fromEasyToHard();
        List<Integer> others = new ArrayList<>();
        for (int i = 0; i < findings.size(); i++) {
            if (first(i) != i) {
                others.add(i);
            }
        }
        Map<Anomaly, Integer> ofType = new EnumMap<>(Anomaly.class);
        for (int i : firsts) {
            ofType.putIfAbsent(findings.get(i).anomaly(), i);
        }
        for (int i : others) {
            ofType.merge(findings.get(i).anomaly(), i, (one, other) -> {
                boolean isFirst = first(one) == one;
                return isFirst || effort[one] < effort[other] ? one : other;
            });
        }
        Set<Integer> chosen = new LinkedHashSet<>();
        List<Integer> examples = new ArrayList<>(new HashSet<>(ofType.values()));
        examples.sort(easier());
        for (int i : examples) {
            addUpTo(chosen, first(i), max);
        }
        for (int i : examples) {
            addUpTo(chosen, i, max);
        }
        for (int i = 0; i < firsts.length && chosen.size() < max; i++) {
            chosen.add(firsts[i]);
        }
        for (int i = 0; i < others.size() && chosen.size() < max; i++) {
            chosen.add(others.get(i));
        }
        List<Integer> listed = new ArrayList<>();
        chosen.stream().filter(i -> first(i) == i).forEach(listed::add);
        chosen.stream().filter(i -> first(i) != i).forEach(listed::add);
        listed.sort(Comparator.comparing(i -> findings.get(i).level() == null));
        return listed;
    }

    /** Returns the findings that are presented first, easy ones before hard ones. */
    private int[] fromEasyToHard() {
        return IntStream.range(0, findings.size())
                .filter(i -> first(i) == i)
                .mapToLong(i -> effort[i])
                .sorted()
                .mapToInt(rank -> (int) rank)
                .toArray();
    }

    private static void addUpTo(Set<Integer> chosen, int finding, int max) {
        if (chosen.size() < max) {
            chosen.add(finding);
        }
    }

    private int first(int finding) {
        return firstOf[root(finding)];
    }

    private Comparator<Integer> easier() {
        return Comparator.comparingLong(i -> effort[i]);
    }

    private static int cost(Finding finding) {
        int cost = 2 * finding.participants().size() + finding.edges().size();
        cost += finding.level() == null ? COST_OF_NO_LEVEL : 0;
        return isSearched(finding) ? cost + COST_OF_SEARCH : cost;
    }

    private static boolean isSearched(Finding finding) {
        return switch (finding.anomaly()) {
            case COMMIT_ORDER_CYCLE, NO_SERIAL_ORDER, NO_SNAPSHOT_ORDER, NO_PREFIX_ORDER -> true;
            default -> false;
        };
    }

    // ---------------------------------------------------------------- the same fault

    /** Subject of a finding: transactions on a key, or on any key if it is null. */
    private record Subject(long[] txnIds, @Nullable String key, @Nullable String observed) {

        long hash() {
            long hash = 31L * Arrays.hashCode(txnIds) + (key == null ? 0 : key.hashCode());
            hash = hash * 0x9E3779B97F4A7C15L + (observed == null ? 0 : observed.hashCode());
            return hash ^ hash >>> 29;
        }

        boolean isSame(Subject other) {
            return Arrays.equals(txnIds, other.txnIds)
                    && Objects.equals(key, other.key)
                    && Objects.equals(observed, other.observed);
        }
    }

    private void joinSame() {
        Long2IntOpenHashMap seen = new Long2IntOpenHashMap();
        seen.defaultReturnValue(NONE);
        for (int i = 0; i < findings.size(); i++) {
            for (Subject subject : subjects(findings.get(i))) {
                long hash = subject.hash();
                int before = seen.get(hash);
                if (before == NONE) {
                    seen.put(hash, i);
                } else if (subjects(findings.get(before)).stream().anyMatch(subject::isSame)) {
                    join(before, i);
                }
            }
        }
    }

    private void joinSearches() {
        Long2ObjectOpenHashMap<List<Integer>> findingsOf = new Long2ObjectOpenHashMap<>(); // by transaction of a search
        List<Integer> searches = new ArrayList<>();
        for (int i = 0; i < findings.size(); i++) {
            if (isSearched(findings.get(i))) {
                searches.add(i);
                findings.get(i).participants().forEach(txn -> findingsOf.put(txn.txnId(), new ArrayList<>()));
            }
        }
        if (searches.isEmpty()) {
            return;
        }
        for (int i = 0; i < findings.size(); i++) {
            if (!isSearched(findings.get(i))) {
                List<Integer> ofTxn = findingsOf.get(core(findings.get(i))[0]);
                if (ofTxn != null) {
                    ofTxn.add(i);
                }
            }
        }
        searches.sort(easier());
        for (int at = 0; at < searches.size(); at++) {
            int search = searches.get(at);
            Set<Long> txnIds = txnIds(findings.get(search));
            int found = NONE;
            for (long txnId : txnIds) {
                for (int other : findingsOf.get(txnId)) {
                    boolean isEasier = found == NONE || effort[other] < effort[found];
                    if (isEasier && isAmong(findings.get(other), txnIds, findings.get(search))) {
                        found = other;
                    }
                }
            }
            for (int before = 0; before < at && found == NONE; before++) {
                Finding easierSearch = findings.get(searches.get(before));
                if (txnIds.containsAll(txnIds(easierSearch))) {
                    found = searches.get(before);
                }
            }
            if (found != NONE) {
                join(found, search);
            }
        }
    }

    private static boolean isAmong(Finding finding, Set<Long> txnIds, Finding search) {
        long[] core = core(finding);
        for (long txnId : core) {
            if (!txnIds.contains(txnId)) {
                return false;
            }
        }
        Set<String> keys = keys(search);
        return core.length > 1 && (keys.isEmpty() || keys(finding).stream().anyMatch(keys::contains));
    }

    private static List<Subject> subjects(Finding finding) {
        List<Subject> subjects = new ArrayList<>(2);
        if (isSearched(finding) || finding.anomaly() == Anomaly.DUPLICATE_WRITE) {
            return subjects;
        }
        long[] core = core(finding);
        Participant reader = finding.by(Role.READER);
        if (reader != null && finding.expectation() != null) {
            String observed = String.valueOf(finding.expectation().observed());
            subjects.add(new Subject(new long[] {reader.txnId()}, finding.key(), observed));
        }
        if (core.length > 1) {
            for (String key : keys(finding)) {
                subjects.add(new Subject(core, key, null));
            }
        }
        return subjects;
    }

    /** Returns the transactions that a finding concerns, sorted, except transactions that only provide evidence. */
    private static long[] core(Finding finding) {
        boolean isOfRead = finding.by(Role.READER) != null;
        long[] ids = new long[finding.participants().size()];
        int count = 0;
        for (Participant txn : finding.participants()) {
            if (txn.role() != Role.NEEDED && (!isOfRead || isOfRead(txn.role()))) {
                ids[count++] = txn.txnId();
            }
        }
        Arrays.sort(ids, 0, count);
        int distinct = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || ids[i] != ids[i - 1]) {
                ids[distinct++] = ids[i];
            }
        }
        return Arrays.copyOf(ids, distinct);
    }

    private static boolean isOfRead(Role role) {
        return role == Role.READER || role == Role.EXPECTED_WRITER;
    }

    private static Set<Long> txnIds(Finding finding) {
        Set<Long> txnIds = new LinkedHashSet<>();
        finding.participants().forEach(txn -> txnIds.add(txn.txnId()));
        return txnIds;
    }

    private static Set<String> keys(Finding finding) {
        if (finding.key() != null) {
            return Set.of(finding.key());
        }
        Set<String> keys = new LinkedHashSet<>();
        for (Edge edge : finding.edges()) {
            if (edge.key() != null) {
                keys.add(edge.key());
            }
        }
        return keys;
    }

    private int root(int finding) {
        int at = finding;
        while (parent[at] != at) {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        return at;
    }

    private void join(int one, int other) {
        parent[root(other)] = root(one);
    }
}
