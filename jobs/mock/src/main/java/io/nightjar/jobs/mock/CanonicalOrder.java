package io.nightjar.jobs.mock;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The order of a run's transactions: whether it is the one of all equal ones that is to be tried, and which history it makes. */
public final class CanonicalOrder {

    /*
     * Two neighbours of different sessions may change places if neither depends on the other; orders that come out of each other
     * so make the same history. Of all these one is tried: the first, if orders are compared transaction by transaction and
     * transactions by their sessions. An order is not that one if a transaction could stand before one of a greater session,
     * because it depends on no other from there on and its session was waiting for its turn. That is seen as soon as it ends, and the run is cut.
     *
     * It is seen before it begins, or before it reads, if an earlier run tells how it goes on: a session that has been answered the
     * same does the same. All that it is answered is mixed into a number: versions that it read by what is in them, a table
     * that it looked through by all that was ever written to it. Where an abort may depend on who came before in other ways (si and
     * ser), nothing is foretold.
     */

    private record Ended(long rank, long id, TxnAccessSet footprint) {}

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);

    private static final int MAX_STEPS_AHEAD = 64;

    private final boolean isSerial;
    private final boolean cuts;
    private final @Nullable StepPredictor known;
    private final Map<String, List<RowVersion>> versionsOf = new HashMap<>();
    private final Map<String, Long> stateOf = new HashMap<>();
    private final Long2LongOpenHashMap contentOf = new Long2LongOpenHashMap();
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
     * @param known what sessions did in the runs before; null if nothing is to be foretold
     */
    public CanonicalOrder(boolean isSerial, boolean cuts, @Nullable StepPredictor known) {
        this.isSerial = isSerial;
        this.cuts = isSerial && cuts;
        this.known = this.cuts ? known : null;
    }

    /** Says that it does not matter who writes first: neither to the store, which has no order of versions, nor to who looks at the end. */
    public void forgetOrderOfWrites() {
        areWritesOrdered = false;
    }

    /** Sets an action that is run once, as soon as the run need not go on. */
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
    void ended(long rank, int waitedSince, ArchivedTxn txn, TxnAccessSet footprint) {
        nameOf.put(txn.id, mix(rank, txn.seq));
        long text = mix(mix(rank, txn.seq), txn.status.hashCode());
        for (ArchivedTxn.Op op : txn.ops) {
            if (op.search() != null || isAbsent(op)) {
                continue; // its rows have been read one by one; who looks through a table before there is a row does
                // not read it
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
            boolean isAnother = couldStandEarlier(rank, waitedSince, footprint, footprint.sources());
            ended.add(new Ended(rank, txn.id, footprint));
            if (isAnother) {
                cut();
            }
        }
    }

    /** Whether a row was not there and never had been, as far as a transaction saw. */
    private static boolean isAbsent(ArchivedTxn.Op op) {
        return !op.isWrite() && op.version() == null && op.initial() == null;
    }

    /** The run need not go on. */
    void cut() {
        if (!isCut) {
            isCut = true;
            onCut.run();
        }
    }

    private boolean couldStandEarlier(long rank, int waitedSince, TxnAccessSet footprint, LongSet sources) {
        for (int place = ended.size() - 1; place >= waitedSince; place--) {
            Ended earlier = ended.get(place);
            if (earlier.rank() == rank
                    || footprint.dependsOn(earlier.footprint(), earlier.id(), sources, areWritesOrdered)) {
                return false;
            }
            if (earlier.rank() > rank) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- what is foretold

    /** Whether it is known what sessions did in the runs before. */
    boolean foretells() {
        return known != null;
    }

    /** Returns what sessions did in the runs before; only where that is foretold. */
    StepPredictor known() {
        return Objects.requireNonNull(known);
    }

    /** A version has been written; with what is in it, whatever its id. */
    void written(RowVersion version, String textWithoutId) {
        contentOf.put(version.id(), textWithoutId.hashCode());
    }

    void committed(ObjectSpace space, RowObject object, RowVersion version) {
        versionsOf.computeIfAbsent(object.name(), none -> new ArrayList<>()).add(version);
        stateOf.merge(space.name(), answer(object.name(), version), CanonicalOrder::mix);
    }

    /** A number for an object's version. */
    long answer(String object, @Nullable RowVersion version) {
        return mix(object.hashCode(), version == null ? 0 : contentOf.get(version.id()) + 1);
    }

    /** A number for all that was written to a table, in order. */
    long stateOf(String space) {
        return stateOf.getOrDefault(space, 0L);
    }

    /**
     * Whether a transaction, however it goes on, could stand before one of a greater session.
     *
     * @param answered a number for all that its session has been answered
     * @param sources the transactions that it has read from
     */
    boolean isKnown(long answered, int waitedSince, LongSet sources) {
        return isKnown(answered, waitedSince, sources, new int[] {MAX_STEPS_AHEAD});
    }

    private boolean isKnown(long answered, int waitedSince, LongSet sources, int[] stepsLeft) {
        StepPredictor.Step step = known().next(answered);
        if (step == null || stepsLeft[0]-- == 0) {
            return false;
        }
        if (step instanceof StepPredictor.End end) {
            return couldStandEarlier(end.rank(), waitedSince, end.footprint(), sources);
        }
        StepPredictor.Look look = (StepPredictor.Look) step;
        String about = look.about();
        return switch (look.kind()) {
            case SCAN -> isKnown(mix(answered, stateOf(about)), waitedSince, sources, stepsLeft);
            case LOOK -> isKnown(mix(answered, answer(about, last(about))), waitedSince, sources, stepsLeft);
            case READ -> isKnownOfAll(answered, about, waitedSince, sources, stepsLeft);
        };
    }

    private @Nullable RowVersion last(String object) {
        List<RowVersion> versions = versionsOf.get(object);
        return versions == null ? null : versions.get(versions.size() - 1);
    }

    private boolean isKnownOfAll(long answered, String object, int waitedSince, LongSet sources, int[] stepsLeft) {
        if (!isKnown(mix(answered, answer(object, null)), waitedSince, sources, stepsLeft)) {
            return false;
        }
        for (RowVersion version : versionsOf.getOrDefault(object, List.of())) {
            LongSet withVersion = new LongOpenHashSet(sources);
            withVersion.add(version.txnId());
            if (!isKnown(mix(answered, answer(object, version)), waitedSince, withVersion, stepsLeft)) {
                return false;
            }
        }
        return true;
    }

    /** A number for a statement, without comments, which may have another trace in them each time. */
    static int told(String statement) {
        return withoutComments(statement).hashCode();
    }

    /** A statement without comments. */
    public static String withoutComments(String statement) {
        return statement.contains("/*") ? COMMENT.matcher(statement).replaceAll("") : statement;
    }

    static long mix(long one, long other) {
        long mixed = (one ^ other * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        return mixed ^ mixed >>> 31;
    }
}
