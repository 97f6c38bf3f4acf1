package io.nightjar.api;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.shrink.SliceHistory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A history of transactions as their clients observed them: built in code, or read from a file. */
public final class History {

    /** Opens the rows. */
    @FunctionalInterface
    private interface Opener {
        HistorySource open() throws IOException;
    }

    private final Opener opener;

    private History(Opener opener) {
        this.opener = opener;
    }

    /** Begins a new one. */
    public static Builder builder() {
        return new Builder(false);
    }

    /**
     * Returns the history in a file or directory, in any format that {@code check} reads; it is opened when it is
     * checked.
     */
    public static History read(Path path) {
        return new History(() -> Histories.open(path, null));
    }

    HistorySource open() throws IOException {
        return opener.open();
    }

    /**
     * Accepts transactions of any number of threads. Keys are all numbers or all strings, and so are values; each value
     * is written once to a key, or the writers of its reads are unknown.
     */
    public static final class Builder {

        private final boolean takesTimes;
        private final List<Txn> txns = new ArrayList<>();
        private final Map<Long, Long> nextPositionOf = new HashMap<>(); // by session

        Builder(boolean takesTimes) {
            this.takesTimes = takesTimes;
        }

        /** Begins the next transaction of a session: a client, which has one transaction after another. */
        public synchronized Txn begin(long session) {
            long position = nextPositionOf.merge(session, 1L, Long::sum) - 1;
            Txn txn = new Txn(txns.size() + 1L, session, position, takesTimes);
            txns.add(txn);
            return txn;
        }

        /** Returns the transactions so far; unfinished transactions may have committed or not. */
        public synchronized History build() {
            List<HistorySlice> slices = new ArrayList<>();
            SliceBuilder slice = new SliceBuilder("history");
            for (Txn txn : txns) {
                txn.addTo(slice);
                if (slice.weight() >= SliceReader.SLICE_WEIGHT) {
                    slices.add(slice.build());
                    slice = new SliceBuilder("history");
                }
            }
            if (slice.txnCount() > 0 || slices.isEmpty()) {
                slices.add(slice.build());
            }
            List<HistorySlice> built = List.copyOf(slices);
            return new History(() -> new SliceHistory("history", built));
        }
    }

    /** One transaction; one thread at a time adds to it. If it is closed without an outcome, its outcome is unknown. */
    public static final class Txn implements AutoCloseable {

        private final long id;
        private final long session;
        private final long position;
        private final boolean takesTimes;
        private final List<Op> ops = new ArrayList<>();
        private final long invokedNs;
        private long completedNs = HistorySlice.NONE;
        private long startTs = HistorySlice.NONE;
        private long commitTs = HistorySlice.NONE;
        private byte status = TxnStatus.UNKNOWN;
        private boolean isOver;

        private record Op(byte kind, Object key, @Nullable Object value) {}

        private Txn(long id, long session, long position, boolean takesTimes) {
            this.id = id;
            this.session = session;
            this.position = position;
            this.takesTimes = takesTimes;
            this.invokedNs = takesTimes ? System.nanoTime() : HistorySlice.NONE;
        }

        /** Returns the id by which verdicts name the transaction. */
        public long id() {
            return id;
        }

        /** Adds a read of a register; null for a key that has not been written yet. */
        public Txn read(Object key, @Nullable Object value) {
            return add(value == null ? OpKind.READ_NOTHING : OpKind.READ, key, value);
        }

        /** Adds a read of a list, from its first element to its last. */
        public Txn readList(Object key, List<?> elements) {
            return add(OpKind.READ_LIST, key, List.copyOf(elements));
        }

        /** Adds a write of a register. */
        public Txn write(Object key, Object value) {
            return add(OpKind.WRITE, key, value);
        }

        /** Adds an append to a list. */
        public Txn append(Object key, Object element) {
            return add(OpKind.APPEND, key, element);
        }

        /** Sets the database's own timestamps: of the snapshot that was read, and of the commit. */
        public synchronized Txn timestamps(long start, long commit) {
            startTs = start;
            commitTs = commit;
            return this;
        }

        /** Records that the transaction committed. */
        public void commit() {
            end(TxnStatus.COMMITTED);
        }

        /** Records that the transaction did not commit, and never will. */
        public void abort() {
            end(TxnStatus.ABORTED);
        }

        /** Records that the outcome is unknown. */
        public void unknown() {
            end(TxnStatus.UNKNOWN);
        }

        @Override
        public synchronized void close() {
            if (!isOver) {
                unknown();
            }
        }

        private synchronized void end(byte outcome) {
            if (isOver) {
                throw new IllegalStateException("transaction is over: id=" + id);
            }
            isOver = true;
            status = outcome;
            if (takesTimes && outcome != TxnStatus.UNKNOWN) {
                completedNs = System.nanoTime();
            }
        }

        private synchronized Txn add(byte kind, @Nullable Object key, @Nullable Object value) {
            if (isOver) {
                throw new IllegalStateException("transaction is over: id=" + id);
            }
            if (key == null) {
                throw new IllegalArgumentException("key is missing: transaction=" + id);
            }
            if (value == null && kind != OpKind.READ_NOTHING) {
                throw new IllegalArgumentException("value is missing: transaction=" + id + " key=" + key);
            }
            ops.add(new Op(kind, key, value));
            return this;
        }

        private synchronized void addTo(SliceBuilder slice) {
            slice.beginTxn(id, id, session, position).status(status);
            slice.timestamps(startTs, commitTs).clientTimes(invokedNs, completedNs);
            for (Op op : ops) {
                long key = keyOf(slice, op.key());
                if (op.kind() == OpKind.READ_LIST) {
                    slice.beginList();
                    for (Object element : (List<?>) Objects.requireNonNull(op.value())) {
                        slice.element(valueOf(slice, element));
                    }
                    slice.listRead(key);
                } else {
                    slice.op(op.kind(), key, op.value() == null ? 0 : valueOf(slice, op.value()));
                }
            }
            slice.endTxn();
        }

        private long keyOf(SliceBuilder slice, Object key) {
            if (isNumber(key)) {
                return checked(slice.keysAreLongs(), "keys", key) ? ((Number) key).longValue() : 0;
            }
            checked(slice.keysAreStrings(), "keys", key);
            return slice.keyNames().intern(key.toString());
        }

        private long valueOf(SliceBuilder slice, Object value) {
            if (isNumber(value)) {
                return checked(slice.valuesAreLongs(), "values", value) ? ((Number) value).longValue() : 0;
            }
            checked(slice.valuesAreStrings(), "values", value);
            return slice.valueNames().intern(value.toString());
        }

        private static boolean isNumber(Object any) {
            return any instanceof Long || any instanceof Integer || any instanceof Short || any instanceof Byte;
        }

        private boolean checked(boolean isOfOneType, String what, Object any) {
            if (!isOfOneType) {
                throw new IllegalArgumentException(
                        "numbers and strings mixed: " + what + "=" + any + " transaction=" + id);
            }
            return true;
        }
    }

    /** Returns a builder for a recorder, which notes begin and end of each transaction by this machine's clock. */
    static Builder builderWithTimes() {
        return new Builder(true);
    }
}
