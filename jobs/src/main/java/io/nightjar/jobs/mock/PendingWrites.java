package io.nightjar.jobs.mock;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a transaction has written and not committed yet, in the order in which it first wrote each object. */
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

    /** The last version that was written of an object, null if none. */
    @Nullable
    RowVersion of(RowObject object) {
        Write write = writes.get(object);
        return write == null ? null : write.version();
    }

    void put(ObjectSpace space, RowObject object, RowVersion version) {
        writes.put(object, new Write(version, space));
    }

    /** Takes back what a transaction wrote behind the given number of operations. */
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

    /** Tells the store who has seen that objects are not there which are about to be. */
    void noteUnborn() {
        writes.forEach((object, write) -> noteUnborn(write.space(), object));
    }

    /** Notes who has seen that one object, which is about to be written, is not there yet, the writer itself included. */
    void noteUnborn(ObjectSpace space, RowObject object) {
        if (object.newest() == null) {
            space.noteUnborn(object, shared);
        }
    }

    /** An object whose table another session has dropped or altered since, null if there is none. */
    @Nullable
    RowObject lostFor(MockSession writer) {
        for (Map.Entry<RowObject, Write> write : writes.entrySet()) {
            if (write.getValue().space().isLostFor(writer)) {
                return write.getKey();
            }
        }
        return null;
    }

    /** Lets all see them. */
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
