package io.nightjar.pipeline.infer;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.graph.DigraphBuilder;
import io.nightjar.pipeline.graph.ShortestPath;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.RadixSort;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntComparator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Partial order of the versions of registers, by declared sources or by the history itself. */
public final class RegisterOrders {

    /*
     * Definitions. A link leads from a version to a later version of its key. A version takes part unless its writer
     * replaced it or several transactions wrote it. Values that were read but never written, and values of aborted
     * transactions, take part too: they are ordered between others.
     *
     * Layout. Links of a version v: firstLinkOf[v] .. firstLinkOf[v + 1].
     *
     * Algorithm. The graph of versions grows source by source. After each source the links of every key are checked: if
     * they form a cycle, the cycle is stored as a finding, and the new links of that key are discarded.
     *
     * Commit timestamps order the versions of a key if all have different ones. If they are the only source, such an order
     * needs no links. On request, each version of one timestamp precedes each of the next; or ranks of the writers
     * complete that order, in which a version without a timestamp commits when the first transaction that read it starts. If a transaction read a version and replaced it,
     * but commits earlier than its writer, timestamps contradict the clients: they do not order the versions of that key.
     */

    private static final int NO_POSITION = -1;

    /** Versions of one timestamp and of the next are not linked if they form more pairs. */
    private static final int MAX_PAIRS = 1 << 10;

    private final OperationLog log;
    private final Versions versions;
    private final VersionOrders orders;
    private final List<VersionSource> taken = new ArrayList<>();
    private final List<CyclicVersions> cyclic = new ArrayList<>();

    private VersionLinks links = new VersionLinks();
    private int[] firstLinkOf;
    private boolean[] isPartial;
    private int[] minimalOf;
    private final int[][] totalOf;
    private final boolean[] isTimed; // by key: whether its total order is that of timestamps, without links

    private boolean[] isContradicted; // by key, by timestamps; no entries if they were not requested
    private int contradictedKeys;

    private int @Nullable [] vertexOf; // by version: scratch of graph(); NO_POSITION outside

    private RegisterOrders(OperationLog log, Versions versions, VersionOrders orders) {
        this.log = log;
        this.versions = versions;
        this.orders = orders;
        isContradicted = new boolean[0];
        isTimed = new boolean[log.keyCount];
        totalOf = new int[log.keyCount][];
    }

