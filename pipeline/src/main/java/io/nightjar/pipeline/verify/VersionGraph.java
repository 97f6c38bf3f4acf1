package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.EdgeReason.LinkSource;
import io.nightjar.formats.finding.EdgeReason.VersionLink;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.EdgeType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Order of the versions of one register, as far as the transactions of one finding show it. */
final class VersionGraph {

    /*
     * Definitions. A version is its value, null for the initial state. If several transactions wrote the value, the
     * version is the value with its writer, which a read has to name. A committed transaction whose first operation on
     * the key is a read found the version it read; a transaction left the version it wrote last. Links follow from
     * these sources:
     *
     *   value       the initial state precedes every other version; the version found precedes the version left
     *   found       the version found precedes the version left
     *   session     versions of a transaction precede versions of later transactions of its session
     *   realtime    versions of a transaction precede versions of transactions that began after it finished
     *   version     the smaller number precedes the larger
     *   timestamp   the smaller commit timestamp of the writers precedes the larger
     */

    /** The source of links from the version found to the version left. */
    private static final String FOUND = "found";

    private static final char BY = '\0'; // between a value and its writer

    /** A transaction with the version that it found, if any, and then the version that it left, if any. */
    private record Access(int txn, List<@Nullable String> touched) {}

    /** Precedence of one version over another, shown by the rows of one or two transactions. */
    private record Link(@Nullable String from, @Nullable String to, String source, int earlier, int later) {}

    /** A version with the numbers of its writer, and the transactions that access it. */
    private record Numbered(String version, long number, long commitTs, int[] txns) {}

    private final GatheredFacts gathered;
    private final RawTxns raw;
    private final KeyFacts facts;
    private final long key;
    private final List<Access> accesses = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final Map<@Nullable String, List<Link>> linksFrom =
            new HashMap<>(); // by version; filled when first searched
    private final Set<String> sources = new HashSet<>();
    private final Set<String> values = new HashSet<>();

    VersionGraph(GatheredFacts gathered, long key) {
        this.gathered = gathered;
        this.raw = gathered.raw();
        this.facts = gathered.of(key);
        this.key = key;
    }

