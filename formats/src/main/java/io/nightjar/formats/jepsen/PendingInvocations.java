package io.nightjar.formats.jepsen;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Invoked operations that have not completed: at most one per process in a valid history. */
final class PendingInvocations {

    private final Long2ObjectOpenHashMap<Open> oldestOf = new Long2ObjectOpenHashMap<>();
    private final Long2ObjectOpenHashMap<Open> newestOf = new Long2ObjectOpenHashMap<>();
    private final ArrayDeque<Open> free = new ArrayDeque<>();
    private final boolean isJson;
    private final OperationMap candidate;

    PendingInvocations(boolean isJson) {
        this.isJson = isJson;
        this.candidate = operation();
    }

    /** Stores a copy of an invocation. */
    void add(OperationMap invocation, long process, long row, long id, long order) {
        Open open = free.isEmpty() ? new Open() : free.pop();
        int length = invocation.to - invocation.from;
        if (open.bytes.length < length + 2) {
            open.bytes = new byte[length + length / 2 + 2];
        }
        System.arraycopy(invocation.scanner.bytes, invocation.from, open.bytes, 0, length);
        open.length = length;
        open.offset = invocation.scanner.bytesBefore + invocation.from;
        open.process = process;
        open.row = row;
        open.id = id;
        open.order = order;
        open.next = null;
        open.supersededAt = Open.NEVER;
        Open before = newestOf.put(process, open);
        if (before == null) {
            oldestOf.put(process, open);
        } else {
            before.next = open;
            before.supersededAt = row;
        }
    }

    boolean has(long process) {
        return oldestOf.containsKey(process);
    }

    /**
     * Removes and returns the invocation of a completion; null if it has none. If a process has several, returns the
     * oldest with equal operations.
     */
    @Nullable
    Open take(OperationMap completion, long process, boolean mustAgree) {
        Open oldest = oldestOf.get(process);
        if (oldest == null) {
            return null;
        }
        if (oldest.next == null && !mustAgree) {
            unlink(null, oldest);
            return oldest;
        }
        Open before = null;
        for (Open open = oldest; open != null; open = open.next) {
            read(open, candidate);
            if (MicroOps.agree(candidate, completion)) {
                unlink(before, open);
                return open;
            }
            before = open;
        }
        return null;
    }

    private void unlink(@Nullable Open before, Open open) {
        if (open.next == null && before != null) {
            newestOf.put(open.process, before);
        }
        if (before != null) {
            before.next = open.next;
        } else if (open.next != null) {
            oldestOf.put(open.process, open.next);
        } else {
            oldestOf.remove(open.process);
            newestOf.remove(open.process);
        }
    }

    /** Returns an operation that {@link #read} can fill. */
    OperationMap operation() {
        return new OperationMap(new EdnScanner(isJson));
    }

    /** Parses a stored invocation again. */
    static void read(Open open, OperationMap into) {
        into.scanner.over(open.bytes, open.length);
        into.scanner.bytesBefore = open.offset;
        into.scanner.reset();
        into.scan(0);
        into.interpret();
    }

    /** Returns the memory of a removed invocation to the pool. */
    void release(Open open) {
        free.push(open);
    }

    /** Returns all pending invocations, in the order of the file. */
    List<Open> all() {
        List<Open> all = new ArrayList<>();
        for (Open oldest : oldestOf.values()) {
            for (Open open = oldest; open != null; open = open.next) {
                all.add(open);
            }
        }
        all.sort(Comparator.comparingLong((Open open) -> open.row).thenComparingLong(open -> open.order));
        return all;
    }

    /** A copy of one invocation. */
    static final class Open {

        static final long NEVER = -1;

        private byte[] bytes = new byte[512];
        private int length;
        private long offset;
        private @Nullable Open next;
        long process;
        long row;
        long id;
        long order;

        /** The row of the next invocation of the same process. */
        long supersededAt = NEVER;

        /** Returns the text of the operation in the file, as far as it is helpful. */
        String raw(int maxLength) {
            return new String(Arrays.copyOf(bytes, Math.min(length, maxLength)), StandardCharsets.UTF_8);
        }
    }
}
