package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.EdgeReason.InSession;
import io.nightjar.formats.finding.EdgeReason.InTime;
import io.nightjar.formats.finding.EdgeReason.Linked;
import io.nightjar.formats.finding.EdgeReason.Listed;
import io.nightjar.formats.finding.EdgeReason.Missed;
import io.nightjar.formats.finding.EdgeReason.MissedInList;
import io.nightjar.formats.finding.EdgeReason.MissedInSet;
import io.nightjar.formats.finding.EdgeReason.NoOverlap;
import io.nightjar.formats.finding.EdgeReason.Numbered;
import io.nightjar.formats.finding.EdgeReason.Replaced;
import io.nightjar.formats.finding.EdgeReason.VersionLink;
import io.nightjar.formats.finding.EdgeReason.WasRead;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.EdgeType;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Verifier of edge reasons: every fact of a reason is compared with the rows; the edge itself has been replayed before. */
final class ReasonReplay {

    private final RawTxns raw;
    private final GatheredFacts gathered;
    private final EdgeReplay edges;

    ReasonReplay(GatheredFacts gathered, EdgeReplay edges) {
        this.raw = gathered.raw();
        this.gathered = gathered;
        this.edges = edges;
    }

    /** Returns why the rows contradict the reason of an edge, or null; required visibility is not verified here. */
    @Nullable
    String wrong(ValueClaim claim, Edge edge, int from, int to) {
        EdgeReason reason = edge.reason();
        if (reason == null) {
            return null;
        }
        if (edge.type() != typeOf(reason)) {
            return "a reason that is none for such a step";
        }
        boolean isRight = true;
        if (reason instanceof InSession in) {
            isRight = raw.sessionId[from] == in.session();
        } else if (reason instanceof InTime in) {
            isRight = raw.completeNs[from] == in.completeNs() && raw.invokeNs[to] == in.invokeNs();
        } else if (reason instanceof WasRead read) {
            isRight = read.op().equals(OpKind.name(raw.kind[edges.writeOf(edge, from, edge.fromValue())]));
        } else if (reason instanceof Missed missed) {
            isRight = missed.links().isEmpty() || isPath(claim, edge, missed.links());
        } else if (reason instanceof MissedInList missed) {
            isRight = isListed(claim, edge, new Listed(missed.reader(), missed.isRead()));
        } else if (reason instanceof MissedInSet) {
            isRight = raw.kind[edges.writeOf(edge, to, edge.toValue())] == OpKind.ADD;
        } else if (reason instanceof NoOverlap both) {
            isRight = both.key() == null || isNotSeen(both, from, to);
        } else if (reason instanceof Listed listed) {
            isRight = isListed(claim, edge, listed);
        } else if (reason instanceof Numbered) {
            isRight = isNumbered(edge, from, to);
        } else if (reason instanceof Replaced replaced) {
            isRight = isPath(claim, edge, replaced.links());
        } else if (reason instanceof Linked linked) {
            isRight = isPath(claim, edge, List.of(linked.link()));
        }
        return isRight ? null : "the rows do not show the reason that is given";
    }

    /** Returns the type of edge that a reason is for; null for one that nothing can confirm. */
    private static @Nullable EdgeType typeOf(EdgeReason reason) {
        return switch (reason.word()) {
            case "session" -> EdgeType.SO;
            case "realtime" -> EdgeType.RT;
            case "read" -> EdgeType.WR;
            case "missed", "missed-in-list", "missed-in-set" -> EdgeType.RW;
            case "visible", "no-overlap", "listed", "numbered", "replaced", "linked" -> EdgeType.WW;
            default -> null;
        };
    }

    // ---------------------------------------------------------------- lists

