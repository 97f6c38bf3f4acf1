package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Reason;
import io.nightjar.formats.finding.Reason.LinkSource;
import io.nightjar.formats.finding.Reason.VersionLink;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which versions of one register precede which, by what the transactions of one finding show. */
final class VersionGraph {

    /*
     * A version is its value, null for the initial state. A transaction has found what its first operation on the key
     * read, if that is a read and it committed, and has left what it wrote last. From that, by source:
     *
     *   value       the initial state precedes everything; what a transaction found precedes what it left
     *   session     what one touched precedes what a later one of its session touches
     *   realtime    what one touched precedes what another one touches that began after the first was done
     *   version     the smaller number precedes the larger
     *   timestamp   the smaller commit timestamp of their writers
     */

    /** The source of links from what a transaction found to what it left. */
    private static final String FOUND = "found";

    private record Access(int txn, boolean hasFound, @Nullable String found, boolean hasLeft, @Nullable String left) {}

    /** One version precedes another, as the rows of two transactions show, which may be one. */
    private record Link(@Nullable String from, @Nullable String to, String source, int earlier, int later) {}

    private final RawTxns raw;
    private final KeyFacts facts;
    private final EdgeReplay edges;
    private final List<Access> accesses = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final Set<String> sources = new HashSet<>();
    private final Set<String> values = new HashSet<>();

    VersionGraph(RawTxns raw, KeyFacts facts, EdgeReplay edges) {
        this.raw = raw;
        this.facts = facts;
        this.edges = edges;
    }

    /** Takes what a finding's transactions did to the key, and the sources that its edges on the key name. */
    void take(ValueClaim claim, long key) {
        for (int txn : claim.txnOf) {
            takeAccess(txn, key);
        }
        for (Edge edge : claim.finding.edges()) {
            if (claim.finding.key() == null ? raw.keys.text(key).equals(edge.key()) : edge.key() != null) {
                sources.add(edge.evidence().word());
                values.add(edge.fromValue());
                values.add(edge.toValue());
                for (VersionLink link : linksOf(edge)) {
                    sources.add(wordOf(link.source()));
                    values.add(link.from());
                    values.add(link.to());
                }
            }
        }
        for (Access access : accesses) {
            linkOwn(access);
            for (Access later : accesses) {
                linkPair(access, later);
            }
        }
        linkByNumbers();
    }

    /** The links that an edge names as its reason. */
    static List<VersionLink> linksOf(Edge edge) {
        if (edge.reason() instanceof Reason.Missed missed) {
            return missed.links();
        }
        if (edge.reason() instanceof Reason.Linked linked) {
            return List.of(linked.link());
        }
        return edge.reason() instanceof Reason.Replaced replaced ? replaced.links() : List.of();
    }

    /** Whether the versions of an edge follow each other, perhaps over others, by what was read and the sources named. */
    boolean leads(Edge edge) {
        List<String> reached = new ArrayList<>();
        reached.add(edge.fromValue());
        for (int i = 0; i < reached.size(); i++) {
            for (Link link : links) {
                boolean counts = "value".equals(link.source()) || sources.contains(link.source());
                if (counts && Objects.equals(link.from(), reached.get(i)) && !reached.contains(link.to())) {
                    reached.add(link.to());
                }
            }
        }
        return sources.contains(edge.evidence().word())
                && !Objects.equals(edge.fromValue(), edge.toValue())
                && reached.contains(edge.toValue());
    }

    /** Whether these two rows show by the source that an edge names that its versions follow each other. */
    boolean links(Edge edge, int earlier, int later) {
        return links.contains(
                new Link(edge.fromValue(), edge.toValue(), edge.evidence().word(), earlier, later));
    }

    /** Whether a link that a reason names is among those shown. */
    boolean links(VersionLink link, int earlier, int later) {
        return links.contains(new Link(link.from(), link.to(), wordOf(link.source()), earlier, later));
    }

    private static String wordOf(LinkSource source) {
        return switch (source) {
            case INITIAL -> "value";
            case READ_THEN_WRITTEN -> FOUND;
            case SESSION -> "session";
            case REAL_TIME -> "realtime";
            case TIMESTAMP -> "timestamp";
            case VERSION -> "version";
        };
    }

    private void takeAccess(int txn, long key) {
        boolean hasFound = false;
        String found = null;
        boolean isFirst = true;
        boolean hasLeft = false;
        String left = null;
        for (int op = raw.firstOpOf[txn]; op < raw.firstOpOf[txn + 1]; op++) {
            if (raw.key[op] != key) {
                continue;
            }
            if (OpKind.isWrite(raw.kind[op])) {
                hasLeft = true;
                left = raw.text(op);
            } else if (isFirst && raw.status[txn] == TxnStatus.COMMITTED) {
                hasFound = true;
                found = edges.isInitial(op) ? null : raw.text(op);
            }
            isFirst = false;
        }
        accesses.add(new Access(txn, hasFound, found, hasLeft, left));
    }

    private void linkOwn(Access access) {
        int txn = access.txn();
        if (access.hasLeft()) {
            link(null, access.left(), "value", txn, txn);
        }
        if (access.hasFound()) {
            link(null, access.found(), "value", txn, txn);
            if (access.hasLeft()) {
                link(access.found(), access.left(), "value", txn, txn);
                link(access.found(), access.left(), FOUND, txn, txn);
            }
        }
    }

    private void linkPair(Access access, Access later) {
        int txn = access.txn();
        int other = later.txn();
        if (raw.sessionId[txn] == raw.sessionId[other] && raw.sessionSeq[txn] < raw.sessionSeq[other]) {
            linkAll(access, later, "session");
        }
        if (raw.completeNs[txn] != HistorySlice.NONE
                && raw.invokeNs[other] != HistorySlice.NONE
                && raw.completeNs[txn] < raw.invokeNs[other]) {
            linkAll(access, later, "realtime");
        }
    }

    private void linkAll(Access access, Access later, String source) {
        for (String from : touched(access)) {
            for (String to : touched(later)) {
                link(from, to, source, access.txn(), later.txn());
            }
        }
    }

    private static List<String> touched(Access access) {
        List<String> touched = new ArrayList<>(2);
        if (access.hasFound()) {
            touched.add(access.found());
        }
        if (access.hasLeft()) {
            touched.add(access.left());
        }
        return touched;
    }

    /** Numbers are those of the writers; a transaction that touches the versions shows them. */
    private void linkByNumbers() {
        for (String from : values) {
            for (String to : values) {
                KeyFacts.Value older = from == null ? null : facts.of(from, raw.values);
                KeyFacts.Value newer = to == null ? null : facts.of(to, raw.values);
                if (older == null || newer == null) {
                    continue;
                }
                if (older.version != HistorySlice.NONE
                        && newer.version != HistorySlice.NONE
                        && older.version < newer.version) {
                    linkTouching(from, to, "version");
                }
                if (older.commitTs != HistorySlice.NONE
                        && newer.commitTs != HistorySlice.NONE
                        && older.commitTs < newer.commitTs) {
                    linkTouching(from, to, "timestamp");
                }
            }
        }
    }

    private void linkTouching(String from, String to, String source) {
        for (Access access : accesses) {
            for (Access later : accesses) {
                if (touched(access).contains(from) && touched(later).contains(to)) {
                    link(from, to, source, access.txn(), later.txn());
                }
            }
        }
    }

    private void link(@Nullable String from, @Nullable String to, String source, int earlier, int later) {
        if (!Objects.equals(from, to)) {
            links.add(new Link(from, to, source, earlier, later));
        }
    }
}
