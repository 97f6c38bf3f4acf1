package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.EdgeReason.Explained;
import io.nightjar.formats.finding.EdgeReason.InSession;
import io.nightjar.formats.finding.EdgeReason.InTime;
import io.nightjar.formats.finding.EdgeReason.Linked;
import io.nightjar.formats.finding.EdgeReason.Listed;
import io.nightjar.formats.finding.EdgeReason.Missed;
import io.nightjar.formats.finding.EdgeReason.MissedInList;
import io.nightjar.formats.finding.EdgeReason.MissedInSet;
import io.nightjar.formats.finding.EdgeReason.NoOverlap;
import io.nightjar.formats.finding.EdgeReason.Numbered;
import io.nightjar.formats.finding.EdgeReason.OfRows;
import io.nightjar.formats.finding.EdgeReason.Replaced;
import io.nightjar.formats.finding.EdgeReason.VersionLink;
import io.nightjar.formats.finding.EdgeReason.WasRead;
import io.nightjar.formats.finding.EdgeReason.WasVisible;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.level.IsolationLevel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why one transaction comes before another, in half a sentence that follows "T1 &lt; T2, because": made of the reason's data. */
public final class EdgeReasons {

    private static final String WRITE = "w";

    private EdgeReasons() {}

    /** Returns the sentence of an edge; null if it has no separate reason. */
    public static @Nullable String of(Edge edge) {
        EdgeReason reason = edge.reason();
        long from = edge.fromTxnId();
        long to = edge.toTxnId();
        String key = edge.key();
        String older = edge.fromValue();
        String newer = edge.toValue();
        if (reason instanceof InSession in) {
            return "T%d came before T%d in session %d".formatted(from, to, in.session());
        } else if (reason instanceof InTime in) {
            return "T%d had completed at %d when T%d was invoked at %d"
                    .formatted(from, in.completeNs(), to, in.invokeNs());
        } else if (reason instanceof WasRead read) {
            return read(from, to, key, newer, read.op());
        } else if (reason instanceof Missed missed) {
            return overwrites(from, to, key, older, newer)
                    + (missed.links().isEmpty() ? "" : ": " + links(missed.links()));
        } else if (reason instanceof MissedInList missed) {
            return missedInList(edge, missed);
        } else if (reason instanceof MissedInSet) {
            return "T%d read %s without %s, which T%d added".formatted(from, key, newer, to);
        } else if (reason instanceof WasVisible visible) {
            return overwritten(edge, visible.reader(), visible.level());
        } else if (reason instanceof NoOverlap both) {
            return noOverlap(edge, both);
        } else if (reason instanceof Listed listed) {
            return listed(edge, listed);
        } else if (reason instanceof Numbered) {
            return "the history numbers T%d's %s=%s before T%d's %s".formatted(from, key, older, to, newer);
        } else if (reason instanceof Replaced replaced) {
            return "T%d wrote %s=%s and T%d overwrote it with %s: %s"
                    .formatted(from, key, older, to, newer, links(replaced.links()));
        } else if (reason instanceof Linked linked) {
            return link(linked.link());
        }
        if (reason instanceof OfRows rows) {
            return RowReasons.of(edge, rows);
        }
        return reason instanceof Explained explained ? explained.sentence() : null;
    }

    /** @param op of the writer: whether the value is an element of a list or set */
    static String read(long writer, long reader, @Nullable String key, @Nullable String value, String op) {
        return op.equals(WRITE)
                ? "T%d read %s=%s, which T%d wrote".formatted(reader, key, value, writer)
                : "T%d observed T%d's %s of %s to %s".formatted(reader, writer, op, value, key);
    }

    /** @param read null for the initial state */
    static String overwrites(
            long reader, long writer, @Nullable String key, @Nullable String read, @Nullable String written) {
        return read == null
                ? "T%d read the initial state of %s, which T%d replaced by %s".formatted(reader, key, writer, written)
                : "T%d read %s=%s and not the newer %s of T%d".formatted(reader, key, read, written, writer);
    }

