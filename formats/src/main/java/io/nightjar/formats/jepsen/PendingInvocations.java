package io.nightjar.formats.jepsen;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Invoked operations that have not completed: at most one per process in a valid history. */
final class PendingInvocations {

    private final Long2ObjectOpenHashMap<ArrayDeque<Open>> pendingOf = new Long2ObjectOpenHashMap<>(); // by process
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
        open.supersededAt = Open.NEVER;
        ArrayDeque<Open> ofProcess = pendingOf.computeIfAbsent(process, absent -> new ArrayDeque<>(1));
        if (!ofProcess.isEmpty()) {
            ofProcess.getLast().supersededAt = row;
        }
        ofProcess.add(open);
    }

    boolean has(long process) {
        return pendingOf.containsKey(process);
    }

    /**
     * Removes and returns the invocation of a completion; null if it has none. If a process has several, returns the
     * oldest with equal operations.
     */
    @Nullable
    Open take(OperationMap completion, long process, boolean mustAgree) {
        ArrayDeque<Open> ofProcess = pendingOf.get(process);
        if (ofProcess == null) {
            return null;
        }
        boolean isOnly = ofProcess.size() == 1 && !mustAgree;
        for (Iterator<Open> each = ofProcess.iterator(); each.hasNext(); ) {
            Open open = each.next();
            if (!isOnly) {
                read(open, candidate);
            }
            if (isOnly || MicroOps.agree(candidate, completion)) {
                each.remove();
                if (ofProcess.isEmpty()) {
                    pendingOf.remove(process);
                }
                return open;
            }
        }
        return null;
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
        pendingOf.values().forEach(all::addAll);
        all.sort(Comparator.comparingLong((Open open) -> open.row).thenComparingLong(open -> open.order));
        return all;
    }

    /** A copy of one invocation. */
    static final class Open {

        static final long NEVER = -1;

        private byte[] bytes = new byte[512];
        private int length;
        private long offset;
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
