package io.nightjar.pipeline.explain;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.AnomalyTitle;
import io.nightjar.formats.finding.ExplainedFinding;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.pipeline.explain.AnomalyPicture.Arrow;
import io.nightjar.pipeline.explain.AnomalyPicture.Box;
import io.nightjar.pipeline.explain.AnomalyPicture.Line;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Construction of the picture of a finding: selection and order of transactions and operations. */
public final class PictureMaker {

    /** More boxes than a reader can follow; the others are counted. */
    static final int MAX_BOXES = 40;

    static final int MAX_LINES = 7;
    static final int MAX_LINE_CHARS = 34;
    private static final int MAX_TITLE_KEY_CHARS = 40;

    private final Finding finding;
    private final LongFunction<@Nullable TxnRow> txns;
    private final List<ExplainedFinding.Actor> actors;
    private final Map<Long, Integer> boxOf = new LinkedHashMap<>();

    private PictureMaker(Finding finding, LongFunction<@Nullable TxnRow> txns, List<ExplainedFinding.Actor> actors) {
        this.finding = finding;
        this.txns = txns;
        this.actors = actors;
    }

    public static AnomalyPicture picture(ExplainedFinding story) {
        return new PictureMaker(story.finding(), story::txn, story.actors()).make();
    }

    private AnomalyPicture make() {
        List<Edge> edges = inCycleOrder(edges());
        for (Edge edge : edges) {
            addBox(edge.fromTxnId());
            addBox(edge.toTxnId());
        }
        for (Participant participant : finding.participants()) {
            addBox(participant.txnId());
        }
        List<Box> boxes = new ArrayList<>();
        for (long txnId : boxOf.keySet()) {
            if (boxes.size() < MAX_BOXES) {
                boxes.add(box(txnId, edges));
            }
        }
        List<Arrow> arrows = new ArrayList<>();
        for (Edge edge : edges) {
            int from = requireNonNull(boxOf.get(edge.fromTxnId()));
            int to = requireNonNull(boxOf.get(edge.toTxnId()));
            if (from < boxes.size() && to < boxes.size()) {
                String detail = Arrow.detailOf(
                        edge.type().word(),
                        edge.key(),
                        edge.fromValue(),
                        edge.toValue(),
                        edge.evidence().word());
                arrows.add(new Arrow(from, to, edge.type().word(), edge.key(), detail, EdgeReasons.of(edge)));
            }
        }
        return new AnomalyPicture(title(boxOf.size() - boxes.size()), subtitle(), boxes, arrows);
    }

    private void addBox(long txnId) {
        boxOf.putIfAbsent(txnId, boxOf.size());
    }

    /**
     * Returns the edges of a finding; without any, the edges of its read, which are more informative than boxes alone.
     */
    private List<Edge> edges() {
        if (!finding.edges().isEmpty() || finding.expectation() == null) {
            return finding.edges();
        }
        Long writer = finding.expectation().observedWriter();
        for (Participant participant : finding.participants()) {
            if (participant.role() == Role.READER && writer != null && participant.txnId() != writer) {
                String value = finding.expectation().observed();
                return List.of(new Edge(
                        writer, participant.txnId(), EdgeType.WR, finding.key(), value, value, EdgeEvidence.VALUE));
            }
        }
        return List.of();
    }

    /**
     * Returns the edges in the order of their cycle, each beginning at the end of the previous edge, if they are one
     * cycle; else unchanged.
     */
    static List<Edge> inCycleOrder(List<Edge> edges) {
        Map<Long, Edge> edgeFrom = new HashMap<>();
        for (Edge edge : edges) {
            if (edgeFrom.put(edge.fromTxnId(), edge) != null) {
                return edges;
            }
        }
        List<Edge> ordered = new ArrayList<>();
        long txnId = edges.isEmpty() ? 0 : edges.get(0).fromTxnId();
        for (Edge next = edgeFrom.remove(txnId); next != null; next = edgeFrom.remove(txnId)) {
            ordered.add(next);
            txnId = next.toTxnId();
        }
        return ordered.size() == edges.size() ? ordered : edges;
    }

    private String title(int leftOut) {
        String keys = String.join(", ", finding.keys());
        return AnomalyTitle.of(finding)
                + (keys.isEmpty() ? "" : " on " + ListCut.cutText(keys, MAX_TITLE_KEY_CHARS))
                + (leftOut == 0 ? "" : ", " + leftOut + (leftOut == 1 ? " more transaction" : " more transactions"));
    }

    private String subtitle() {
        return finding.anomalyId()
                + (finding.level() == null
                        ? ""
                        : ", rules out " + finding.level().longName());
    }

    private Box box(long txnId, List<Edge> edges) {
        Set<String> keys = new LinkedHashSet<>();
        Set<String> values = new LinkedHashSet<>();
        for (Edge edge : edges) {
            if (edge.fromTxnId() == txnId || edge.toTxnId() == txnId) {
                add(keys, edge.key());
                addValue(values, edge.fromValue());
                addValue(values, edge.toValue());
            }
        }
        if (keys.isEmpty()) { // on no edge, but with a version of one
            add(keys, finding.key());
            for (Edge edge : edges) {
                add(keys, edge.key());
                addValue(values, edge.fromValue());
                addValue(values, edge.toValue());
            }
        }
        if (finding.expectation() != null) {
            addValue(values, finding.expectation().expected());
            addValue(values, finding.expectation().observed());
        }
        TxnRow txn = txns.apply(txnId);
        boolean isAtFault = finding.participants().stream()
                .anyMatch(participant -> participant.txnId() == txnId && isBlamed(participant));
        return new Box("T" + txnId, note(txnId, txn), isAtFault, txn == null ? List.of() : lines(txn, keys, values));
    }

