package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replay of the keys that guards are about, in an order given as timestamps: each read, guard and write with its
 * meaning.
 *
 * <p>Takes the items of all slices twice: {@link #findKeys}, then {@link #gather}.
 */
public final class GuardReplay {

    /*
     * A transaction without a start has no place in the order, and is omitted. A snapshot includes the commits that are
     * not later than its start. Of each key, the results at snapshots are compared with the last value committed
     * before; results after an own write with that write.
     */

    private final @Nullable String initialValue;
    private final ScalarPool keys = new ScalarPool();
    private final ScalarPool values = new ScalarPool();
    private final Long2ObjectOpenHashMap<List<Event>> eventsOf = new Long2ObjectOpenHashMap<>();
    private final LongOpenHashSet counters = new LongOpenHashSet(); // with events
    private final LongOpenHashSet mixedCounters = new LongOpenHashSet(); // counters that no level is decided from
    private final Long2LongOpenHashMap ownSums = new Long2LongOpenHashMap(); // by counter: own increments so far
    private final Long2ObjectOpenHashMap<ElementReplay> setsOf = new Long2ObjectOpenHashMap<>();
    private final Long2ObjectOpenHashMap<Event> ownOf =
            new Long2ObjectOpenHashMap<>(); // by guarded key: the last own write
    private final GuardConditions conditions = new GuardConditions();
    private final Long2LongOpenHashMap matchOf = new Long2LongOpenHashMap(0); // by condition and row
    private @Nullable String mismatch;

    /** @param initialValue the text of the value that means the initial state as null does, or null */
    public GuardReplay(@Nullable String initialValue) {
        this.initialValue = initialValue;
    }

    /**
     * A result at a snapshot, or the commit of a last write.
     *
     * @param at the start or the commit of the transaction
     * @param start the start of the transaction
     */
    private record Event(long at, long start, long txnId, byte kind, long value) {}

    /** Collects the keys of guards, in the first pass. */
    public void findKeys(HistorySlice slice) {
        learn(slice);
        for (int txn = 0; txn < slice.txnCount; txn++) {
            for (int op = slice.firstOpOf[txn]; isPlaced(slice, txn) && op < slice.firstOpOf[txn + 1]; op++) {
                byte kind = slice.kind[op];
                boolean isGuard = OpKind.isGuard(kind) || kind == OpKind.ERASE || kind == OpKind.INCREMENT;
                if (!isGuard && !OpKind.isOfElement(kind)) {
                    continue;
                }
                long key = keys.intern(slice.keyNames, slice.key[op]);
                if (kind == OpKind.INCREMENT) {
                    counters.add(key);
                }
                if (OpKind.isOfElement(kind)) {
                    setsOf.computeIfAbsent(key, absent -> new ElementReplay());
                } else {
                    eventsOf.computeIfAbsent(key, absent -> new ArrayList<>());
                }
            }
        }
    }

    /** Returns whether no key has a guard. */
    public boolean isEmpty() {
        return eventsOf.isEmpty() && setsOf.isEmpty();
    }

    /** Collects the operations on these keys, in the second pass. */
    public void gather(HistorySlice slice) {
        learn(slice);
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (isPlaced(slice, txn)) {
                gather(slice, txn);
            }
        }
    }

    private void learn(HistorySlice slice) {
        keys.learn(slice.keyType);
        values.learn(slice.valueType);
    }

    private static boolean isPlaced(HistorySlice slice, int txn) {
        return slice.startTs[txn] != HistorySlice.NONE;
    }

    private void gather(HistorySlice slice, int txn) {
        ownOf.clear();
        ownSums.clear();
        long start = slice.startTs[txn];
        long id = slice.txnId[txn];
        boolean isCommitted = slice.status[txn] == TxnStatus.COMMITTED; // else its results prove nothing
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            if (!isCommitted && !OpKind.isWrite(slice.kind[op])) {
                continue;
            }
            long key = keys.find(slice.keyNames, slice.key[op]);
            ElementReplay set = setsOf.get(key);
            if (set != null) {
                set.add(slice, txn, op, values);
            }
            boolean isCounter = counters.contains(key);
            List<Event> events = set == null || isCounter ? eventsOf.get(key) : null;
            if (events == null) {
                continue;
            }
            if (isCounter) {
                gatherOfCounter(slice, txn, op, key, events);
                continue;
            }
            byte kind = slice.kind[op];
            long value = OpKind.hasValue(kind) ? values.intern(slice.valueNames, slice.value[op]) : 0;
            Event event = new Event(start, start, id, kind, value);
            if (OpKind.isWrite(kind)) {
                ownOf.put(key, event);
            } else if (!ownOf.containsKey(key)) {
                events.add(event);
            } else if (!fits(event, ownOf.get(key))) {
                record(key, event);
            }
        }
        long commit = slice.commitTs[txn];
        for (Long2ObjectMap.Entry<Event> own : ownOf.long2ObjectEntrySet()) {
            Event last = own.getValue();
            List<Event> events = eventsOf.get(own.getLongKey());
            if (events != null) {
                events.add(new Event(commit, start, id, last.kind, last.value));
            }
        }
    }

    /** Adds an increment at the commit, or a read without the own increments at the start. */
    private void gatherOfCounter(HistorySlice slice, int txn, int op, long key, List<Event> events) {
        byte kind = slice.kind[op];
        long start = slice.startTs[txn];
        String text = OpKind.hasValue(kind) ? slice.valueText(slice.value[op]) : null;
        Long number = kind == OpKind.INCREMENT
                ? CounterValues.number(text)
                : kind == OpKind.READ || kind == OpKind.READ_NOTHING
                        ? CounterValues.changeSeen(text, initialValue)
                        : null;
        if (number == null) {
            mixedCounters.add(key);
        } else if (kind == OpKind.INCREMENT) {
            ownSums.addTo(key, number);
            events.add(new Event(slice.commitTs[txn], start, slice.txnId[txn], OpKind.INCREMENT, number));
        } else {
            events.add(new Event(start, start, slice.txnId[txn], OpKind.READ, number - ownSums.get(key)));
        }
    }

    /**
     * Returns the first result that the order contradicts; null if it explains all.
     *
     * @param forbidsOverlap whether two writers of a key must not overlap
     */
    public @Nullable String mismatch(boolean forbidsOverlap) {
        for (Long2ObjectMap.Entry<ElementReplay> ofKey : setsOf.long2ObjectEntrySet()) {
            String ofSet = ofKey.getValue().mismatch(forbidsOverlap);
            mismatch =
                    mismatch != null || ofSet == null ? mismatch : "key=" + keys.text(ofKey.getLongKey()) + " " + ofSet;
        }
        for (Long2ObjectMap.Entry<List<Event>> ofKey : eventsOf.long2ObjectEntrySet()) {
            if (!mixedCounters.contains(ofKey.getLongKey())) {
                replay(ofKey.getLongKey(), ofKey.getValue(), forbidsOverlap);
            }
        }
        return mismatch;
    }

    private void replay(long key, List<Event> events, boolean forbidsOverlap) {
        events.sort(Comparator.comparingLong(Event::at).thenComparing(event -> !OpKind.isWrite(event.kind)));
        boolean isCounter = counters.contains(key);
        Event current = null;
        long sum = 0;
        for (Event event : events) {
            if (!OpKind.isWrite(event.kind)) {
                if (isCounter ? event.value != sum : !fits(event, current)) {
                    record(key, event);
                }
                continue;
            }
            boolean isOther = current != null && current.txnId != event.txnId;
            if (forbidsOverlap && current != null && isOther && event.start < current.at) {
                record(key, event);
            }
            sum += event.value;
            current = event;
        }
    }

    /** @param current the last write; null in the initial state */
    private boolean fits(Event event, @Nullable Event current) {
        boolean isWritten = current != null && current.kind == OpKind.WRITE;
        boolean hasInitial = current == null && values.isPossible(initialValue);
        boolean isInitial = hasInitial && values.intern(initialValue) == event.value;
        boolean isEqual = current != null && isWritten ? current.value == event.value : isInitial;
        return switch (event.kind) {
            case OpKind.READ -> isEqual;
            case OpKind.READ_NOTHING, OpKind.ABSENT -> !isWritten;
            case OpKind.UNEQUAL -> !isEqual;
            case OpKind.PRESENT -> isWritten || hasInitial;
            case OpKind.UNLIKE -> {
                if (current == null || !isWritten) {
                    yield !hasInitial || !conditions.matches(values.text(event.value), requireNonNull(initialValue));
                }
                long row = current.value;
                yield matchOf.computeIfAbsent(
                                event.value << Integer.SIZE | row,
                                pair -> conditions.matches(values.text(event.value), values.text(row)) ? 1 : 0)
                        == 0;
            }
            case OpKind.COMPUTED -> true; // it is about several keys, and replayed with the predicate reads
            default -> false;
        };
    }

    private void record(long key, Event event) {
        if (mismatch == null) {
            boolean isText = values.isLearnt() && OpKind.hasValue(event.kind) && !counters.contains(key);
            String value = isText ? values.text(event.value) : "null";
            mismatch = "key=" + keys.text(key) + " txn=" + event.txnId + " operation=" + OpKind.name(event.kind)
                    + " value=" + value;
        }
    }
}
