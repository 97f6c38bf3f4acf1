package io.nightjar.formats.jepsen;

import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.text.BadRowException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What is true of a file as a whole and decides how each operation is read: whether there are invocations, what numbers
 * processes, which clock is real time.
 */
@SuppressWarnings("NullAway.Init") // fields are set by a method
final class JepsenFacts {

    /** What stands for {@code invoke_ns} and {@code complete_ns}. */
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
    private List<SourceDiagnostic> remarks; // null until a reading has come to its end

    private JepsenFacts() {}

    /** Passes over a file once. What is bad is left to the reader, who meets it at the same place and says so. */
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
        if (!isInteger && isOfNobody(operation, microOps)) {
            return;
        }
        areProcessesIntegers &= isInteger;
        hasInvocations |= operation.type == OperationMap.Type.INVOKE;
        areAllIndexed &= operation.index != OperationMap.NONE;
        addTime(operation);
    }

    /** Times say all about real time unless they go back, or one is both of a completion and of an invocation behind it. */
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

    /** Whether an operation is that of no client: the nemesis breaks things, and others do what is no transaction. */
    static boolean isOfNobody(OperationMap operation, MicroOps microOps) {
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

    /** Whether each process is named by an integer; otherwise all are numbered in the order of appearance. */
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

    /** Whether a reading has compared what was completed with what was invoked. */
    synchronized boolean areInvocationsCompared() {
        return remarks != null;
    }

    /** A reading has come to its end. */
    synchronized void invocationsCompared(long differing, String example) {
        if (remarks == null) {
            remarks = differing == 0
                    ? List.of()
                    : List.of(new SourceDiagnostic(
                            "L04",
                            differing,
                            example,
                            differing + " transactions complete with other operations than they were invoked with;"
                                    + " those of the completion are taken"));
        }
    }

    synchronized List<SourceDiagnostic> remarks() {
        return remarks == null ? List.of() : remarks;
    }
}
