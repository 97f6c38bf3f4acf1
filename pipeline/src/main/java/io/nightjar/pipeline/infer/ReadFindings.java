package io.nightjar.pipeline.infer;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.ListText;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Turns what is wrong with single reads and writes into findings in the names of the history. */
public final class ReadFindings {

    /*
     * What the parts of a finding are, by anomaly:
     *
     *                        participants                    expected            observed            origin
     *   G1a                  reader, observed writer         -                   the value read      aborted
     *   G1b                  reader, observed writer         the writer's last   the value read      intermediate
     *   garbage-read         reader                          -                   the value read      never
     *   internal             reader (, observed writer)      the own value       the value read      -
     *   future-read          reader                          -                   the value read      future
     *   duplicate-write      first and second as             the value           the value           -
     *                        expected and observed writer
     *   duplicate-elements   reader (, observed writer)      -                   the element         -
     *   incompatible-order   reader, another reader          the longer list     the list read       -
     *
     * For lists, the value read is the element at fault; for internal, the whole list. A dash is null.
     */

    private static final int NONE = ReadFault.NONE;
    private static final String ALGORITHM = "read-committed";

    private final OperationLog log;
    private final ReadInference inference;
    private final Function<Anomaly, IsolationLevel> levelOf;

    /** @param levelOf the weakest level asked for that an anomaly rules out, or null */
    public ReadFindings(OperationLog log, ReadInference inference, Function<Anomaly, IsolationLevel> levelOf) {
        this.log = log;
        this.inference = inference;
        this.levelOf = levelOf;
    }

    public Finding of(ReadFault fault) {
        int op = fault.op();
        return switch (fault.anomaly()) {
            case G1A -> wrongRead(fault, null, observed(fault), Origin.ABORTED);
            case G1B ->
                wrongRead(fault, finalValue(fault.otherTxn(), log.key[op]), observed(fault), Origin.INTERMEDIATE);
            case GARBAGE_READ -> wrongRead(fault, null, observed(fault), Origin.NEVER);
            case FUTURE_READ -> wrongRead(fault, null, observed(fault), Origin.FUTURE);
            case INTERNAL -> wrongRead(fault, ownValue(fault.txn(), op), valueText(op), null);
            case DUPLICATE_ELEMENTS -> wrongRead(fault, null, observed(fault), null);
            case DUPLICATE_WRITE -> duplicate(fault);
            case INCOMPATIBLE_ORDER -> incompatible(fault);
            default -> throw new AssertionError("cannot happen: not a fault of a read: " + fault);
        };
    }

    private Finding wrongRead(ReadFault fault, String expected, String observed, Origin origin) {
        int reader = fault.txn();
        int writer = fault.otherTxn();
        List<Participant> participants = new ArrayList<>(2);
        List<Edge> edges = new ArrayList<>(1);
        participants.add(participant(reader, Role.READER));
        if (writer != NONE && writer != reader) {
            participants.add(participant(writer, Role.OBSERVED_WRITER));
            edges.add(new Edge(
                    log.txnId[writer], log.txnId[reader], "wr", key(fault), observed, observed, evidence(fault.op())));
        }
        Long expectedWriter =
                switch (fault.anomaly()) {
                    case INTERNAL -> log.txnId[reader];
                    case G1B -> log.txnId[writer];
                    default -> null;
                };
        Long observedWriter = writer == NONE ? null : Long.valueOf(log.txnId[writer]);
        return finding(
                fault,
                participants,
                new Expectation(expected, expectedWriter, observed, observedWriter, origin),
                edges);
    }

    private Finding duplicate(ReadFault fault) {
        String value = log.valueText(log.value[fault.op()]);
        return finding(
                fault,
                List.of(
                        participant(fault.otherTxn(), Role.EXPECTED_WRITER),
                        participant(fault.txn(), Role.OBSERVED_WRITER)),
                new Expectation(value, log.txnId[fault.otherTxn()], value, log.txnId[fault.txn()], null),
                List.of());
    }

