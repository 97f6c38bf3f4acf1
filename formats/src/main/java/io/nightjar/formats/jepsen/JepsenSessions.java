package io.nightjar.formats.jepsen;

import io.nightjar.formats.history.StringTable;
import java.util.Arrays;

/** Which session an operation belongs to: its process, as a number. */
final class JepsenSessions {

    /** Process of operations without a process; each of their transactions is a separate session. */
    static final long NO_PROCESS = Long.MIN_VALUE;

    private final boolean areIntegers;
    private final StringTable names = new StringTable();
    private long[] sessionOfName = new long[16];
    private int nameCount;
    private long lastSession;

    JepsenSessions(boolean areIntegers) {
        this.areIntegers = areIntegers;
    }

    /** The session of a process; with processes that are not all integers an ordinal, from 1. */
    long processOf(OperationMap operation) {
        if (!operation.hasProcess()) {
            return NO_PROCESS;
        }
        if (areIntegers) {
            return operation.process().number;
        }
        int from = operation.processFrom();
        int name = names.intern(operation.scanner.bytes, from, operation.processTo() - from);
        if (name == nameCount) {
            if (nameCount == sessionOfName.length) {
                sessionOfName = Arrays.copyOf(sessionOfName, 2 * nameCount);
            }
            sessionOfName[nameCount++] = ++lastSession;
        }
        return sessionOfName[name];
    }

    /** Returns whether an operation that names its process has one that was seen before. */
    boolean isKnown(OperationMap operation) {
        int from = operation.processFrom();
        return names.find(operation.scanner.bytes, from, operation.processTo() - from) >= 0;
    }

    /** Returns the session of a transaction of this process. */
    long sessionOf(long process) {
        return process == NO_PROCESS ? ++lastSession : process;
    }

    boolean areIntegers() {
        return areIntegers;
    }
}
