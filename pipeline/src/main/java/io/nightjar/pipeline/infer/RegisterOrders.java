package io.nightjar.pipeline.infer;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Partial order of the versions of registers, by declared sources or by the history itself. */
@SuppressWarnings("NullAway.Init") // fields are set by a method
public final class RegisterOrders {

    /*
     * A graph of versions, grown source by source. After each source the links of every key are checked: if they form a
     * cycle, the cycle is stored for the user, and the new links of that key are discarded. Result:
     *
     *   links of a version v: firstLinkOf[v] .. firstLinkOf[v + 1], to later versions of its key
     *
     * A version takes part unless its writer replaced it or several transactions wrote it. Values that were read but
     * never written, and those of aborted transactions, take part too: they are ordered between others.
     */

    private static final int NO_PLACE = -1;

    private final OperationLog log;
    private final Versions versions;
    private final VersionOrders orders;
    private final List<VersionSource> taken = new ArrayList<>();
    private final List<CyclicVersions> cyclic = new ArrayList<>();

    private VersionLinks links = new VersionLinks();
    private int[] firstLinkOf;
    private boolean[] isPartial;
    private int[] minimalOf;
    private int[][] totalOf;

    private int[] localOf; // scratch by version: its number within the current key
    private int[] nodes = new int[64]; // scratch by that number

    private RegisterOrders(OperationLog log, Versions versions, VersionOrders orders) {
        this.log = log;
        this.versions = versions;
        this.orders = orders;
    }

    static RegisterOrders infer(
            ReadResolution reads, @Nullable Sessions sessions, VersionOrders orders, Set<VersionSource> sources) {
        Versions versions = reads.versions();
        RegisterOrders registers = new RegisterOrders(reads.log, versions, orders);
        RegisterAccess access = RegisterAccess.of(reads);
        registers.localOf = new int[versions.count()];
        Arrays.fill(registers.localOf, NO_PLACE);
        registers.taken.add(VersionSource.INITIAL_STATE);
        for (VersionSource source : sources) {
            VersionLinks found = new VersionLinks();
            switch (source) {
                case VERSION -> registers.linkByNumber(found, source, registers.versionNumbers());
                case TIMESTAMP -> registers.linkByNumber(found, source, registers.commitTimestamps());
                case WRITES_FOLLOW_READS -> access.linkWritesToReads(found);
                case SESSION -> {
                    access.linkWritesToReads(found);
                    access.linkAlongSessions(found, requireNonNull(sessions));
                }
                case REALTIME -> {
                    access.linkWritesToReads(found);
                    access.linkByRealTime(found);
                }
                default -> throw new AssertionError("bug: source=" + source);
            }
            registers.taken.add(source);
            registers.merge(found);
        }
        registers.settle();
        return registers;
    }

    // ---------------------------------------------------------------- orders given by the history

