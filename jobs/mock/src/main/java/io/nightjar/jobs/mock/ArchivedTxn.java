package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Operations of one transaction, for the archive. */
final class ArchivedTxn {

    final long id;
    final int session;
    final long seq;
    final List<Op> ops = new ArrayList<>();
    final List<String> statements = new ArrayList<>();

    /** Name that the client gave itself, null if none. */
    @Nullable
    String client;

    @SuppressWarnings("NullAway.Init") // set at the end; other sessions read it only afterwards
    String status;

    /**
     * A read, a write, or a search.
     *
     * @param version the version read or written; null for the initial state
     * @param initial the initial content of the object, null if none
     * @param object the object read or written, null for a search
     * @param search null if the operation is no search
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

        /** Returns the version written by this write. */
        RowVersion written() {
            return Objects.requireNonNull(version);
        }

        /** Returns whether it deletes the object, or reads that a row was deleted. */
        boolean isDeletion() {
            return version != null && version.content() == null;
        }
    }

    ArchivedTxn(long id, int session, long seq) {
        this.id = id;
        this.session = session;
        this.seq = seq;
    }

    /**
     * Removes the writes after the first {@code opCount} operations, the reads of those writes, and the searches;
     * returns the removed writes.
     */
    List<Op> takeBack(int opCount) {
        List<Op> since = ops.subList(opCount, ops.size());
        List<Op> writes = since.stream().filter(Op::isWrite).toList();
        Set<RowVersion> gone = new HashSet<>();
        writes.forEach(write -> gone.add(write.version()));
        since.removeIf(op -> op.search() != null || gone.contains(op.version()));
        return writes;
    }

    /** Returns the last version of an object that the transaction wrote, null if none. */
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
