package io.nightjar.formats.jepsen;

import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.text.BadRowException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Facts about a file as a whole that determine how each operation is read: whether it contains invocations, which field
 * numbers processes, which clock is real time.
 */
final class JepsenFacts {

    /** Source of {@code invoke_ns} and {@code complete_ns}. */
    enum Clock {
        NONE,
        TIME,
        INDEX,
        POSITION
    }

    private boolean hasInvocations;
    private boolean areAllIndexed = true;
    private boolean areAllTimed = true;
    private boolean areTimesOrdered = true;
    private boolean areTimesDecreasing;
    private boolean areProcessesIntegers = true;
    private long lastTime = OperationMap.NONE;
    private long lastCompletion = OperationMap.NONE;
    private final MicroOps microOps = new MicroOps(null, null);
    private @Nullable List<SourceDiagnostic> remarks; // null until a reading is complete

    private JepsenFacts() {}

    /**
     * Scans a file once. Malformed operations are left to the reader, which encounters and reports them at the same
     * location.
     */
    static JepsenFacts find(Path file, boolean isJson) throws IOException {
        JepsenFacts facts = new JepsenFacts();
        try (OperationStream stream = new OperationStream(file, isJson)) {
            boolean hasMore = true;
            while (hasMore) {
                hasMore = facts.advance(stream);
            }
        } catch (MalformedHistoryException rejected) {
            return facts;
        }
        return facts;
    }

    private boolean advance(OperationStream stream) throws IOException {
        boolean isFound = false;
        try {
            isFound = stream.advance();
            if (isFound) {
                stream.operation().interpret();
                add(stream.operation());
            }
            return isFound;
        } catch (BadRowException bad) {
            stream.passOver(isFound);
            return true;
        }
    }

    private void add(OperationMap operation) {
        boolean isInteger = operation.hasProcess() && operation.process().kind == EdnForm.Kind.LONG;
        if (!isInteger && hasNoProcess(operation, microOps)) {
            return;
        }
        areProcessesIntegers &= isInteger;
        hasInvocations |= operation.type == OperationMap.Type.INVOKE;
        areAllIndexed &= operation.index != OperationMap.NONE;
        addTime(operation);
    }

    /**
     * Records a time. Times define real time completely unless they decrease, or a completion and a later invocation
     * share one.
     */
    private void addTime(OperationMap operation) {
        long time = operation.time;
        areAllTimed &= time != OperationMap.NONE;
        areTimesDecreasing |= time < lastTime;
        lastTime = time;
        if (operation.type == OperationMap.Type.INVOKE) {
            areTimesOrdered &= time != lastCompletion;
        } else if (operation.type != OperationMap.Type.INFO) {
            lastCompletion = time;
        }
    }

    /**
     * Returns whether no client executed an operation: the nemesis injects faults, and other processes run no
     * transactions.
     */
    static boolean hasNoProcess(OperationMap operation, MicroOps microOps) {
        if (!operation.hasProcess()) {
            return false;
        }
        EdnForm process = operation.process();
        return process.kind != EdnForm.Kind.LONG && (process.is("nemesis") || !microOps.isTransaction(operation));
    }

    boolean hasInvocations() {
        return hasInvocations;
    }

    boolean areAllIndexed() {
        return areAllIndexed;
    }

    /** Returns whether each process is an integer; otherwise all are numbered in the order of appearance. */
    boolean areProcessesIntegers() {
        return areProcessesIntegers;
    }

    Clock clock() {
        if (!hasInvocations) {
            return Clock.NONE;
        }
        if (areAllTimed && areTimesOrdered && !areTimesDecreasing) {
            return Clock.TIME;
        }
        if (areAllIndexed) {
            return Clock.INDEX;
        }
        return areAllTimed && areTimesDecreasing ? Clock.TIME : Clock.POSITION;
    }

    /** Returns whether a reading has compared completions with invocations. */
    synchronized boolean areInvocationsCompared() {
        return remarks != null;
    }

    /** Records the result of a complete reading. */
    synchronized void invocationsCompared(long differing, @Nullable String example) {
        if (remarks == null) {
            remarks = differing == 0
                    ? List.of()
                    : List.of(new SourceDiagnostic(
                            "L04",
                            differing,
                            example,
                            differing + " transactions complete with other operations than they were invoked with;"
                                    + " the operations of the completion are used"));
        }
    }

    synchronized List<SourceDiagnostic> remarks() {
        return remarks == null ? List.of() : remarks;
    }
}