    private boolean isBlamed(Participant participant) {
        return Blame.isBlamed(finding.anomaly(), participant.role());
    }

    /** Returns the operations at fault of a transaction, by their position in the history's row. */
    private BitSet faults(long txnId) {
        BitSet faults = new BitSet();
        for (ExplainedFinding.Actor actor : actors) {
            if (actor.txnId() == txnId && actor.opIndex() >= 0 && isBlamed(actor.participant())) {
                faults.set(actor.opIndex());
            }
        }
        return faults;
    }

    private static void add(Set<String> texts, @Nullable String text) {
        if (text != null) {
            texts.add(text);
        }
    }

    /** Adds a value, and of a list also its last element, which distinguishes the list from the previous version. */
    static void addValue(Set<String> values, @Nullable String text) {
        if (text != null) {
            values.add(text);
            if (text.startsWith("[") && text.endsWith("]") && text.length() > 2) {
                int start = Math.max(text.lastIndexOf(','), 0) + 1;
                values.add(text.substring(start, text.length() - 1).strip());
            }
        }
    }

    private String note(long txnId, @Nullable TxnRow txn) {
        StringBuilder note = new StringBuilder();
        for (Participant participant : finding.participants()) {
            boolean saysMore = participant.role() != Role.ON_CYCLE && participant.role() != Role.SUBJECT;
            if (participant.txnId() == txnId && saysMore) {
                note.append(note.isEmpty() ? "" : ", ")
                        .append(participant.role().word());
            }
        }
        if (txn != null) {
            note.append(note.isEmpty() ? "" : ", ")
                    .append("session ")
                    .append(txn.sessionId())
                    .append(" seq ")
                    .append(txn.sessionSeq());
            note.append(txn.status().equals("committed") ? "" : ", " + txn.status());
            if (txn.startTs() != HistorySlice.NONE && txn.commitTs() != HistorySlice.NONE) {
                note.append(" [" + txn.startTs() + ", " + txn.commitTs() + "]");
            }
        }
        return note.toString();
    }

    /** Returns the operations that matter, the others counted; all of them where they are few. */
    private List<Line> lines(TxnRow txn, Set<String> keys, Set<String> values) {
        List<TxnRow.OpRow> ops = txn.ops();
        BitSet faults = faults(txn.txnId());
        BitSet shown = shown(ops, keys, values, faults);
        List<Line> lines = new ArrayList<>();
        int skipped = 0;
        int index = 0; // in the history's row, which has more operations than those available
        for (int op = 0; op < ops.size(); op++) {
            if (shown.get(op)) {
                addGap(lines, skipped);
                skipped = 0;
                lines.add(new Line(
                        text(ops.get(op), values), keys.contains(ops.get(op).key()), faults.get(index)));
            } else {
                skipped += Math.max(1, ops.get(op).leftOut());
            }
            index += Math.max(1, ops.get(op).leftOut());
        }
        addGap(lines, skipped);
        return lines;
    }

    /**
     * Selects the operations to show: first those at fault, then those with the very values that the edges name, then
     * others on the same keys.
     */
    private static BitSet shown(List<TxnRow.OpRow> ops, Set<String> keys, Set<String> values, BitSet faults) {
        BitSet shown = new BitSet(ops.size());
        if (ops.size() <= MAX_LINES) {
            for (int op = 0; op < ops.size(); op++) {
                shown.set(op, ops.get(op).leftOut() == 0);
            }
            return shown;
        }
        for (int op = 0, index = 0; op < ops.size(); op++) {
            shown.set(op, faults.get(index) && ops.get(op).leftOut() == 0);
            index += Math.max(1, ops.get(op).leftOut());
        }
        for (int op = 0; op < ops.size() && shown.cardinality() < MAX_LINES - 2; op++) {
            if (keys.contains(ops.get(op).key()) && values.contains(ops.get(op).value())) {
                shown.set(op);
            }
        }
        for (int op = 0; op < ops.size() && shown.cardinality() < MAX_LINES - 2; op++) {
            if (keys.contains(ops.get(op).key())) {
                shown.set(op);
            }
        }
        return shown;
    }

    private static void addGap(List<Line> lines, int skipped) {
        if (skipped > 0) {
            lines.add(new Line("…+" + skipped, false, false));
        }
    }

    private static String text(TxnRow.OpRow op, Set<String> values) {
        String key = ListCut.cutText(op.key(), MAX_LINE_CHARS / 2);
        int maxChars = MAX_LINE_CHARS - op.name().length() - (key == null ? 0 : key.length()) - 3;
        return op.with(key, op.value() == null ? null : ListCut.cut(op.value(), values, maxChars))
                .text();
    }
}
