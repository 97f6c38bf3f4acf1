package io.nightjar.formats.jepsen;

import io.nightjar.formats.history.StringPool;
import java.util.Arrays;

/** Assigns operations to sessions: the number of their process. */
final class JepsenSessions {

    /** Process of operations without a process; each of their transactions is a separate session. */
    static final long NO_PROCESS = Long.MIN_VALUE;

    private final boolean areIntegers;
    private final StringPool names = new StringPool();
    private long[] sessionOfName = new long[16];
    private int nameCount;
    private long lastSession;

    JepsenSessions(boolean areIntegers) {
        this.areIntegers = areIntegers;
    }

    /** Returns the session of a process; an ordinal from 1 if some process is not an integer. */
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

    /** Returns whether the process of an operation occurred before. */
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
