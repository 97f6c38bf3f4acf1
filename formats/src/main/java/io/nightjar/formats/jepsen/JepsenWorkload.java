package io.nightjar.formats.jepsen;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.text.BadRowException;

/** Kind of the objects of a history: registers, lists, sets or counters, the same for all objects. */
final class JepsenWorkload {

    private static final byte UNDECIDED = -1;

    private byte writes = UNDECIDED;
    private long writesSince;
    private boolean hasListReads;
    private boolean hasScalarReads;
    private long readsSince;

    private final String unit;
    private long row;

    /** @param unit word of messages for the location of an operation: line or row */
    JepsenWorkload(String unit) {
        this.unit = unit;
    }

    /** Sets the location of the following operations. */
    void at(long position) {
        row = position;
    }

    void sawWrite(byte kind) {
        if (writes == kind) {
            return;
        }
        if (writes != UNDECIDED) {
            throw mixed(OpKind.name(kind), OpKind.name(writes), writesSince);
        }
        boolean isList = kind == OpKind.APPEND || kind == OpKind.ADD;
        if (isList ? hasScalarReads : hasListReads) {
            throw mixed(OpKind.name(kind), isList ? "read of a single value" : "read of a list", readsSince);
        }
        writes = kind;
        writesSince = row;
    }

    void sawListRead() {
        if (hasListReads) {
            return;
        }
        if (writes == OpKind.WRITE || writes == OpKind.INCREMENT) {
            throw mixed("read of a list", OpKind.name(writes), writesSince);
        }
        if (hasScalarReads) {
            throw mixed("read of a list", "read of a single value", readsSince);
        }
        hasListReads = true;
        readsSince = row;
    }

    void sawScalarRead() {
        if (hasScalarReads) {
            return;
        }
        if (writes == OpKind.APPEND || writes == OpKind.ADD) {
            throw mixed("read that is no list", OpKind.name(writes), writesSince);
        }
        if (hasListReads) {
            throw mixed("read that is no list", "read of a list", readsSince);
        }
        hasScalarReads = true;
        readsSince = row;
    }

    private BadRowException mixed(String here, String before, long since) {
        return BadRowException.of("workloads are mixed")
                .with("found='%s' but '%s' in %s=%d", here, before, unit, since)
                .advise("check registers, lists, sets and counters as separate histories");
    }
}