    private boolean isListed(ValueClaim claim, Edge edge, Listed listed) {
        long key = raw.keys.intern(edge.key());
        boolean isOutside = claim.isAboutSnapshots();
        if (listed.reader() == null) {
            KeyFacts facts = gathered.of(key);
            return facts != null
                    && (shows(facts.outside.elements, edge, listed.isNewerRead())
                            || !isOutside && shows(facts.whole.elements, edge, listed.isNewerRead()));
        }
        int reader = raw.txnOf(listed.reader());
        if (reader == RawTxns.NONE) {
            return false;
        }
        for (int op : raw.opsOn(reader, key)) {
            if (edges.isJudgedList(reader, op)
                    && (shows(raw.outsideList(reader, op), edge, listed.isNewerRead())
                            || !isOutside && shows(raw.list(op), edge, listed.isNewerRead()))) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a list contains the older element, followed by the newer or without it; elements may repeat. */
    private boolean shows(long[] list, Edge edge, boolean withNewer) {
        long older = raw.values.intern(edge.fromValue());
        long newer = raw.values.intern(edge.toValue());
        boolean hasOlder = false;
        boolean hasNewer = false;
        for (long element : list) {
            if (element == newer && withNewer && hasOlder) {
                return true;
            }
            hasNewer |= element == newer;
            hasOlder |= element == older;
        }
        return hasOlder && !hasNewer && !withNewer;
    }

    // ---------------------------------------------------------------- registers

    private boolean isNumbered(Edge edge, int from, int to) {
        long older = raw.version[edges.writeOf(edge, from, edge.fromValue())];
        long newer = raw.version[edges.writeOf(edge, to, edge.toValue())];
        return older != HistorySlice.NONE && newer != HistorySlice.NONE && older < newer;
    }

    /** Returns whether links connect the two versions of an edge, each confirmed by the transactions that it names. */
    private boolean isPath(ValueClaim claim, Edge edge, List<VersionLink> links) {
        long key = raw.keys.intern(edge.key());
        VersionGraph graph = claim.graph(key, () -> new VersionGraph(gathered, key));
        Set<String> versions = graph.versionsOf(edge.fromValue());
        for (VersionLink link : links) {
            int earlier = claim.txnById(link.earlier());
            int later = claim.txnById(link.later());
            if (earlier == RawTxns.NONE || later == RawTxns.NONE || !hasNumbers(link, earlier, later)) {
                return false;
            }
            versions.retainAll(graph.versionsOf(link.from()));
            versions = graph.next(versions, link.to(), link.source(), earlier, later);
        }
        versions.retainAll(graph.versionsOf(edge.toValue()));
        return !versions.isEmpty();
    }

    private boolean hasNumbers(VersionLink link, int earlier, int later) {
        return switch (link.source()) {
            case SESSION -> link.first() == raw.sessionId[later];
            case REAL_TIME -> link.first() == raw.completeNs[earlier] && link.second() == raw.invokeNs[later];
            case TIMESTAMP -> link.first() == raw.commitTs[earlier] && link.second() == raw.commitTs[later];
            case INITIAL -> link.from() == null;
            case READ_THEN_WRITTEN, VERSION -> true;
        };
    }

    // ---------------------------------------------------------------- transactions that must not overlap

    /** Returns whether one wrote a value that the other did not see where it read the key. */
    private boolean isNotSeen(NoOverlap both, int reader, int writer) {
        if (raw.status[reader] != TxnStatus.COMMITTED || both.value() == null || !raw.keys.isPossible(both.key())) {
            return false;
        }
        long key = raw.keys.intern(both.key());
        boolean isWritten = false;
        boolean isMissed = false;
        for (int op : raw.opsOn(writer, key)) {
            if (OpKind.isWrite(raw.kind[op]) && both.value().equals(raw.text(op))) {
                isWritten = true;
                for (int read : raw.opsOn(reader, key)) {
                    isMissed |= raw.isRead(read) && (isOther(reader, read, op) || edges.isNamedAnother(read, writer));
                }
            }
        }
        return isWritten && isMissed;
    }

    /** Returns whether a read did not return the version of a write; after a deletion, whether it returned a value. */
    private boolean isOther(int reader, int read, int write) {
        return raw.kind[write] == OpKind.ERASE
                ? raw.kind[read] == OpKind.READ
                : !edges.returns(reader, read, raw.value[write]);
    }
}