    /** Returns the number of each version in the history; {@link HistorySlice#NONE} if it has none. */
    private long[] versionNumbers() {
        long[] numberOf = new long[versions.count()];
        Arrays.fill(numberOf, HistorySlice.NONE);
        if (log.version == null) {
            return numberOf;
        }
        for (int txn = 0; txn < log.txnCount; txn++) {
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                if (log.kind[op] == OpKind.WRITE && versions.writer(versions.ofOp(op)) == txn) {
                    numberOf[versions.ofOp(op)] = log.version[op]; // of several the last version remains
                }
            }
        }
        return numberOf;
    }

    private long[] commitTimestamps() {
        long[] numberOf = new long[versions.count()];
        Arrays.fill(numberOf, HistorySlice.NONE);
        if (log.commitTs == null) {
            return numberOf;
        }
        for (int version = log.keyCount; version < numberOf.length; version++) {
            int writer = versions.writer(version);
            if (writer >= 0) {
                numberOf[version] = log.commitTs[writer];
            }
        }
        return numberOf;
    }

    /** Links each key's versions by their numbers, if every version has a distinct number. */
    private void linkByNumber(VersionLinks into, VersionSource source, long[] numberOf) {
        for (int key = 0; key < log.keyCount; key++) {
            int count = orders.endCount(key);
            if (count < 2 || orders.use().of(key) != KeyUse.REGISTER) {
                continue;
            }
            int[] ordered = new int[count];
            long[] numbers = new long[count];
            boolean isComplete = true;
            for (int i = 0; i < count; i++) {
                ordered[i] = orders.end(key, i);
                numbers[i] = numberOf[ordered[i]];
                isComplete &= numbers[i] != HistorySlice.NONE;
            }
            RadixSort.sort(numbers, ordered, count);
            for (int i = 1; i < count && isComplete; i++) {
                isComplete = numbers[i - 1] != numbers[i];
            }
            for (int i = 1; i < count && isComplete; i++) {
                int earlier = versions.writer(ordered[i - 1]);
                into.add(ordered[i - 1], ordered[i], source, earlier, versions.writer(ordered[i]));
            }
        }
    }

    // ---------------------------------------------------------------- source by source

    private void merge(VersionLinks found) {
        int known = links.size();
        VersionLinks all = links.with(found);
        int[] byKey = all.byKey(versions, log.keyCount);
        boolean[] isGivenUp = new boolean[log.keyCount];
        for (int i = 0; i < byKey.length; ) {
            int key = versions.key(all.from(byKey[i]));
            int end = i;
            boolean hasNews = false;
            while (end < byKey.length && versions.key(all.from(byKey[end])) == key) {
                hasNews |= byKey[end] >= known;
                end++;
            }
            if (hasNews && topologicalOrder(all, byKey, i, end, null) == null) {
                isGivenUp[key] = true;
                cyclic.add(new CyclicVersions(key, circle(all, byKey, i, end), taken));
            }
            i = end;
        }
        VersionLinks kept = new VersionLinks();
        for (int link : byKey) {
            if (link < known || !isGivenUp[versions.key(all.from(link))]) {
                kept.add(all, link);
            }
        }
        links = kept;
    }

    /** Returns the versions of one key in an order that their links allow; null if they form a cycle. */
    private int @Nullable [] topologicalOrder(
            VersionLinks all, int[] byKey, int first, int end, boolean @Nullable [] isUnique) {
        int count = number(all, byKey, first, end);
        int[] open = new int[count];
        for (int i = first; i < end; i++) {
            open[localOf[all.to(byKey[i])]]++;
        }
        int[] firstOut = firstOut(all, byKey, first, end, count);
        int[] queue = new int[count];
        int size = 0;
        for (int node = 0; node < count; node++) {
            if (open[node] == 0) {
                queue[size++] = node;
            }
        }
        boolean unique = size == 1;
        int[] outOf = outLinks(all, byKey, first, end, firstOut);
        for (int head = 0; head < size; head++) {
            unique &= size - head == 1;
            for (int out = firstOut[queue[head]]; out < firstOut[queue[head] + 1]; out++) {
                int to = localOf[all.to(outOf[out])];
                if (--open[to] == 0) {
                    queue[size++] = to;
                }
            }
        }
        int[] order = size == count ? new int[count] : null;
        for (int i = 0; i < size && order != null; i++) {
            order[i] = nodes[queue[i]];
        }
        if (isUnique != null) {
            isUnique[0] = unique;
        }
        forget(count);
        return order;
    }

    /** Returns the shortest cycle among the links of one key, which has a cycle. */
    private List<CyclicVersions.Link> circle(VersionLinks all, int[] byKey, int first, int end) {
        int count = number(all, byKey, first, end);
        int[] firstOut = firstOut(all, byKey, first, end, count);
        int[] outOf = outLinks(all, byKey, first, end, firstOut);
        List<CyclicVersions.Link> shortest = null;
        int[] cameBy = new int[count];
        int[] queue = new int[count];
        for (int start = 0; start < count && (shortest == null || shortest.size() > 2); start++) {
            Arrays.fill(cameBy, NO_PLACE);
            int size = 0;
            queue[size++] = start;
            for (int head = 0; head < size && cameBy[start] == NO_PLACE; head++) {
                for (int out = firstOut[queue[head]]; out < firstOut[queue[head] + 1]; out++) {
                    int to = localOf[all.to(outOf[out])];
                    if (cameBy[to] == NO_PLACE) {
                        cameBy[to] = outOf[out];
                        if (to != start) {
                            queue[size++] = to;
                        }
                    }
                }
            }
            if (cameBy[start] != NO_PLACE) {
                List<CyclicVersions.Link> found = walkBack(all, cameBy, start);
                shortest = shortest == null || found.size() < shortest.size() ? found : shortest;
            }
        }
        forget(count);
        return requireNonNull(shortest);
    }

    private List<CyclicVersions.Link> walkBack(VersionLinks all, int[] cameBy, int start) {
        List<CyclicVersions.Link> backwards = new ArrayList<>();
        int node = start;
        do {
            backwards.add(all.link(cameBy[node]));
            node = localOf[all.from(cameBy[node])];
        } while (node != start);
        List<CyclicVersions.Link> forwards = new ArrayList<>();
        for (int i = backwards.size() - 1; i >= 0; i--) {
            forwards.add(backwards.get(i));
        }
        return forwards;
    }

    /** Numbers the versions that some links join; {@link #forget} removes the numbers. */
    private int number(VersionLinks all, int[] byKey, int first, int end) {
        int count = 0;
        for (int i = first; i < end; i++) {
            count = number(all.from(byKey[i]), count);
            count = number(all.to(byKey[i]), count);
        }
        return count;
    }

    private int number(int version, int count) {
        if (localOf[version] != NO_PLACE) {
            return count;
        }
        if (count == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * count);
        }
        localOf[version] = count;
        nodes[count] = version;
        return count + 1;
    }

    private void forget(int count) {
        for (int node = 0; node < count; node++) {
            localOf[nodes[node]] = NO_PLACE;
        }
    }

    private int[] firstOut(VersionLinks all, int[] byKey, int first, int end, int count) {
        int[] firstOut = new int[count + 1];
        for (int i = first; i < end; i++) {
            firstOut[localOf[all.from(byKey[i])] + 1]++;
        }
        CountingSort.addUp(firstOut);
        return firstOut;
    }

    private int[] outLinks(VersionLinks all, int[] byKey, int first, int end, int[] firstOut) {
        int[] next = firstOut.clone();
        int[] outOf = new int[end - first];
        for (int i = first; i < end; i++) {
            outOf[next[localOf[all.from(byKey[i])]]++] = byKey[i];
        }
        return outOf;
    }

    // ---------------------------------------------------------------- final orders

    private void settle() {
        isPartial = new boolean[log.keyCount];
        minimalOf = new int[log.keyCount];
        totalOf = new int[log.keyCount][];
        int[] byKey = links.byKey(versions, log.keyCount);
        boolean[] isUnique = new boolean[1];
        boolean[] follows = new boolean[versions.count()];
        for (int i = 0; i < byKey.length; ) {
            int key = versions.key(links.from(byKey[i]));
            int end = i;
            while (end < byKey.length && versions.key(links.from(byKey[end])) == key) {
                end++;
            }
            int[] order = topologicalOrder(links, byKey, i, end, isUnique);
            if (order != null && isUnique[0] && coversEnds(key, order)) {
                totalOf[key] = order;
            } else {
                isPartial[key] = true;
            }
            i = end;
        }
        sortByVersion(byKey);
        markFollowers(follows);
        for (int key = 0; key < log.keyCount; key++) {
            if (isPartial[key]) {
                for (int i = 0; i < orders.endCount(key); i++) {
                    if (!follows[orders.end(key, i)]) {
                        orders.swapEnds(key, i, minimalOf[key]++);
                    }
                }
            }
        }
    }

    private boolean coversEnds(int key, int[] order) {
        int covered = 0;
        for (int version : order) {
            covered += orders.isResolved(version) ? 1 : 0;
        }
        return covered == orders.endCount(key);
    }

    private void sortByVersion(int[] byKey) {
        firstLinkOf = new int[versions.count() + 1];
        for (int link : byKey) {
            firstLinkOf[links.from(link) + 1]++;
        }
        CountingSort.addUp(firstLinkOf);
        int[] next = firstLinkOf.clone();
        int[] byVersion = new int[byKey.length];
        for (int link : byKey) {
            byVersion[next[links.from(link)]++] = link;
        }
        links = links.inOrder(byVersion);
    }

    /** Marks each version that has one of a counted writer before it. */
    private void markFollowers(boolean[] follows) {
        IntColumn stack = new IntColumn();
        for (int version = 0; version < versions.count(); version++) {
            if (firstLinkOf[version] == firstLinkOf[version + 1] || !orders.isResolved(version)) {
                continue;
            }
            gatherSuccessors(version, stack);
            for (int i = 0; i < stack.size(); i++) {
                follows[stack.get(i)] = true;
            }
        }
    }

    // ---------------------------------------------------------------- asking

    boolean isPartial(int key) {
        return isPartial[key];
    }

    /** Returns the versions of a key in their only possible order; null if several orders are possible. */
    int[] totalOrder(int key) {
        return totalOf[key];
    }

    List<CyclicVersions> cyclicVersions() {
        return cyclic;
    }

    /**
     * Returns how many of a key's ends follow the initial state with no resolved version between; they are its first
     * ones.
     */
    public int minimalCount(int key) {
        return minimalOf[key];
    }

    /** The next versions after a version whose writers are known and count, across those whose are not. */
    public void gatherSuccessors(int version, IntColumn into) {
        into.clear();
        if (version >= firstLinkOf.length - 1) {
            return;
        }
        IntColumn unresolved = null;
        int current = version;
        int head = 0;
        while (true) {
            for (int link = firstLinkOf[current]; link < firstLinkOf[current + 1]; link++) {
                int to = links.to(link);
                if (orders.isResolved(to)) {
                    into.add(to);
                } else {
                    unresolved = unresolved == null ? new IntColumn() : unresolved;
                    if (!contains(unresolved, to)) {
                        unresolved.add(to);
                    }
                }
            }
            if (unresolved == null || head == unresolved.size()) {
                return;
            }
            current = unresolved.get(head++);
        }
    }

    private static boolean contains(IntColumn column, int value) {
        for (int i = 0; i < column.size(); i++) {
            if (column.get(i) == value) {
                return true;
            }
        }
        return false;
    }

    /** Returns the fewest links that connect one version of a key to another; empty if none do. */
    public List<CyclicVersions.Link> path(int from, int to) {
        IntColumn queue = new IntColumn();
        IntColumn cameBy = new IntColumn();
        IntColumn cameFrom = new IntColumn();
        queue.add(from);
        cameBy.add(NO_PLACE);
        cameFrom.add(NO_PLACE);
        for (int head = 0; head < queue.size(); head++) {
            int version = queue.get(head);
            for (int link = firstLinkOf[version]; link < firstLinkOf[version + 1]; link++) {
                if (contains(queue, links.to(link))) {
                    continue;
                }
                queue.add(links.to(link));
                cameBy.add(link);
                cameFrom.add(head);
                if (links.to(link) == to) {
                    List<CyclicVersions.Link> path = new ArrayList<>();
                    for (int at = queue.size() - 1; at > 0; at = cameFrom.get(at)) {
                        path.add(0, links.link(cameBy.get(at)));
                    }
                    return path;
                }
            }
        }
        return List.of();
    }
}
