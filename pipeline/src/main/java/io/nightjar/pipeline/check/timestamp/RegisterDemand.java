package io.nightjar.pipeline.check.timestamp;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.longs.LongSet;

/** Between two committed writes a read must return the last write that counts. */
final class RegisterDemand extends ReadConstraint {

    private final UnknownStates states;
    private final long[] words;
    private final int first;
    private final int end;

    RegisterDemand(UnknownStates states, long[] words, int first, int end) {
        this.states = states;
        this.words = words;
        this.first = first;
        this.end = end;
        for (int at = first + 1; at < end; at = next(at)) {
            if (words[at] == ReadConstraintCollector.WRITE) {
                vars.add(states.add(words[at + 1]));
            }
        }
    }

    private int next(int at) {
        return words[at] == ReadConstraintCollector.WRITE ? at + 3 : at + 4 + (int) words[at + 3];
    }

    private int writer(int at) {
        return states.find(words[at + 1]);
    }

    /** Returns where the writes before a read begin, the last one first. */
    private IntArrayList writesBefore(int read) {
        IntArrayList positions = new IntArrayList();
        for (int at = first + 1; at < read; at = next(at)) {
            if (words[at] == ReadConstraintCollector.WRITE) {
                positions.add(at);
            }
        }
        return positions;
    }

    private boolean isBase(int read) {
        return words[first] == ReadConstraintCollector.INITIAL ? words[read + 2] == 1 : words[first] == words[read + 1];
    }

    private boolean isExplained(int read, IntArrayList writes) {
        for (int i = writes.size() - 1; i >= 0; i--) {
            if (states.get(writer(writes.getInt(i))) == UnknownStates.IN) {
                return words[writes.getInt(i) + 2] == words[read + 1];
            }
        }
        return isBase(read);
    }

    /** Returns the OPEN writes of the value that no counted write follows, the last first. */
    private IntArrayList candidates(int read, IntArrayList writes) {
        IntArrayList found = new IntArrayList();
        for (int i = writes.size() - 1; i >= 0; i--) {
            int writer = writer(writes.getInt(i));
            if (states.get(writer) == UnknownStates.IN) {
                break;
            }
            if (states.isOpen(writer) && words[writes.getInt(i) + 2] == words[read + 1]) {
                found.add(writer);
            }
        }
        return found;
    }

    @Override
    void propagate() {
        IntArrayList writes = new IntArrayList();
        for (int at = first + 1; at < end; at = next(at)) {
            if (words[at] == ReadConstraintCollector.WRITE) {
                writes.add(at);
                continue;
            }
            IntArrayList candidates = candidates(at, writes);
            boolean isExplained = isExplained(at, writes);
            if (!isExplained && candidates.size() == 1 && words[at + 3] == 0) {
                states.count(candidates.getInt(0));
                isExplained = true;
            }
            if (isExplained || !candidates.isEmpty()) {
                leaveOutWhatHides(at, writes);
            }
        }
    }

    private void leaveOutWhatHides(int read, IntArrayList writes) {
        for (int i = writes.size() - 1; i >= 0; i--) {
            int writer = writer(writes.getInt(i));
            boolean isOfValue = words[writes.getInt(i) + 2] == words[read + 1];
            if (states.get(writer) == UnknownStates.IN || states.get(writer) == UnknownStates.OPEN && isOfValue) {
                return;
            }
            if (states.get(writer) == UnknownStates.OPEN) {
                states.leaveOut(writer);
            }
        }
    }

    @Override
    boolean isExplained() {
        IntArrayList writes = new IntArrayList();
        for (int at = first + 1; at < end; at = next(at)) {
            if (words[at] == ReadConstraintCollector.WRITE) {
                writes.add(at);
            } else if (!isExplained(at, writes)) {
                return false;
            }
        }
        return true;
    }

    @Override
    void addCandidates(IntSet to) {
        for (int at = first + 1; at < end; at = next(at)) {
            if (words[at] == ReadConstraintCollector.READ) {
                IntArrayList writes = writesBefore(at);
                if (!isExplained(at, writes)) {
                    to.addAll(candidates(at, writes));
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

    @Override
    void addUnplaced(LongSet to) {
        for (int at = first + 1; at < end; at = next(at)) {
            if (words[at] == ReadConstraintCollector.READ && words[at + 3] > 0 && !isExplained(at, writesBefore(at))) {
                for (int i = 0; i < words[at + 3]; i++) {
                    to.add(words[at + 4 + i]);
                }
            }
        }
    }
}