    static RegisterOrders infer(
            ReadResolution reads,
            @Nullable Sessions sessions,
            VersionOrders orders,
            Set<VersionSource> sources,
            boolean allowsTies,
            int @Nullable [] rankOf) {
        Versions versions = reads.versions();
        RegisterOrders registers = new RegisterOrders(reads.log, versions, orders);
        boolean isTimed = sources.equals(Set.of(VersionSource.TIMESTAMP));
        if (sources.contains(VersionSource.TIMESTAMP)) {
            registers.findContradicted(reads);
        }
        RegisterAccess access =
                isTimed && registers.contradictedKeys == 0 ? RegisterAccess.none(reads) : RegisterAccess.of(reads);
        registers.vertexOf = new int[versions.count()];
        Arrays.fill(registers.vertexOf, NO_POSITION);
        registers.taken.add(VersionSource.INITIAL_STATE);
        for (VersionSource source : sources) {
            VersionLinks found = new VersionLinks();
            switch (source) {
                case VERSION -> registers.linkByNumber(found, source, registers.versionNumbers());
                case TIMESTAMP -> {
                    if (allowsTies && registers.contradictedKeys > 0) {
                        registers.linkAsSeen(access, found);
                    }
                    if (rankOf != null) {
                        registers.linkByAssumption(found, rankOf);
                    } else if (allowsTies) {
                        registers.linkByTimestamp(found, isTimed);
                    } else {
                        registers.linkByNumber(found, source, registers.commitTimestamps());
                    }
                }
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
            boolean isOpen = source == VersionSource.TIMESTAMP && isContradicted[key];
            if (count < 2 || orders.use().of(key) != KeyUse.REGISTER || isOpen) {
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

    /** Finds the keys whose reads contradict commit timestamps. */
    private void findContradicted(ReadResolution reads) {
        long[] numberOf = commitTimestamps();
        isContradicted = new boolean[log.keyCount];
        RegisterAccess.forEachReplaced(reads, (found, left) -> {
            int key = versions.key(found);
            boolean isKnown = numberOf[found] != HistorySlice.NONE && numberOf[left] != HistorySlice.NONE;
            if (isKnown && numberOf[found] > numberOf[left] && !isContradicted[key]) {
                isContradicted[key] = true;
                contradictedKeys++;
            }
        });
    }

    /** Links the versions of these keys, as far as clients observed their order. */
    private void linkAsSeen(RegisterAccess access, VersionLinks into) {
        VersionLinks seen = new VersionLinks();
        access.linkWritesToReads(seen);
        for (int link = 0; link < seen.size(); link++) {
            if (isContradicted[versions.key(seen.from(link))]) {
                into.add(seen, link);
            }
        }
    }

    /**
     * Links each key's versions of one commit timestamp to the versions of the next.
     *
     * @param isOnlySource whether a key whose versions all have different timestamps needs no links
     */
    private void linkByTimestamp(VersionLinks into, boolean isOnlySource) {
        long[] numberOf = commitTimestamps();
        for (int key = 0; key < log.keyCount; key++) {
            boolean isOrdered = !isContradicted[key];
            int[] ordered = ends(key, version -> isOrdered && numberOf[version] != HistorySlice.NONE);
            long[] numbers = new long[ordered.length];
            Arrays.setAll(numbers, i -> numberOf[ordered[i]]);
            RadixSort.sort(numbers, ordered, ordered.length);
            boolean isTotal = isOnlySource && ordered.length > 1 && ordered.length == orders.endCount(key);
            for (int i = 1; i < numbers.length && isTotal; i++) {
                isTotal = numbers[i - 1] != numbers[i];
            }
            if (isTotal) {
                isTimed[key] = true;
                totalOf[key] = ordered;
                continue;
            }
            for (int first = 0, last = 0, end = 0; end < ordered.length; first = last) {
                last = end;
                while (end < ordered.length && numbers[end] == numbers[last]) {
                    end++;
                }
                for (int earlier = first;
                        earlier < last && (last - first) * (long) (end - last) <= MAX_PAIRS;
                        earlier++) {
                    for (int later = last; later < end; later++) {
                        add(into, ordered[earlier], ordered[later]);
                    }
                }
            }
        }
    }

    private void add(VersionLinks into, int earlier, int later) {
        into.add(earlier, later, VersionSource.TIMESTAMP, versions.writer(earlier), versions.writer(later));
    }

    /** Returns some of the last versions of a key's writers if it is a register of several; else none. */
    private int[] ends(int key, IntPredicate condition) {
        int count = orders.use().of(key) == KeyUse.REGISTER ? orders.endCount(key) : 0;
        IntStream all = IntStream.range(0, count < 2 ? 0 : count).map(end -> orders.end(key, end));
        return all.filter(condition).toArray();
    }

    /** Links each key's versions by their timestamps, and where these are equal by the ranks of their writers. */
    private void linkByAssumption(VersionLinks into, int[] rankOf) {
        long[] numberOf = assumedTimestamps();
        IntComparator byNumber = (one, other) -> {
            int order = isContradicted[versions.key(one)] ? 0 : Long.compare(numberOf[one], numberOf[other]);
            return order != 0 ? order : Integer.compare(rankOf[versions.writer(one)], rankOf[versions.writer(other)]);
        };
        for (int key = 0; key < log.keyCount; key++) {
            int[] ordered = ends(key, version -> true);
            IntArrays.quickSort(ordered, byNumber);
            for (int i = 1; i < ordered.length; i++) {
                add(into, ordered[i - 1], ordered[i]);
            }
        }
    }

    /** Returns the commit timestamp of each version, or if it has none, the earliest start of a transaction that read it. */
    private long[] assumedTimestamps() {
        long[] numberOf = commitTimestamps();
        for (int txn = 0; txn < log.txnCount; txn++) {
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1] && log.startTs != null; op++) {
                int version = log.kind[op] == OpKind.READ ? versions.ofOp(op) : Versions.NONE;
                int writer = version == Versions.NONE ? Versions.NO_TXN : versions.writer(version);
                boolean lacksCommit =
                        writer >= 0 && (log.commitTs == null || log.commitTs[writer] == HistorySlice.NONE);
                if (lacksCommit && writer != txn && log.status[txn] == TxnStatus.COMMITTED) {
                    long known = numberOf[version] == HistorySlice.NONE ? Long.MAX_VALUE : numberOf[version];
                    numberOf[version] = Math.min(known, log.startTs[txn]);
                }
            }
        }
        return numberOf;
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
            Digraph graph = hasNews ? graph(all, byKey, i, end) : null;
            if (graph != null && graph.topologicalOrder() == null) {
                isGivenUp[key] = true;
                cyclic.add(new CyclicVersions(key, shortestCycle(all, graph), taken));
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

    /** Versions of one key as vertices, numbered as their links name them; edges are labeled with links. */
    private Digraph graph(VersionLinks all, int[] byKey, int first, int end) {
        DigraphBuilder graph = DigraphBuilder.withLabels(0);
        for (int i = first; i < end; i++) {
            graph.add(vertex(all.from(byKey[i]), graph), vertex(all.to(byKey[i]), graph), 0, byKey[i]);
        }
        for (int i = first; i < end; i++) {
            requireNonNull(vertexOf)[all.from(byKey[i])] = NO_POSITION;
            vertexOf[all.to(byKey[i])] = NO_POSITION;
        }
        return graph.build();
    }

    private int vertex(int version, DigraphBuilder graph) {
        if (requireNonNull(vertexOf)[version] == NO_POSITION) {
            vertexOf[version] = graph.addVertex();
        }
        return vertexOf[version];
    }

    /** Returns the shortest cycle of links in the graph of a key that has one. */
    private static List<CyclicVersions.Link> shortestCycle(VersionLinks all, Digraph graph) {
        ShortestPath search = new ShortestPath(graph);
        int[] shortest = {};
        for (int start = 0; start < graph.vertexCount && (shortest.length == 0 || shortest.length > 2); start++) {
            int[] cycle = search.find(start, start, Digraph.ALL_KINDS);
            shortest = shortest.length == 0 || cycle.length > 0 && cycle.length < shortest.length ? cycle : shortest;
        }
        List<CyclicVersions.Link> links = new ArrayList<>();
        for (int edge : shortest) {
            links.add(all.link(graph.labelOf[edge]));
        }
        return links;
    }

    /** Returns the versions of a key in the only order that its links allow; null if they allow several. */
    private int @Nullable [] onlyOrder(Digraph graph) {
        int[] order = requireNonNull(graph.topologicalOrder());
        int[] inOrder = new int[order.length];
        for (int position = 1; position < order.length; position++) {
            int link = NO_POSITION;
            for (int edge = graph.firstEdgeOf[order[position - 1]];
                    edge < graph.firstEdgeOf[order[position - 1] + 1];
                    edge++) {
                link = graph.headOf[edge] == order[position] ? graph.labelOf[edge] : link;
            }
            if (link == NO_POSITION) {
                return null;
            }
            inOrder[position - 1] = links.from(link);
            inOrder[position] = links.to(link);
        }
        return inOrder;
    }

    // ---------------------------------------------------------------- final orders

    @SetsFields
    private void settle() {
        isPartial = new boolean[log.keyCount];
        minimalOf = new int[log.keyCount];
        int[] byKey = links.byKey(versions, log.keyCount);
        boolean[] follows = new boolean[versions.count()];
        for (int i = 0; i < byKey.length; ) {
            int key = versions.key(links.from(byKey[i]));
            int end = i;
            while (end < byKey.length && versions.key(links.from(byKey[end])) == key) {
                end++;
            }
            int[] order = onlyOrder(graph(links, byKey, i, end));
            if (order != null && coversEnds(key, order)) {
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

    @SetsFields
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

    int contradictedKeys() {
        return contradictedKeys;
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

    /** Gathers the next versions whose writers are known and count, and skips versions of other writers. */
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
        if (isTimed[versions.key(from)]) {
            return pathInTime(from, to);
        }
        IntColumn queue = new IntColumn();
        IntColumn cameBy = new IntColumn();
        IntColumn cameFrom = new IntColumn();
        queue.add(from);
        cameBy.add(NO_POSITION);
        cameFrom.add(NO_POSITION);
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

    private List<CyclicVersions.Link> pathInTime(int from, int to) {
        List<CyclicVersions.Link> path = new ArrayList<>();
        int[] order = totalOf[versions.key(from)];
        int first = orders.positionOf(from);
        for (int position = first; first >= 0 && position < orders.positionOf(to); position++) {
            int earlier = order[position];
            int later = order[position + 1];
            path.add(new CyclicVersions.Link(
                    earlier, later, VersionSource.TIMESTAMP, versions.writer(earlier), versions.writer(later)));
        }
        return path;
    }
}
