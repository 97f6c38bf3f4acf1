package io.nightjar.formats.jepsen;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.jepsen.JepsenFacts.Clock;
import io.nightjar.formats.jepsen.PendingInvocations.Open;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.RowSliceBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Pairs the invocations and completions of a file, and converts each pair to a transaction. */
final class JepsenReader implements SliceReader {

    /*
     * Algorithm. Events become transactions:
     *
     *   :invoke  ..  :ok    committed   operations of the completion
     *   :invoke  ..  :fail  aborted     writes, of the completion; of the invocation if that has no value
     *   :invoke  ..  :info  unknown     writes, of the invocation
     *   :invoke  ..         unknown     writes, of the invocation; these come last, in the order of the file
     *                :ok    committed   if the file contains no invocations; :fail and :info likewise
     */

    private static final long NO_TIME = HistorySlice.NONE;

    private final JepsenFacts facts;
    private final Clock clock;
    private final boolean isJson;
    private final OperationStream stream;
    private final OperationMap operation;
    private final RowSliceBuilder sink;
    private final JepsenWorkload workload;
    private final MicroOps microOps;
    private final ExtraMembers extra = new ExtraMembers();
    private final JepsenSessions sessions;
    private final PendingInvocations open;
    private final OperationMap invocation;
    private final OperationMap compared;
    private final boolean comparesInvocations;
    private @Nullable Iterator<Open> neverCompleted;
    private long differing;
    private @Nullable String firstDiffering;

    JepsenReader(Path path, boolean isJson, JepsenFacts facts, Set<ColumnGroup> wanted, BadRowHandler badRows)
            throws IOException {
        this.facts = facts;
        this.clock = facts.clock();
        this.isJson = isJson;
        this.stream = new OperationStream(path, isJson);
        this.operation = stream.operation();
        this.sink = new RowSliceBuilder(wanted, badRows, !isJson);
        this.workload = new JepsenWorkload(isJson ? "row" : "line");
        this.microOps = new MicroOps(sink, workload);
        this.sessions = new JepsenSessions(facts.areProcessesIntegers());
        this.open = new PendingInvocations(isJson);
        this.invocation = open.operation();
        this.compared = open.operation();
        this.comparesInvocations = !facts.areInvocationsCompared();
        sink.beginFile(path.toString());
    }

    @Override
    public @Nullable HistorySlice next() throws IOException {
        while (!sink.isFull()) {
            if (neverCompleted == null) {
                if (!readOperation()) {
                    neverCompleted = open.all().iterator();
                }
            } else if (neverCompleted.hasNext()) {
                endUncompleted(neverCompleted.next());
            } else {
                if (sink.isEmpty()) {
                    facts.invocationsCompared(differing, firstDiffering);
                    return null;
                }
                return sink.take();
            }
        }
        return sink.take();
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }

    private long row() {
        return isJson ? stream.ordinal() : stream.line();
    }

    /** Reads an operation; returns false at the end of the file. */
    private boolean readOperation() throws IOException {
        boolean isFound = false;
        try {
            isFound = stream.advance();
            if (isFound) {
                operation.interpret();
                addOperation();
            }
            return isFound;
        } catch (BadRowException bad) {
            sink.beginRow(row());
            sink.refuseRow(bad.fault(), stream.passOver(isFound));
            return true;
        }
    }

    private void addOperation() {
        if (!isOfClient()) {
            return;
        }
        if (facts.areAllIndexed() && operation.index == OperationMap.NONE) {
            throw BadRowException.of("operation has no index, as all others have")
                    .with(operation.scanner.location(operation.from));
        }
        long process = sessions.processOf(operation);
        if (operation.type == OperationMap.Type.INVOKE) {
            open.add(operation, process, row(), id(), order());
            return;
        }
        Open invoked = open.take(operation, process, process == JepsenSessions.NO_PROCESS);
        if (invoked == null && facts.hasInvocations()) {
            throw withoutInvocation(process);
        }
        addTxn(process, invoked);
        if (invoked != null) {
            open.release(invoked);
        }
    }

    /**
     * Returns whether a client executed the operation; one of a process that is not an integer counts if it executes or
     * ends a transaction.
     */
    private boolean isOfClient() {
        if (!JepsenFacts.hasNoProcess(operation, microOps)) {
            return true;
        }
        return !facts.areProcessesIntegers() && sessions.isKnown(operation) && open.has(sessions.processOf(operation));
    }

