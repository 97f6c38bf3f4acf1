package io.nightjar.pipeline.verify;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All appends to one list key, in the order of the rows, and the list that they make in the order of commits. */
final class AppendLog {

    /** Elements appended by one transaction: {@code first .. end} of the log. */
    private record Segment(long id, long commit, boolean isInstant, int first, int end) {}

    private final LongArrayList elements = new LongArrayList();
    private final List<Segment> segments = new ArrayList<>();
    private final Long2ObjectOpenHashMap<LongOpenHashSet> abortedWritersOf = new Long2ObjectOpenHashMap<>();

    void add(long id, long start, long commit, long element) {
        int end = elements.size();
        elements.add(element);
        int last = segments.size() - 1;
        if (last >= 0 && segments.get(last).id() == id) {
            Segment open = segments.get(last);
            segments.set(last, new Segment(id, commit, start == commit, open.first(), end + 1));
        } else {
            segments.add(new Segment(id, commit, start == commit, end, end + 1));
        }
    }

    void addAborted(long id, long element) {
        abortedWritersOf
                .computeIfAbsent(element, absent -> new LongOpenHashSet(1))
                .add(id);
    }

    boolean isAborted(long element) {
        return abortedWritersOf.containsKey(element);
    }

    boolean isAbortedBy(long element, long id) {
        return isAborted(element) && abortedWritersOf.get(element).contains(id);
    }

    /** Returns the list after every commit. */
    Ordered ordered(boolean isSerial) {
        Comparator<Segment> order = Comparator.comparingLong(Segment::commit);
        if (!isSerial) {
            order = order.thenComparing(Segment::isInstant);
        }
        List<Segment> sorted = new ArrayList<>(segments);
        sorted.sort(order.thenComparingLong(Segment::id));
        return new Ordered(sorted);
    }

    /** A list with the transaction that appended each element. */
    final class Ordered {

        private static final int NONE = -1;

        private final long[] elementAt;
        private final int[] segmentAt;
        private final List<Segment> sorted;
        private final Long2IntOpenHashMap firstPositionOf;
        private final int[] nextPositionOf;
        private final LongOpenHashSet writers = new LongOpenHashSet();

        private Ordered(List<Segment> sorted) {
            this.sorted = sorted;
            int size = elements.size();
            elementAt = new long[size];
            segmentAt = new int[size];
            nextPositionOf = new int[size];
            int position = 0;
            for (int segment = 0; segment < sorted.size(); segment++) {
                writers.add(sorted.get(segment).id());
                for (int i = sorted.get(segment).first();
                        i < sorted.get(segment).end();
                        i++) {
                    elementAt[position] = elements.getLong(i);
                    segmentAt[position] = segment;
                    position++;
                }
            }
            firstPositionOf = new Long2IntOpenHashMap(size);
            firstPositionOf.defaultReturnValue(NONE);
            for (position = size - 1; position >= 0; position--) {
                nextPositionOf[position] = firstPositionOf.put(elementAt[position], position);
            }
        }

        int size() {
            return elementAt.length;
        }

        long element(int position) {
            return elementAt[position];
        }

        /** Returns how many elements a reader's snapshot holds. */
        int lengthSeenBy(FindingClaim reader) {
            int low = 0;
            int high = elementAt.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (isSeenBy(reader, middle)) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        private boolean isSeenBy(FindingClaim reader, int position) {
            Segment segment = sorted.get(segmentAt[position]);
            return reader.sees(segment.commit(), segment.isInstant(), segment.id());
        }

        boolean hasWriter(long id) {
            return writers.contains(id);
        }

        boolean isAppended(long element) {
            return firstPositionOf.get(element) != NONE;
        }

        /** Returns whether this transaction appended the element, on this side of the reader's snapshot. */
        boolean isAppendedBy(long element, long id, FindingClaim reader, boolean seen) {
            for (int position = firstPositionOf.get(element); position != NONE; position = nextPositionOf[position]) {
                if (sorted.get(segmentAt[position]).id() == id && isSeenBy(reader, position) == seen) {
                    return true;
                }
            }
            return false;
        }

        /** Returns whether the list was the first {@code length} elements after some commit, or before all. */
        boolean isState(int length) {
            return length == 0 || length == size() || segmentAt[length - 1] != segmentAt[length];
        }

        long writerOfLast(int length) {
            return sorted.get(segmentAt[length - 1]).id();
        }

        long commitOfLast(int length) {
            return length == 0
                    ? Long.MIN_VALUE
                    : sorted.get(segmentAt[length - 1]).commit();
        }

        /** Returns the last timestamp at which the list was not longer than a length. */
        long lastTsOf(int length) {
            return length == size()
                    ? Long.MAX_VALUE
                    : sorted.get(segmentAt[length]).commit() - 1;
        }
    }
}
