package io.nightjar.jobs.report;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.lake.OpsText;
import io.nightjar.jobs.sql.StoredAnomaly;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Timeline of an anomaly: a lane for each session, a bar for each transaction, and marks for the operations by which it
 * participates.
 *
 * @param axis meaning of positions
 * @param ticks times on the axis, in order
 * @param unit meaning of the times on the axis, such as {@code ms after 1,795,550,000 ns}; empty if unchanged
 * @param clientTicks times of the clients' separate axis, if bars have client times in addition to the database's
 * @param clientUnit meaning of the times on that axis
 * @param leftOut number of transactions without a position, because the history has no time or session for them
 */
public record AnomalyTimeline(
        Axis axis,
        List<Tick> ticks,
        String unit,
        List<Tick> clientTicks,
        String clientUnit,
        List<Lane> lanes,
        int leftOut) {

    /*
     * Distances between the times of an anomaly range from a few ticks to millions. So the axis is not to scale: the
     * distance between adjacent times grows with the logarithm of their difference, and the order of times is
     * preserved.
     */

    /** Meaning of positions on the axis. */
    public enum Axis {
        /** Start and commit, by the database's clock. */
        DATABASE("the database's timestamps"),
        /** Invocation and completion, by the clients' clock. */
        CLIENTS("the clients' clock"),
        /** No times: positions show only the known order. */
        ORDER("no times are recorded: only the order in sessions and of reads from writes");

        private final String words;

        Axis(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /** A time and its position, from 0 to 1. */
    public record Tick(double x, String text) {}

    /** A session and its transactions in order. */
    public record Lane(String session, List<Bar> bars) {}

    /** An interval of positions from 0 to 1, with its times; null where only the order is known. */
    public record Span(double from, double to, @Nullable String fromText, @Nullable String toText) {}

    /**
     * A transaction.
     *
     * @param name T and its id
     * @param roles its roles as words; may be empty
     * @param client its span by the clients' clock, where the axis is the database's; else null
     * @param isBlamed whether the explanation blames it, with or without an operation
     */
    public record Bar(
            String name,
            String roles,
            @Nullable String status,
            Span span,
            @Nullable Span client,
            boolean isBlamed,
            List<Mark> marks) {

        /** Returns the name, marked if the transaction is blamed and none of its operations is. */
        public String label() {
            return isBlamed && marks.stream().noneMatch(Mark::isOffending) ? "× " + name : name;
        }

        /** Returns whether the transaction or any of its operations is blamed. */
        public boolean isOffending() {
            return isBlamed || marks.stream().anyMatch(Mark::isOffending);
        }
    }

    /**
     * An operation.
     *
     * @param x position in the bar, as a share of its length: operations are in order, but have no times
     * @param isOffending whether it is the wrong operation, not one that should have been observed
     */
    public record Mark(String text, double x, boolean isOffending) {}

    /** Creates the timeline of an anomaly; without lanes if no transaction has a position. */
    public static AnomalyTimeline of(StoredAnomaly anomaly) {
        return new Maker(anomaly).make();
    }

    /** Returns the bars of all lanes. */
    public List<Bar> bars() {
        return lanes.stream().flatMap(lane -> lane.bars().stream()).toList();
    }

    private static final class Maker {

        private static final int MAX_OP_CHARS = 60;
        private static final Set<String> EDGES_OF_OPERATIONS = Set.of("ww", "wr", "rw");

        private final StoredAnomaly anomaly;
        private final boolean hasFault; // whether the tables identify the wrong operation
        private final Map<String, LakeRow.AnomalyTxn> rowOf = new LinkedHashMap<>(); // first row of each transaction
        private final Map<String, StringBuilder> rolesOf = new HashMap<>();
        private final Map<String, Map<Integer, Mark>> marksOf = new HashMap<>(); // by transaction and operation index

        Maker(StoredAnomaly anomaly) {
            this.anomaly = anomaly;
            this.hasFault = anomaly.txns().stream().anyMatch(row -> row.opIndex() != null);
            for (LakeRow.AnomalyTxn row : anomaly.txns()) {
                String name = name(row);
                rowOf.putIfAbsent(name, row);
                StringBuilder roles = rolesOf.computeIfAbsent(name, absent -> new StringBuilder());
                String role = row.role();
                boolean saysMore = !role.equals(Role.ON_CYCLE.word()) && !role.equals(Role.SUBJECT.word());
                roles.append(saysMore && !roles.isEmpty() ? ", " : "").append(saysMore ? role : "");
                if (row.opIndex() != null) {
                    int index = row.opIndex().intValue();
                    add(row, index, anomaly.row().blames(row));
                }
            }
            for (LakeRow.AnomalyEdge edge : anomaly.edges()) {
                addOfEdge(edge);
            }
            for (LakeRow.AnomalyTxn row : rowOf.values()) {
                addOnKeys(row);
            }
        }

        private static String name(LakeRow.AnomalyTxn row) {
            return "T" + row.txnId();
        }

        private void add(LakeRow.AnomalyTxn row, int index, boolean isOffending) {
            OpsText ops = opsOf(row);
            for (OpsText.NumberedOp numbered : ops.numberedOps()) {
                if (numbered.index() == index) {
                    double x = (index + 1.0) / (ops.total() + 1.0);
                    Map<Integer, Mark> marks = marksOf.computeIfAbsent(name(row), absent -> new TreeMap<>());
                    boolean isWrong = isOffending
                            || marks.containsKey(index) && marks.get(index).isOffending();
                    marks.put(index, new Mark(SanitizedText.flat(numbered.cut(MAX_OP_CHARS)), x, isWrong));
                }
            }
        }

        private static OpsText opsOf(LakeRow.AnomalyTxn row) {
            return OpsText.parse(row.opsText() == null ? "" : row.opsText(), List.of());
        }

        /** Marks the operations of an edge; none is offending, since the steps of a cycle blame none. */
        private void addOfEdge(LakeRow.AnomalyEdge edge) {
            String type = edge.edgeType();
            String key = edge.objectKey();
            if (key == null || !EDGES_OF_OPERATIONS.contains(type)) {
                return;
            }
            String before = type.equals("wr") ? edge.toValue() : edge.fromValue();
            addOf(edge.fromTxnId(), type.equals("rw"), key, before);
            addOf(edge.toTxnId(), type.equals("wr"), key, edge.toValue());
        }

        private void addOf(long txnId, boolean isRead, String key, @Nullable String value) {
            LakeRow.AnomalyTxn row = rowOf.get("T" + txnId);
            if (row == null || marksOf.containsKey(name(row)) && hasFault) {
                return;
            }
            String exact = value == null ? null : SanitizedText.flat(value);
            OpsText.NumberedOp found = null;
            boolean isExact = false;
            for (OpsText.NumberedOp numbered : opsOf(row).numberedOps()) {
                TxnRow.OpRow op = numbered.row(anomaly.keys());
                boolean fits = op.name().equals("r") == isRead && key.equals(op.key());
                boolean hasValue = Objects.equals(op.value(), exact);
                if (fits && (found == null || hasValue && !isExact)) {
                    found = numbered;
                    isExact = hasValue;
                }
            }
            if (found != null) {
                add(row, found.index(), false);
            }
        }

        /** Marks an operation on the keys of the anomaly for a transaction without edges. */
        private void addOnKeys(LakeRow.AnomalyTxn row) {
            if (hasFault || marksOf.containsKey(name(row))) {
                return;
            }
            for (OpsText.NumberedOp numbered : opsOf(row).numberedOps()) {
                if (numbered.isOn(anomaly.keys())) {
                    add(row, numbered.index(), false);
                    return;
                }
            }
        }

        AnomalyTimeline make() {
            for (Axis axis : Axis.values()) {
                Clock clock = axis == Axis.ORDER ? new Clock(ordered(), List.of(), "") : timed(axis == Axis.DATABASE);
                Map<String, Span> spans = clock.spans();
                if (!spans.isEmpty()) {
                    Clock client = axis == Axis.DATABASE ? timed(false) : Clock.NONE;
                    return new AnomalyTimeline(
                            axis,
                            clock.ticks(),
                            clock.unit(),
                            client.ticks(),
                            client.unit(),
                            lanes(spans, client.spans()),
                            (int) rowOf.keySet().stream()
                                    .filter(name -> !spans.containsKey(name) || session(name) == null)
                                    .count());
                }
            }
            return new AnomalyTimeline(Axis.ORDER, List.of(), "", List.of(), "", List.of(), rowOf.size());
        }

        /** The spans of transactions by the times of one clock, and these times. */
        private record Clock(Map<String, Span> spans, List<Tick> ticks, String unit) {

            static final Clock NONE = new Clock(Map.of(), List.of(), "");
        }

        private LakeRow.AnomalyTxn row(String name) {
            return requireNonNull(rowOf.get(name));
        }

        private @Nullable Long session(String name) {
            return row(name).sessionId();
        }

        private static <K, V> V in(Map<K, V> map, K key) {
            return requireNonNull(map.get(key));
        }

        private List<Lane> lanes(Map<String, Span> spans, Map<String, Span> client) {
            Map<Long, List<String>> bySession = new TreeMap<>();
            for (String name : rowOf.keySet()) {
                if (spans.containsKey(name) && session(name) != null) {
                    bySession
                            .computeIfAbsent(session(name), absent -> new ArrayList<>())
                            .add(name);
                }
            }
            List<Lane> lanes = new ArrayList<>();
            bySession.forEach((session, names) -> {
                names.sort((one, other) ->
                        Double.compare(in(spans, one).from(), in(spans, other).from()));
                List<Bar> bars = new ArrayList<>();
                for (String name : names) {
                    bars.add(new Bar(
                            name,
                            in(rolesOf, name).toString(),
                            row(name).status(),
                            in(spans, name),
                            client.get(name),
                            anomaly.txns().stream()
                                    .anyMatch(txn -> name.equals(name(txn))
                                            && anomaly.row().blames(txn)),
                            List.copyOf(marksOf.getOrDefault(name, Map.of()).values())));
                }
                lanes.add(new Lane(Long.toString(session), bars));
            });
            return lanes;
        }

        /** Returns the transactions with times of one clock. */
        private Clock timed(boolean byDatabase) {
            Map<String, long[]> times = new LinkedHashMap<>();
            TreeSet<Long> all = new TreeSet<>();
            rowOf.forEach((name, row) -> {
                Long from = byDatabase ? row.startTs() : row.invokeNs();
                Long to = byDatabase ? row.commitTs() : row.completeNs();
                Long first = from == null ? to : from;
                Long last = to == null ? from : to;
                if (first != null && last != null) {
                    times.put(name, new long[] {first, last});
                    all.add(first);
                    all.add(last);
                }
            });
            if (all.isEmpty()) {
                return Clock.NONE;
            }
            TimeScale scale = byDatabase
                    ? TimeScale.ofTicks(all.first(), all.last())
                    : TimeScale.ofNanos(all.first(), all.last());
            Map<Long, Double> xs = xs(List.copyOf(all));
            Map<String, Span> spans = new LinkedHashMap<>();
            times.forEach((name, time) -> spans.put(
                    name,
                    new Span(
                            Math.min(in(xs, time[0]), in(xs, time[1])),
                            Math.max(in(xs, time[0]), in(xs, time[1])),
                            scale.digits(time[0]),
                            scale.digits(time[1]))));
            List<Tick> ticks = new ArrayList<>();
            all.forEach(time -> ticks.add(new Tick(in(xs, time), scale.digits(time))));
            return new Clock(spans, ticks, scale.isPlain() ? "" : scale.words());
        }

        private static Map<Long, Double> xs(List<Long> times) {
            double[] weights = new double[times.size()];
            double sum = 0;
            for (int i = 1; i < weights.length; i++) {
                double gap = TimeScale.distance(times.get(i - 1), times.get(i));
                weights[i] = 2 + Math.log(1 + gap) / Math.log(2);
                sum += weights[i];
            }
            Map<Long, Double> xs = new HashMap<>();
            double x = 0;
            for (int i = 0; i < weights.length; i++) {
                x += weights[i];
                xs.put(times.get(i), sum == 0 ? 0.5 : x / sum);
            }
            return xs;
        }

        /**
         * Returns spans by column: after its predecessors in the session and after the writers of its reads, except
         * where these form a cycle.
         */
        private Map<String, Span> ordered() {
            List<String> names = new ArrayList<>();
            for (String name : rowOf.keySet()) {
                if (session(name) != null) {
                    names.add(name);
                }
            }
            Map<String, Integer> columnOf = new HashMap<>();
            names.forEach(name -> columnOf.put(name, 0));
            for (int round = 0; round < names.size(); round++) {
                boolean isMoved = false;
                for (String later : names) {
                    for (String earlier : names) {
                        int minColumn = in(columnOf, earlier) + 1;
                        if (comesBefore(earlier, later)
                                && in(columnOf, later) < minColumn
                                && minColumn <= names.size()) {
                            columnOf.put(later, minColumn);
                            isMoved = true;
                        }
                    }
                }
                if (!isMoved) {
                    break;
                }
            }
            int columns = columnOf.values().stream()
                    .mapToInt(column -> column + 1)
                    .max()
                    .orElse(1);
            Map<String, Span> spans = new LinkedHashMap<>();
            for (String name : names) {
                double from = (in(columnOf, name) + 0.08) / columns;
                spans.put(name, new Span(from, from + 0.84 / columns, null, null));
            }
            return spans;
        }

        private boolean comesBefore(String earlier, String later) {
            LakeRow.AnomalyTxn one = row(earlier);
            LakeRow.AnomalyTxn other = row(later);
            if (Objects.equals(one.sessionId(), other.sessionId())) {
                return one.sessionSeq() != null && other.sessionSeq() != null && one.sessionSeq() < other.sessionSeq();
            }
            return anomaly.edges().stream()
                    .anyMatch(edge -> edge.edgeType().equals("wr")
                            && edge.fromTxnId() == one.txnId()
                            && edge.toTxnId() == other.txnId());
        }
    }
}
