package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.EdgeReason.LinkSource;
import io.nightjar.formats.finding.EdgeReason.VersionLink;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.pipeline.infer.CyclicVersions.Link;
import io.nightjar.pipeline.infer.DependencyGraph;
import io.nightjar.pipeline.infer.KeyUse;
import io.nightjar.pipeline.infer.ListOrders;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.VersionOrders;
import io.nightjar.pipeline.infer.VersionSource;
import io.nightjar.pipeline.infer.Versions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reconstruction of the reason of a dependency: the key, the versions, and the evidence of their order. */
final class DependencyEdges {

    private final OperationLog log;
    private final VersionOrders orders;
    private final Versions versions;
    private final Set<Integer> needed = new LinkedHashSet<>();

    DependencyEdges(OperationLog log, VersionOrders orders) {
        this.log = log;
        this.orders = orders;
        versions = orders.versions();
    }

    /** Returns the transactions of the log that show orders of versions, of all edges since {@link #begin}. */
    Set<Integer> needed() {
        return needed;
    }

    void begin() {
        needed.clear();
    }

    /** @param kind as {@link DependencyGraph} names kinds */
    Edge edge(int from, int to, byte kind) {
        Edge edge =
                switch (kind) {
                    case DependencyGraph.WR -> read(from, to);
                    case DependencyGraph.WW -> overwrite(from, to);
                    case DependencyGraph.RW -> miss(from, to);
                    case DependencyGraph.SO -> inSession(log, from, to);
                    default -> inTime(log, from, to);
                };
        if (edge == null) {
            throw new AssertionError(
                    "bug: no reason for an edge: from=" + id(from) + " to=" + id(to) + " kind=" + kind);
        }
        return edge;
    }

    /** Returns the edge of two transactions of one session. */
    static Edge inSession(OperationLog log, int from, int to) {
        EdgeReason reason = new EdgeReason.InSession(log.sessionId[from]);
        return new Edge(log.txnId[from], log.txnId[to], EdgeType.SO, null, null, null, EdgeEvidence.SESSION, reason);
    }

    /** Returns the edge of two transactions of which one had completed before the other was invoked. */
    static Edge inTime(OperationLog log, int from, int to) {
        EdgeReason reason = new EdgeReason.InTime(log.completeNs[from], log.invokeNs[to]);
        return new Edge(log.txnId[from], log.txnId[to], EdgeType.RT, null, null, null, EdgeEvidence.REALTIME, reason);
    }

    private Edge edge(
            int from,
            int to,
            EdgeType type,
            int key,
            @Nullable String older,
            @Nullable String newer,
            EdgeEvidence evidence,
            EdgeReason reason) {
        return new Edge(id(from), id(to), type, log.keyText(key), older, newer, evidence, reason);
    }

    private long id(int txn) {
        return log.txnId[txn];
    }

    // ---------------------------------------------------------------- wr

    private @Nullable Edge read(int from, int to) {
        for (int op = log.firstOpOf[to]; op < log.firstOpOf[to + 1]; op++) {
            int version = versionFrom(op, from);
            if (version != Versions.NONE && versions.writer(version) == from) {
                String value = versions.text(version);
                byte kind =
                        switch (orders.use().of(log.key[op])) {
                            case KeyUse.LIST -> OpKind.APPEND;
                            case KeyUse.SET -> OpKind.ADD;
                            default -> OpKind.WRITE;
                        };
                EdgeReason reason = new EdgeReason.WasRead(OpKind.name(kind));
                return edge(from, to, EdgeType.WR, log.key[op], value, value, EdgeEvidence.VALUE, reason);
            }
        }
        return null;
    }

