package io.nightjar.jobs.mock;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Uncommitted writes of a transaction, by object in the order of first writes. */
final class PendingWrites {

    private record Write(RowVersion version, ObjectSpace space) {}

    private final MockStore shared;
    private final Map<RowObject, Write> writes = new LinkedHashMap<>();

    PendingWrites(MockStore shared) {
        this.shared = shared;
    }

    boolean has(RowObject object) {
        return writes.containsKey(object);
    }

    /** Returns the last written version of an object, null if none. */
    @Nullable
    RowVersion of(RowObject object) {
        Write write = writes.get(object);
        return write == null ? null : write.version();
    }

    void put(ObjectSpace space, RowObject object, RowVersion version) {
        writes.put(object, new Write(version, space));
    }

    /** Rolls back the writes after the first {@code opCount} operations. */
    void takeBack(ArchivedTxn txn, int opCount, int session) {
        for (ArchivedTxn.Op op : txn.takeBack(opCount)) {
            RowObject target = op.target();
            RowVersion last = txn.lastWriteOf(target);
            if (last == null) {
                writes.remove(target);
                shared.store().unwrite(session, target.number());
            } else {
                writes.computeIfPresent(target, (object, write) -> new Write(last, write.space()));
                shared.store().write(session, target.number(), last.id());
            }
            shared.dropVersion(op.written());
        }
    }

    /** Records in the store which sessions observed the absence of objects about to be created. */
    void recordUnborn() {
        writes.forEach((object, write) -> recordUnborn(write.space(), object));
    }

    /** Records which sessions, including the writer, observed the absence of an object about to be written. */
    void recordUnborn(ObjectSpace space, RowObject object) {
        if (object.newest() == null) {
            space.recordUnborn(object, shared);
        }
    }

    /** Returns an object whose table another session has dropped or altered since, null if none. */
    @Nullable
    RowObject lostFor(MockSession writer) {
        for (Map.Entry<RowObject, Write> write : writes.entrySet()) {
            if (write.getValue().space().isLostFor(writer)) {
                return write.getKey();
            }
        }
        return null;
    }

    /** Makes the writes visible to all sessions. */
    void commit() {
        writes.forEach((object, write) -> {
            object.commit(write.version());
            write.space().addWritten(object);
            if (shared.foretells()) {
                shared.order().committed(write.space(), object, write.version());
            }
        });
    }

    void dropVersions() {
        writes.values().forEach(write -> shared.dropVersion(write.version()));
    }

    void clear() {
        writes.clear();
    }
}
