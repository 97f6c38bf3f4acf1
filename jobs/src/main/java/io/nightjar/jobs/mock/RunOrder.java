package io.nightjar.jobs.mock;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The order of a run's transactions: whether it is the one of all equal ones that is to be tried, and which history it makes. */
public final class RunOrder {

    /*
     * Two neighbours of different sessions may change places if neither depends on the other; orders that come out of each other
     * so make the same history. Of all these one is tried: the first, if orders are compared transaction by transaction and
     * transactions by their sessions. An order is not that one if a transaction could stand before one of a greater session,
     * because it depends on nobody from there on and its session was waiting for its turn. That is seen as soon as it ends, and the run is cut.
     */

    private record Ended(long rank, long id, TxnFootprint footprint) {}

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);

    private final boolean isSerial;
    private final boolean cuts;
    private boolean areWritesOrdered = true;
    private final List<Ended> ended = new ArrayList<>();
    private final Long2LongOpenHashMap nameOf = new Long2LongOpenHashMap();
    private Runnable onCut = () -> {};
    private boolean isCut;
    private long history;
    private long steps;

    /**
     * @param isSerial whether transactions run one after the other
     * @param cuts whether a run of these ends as soon as another order makes the same history
     */
    public RunOrder(boolean isSerial, boolean cuts) {
        this.isSerial = isSerial;
        this.cuts = isSerial && cuts;
    }

    /** Says that it does not matter who writes first: neither to the store, which has no order of versions, nor to who looks at the end. */
    public void forgetOrderOfWrites() {
        areWritesOrdered = false;
    }

    /** What is done, once, as soon as the run need not go on. */
    public void onCut(Runnable action) {
        onCut = action;
    }

    /** Whether another order makes the same history, and is the one that is tried. */
    public boolean isCut() {
        return isCut;
    }

    /** A number for what was read from whom and how transactions ended: equal for equal histories. */
    public long history() {
        return history;
    }

    /** A number for all statements so far, where their order matters: equal if they are. */
    long steps() {
        return isSerial ? 0 : steps;
    }

    void step(long session, String statement) {
        steps = mix(mix(steps, session), told(statement));
    }

    /** How many transactions have ended. */
    int endedCount() {
        return ended.size();
    }

    /**
     * A transaction has ended, as it stands in the archive.
     *
     * @param waitedSince how many had ended when its session began to wait for its turn
     */
    void ended(long rank, int waitedSince, ArchivedTxn txn, TxnFootprint footprint) {
        nameOf.put(txn.id, mix(rank, txn.seq));
        long text = mix(mix(rank, txn.seq), txn.status.hashCode());
        for (ArchivedTxn.Op op : txn.ops) {
            if (op.search() != null) {
                continue; // its rows have been read one by one
            }
            text = mix(text, op.name().hashCode());
            text = op.isWrite()
                    ? mix(text, 1)
                    : mix(
                            text,
                            op.version() == null ? 0 : nameOf.get(op.version().txnId()));
        }
        history += text;
        if (cuts && !isCut) {
            isCut = couldStandEarlier(rank, waitedSince, footprint);
            ended.add(new Ended(rank, txn.id, footprint));
            if (isCut) {
                onCut.run();
            }
        }
    }

    private boolean couldStandEarlier(long rank, int waitedSince, TxnFootprint footprint) {
        for (int place = ended.size() - 1; place >= waitedSince; place--) {
            Ended earlier = ended.get(place);
            if (earlier.rank() == rank || footprint.dependsOn(earlier.footprint(), earlier.id(), areWritesOrdered)) {
                return false;
            }
            if (earlier.rank() > rank) {
                return true;
            }
        }
        return false;
    }

    /** A number for a statement, without comments, which may have another trace in them each time. */
    static int told(String statement) {
        return (statement.contains("/*") ? COMMENT.matcher(statement).replaceAll("") : statement).hashCode();
    }

    static long mix(long one, long other) {
        long mixed = (one ^ other * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        return mixed ^ mixed >>> 31;
    }
}