    /** Adds the accesses of a finding's transactions to the key, and the sources that its edges on the key name. */
    void take(ValueClaim claim) {
        for (int txn : claim.txnOf) {
            takeAccess(txn);
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

    /** Returns the links that an edge names as its reason. */
    static List<VersionLink> linksOf(Edge edge) {
        if (edge.reason() instanceof EdgeReason.Missed missed) {
            return missed.links();
        }
        if (edge.reason() instanceof EdgeReason.Linked linked) {
            return List.of(linked.link());
        }
        return edge.reason() instanceof EdgeReason.Replaced replaced ? replaced.links() : List.of();
    }

    /** Returns whether links connect the two versions of an edge, by reads and the named sources. */
    boolean leads(Edge edge, int from, int to) {
        if (!sources.contains(edge.evidence().word())) {
            return false;
        }
        for (String older : edge.type() == EdgeType.RW ? read(from) : written(from)) {
            for (String newer : written(to)) {
                if (newer != null
                        && Objects.equals(textOf(older), edge.fromValue())
                        && Objects.equals(textOf(newer), edge.toValue())
                        && leads(older, newer)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean leads(@Nullable String older, String newer) {
        if (newer.equals(older)) {
            return false;
        }
        if (linksFrom.isEmpty()) {
            links.forEach(link -> linksFrom
                    .computeIfAbsent(link.from(), absent -> new ArrayList<>())
                    .add(link));
        }
        Set<@Nullable String> reached = new HashSet<>();
        List<@Nullable String> queue = new ArrayList<>();
        queue.add(older);
        for (int i = 0; i < queue.size(); i++) {
            for (Link link : linksFrom.getOrDefault(queue.get(i), List.of())) {
                boolean counts = "value".equals(link.source()) || sources.contains(link.source());
                if (counts && newer.equals(link.to())) {
                    return true;
                }
                if (counts && reached.add(link.to())) {
                    queue.add(link.to());
                }
            }
        }
        return false;
    }

    /** Returns the versions that a transaction wrote. */
    private List<@Nullable String> written(int txn) {
        List<@Nullable String> written = new ArrayList<>();
        for (int op : raw.opsOn(txn, key)) {
            if (OpKind.isWrite(raw.kind[op])) {
                written.add(versionWritten(op, txn));
            }
        }
        return written;
    }

    /** Returns the versions that a transaction read before it wrote the key; null for the initial state. */
    private List<@Nullable String> read(int txn) {
        List<@Nullable String> read = new ArrayList<>();
        for (int op : raw.opsOn(txn, key)) {
            if (OpKind.isWrite(raw.kind[op])) {
                break;
            }
            read.add(versionRead(op));
        }
        return read;
    }

    /**
     * Follows the links of a source between two rows from some versions; returns the versions of a value that are
     * reached, empty if none.
     */
    Set<String> next(Set<String> versions, @Nullable String value, LinkSource source, int earlier, int later) {
        return next(versions, value, wordOf(source), earlier, later);
    }

    Set<String> next(Set<String> versions, @Nullable String value, String source, int earlier, int later) {
        Set<String> reached = new HashSet<>();
        for (Link link : links) {
            if (link.earlier() == earlier
                    && link.later() == later
                    && link.source().equals(source)
                    && versions.contains(link.from())
                    && Objects.equals(textOf(link.to()), value)) {
                reached.add(link.to());
            }
        }
        return reached;
    }

    /** Returns all versions of a value that the transactions touch. */
    Set<String> versionsOf(@Nullable String value) {
        Set<String> versions = new HashSet<>();
        versions.add(value);
        for (Access access : accesses) {
            for (String version : access.touched) {
                if (Objects.equals(textOf(version), value)) {
                    versions.add(version);
                }
            }
        }
        return versions;
    }

    private static @Nullable String textOf(@Nullable String version) {
        return version == null || !version.contains(String.valueOf(BY))
                ? version
                : version.substring(0, version.indexOf(BY));
    }

    private boolean isOfSeveral(@Nullable String value) {
        KeyFacts.Value written = value == null ? null : facts.of(value, raw.values);
        return written != null && written.livingWriter == KeyFacts.SEVERAL;
    }

    private String versionBy(String value, long writer) {
        return isOfSeveral(value) && writer != HistorySlice.NONE ? value + BY + writer : value;
    }

    private @Nullable String versionRead(int op) {
        return gathered.isInitial(op) ? null : versionBy(String.valueOf(raw.text(op)), raw.writerTxn[op]);
    }

    private String versionWritten(int op, int txn) {
        return versionBy(requireNonNull(raw.text(op)), raw.txnId[txn]);
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

    private void takeAccess(int txn) {
        List<@Nullable String> touched = new ArrayList<>(2);
        int[] ops = raw.opsOn(txn, key);
        if (ops.length > 0 && !OpKind.isWrite(raw.kind[ops[0]]) && raw.status[txn] == TxnStatus.COMMITTED) {
            touched.add(versionRead(ops[0]));
        }
        List<@Nullable String> written = written(txn);
        if (!written.isEmpty()) {
            touched.add(written.get(written.size() - 1));
        }
        accesses.add(new Access(txn, touched));
    }

    private void linkOwn(Access access) {
        int txn = access.txn;
        access.touched.forEach(version -> link(null, version, "value", txn, txn));
        if (access.touched.size() == 2) {
            link(access.touched.get(0), access.touched.get(1), "value", txn, txn);
            link(access.touched.get(0), access.touched.get(1), FOUND, txn, txn);
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
        for (String from : access.touched) {
            for (String to : later.touched) {
                link(from, to, source, access.txn(), later.txn());
            }
        }
    }

    /** Links versions by the numbers of their writers; a transaction that accesses the versions confirms the link. */
    private void linkByNumbers() {
        Set<String> versions = new HashSet<>();
        values.forEach(value -> versions.addAll(versionsOf(value)));
        versions.remove(null);
        List<Numbered> numbered = new ArrayList<>();
        versions.forEach(version ->
                numbered.add(new Numbered(version, version(version), commitTs(version), txnsAccessing(version))));
        for (Numbered from : numbered) {
            for (Numbered to : numbered) {
                linkByNumber(from, to, "version", from.number, to.number);
                linkByNumber(from, to, "timestamp", from.commitTs, to.commitTs);
            }
        }
    }

    private void linkByNumber(Numbered from, Numbered to, String source, long older, long newer) {
        if (older == HistorySlice.NONE || newer == HistorySlice.NONE || older >= newer) {
            return;
        }
        for (int earlier : from.txns) {
            for (int later : to.txns) {
                link(from.version, to.version, source, earlier, later);
            }
        }
    }

    private int[] txnsAccessing(String version) {
        return accesses.stream()
                .filter(access -> access.touched.contains(version))
                .mapToInt(Access::txn)
                .toArray();
    }

    private long version(String version) {
        int writer = writerOf(version);
        if (writer == RawTxns.NONE) {
            KeyFacts.Value written = facts.of(version, raw.values);
            return written == null || written.livingWriter == KeyFacts.SEVERAL ? HistorySlice.NONE : written.version;
        }
        long number = HistorySlice.NONE;
        for (int op : raw.opsOn(writer, key)) {
            boolean isLater = raw.kind[op] == OpKind.WRITE;
            number = isLater ? raw.version[op] : number; // of the last write, which persists
        }
        return number;
    }

    private long commitTs(String version) {
        int writer = writerOf(version);
        if (writer != RawTxns.NONE) {
            return raw.commitTs[writer];
        }
        KeyFacts.Value written = facts.of(version, raw.values);
        return written == null || written.livingWriter == KeyFacts.SEVERAL ? HistorySlice.NONE : written.commitTs;
    }

    /** Returns the row of the writer that a version names; none if it names none, or one of another finding. */
    private int writerOf(String version) {
        int end = version.indexOf(BY);
        return end < 0 ? RawTxns.NONE : raw.txnOf(Long.parseLong(version.substring(end + 1)));
    }

    private void link(@Nullable String from, @Nullable String to, String source, int earlier, int later) {
        if (!Objects.equals(from, to)) {
            links.add(new Link(from, to, source, earlier, later));
        }
    }
}
