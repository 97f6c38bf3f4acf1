package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Replay of one set, with additions, removals, tests and reads of all elements, in an order given as timestamps. */
final class ElementReplay {

    private final List<Txn> txns = new ArrayList<>();
    private @Nullable Txn last; // to which operations are added

    /** The operations of a transaction on the set. */
    private static final class Txn {

        final long id;
        final long start;
        final long commit;
        final List<Op> ops = new ArrayList<>();

        Txn(long id, long start, long commit) {
            this.id = id;
            this.start = start;
            this.commit = commit;
        }
    }

    /** @param elements of a read of all elements, or the only element */
    private record Op(byte kind, LongSet elements) {}

    /** A snapshot, or a commit. */
    private record Event(long at, boolean isCommit, Txn txn) {}

    /** Adds an operation on the set. */
    void add(HistorySlice slice, int txn, int op, ScalarPool values) {
        if (last == null || last.id != slice.txnId[txn]) {
            last = new Txn(slice.txnId[txn], slice.startTs[txn], slice.commitTs[txn]);
            txns.add(last);
        }
        LongSet elements = new LongOpenHashSet();
        if (slice.kind[op] == OpKind.READ_LIST) {
            int list = ListRef.list(slice.value[op]);
            for (int i = 0; i < ListRef.length(slice.value[op]); i++) {
                elements.add(values.intern(slice.valueNames, slice.lists.element(list, i)));
            }
        } else if (OpKind.hasValue(slice.kind[op])) {
            elements.add(values.intern(slice.valueNames, slice.value[op]));
        }
        last.ops.add(new Op(slice.kind[op], elements));
    }

    /** Returns the first result that the order contradicts; null if it explains all. */
    @Nullable
    String mismatch(boolean forbidsOverlap) {
        List<Event> events = new ArrayList<>();
        for (Txn txn : txns) {
            events.add(new Event(txn.start, false, txn));
            events.add(new Event(txn.commit, true, txn));
        }
        events.sort(Comparator.comparingLong(Event::at).thenComparing(event -> !event.isCommit));
        LongSet state = new LongOpenHashSet();
        Map<Long, Long> committed = new HashMap<>(); // by element: the last commit that changed it
        for (Event event : events) {
            LongSet seen = event.isCommit ? state : new LongOpenHashSet(state);
            for (Op op : event.txn.ops) {
                boolean isChange = op.kind == OpKind.ADD || op.kind == OpKind.TAKE;
                if (!event.isCommit && !fits(op, seen)) {
                    return "txn=" + event.txn.id + " operation=" + OpKind.name(op.kind);
                }
                long changed = isChange ? op.elements.iterator().nextLong() : 0;
                if (isChange && op.kind == OpKind.ADD) {
                    seen.add(changed);
                } else if (isChange) {
                    seen.remove(changed);
                }
                if (isChange && event.isCommit) {
                    Long before = committed.put(changed, event.at);
                    if (forbidsOverlap && before != null && before > event.txn.start && before != event.at) {
                        return "txn=" + event.txn.id + " overlaps";
                    }
                }
            }
        }
        return null;
    }

    private static boolean fits(Op op, LongSet seen) {
        return switch (op.kind) {
            case OpKind.ADD, OpKind.TAKE -> true;
            case OpKind.CONTAINS -> seen.containsAll(op.elements);
            case OpKind.LACKS -> !seen.containsAll(op.elements);
            case OpKind.READ_LIST, OpKind.READ_NOTHING -> seen.equals(op.elements);
            default -> false;
        };
    }
}