    private BadRowException withoutInvocation(long process) {
        String where = "process=" + nameOf(operation) + " " + operation.scanner.location(operation.from);
        return new BadRowException(
                open.has(process)
                        ? InputError.of("operation completes that fits none of those its process has invoked")
                                .with(where)
                        : InputError.of("operation completes without having been invoked")
                                .with(where)
                                .advise("each :ok, :fail and :info needs an :invoke before it"));
    }

    private static String nameOf(OperationMap of) {
        return of.hasProcess() ? of.scanner.text(of.processFrom(), of.processTo()) : "nil";
    }

    private void addTxn(long process, @Nullable Open invoked) {
        byte status = status(operation.type);
        OperationMap effective = operation;
        if (invoked != null && status != TxnStatus.COMMITTED) {
            PendingInvocations.read(invoked, invocation);
            boolean isOfInvocation = status == TxnStatus.UNKNOWN ? invocation.hasValue() : !operation.hasValue();
            effective = isOfInvocation ? invocation : operation;
        }
        if (invoked != null && comparesInvocations && status != TxnStatus.UNKNOWN) {
            compare(invoked);
        }
        sink.beginRow(row());
        workload.at(row());
        if (effective.hasValue()) {
            microOps.read(effective, status);
        } else if (status == TxnStatus.COMMITTED || invoked == null) {
            throw BadRowException.of("operation has no value")
                    .with(operation.scanner.location(operation.from))
                    .advise("give the transaction as its :value");
        }
        String members = extra.of(operation, !sessions.areIntegers());
        long complete = status == TxnStatus.UNKNOWN || clock == Clock.NONE ? NO_TIME : order();
        endTxn(id(), process, status, invoked == null ? NO_TIME : invoked.order, complete, members);
    }

    /** Compares a completion with its invocation: it may add results of reads, and must be equal otherwise. */
    private void compare(Open invoked) {
        PendingInvocations.read(invoked, compared);
        boolean haveValues = compared.hasValue() && operation.hasValue();
        if (haveValues && !MicroOps.agree(compared, operation)) {
            differing++;
            firstDiffering = firstDiffering == null ? sink.locationOf(row()).toString() : firstDiffering;
        }
    }

    private void endUncompleted(Open never) {
        sink.beginRow(never.row);
        try {
            PendingInvocations.read(never, invocation);
            if (never.supersededAt != Open.NEVER && never.process != JepsenSessions.NO_PROCESS) {
                throw BadRowException.of("process invokes again before its operation has completed")
                        .with(
                                "process=%s %s=%d",
                                nameOf(invocation), isJson ? "again-in-row" : "again-in-line", never.supersededAt)
                        .advise("complete it with :info if its result is not known");
            }
            workload.at(never.row);
            if (invocation.hasValue()) {
                microOps.read(invocation, TxnStatus.UNKNOWN);
            }
            String members = extra.of(invocation, !sessions.areIntegers());
            endTxn(never.id, never.process, TxnStatus.UNKNOWN, never.order, NO_TIME, members);
        } catch (BadRowException bad) {
            sink.refuseRow(bad.fault(), never.raw(RowSliceBuilder.RAW_LENGTH));
        }
    }

    private void endTxn(long id, long process, byte status, long invoke, long complete, @Nullable String members) {
        long session = sessions.sessionOf(process);
        sink.beginTxn(id, session, sink.positionIn(session)).status(status).clientTimes(invoke, complete);
        sink.endRow(members);
    }

    private static byte status(OperationMap.@Nullable Type type) {
        return switch (type) {
            case OK -> TxnStatus.COMMITTED;
            case FAIL -> TxnStatus.ABORTED;
            default -> TxnStatus.UNKNOWN;
        };
    }

    /** Returns the index of the operation, or its position in the file, counted from 0 as in Jepsen. */
    private long id() {
        return facts.areAllIndexed() ? operation.index : stream.ordinal() - 1;
    }

    private long order() {
        return switch (clock) {
            case TIME -> operation.time;
            case INDEX -> operation.index;
            case POSITION -> stream.ordinal() - 1;
            case NONE -> NO_TIME;
        };
    }
}
