package io.nightjar.jobs.report;

import io.nightjar.formats.history.PlainText;
import io.nightjar.jobs.lake.OpsText;
import io.nightjar.jobs.sql.AnomalyLookup.Evidence;
import io.nightjar.pipeline.explain.AnomalyPicture;
import io.nightjar.pipeline.explain.AnomalyPicture.Arrow;
import io.nightjar.pipeline.explain.AnomalyPicture.Box;
import io.nightjar.pipeline.explain.AnomalyPicture.Line;
import io.nightjar.pipeline.explain.AnomalyTitle;
import io.nightjar.pipeline.explain.ListCut;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The picture of an anomaly, made from its rows in the tables. */
public final class EvidencePicture {

    private static final int MAX_BOXES = 40;
    private static final int MAX_LINES = 9;
    private static final int MAX_LINE_CHARS = 36;
    private static final int MAX_NAME_CHARS = 40;

    private final Evidence evidence;
    private final Map<String, Integer> boxOf = new LinkedHashMap<>();

    private EvidencePicture(Evidence evidence) {
        this.evidence = evidence;
    }

    public static AnomalyPicture of(Evidence evidence) {
        return new EvidencePicture(evidence).make();
    }

    private AnomalyPicture make() {
        for (Map<String, Object> edge : evidence.edges()) {
            addBox(edge.get("from_txn_id"));
            addBox(edge.get("to_txn_id"));
        }
        for (Map<String, Object> txn : evidence.txns()) {
            addBox(txn.get("txn_id"));
        }
        List<Box> boxes = new ArrayList<>();
        for (String txnId : boxOf.keySet()) {
            if (boxes.size() < MAX_BOXES) {
                boxes.add(box(txnId));
            }
        }
        List<Arrow> arrows = new ArrayList<>();
        for (Map<String, Object> edge : evidence.edges()) {
            int from = boxOf.get(edge.get("from_txn_id").toString());
            int to = boxOf.get(edge.get("to_txn_id").toString());
            if (from < boxes.size() && to < boxes.size()) {
                String type = (String) edge.get("edge_type");
                String key = (String) edge.get("object_key");
                String detail = Arrow.detailOf(
                        type, key, text(edge, "from_value"), text(edge, "to_value"), text(edge, "evidence"));
                arrows.add(new Arrow(from, to, type, key, detail, text(edge, "reason")));
            }
        }
        return new AnomalyPicture(title(boxOf.size() - boxes.size()), subtitle(), boxes, arrows);
    }

    private static String text(Map<String, Object> row, String column) {
        return ReportReader.text(row, column);
    }

    private void addBox(Object txnId) {
        boxOf.putIfAbsent(txnId.toString(), boxOf.size());
    }

    private String title(int leftOut) {
        String pattern = evidence.text("pattern");
        List<String> keys = evidence.keys();
        return AnomalyTitle.of(evidence.text("anomaly_type"), pattern)
                + (keys.isEmpty() ? "" : " on " + ListCut.cutText(String.join(", ", keys), MAX_NAME_CHARS))
                + (leftOut == 0 ? "" : ", " + leftOut + (leftOut == 1 ? " more transaction" : " more transactions"));
    }

    private String subtitle() {
        String level = evidence.text("level_violated");
        return evidence.text("anomaly_id") + (level == null ? "" : ", rules out " + level);
    }

    private Box box(String txnId) {
        StringBuilder roles = new StringBuilder();
        Map<String, Object> row = null;
        for (Map<String, Object> txn : evidence.txns()) {
            if (txn.get("txn_id").toString().equals(txnId)) {
                row = txn;
                String role = (String) txn.get("role");
                roles.append(roles.isEmpty() || role.equals("on-cycle") ? "" : ", ")
                        .append(role.equals("on-cycle") ? "" : role);
            }
        }
        return row == null
                ? new Box("T" + txnId, "", List.of())
                : new Box("T" + txnId, note(roles, row), lines(row, keysOf(txnId)));
    }

    private static String note(StringBuilder roles, Map<String, Object> row) {
        StringBuilder note = new StringBuilder(roles);
        if (row.get("session_id") != null) {
            note.append(note.isEmpty() ? "" : ", ").append("session ").append(row.get("session_id"));
            note.append(" seq ").append(row.get("session_seq"));
        }
        if (row.get("status") != null && !row.get("status").equals("committed")) {
            note.append(", ").append(row.get("status"));
        }
        if (row.get("start_ts") != null && row.get("commit_ts") != null) {
            note.append(" [").append(row.get("start_ts")).append(", ").append(row.get("commit_ts"));
            note.append("]");
        }
        return note.toString();
    }

    private Set<String> keysOf(String txnId) {
        Set<String> keys = new HashSet<>();
        for (Map<String, Object> edge : evidence.edges()) {
            boolean touches = edge.get("from_txn_id").toString().equals(txnId)
                    || edge.get("to_txn_id").toString().equals(txnId);
            if (touches && edge.get("object_key") != null) {
                keys.add((String) edge.get("object_key"));
            }
        }
        if (keys.isEmpty() && evidence.text("object_key") != null) {
            keys.add(evidence.text("object_key"));
        }
        return keys;
    }

    /** The operations on the keys of the arrows first, then others as far as there is room; the rest is counted. */
    private List<Line> lines(Map<String, Object> row, Set<String> keys) {
        String text = (String) row.get("ops_text");
        if (text == null) {
            return List.of();
        }
        OpsText ops = OpsText.parse(text, null);
        List<OpsText.Part> parts = ops.parts();
        Set<OpsText.Part> shown = new HashSet<>();
        for (boolean mattering : new boolean[] {true, false}) {
            for (OpsText.Part part : parts) {
                boolean isWanted = matters(part, keys) == mattering && (mattering || parts.size() <= MAX_LINES);
                if (isWanted && shown.size() < MAX_LINES) {
                    shown.add(part);
                }
            }
        }
        List<Line> lines = new ArrayList<>();
        int next = 0;
        for (OpsText.Part part : parts) {
            if (shown.contains(part)) {
                addGap(lines, part.index() - next);
                lines.add(new Line(part.cut(MAX_LINE_CHARS), matters(part, keys)));
                next = part.index() + 1;
            }
        }
        addGap(lines, ops.total() - next);
        return lines;
    }

    private static boolean matters(OpsText.Part part, Set<String> keys) {
        return keys.stream().anyMatch(key -> part.text().contains("(" + PlainText.flat(key) + ","));
    }

    private static void addGap(List<Line> lines, int count) {
        if (count > 0) {
            lines.add(new Line("…+" + count, false));
        }
    }
}
