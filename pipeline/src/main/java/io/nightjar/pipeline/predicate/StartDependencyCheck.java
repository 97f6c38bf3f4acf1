package io.nightjar.pipeline.predicate;

import org.jspecify.annotations.Nullable;

/** Check of snapshot isolation by the graph of versions and starts: a second opinion on the replays by timestamps. */
final class StartDependencyCheck implements TableDependencies.Edges, TableDependencies.Faults {

    /*
     * Definitions. Adya's PL-SI, with an edge of starts from T to U if T committed at or before U's start:
     *
     *   G-SIa   a ww or wr from T to U without an edge of starts
     *   G-SIb   a cycle with exactly one rw
     *
     * Algorithm. Without G-SIa all ww and wr are edges of starts, and the pairs they order are ordered by time; so a
     * cycle with one rw is an rw from T to a transaction that committed at or before T's start. All of these are
     * dependencies that commits do not order.
     *
     * Source. docs/papers.md#adya
     */

    private final TableHistory history;
    private final TableVersions versions;
    private final UndecidedReasons doubts = new UndecidedReasons();

    private StartDependencyCheck(TableHistory history, TableVersions versions) {
        this.history = history;
        this.versions = versions;
    }

    /** Returns why a history with timestamps is not of snapshot isolation; null if it is. */
    static @Nullable String difference(TableHistory history, TableVersions versions) {
        if (!CommitChain.fits(history, versions)) {
            return "a transaction starts after its commit";
        }
        StartDependencyCheck check = new StartDependencyCheck(history, versions);
        TableGraph.showOverlapping(history, versions, check.doubts, check, check);
        return check.doubts.first();
    }

    @Override
    public void add(int from, int to, int kind, int op, int fromSlot, int toSlot) {
        boolean isAnti = kind == TableDependencies.RW || kind == TableDependencies.PREDICATE_RW;
        boolean isWrong =
                isAnti ? versions.commitTs(to) <= history.startTs[from] : versions.commitTs(from) > history.startTs[to];
        if (isWrong) {
            String key = history.keyName(versions.keyOf(toSlot >= 0 ? toSlot : fromSlot));
            doubts.add(
                    isAnti
                            ? "an older version than that of its start was read"
                            : "a version was not there at the start",
                    history.locationOf(isAnti ? from : to) + " key=" + key);
        }
    }

    @Override
    public void invalidRead(int txn, int op, int slot) {
        doubts.add("a read returned a version that no transaction may observe", history.locationOf(txn));
    }

    @Override
    public void miss(int txn, int op, int key) {
        doubts.add("a row is missing of which every version matches", history.locationOf(txn));
    }

    @Override
    public void ownMissed(int txn, int op, int key, int own) {
        doubts.add("an own row is missing", history.locationOf(txn));
    }

    @Override
    public void noMatch(int txn, int op, int row) {
        doubts.add("a row was returned that does not match", history.locationOf(txn));
    }
}
