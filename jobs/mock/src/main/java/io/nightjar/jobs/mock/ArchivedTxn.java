package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one transaction did, for the archive. */
final class ArchivedTxn {

    final long id;
    final int session;
    final long seq;
    final List<Op> ops = new ArrayList<>();
    final List<String> statements = new ArrayList<>();

    /** What the client calls itself, null if it does not. */
    @Nullable
    String client;

    @SuppressWarnings("NullAway.Init") // set when it ends, and looked at by others from then on only
    String status;

    /**
     * A read, a write, or a search.
     *
     * @param version what was read or written; null for the initial state
     * @param initial what was in the object initially, null if nothing
     * @param object what was read or written, null for a search
     * @param search null if it is none
     */
    record Op(
            boolean isWrite,
            @Nullable RowObject object,
            String name,
            @Nullable RowVersion version,
            @Nullable InitialRow initial,
            @Nullable PredicateRead search) {

        static Op of(boolean isWrite, RowObject object, @Nullable RowVersion version) {
            return new Op(isWrite, object, object.name(), version, object.initialRow(), null);
        }

        static Op of(PredicateRead search) {
            return new Op(false, null, search.space().name(), null, null, search);
        }

        /** Returns the object that was written. */
        RowObject target() {
            return Objects.requireNonNull(object);
        }

        /** Returns the version that was written: there is always one. */
        RowVersion written() {
            return Objects.requireNonNull(version);
        }

        /** Whether it deletes, or reads that a row was deleted. */
        boolean isDeletion() {
            return version != null && version.content() == null;
        }
    }

    ArchivedTxn(long id, int session, long seq) {
        this.id = id;
        this.session = session;
        this.seq = seq;
    }

    /** Takes back what was written behind the given number of operations, reads of that, and searches; returns the writes that are gone. */
    List<Op> takeBack(int opCount) {
        List<Op> since = ops.subList(opCount, ops.size());
        List<Op> writes = since.stream().filter(Op::isWrite).toList();
        Set<RowVersion> gone = new HashSet<>();
        writes.forEach(write -> gone.add(write.version()));
        since.removeIf(op -> op.search() != null || gone.contains(op.version()));
        return writes;
    }

    /** The last version that it wrote of an object, null if none. */
    @Nullable
    RowVersion lastWriteOf(RowObject object) {
        for (int op = ops.size() - 1; op >= 0; op--) {
            if (ops.get(op).isWrite() && ops.get(op).object() == object) {
                return ops.get(op).version();
            }
        }
        return null;
    }
}