    /** Returns the version that a read returned; of a set, an element that the writer added. */
    private int versionFrom(int op, int writer) {
        if (log.kind[op] == OpKind.READ) {
            return versions.ofOp(op);
        }
        int length = log.lengthRead(op);
        if (length == 0) {
            return Versions.NONE;
        }
        int key = log.key[op];
        if (orders.use().of(key) != KeyUse.SET) {
            return versions.find(key, log.lists.element(key, log.value[op], length - 1));
        }
        for (int i = 0; i < length; i++) {
            int version = versions.find(key, log.lists.element(key, log.value[op], i));
            if (version != Versions.NONE && versions.writer(version) == writer) {
                return version;
            }
        }
        return Versions.NONE;
    }

    // ---------------------------------------------------------------- ww

    private @Nullable Edge overwrite(int from, int to) {
        for (int op = log.firstOpOf[to]; op < log.firstOpOf[to + 1]; op++) {
            int key = log.key[op];
            if (log.kind[op] != OpKind.WRITE && log.kind[op] != OpKind.APPEND
                    || orders.use().of(key) == KeyUse.MIXED
                    || versions.writer(versions.ofOp(op)) != to) {
                continue;
            }
            Edge edge = orders.isPartial(key) ? overwritePartial(from, to, op) : overwriteInChain(from, to, op);
            if (edge != null) {
                return edge;
            }
        }
        return null;
    }

    private @Nullable Edge overwriteInChain(int from, int to, int op) {
        int key = log.key[op];
        int version = versions.ofOp(op);
        boolean isInChain = orders.positionOf(version) != VersionOrders.NOWHERE;
        if (!isInChain && (versions.isIntermediate(version) || orders.endCount(key) == 0)) {
            return null;
        }
        int index = isInChain ? orders.firstMissed(key, orders.positionOf(version)) : orders.chainLength(key);
        if (index == 0 || index > orders.chainLength(key)) {
            return null;
        }
        int before = orders.chainVersion(key, index - 1);
        if (versions.firstWriter(before) != from || versions.writer(before) != from) {
            return null;
        }
        return ordered(from, to, key, before, version, isInChain);
    }

    /** Returns an edge between two versions of a chain, or from its last to a version after it. */
    private Edge ordered(int from, int to, int key, int before, int version, boolean isInChain) {
        String older = versions.text(before);
        String newer = versions.text(version);
        if (orders.use().of(key) == KeyUse.LIST) {
            if (isUnread(before)) {
                Link link = new Link(before, version, VersionSource.TIMESTAMP, from, to);
                EdgeReason reason = new EdgeReason.Linked(link(link));
                return edge(from, to, EdgeType.WW, key, older, newer, EdgeEvidence.TIMESTAMP, reason);
            }
            EdgeReason reason = new EdgeReason.Listed(trunkReader(key), isInChain && !isUnread(version));
            return edge(from, to, EdgeType.WW, key, older, newer, EdgeEvidence.LIST, reason);
        }
        List<Link> path = path(before, version);
        EdgeReason reason = new EdgeReason.Replaced(links(path));
        return edge(from, to, EdgeType.WW, key, older, newer, evidence(path), reason);
    }

    /** Returns whether a version of a list follows everything that was read, ordered by timestamps. */
    private boolean isUnread(int version) {
        return orders.positionOf(version) >= orders.lists().length(versions.key(version));
    }

    /** Returns the reader whose list shows the order of a key; null if no transaction read any. */
    private @Nullable Long trunkReader(int key) {
        int reader = orders.lists().reader(key);
        if (reader == ListOrders.NO_TXN) {
            return null;
        }
        needed.add(reader);
        return id(reader);
    }

    private @Nullable Edge overwritePartial(int from, int to, int op) {
        int key = log.key[op];
        for (int write = log.firstOpOf[from]; write < log.firstOpOf[from + 1]; write++) {
            if (log.key[write] == key && OpKind.isWrite(log.kind[write])) {
                int before = versions.ofOp(write);
                if (before == Versions.NONE) { // a deletion
                    continue;
                }
                List<Link> path = path(before, versions.ofOp(op));
                if (!path.isEmpty() && versions.writer(before) == from) {
                    return ordered(from, to, key, before, versions.ofOp(op), true);
                }
            }
        }
        return null;
    }

