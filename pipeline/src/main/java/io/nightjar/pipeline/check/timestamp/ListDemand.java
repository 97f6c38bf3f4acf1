package io.nightjar.pipeline.check.timestamp;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.BitSet;

/** A read must return the concatenated appends of the transactions that count. */
final class ListDemand extends ReadConstraint {

    private final UnknownStates states;
    private final long[] words;
    private final IntArrayList blocks = new IntArrayList(); // where each begins
    private final IntArrayList readsAt = new IntArrayList();

    ListDemand(UnknownStates states, long[] words, int first) {
        this.states = states;
        this.words = words;
        int at = first + 1;
        for (int block = 0; block < words[first]; block++) {
            blocks.add(at);
            if (words[at] != ReadConstraintCollector.COMMITTED) {
                vars.add(states.add(words[at]));
            }
            at += 2 + (int) words[at + 1];
        }
        int readCount = (int) words[at++];
        for (int read = 0; read < readCount; read++) {
            readsAt.add(at);
            at += 2 + (int) words[at + 1];
            at += 1 + (int) words[at];
        }
    }

    private byte state(int block) {
        long id = words[blocks.getInt(block)];
        return id == ReadConstraintCollector.COMMITTED ? UnknownStates.IN : states.get(states.find(id));
    }

    private boolean fits(int block, int read, int from) {
        int at = blocks.getInt(block);
        int length = (int) words[at + 1];
        if (from + length > words[read + 1]) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (words[at + 2 + i] != words[read + 2 + from + i]) {
                return false;
            }
        }
        return true;
    }

    private boolean isExplained(int read) {
        int from = 0;
        for (int block = 0; block < words[read]; block++) {
            if (state(block) == UnknownStates.IN) {
                if (!fits(block, read, from)) {
                    return false;
                }
                from += (int) words[blocks.getInt(block) + 1];
            }
        }
        return from == words[read + 1];
    }

    /** Returns, by block, the possible numbers of elements before it. */
    private BitSet[] reachable(int read) {
        int count = (int) words[read];
        BitSet[] reachable = new BitSet[count + 1];
        for (int block = 0; block <= count; block++) {
            reachable[block] = new BitSet();
        }
        reachable[0].set(0);
        for (int block = 0; block < count; block++) {
            byte state = state(block);
            int length = (int) words[blocks.getInt(block) + 1];
            for (int at = reachable[block].nextSetBit(0); at >= 0; at = reachable[block].nextSetBit(at + 1)) {
                if (state != UnknownStates.OUT && fits(block, read, at)) {
                    reachable[block + 1].set(at + length);
                }
                if (state != UnknownStates.IN) {
                    reachable[block + 1].set(at);
                }
            }
        }
        return reachable;
    }

    /**
     * Determines for each OPEN block whether some assignment of the list includes it, and whether one excludes it;
     * returns false if no assignment exists.
     */
    private boolean findWays(int read, BitSet canCount, BitSet canBeOut) {
        BitSet[] reachable = reachable(read);
        BitSet useful = new BitSet();
        useful.set((int) words[read + 1]);
        for (int block = (int) words[read] - 1; block >= 0; block--) {
            byte state = state(block);
            int length = (int) words[blocks.getInt(block) + 1];
            BitSet before = new BitSet();
            for (int at = reachable[block].nextSetBit(0); at >= 0; at = reachable[block].nextSetBit(at + 1)) {
                if (state != UnknownStates.OUT && useful.get(at + length) && fits(block, read, at)) {
                    canCount.set(block);
                    before.set(at);
                }
                if (state != UnknownStates.IN && useful.get(at)) {
                    canBeOut.set(block);
                    before.set(at);
                }
            }
            useful = before;
        }
        return useful.get(0);
    }

    @Override
    void propagate() {
        for (int i = 0; i < readsAt.size(); i++) {
            int read = readsAt.getInt(i);
            BitSet canCount = new BitSet();
            BitSet canBeOut = new BitSet();
            if (!findWays(read, canCount, canBeOut) || hasUnplaced(read) && !isExplained(read)) {
                continue;
            }
            for (int block = 0; block < words[read]; block++) {
                if (state(block) == UnknownStates.OPEN && canCount.get(block) != canBeOut.get(block)) {
                    int var = states.find(words[blocks.getInt(block)]);
                    if (canCount.get(block)) {
                        states.count(var);
                    } else {
                        states.leaveOut(var);
                    }
                }
            }
        }
    }

    @Override
    boolean isExplained() {
        for (int i = 0; i < readsAt.size(); i++) {
            if (!isExplained(readsAt.getInt(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    void addCandidates(IntSet to) {
        for (int i = 0; i < readsAt.size(); i++) {
            int read = readsAt.getInt(i);
            BitSet canCount = new BitSet();
            if (!isExplained(read) && findWays(read, canCount, new BitSet())) {
                for (int block = 0; block < words[read]; block++) {
                    if (canCount.get(block) && state(block) == UnknownStates.OPEN) {
                        to.add(states.find(words[blocks.getInt(block)]));
                    }
                }
            }
        }
    }

    @Override
    void addRescuers(int var, IntSet to) {
        for (int i = 0; i < vars.size(); i++) {
            if (states.isOpen(vars.getInt(i))) {
                to.add(vars.getInt(i));
            }
        }
    }

    private int unplacedAt(int read) {
        return read + 2 + (int) words[read + 1];
    }

    private boolean hasUnplaced(int read) {
        return words[unplacedAt(read)] > 0;
    }

    @Override
    void addUnplaced(LongSet to) {
        for (int i = 0; i < readsAt.size(); i++) {
            int read = readsAt.getInt(i);
            if (hasUnplaced(read) && !isExplained(read)) {
                for (int at = 0; at < words[unplacedAt(read)]; at++) {
                    to.add(words[unplacedAt(read) + 1 + at]);
                }
            }
        }
    }
}