    private Finding incompatible(ReadFault fault) {
        int[] other = otherReader(fault.op());
        return finding(
                fault,
                List.of(participant(fault.txn(), Role.READER), participant(other[0], Role.READER)),
                new Expectation(valueText(other[1]), null, valueText(fault.op()), null, null),
                List.of());
    }

    /** Transaction and operation of a read that the given one contradicts: neither list is a prefix of the other. */
    private int[] otherReader(int op) {
        for (int txn = 0; txn < log.txnCount; txn++) {
            for (int other = log.firstOpOf[txn]; other < log.firstOpOf[txn + 1]; other++) {
                if (log.kind[other] == OpKind.READ_LIST
                        && log.key[other] == log.key[op]
                        && log.status[txn] == TxnStatus.COMMITTED
                        && differ(op, other)) {
                    return new int[] {txn, other};
                }
            }
        }
        throw new AssertionError("cannot happen: no read contradicts op=" + op);
    }

    private boolean differ(int op, int other) {
        int key = log.key[op];
        int common = Math.min(log.lists.length(log.value[op]), log.lists.length(log.value[other]));
        for (int position = 0; position < common; position++) {
            if (log.lists.element(key, log.value[op], position) != log.lists.element(key, log.value[other], position)) {
                return true;
            }
        }
        return false;
    }

    private Finding finding(
            ReadFault fault, List<Participant> participants, Expectation expectation, List<Edge> edges) {
        boolean dependsOnUnknown = inference.isPromoted(fault.txn());
        dependsOnUnknown |= fault.otherTxn() != NONE && inference.isPromoted(fault.otherTxn());
        return new Finding(
                fault.anomaly(),
                null,
                levelOf.apply(fault.anomaly()),
                ALGORITHM,
                key(fault),
                participants,
                expectation,
                null,
                dependsOnUnknown,
                edges);
    }

    private Participant participant(int txn, Role role) {
        return new Participant(log.txnId[txn], role, timestamp(log.startTs, txn), timestamp(log.commitTs, txn));
    }

    private static long timestamp(long[] column, int txn) {
        return column == null ? HistorySlice.NONE : column[txn];
    }

    // ---------------------------------------------------------------- texts

    private String key(ReadFault fault) {
        return log.keyText(log.key[fault.op()]);
    }

    private String evidence(int op) {
        return log.kind[op] == OpKind.READ_LIST ? "list" : "value";
    }

    private String observed(ReadFault fault) {
        int op = fault.op();
        return fault.element() == NONE
                ? valueText(op)
                : log.valueText(log.lists.element(log.key[op], log.value[op], fault.element()));
    }

    /** What an operation read or wrote; null for the initial state. */
    private String valueText(int op) {
        return switch (log.kind[op]) {
            case OpKind.READ_NOTHING -> null;
            case OpKind.READ_LIST ->
                ListText.of(
                        log.lists.length(log.value[op]),
                        at -> log.valueText(log.lists.element(log.key[op], log.value[op], at)));
            default -> log.valueText(log.value[op]);
        };
    }

    private String finalValue(int txn, int key) {
        for (int op = log.firstOpOf[txn + 1] - 1; op >= log.firstOpOf[txn]; op--) {
            if (log.key[op] == key && OpKind.isWrite(log.kind[op])) {
                return log.valueText(log.value[op]);
            }
        }
        return null;
    }

    /** The last own write before a register read; the own appends before a list read, in brackets. */
    private String ownValue(int txn, int read) {
        boolean isList = log.kind[read] == OpKind.READ_LIST;
        List<String> own = new ArrayList<>();
        for (int op = log.firstOpOf[txn]; op < read; op++) {
            if (log.key[op] == log.key[read] && OpKind.isWrite(log.kind[op])) {
                isList |= log.kind[op] == OpKind.APPEND;
                own.add(log.valueText(log.value[op]));
            }
        }
        return isList ? ListText.of(own.size(), own::get) : own.isEmpty() ? null : own.get(own.size() - 1);
    }
}