    // ---------------------------------------------------------------- rw

    private @Nullable Edge miss(int from, int to) {
        if (log.status[from] != TxnStatus.COMMITTED) {
            return null;
        }
        for (int op = log.firstOpOf[from]; op < log.firstOpOf[from + 1]; op++) {
            int key = log.key[op];
            boolean isSet = orders.use().of(key) == KeyUse.SET;
            if (!OpKind.isRead(log.kind[op]) || !isSet && !log.isCutBeforeOwn(op) && hasWrittenBefore(from, op)) {
                continue;
            }
            Edge edge =
                    switch (orders.use().of(key)) {
                        case KeyUse.LIST ->
                            orders.lists().isPrefix(op) || log.lengthRead(op) == 0
                                    ? missInChain(from, to, op, log.lengthRead(op))
                                    : null;
                        case KeyUse.REGISTER -> missRegister(from, to, op);
                        case KeyUse.SET -> missElement(from, to, op);
                        default -> null;
                    };
            if (edge != null) {
                return edge;
            }
        }
        return null;
    }

    private boolean hasWrittenBefore(int txn, int read) {
        for (int op = log.firstOpOf[txn]; op < read; op++) {
            if (log.key[op] == log.key[read] && OpKind.isWrite(log.kind[op])) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Edge missInChain(int from, int to, int op, int position) {
        int key = log.key[op];
        int next = orders.firstMissed(key, position);
        if (next < orders.chainLength(key)) {
            int version = orders.chainVersion(key, next);
            boolean isListed = orders.use().of(key) != KeyUse.LIST || !isUnread(version);
            return versions.firstWriter(version) == to ? missed(from, to, op, version, isListed) : null;
        }
        for (int end = 0; end < orders.endCount(key); end++) {
            if (versions.firstWriter(orders.end(key, end)) == to) {
                return missed(from, to, op, orders.end(key, end), false);
            }
        }
        return null;
    }

    private @Nullable Edge missRegister(int from, int to, int op) {
        int key = log.key[op];
        int version = versions.ofOp(op);
        if (version == Versions.NONE || versions.writer(version) == Versions.SEVERAL) {
            return null;
        }
        if (!orders.isPartial(key)) {
            boolean isInitial = versions.isInitial(version);
            int position = orders.positionOf(version) != VersionOrders.NOWHERE
                    ? orders.positionOf(version) + 1
                    : isInitial ? 0 : -1;
            return position < 0 ? null : missInChain(from, to, op, position);
        }
        for (int write = log.firstOpOf[to]; write < log.firstOpOf[to + 1]; write++) {
            if (log.key[write] == key && OpKind.isWrite(log.kind[write])) {
                int next = versions.ofOp(write);
                boolean isOrdered = next != Versions.NONE // a deletion writes none
                        && versions.writer(next) == to
                        && !versions.isIntermediate(next)
                        && (versions.isInitial(version) || !path(version, next).isEmpty());
                if (isOrdered) {
                    return missed(from, to, op, next, true);
                }
            }
        }
        return null;
    }

    private Edge missed(int from, int to, int op, int next, boolean isInChain) {
        int key = log.key[op];
        String newer = versions.text(next);
        boolean isList = orders.use().of(key) == KeyUse.LIST;
        int length = log.lengthRead(op);
        boolean isInitial = isList ? length == 0 : versions.isInitial(versions.ofOp(op));
        if (isInitial) {
            EdgeEvidence evidence = isList ? EdgeEvidence.LIST : EdgeEvidence.VALUE;
            return edge(from, to, EdgeType.RW, key, null, newer, evidence, new EdgeReason.Missed(List.of()));
        }
        if (!isList) {
            List<Link> path = path(versions.ofOp(op), next);
            String read = versions.text(versions.ofOp(op));
            EdgeReason reason = new EdgeReason.Missed(links(path));
            return edge(from, to, EdgeType.RW, key, read, newer, evidence(path), reason);
        }
        String read = log.valueText(log.lists.element(key, log.value[op], length - 1));
        int reader = orders.lists().reader(key);
        if (reader != from && isInChain) {
            needed.add(reader);
        }
        EdgeReason reason = new EdgeReason.MissedInList(id(reader), isInChain);
        return edge(from, to, EdgeType.RW, key, read, newer, EdgeEvidence.LIST, reason);
    }

    private @Nullable Edge missElement(int from, int to, int op) {
        int key = log.key[op];
        int length = log.lengthRead(op);
        for (int write = log.firstOpOf[to]; write < log.firstOpOf[to + 1]; write++) {
            if (log.key[write] != key || log.kind[write] != OpKind.ADD || versions.writer(versions.ofOp(write)) != to) {
                continue;
            }
            boolean isSeen = false;
            for (int i = 0; i < length && !isSeen; i++) {
                isSeen = log.lists.element(key, log.value[op], i) == log.value[write];
            }
            if (!isSeen) {
                String element = log.valueText(log.value[write]);
                EdgeReason reason = new EdgeReason.MissedInSet();
                return edge(from, to, EdgeType.RW, key, null, element, EdgeEvidence.VALUE, reason);
            }
        }
        return null;
    }

    // ---------------------------------------------------------------- orders of registers

    /** Returns the links from a version to a later one, each from observations of clients rather than timestamps. */
    private List<Link> path(int from, int to) {
        List<Link> path = new ArrayList<>(orders.registers().path(from, to));
        path.replaceAll(link -> link.source() == VersionSource.TIMESTAMP && isReplacedByReader(link)
                ? new Link(link.from(), link.to(), VersionSource.WRITES_FOLLOW_READS, link.later(), link.later())
                : link);
        return path;
    }

    /** Returns whether the writer of the later version had read the earlier one. */
    private boolean isReplacedByReader(Link link) {
        int writer = link.later();
        for (int op = log.firstOpOf[writer]; op < log.firstOpOf[writer + 1]; op++) {
            if (log.key[op] == versions.key(link.to())) {
                return log.kind[op] == OpKind.READ
                        && log.status[writer] == TxnStatus.COMMITTED
                        && versions.ofOp(op) == link.from();
            }
        }
        return false;
    }

    private static EdgeEvidence evidence(List<Link> path) {
        VersionSource weakest = path.get(0).source();
        for (Link link : path) {
            weakest = link.source().compareTo(weakest) > 0 ? link.source() : weakest;
        }
        return weakest.evidence();
    }

    /** Returns the reasons for the order of versions; records the transactions required. */
    private List<VersionLink> links(List<Link> path) {
        List<VersionLink> links = new ArrayList<>();
        for (Link link : path) {
            needed.add(link.earlier());
            needed.add(link.later());
            links.add(link(link));
        }
        return links;
    }

    VersionLink link(Link link) {
        int earlier = link.earlier();
        int later = link.later();
        return switch (link.source()) {
            case WRITES_FOLLOW_READS -> link(link, LinkSource.READ_THEN_WRITTEN, HistorySlice.NONE, HistorySlice.NONE);
            case SESSION -> link(link, LinkSource.SESSION, log.sessionId[later], HistorySlice.NONE);
            case REALTIME -> link(link, LinkSource.REAL_TIME, log.completeNs[earlier], log.invokeNs[later]);
            case TIMESTAMP -> link(link, LinkSource.TIMESTAMP, log.commitTs[earlier], log.commitTs[later]);
            case VERSION -> link(link, LinkSource.VERSION, HistorySlice.NONE, HistorySlice.NONE);
            default -> link(link, LinkSource.INITIAL, HistorySlice.NONE, HistorySlice.NONE);
        };
    }

    private VersionLink link(Link link, LinkSource source, long first, long second) {
        return new VersionLink(
                source,
                id(link.earlier()),
                versions.text(link.from()),
                id(link.later()),
                versions.text(link.to()),
                first,
                second);
    }
}