    private static String missedInList(Edge edge, MissedInList missing) {
        String missed = "T%d did not observe T%d's append of %s to %s, which "
                .formatted(edge.fromTxnId(), edge.toTxnId(), edge.toValue(), edge.key());
        return missed
                + (missing.isRead()
                        ? "follows %s in T%d's read".formatted(edge.fromValue(), missing.reader())
                        : "is not in T%d's longest read, so it came after %s"
                                .formatted(missing.reader(), edge.fromValue()));
    }

    /** @param reader who read the newer version and had to see the older one's writer; null if no transaction is named */
    static String overwritten(Edge edge, @Nullable Long reader, @Nullable IsolationLevel level) {
        long from = edge.fromTxnId();
        long to = edge.toTxnId();
        String key = edge.key();
        return reader == null
                ? "T%d's %s=%s was there before T%d's %s".formatted(from, key, edge.fromValue(), to, edge.toValue())
                : "T%d read T%d's %s=%s while T%d's %s=%s was visible to it (%s), so T%d's is the older version"
                        .formatted(
                                reader,
                                to,
                                key,
                                edge.toValue(),
                                from,
                                key,
                                edge.fromValue(),
                                whyVisible(from, reader, level),
                                from);
    }

    private static String whyVisible(long writer, long reader, @Nullable IsolationLevel level) {
        if (level == null) {
            return "T%d comes before T%d".formatted(writer, reader);
        }
        return switch (level) {
            case READ_COMMITTED -> "T%d had already read from T%d".formatted(reader, writer);
            case READ_ATOMIC -> "T%d also read from T%d, or follows it in its session".formatted(reader, writer);
            case CAUSAL -> "by sessions and reads, T%d follows T%d".formatted(reader, writer);
            default -> "T%d comes before T%d".formatted(writer, reader);
        };
    }

    private static String noOverlap(Edge edge, NoOverlap both) {
        long from = edge.fromTxnId();
        long to = edge.toTxnId();
        String notSeen = both.key() == null
                ? "T%d had not committed when T%d began".formatted(to, from)
                : "T%d did not see %s=%s of T%d, which had not committed when T%d began"
                        .formatted(from, both.key(), both.value(), to, from);
        return "%s; both wrote %s and must not overlap, so T%d committed before T%d began"
                .formatted(notSeen, edge.key(), from, to);
    }

    private static String listed(Edge edge, Listed listed) {
        String shower = listed.reader() == null
                ? "reads of %s show".formatted(edge.key())
                : "T%d's read of %s shows".formatted(listed.reader(), edge.key());
        String form = listed.isNewerRead()
                ? "%s T%d's %s before T%d's %s"
                : "%s T%d's %s and not T%d's %s, which therefore came later";
        return form.formatted(shower, edge.fromTxnId(), edge.fromValue(), edge.toTxnId(), edge.toValue());
    }

    // ---------------------------------------------------------------- orders of registers

    private static String links(List<VersionLink> links) {
        return String.join(", and ", links.stream().map(EdgeReasons::link).toList());
    }

    private static String link(VersionLink link) {
        String from = shown(link.from());
        String to = shown(link.to());
        return switch (link.source()) {
            case READ_THEN_WRITTEN -> "T%d read %s and then wrote %s".formatted(link.earlier(), from, to);
            case SESSION ->
                "T%d had %s before T%d had %s in session %d"
                        .formatted(link.earlier(), from, link.later(), to, link.first());
            case REAL_TIME ->
                "T%d had %s and completed at %d before T%d, which had %s, was invoked at %d"
                        .formatted(link.earlier(), from, link.first(), link.later(), to, link.second());
            case TIMESTAMP ->
                "T%d committed %s at %d and T%d %s at %d"
                        .formatted(link.earlier(), from, link.first(), link.later(), to, link.second());
            case VERSION -> "the history numbers %s before %s".formatted(from, to);
            case INITIAL -> "nothing was written before the initial state";
        };
    }

    private static String shown(@Nullable String value) {
        return value == null ? "the initial state" : value;
    }
}
