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

/**
 * Transaction order of a run: decides whether it represents all equivalent orders, and hashes the resulting history.
 */
public final class CanonicalOrder {

    /*
     * Definitions. Two adjacent transactions of different sessions commute if neither depends on the other. Orders are
     * equivalent if commuting swaps transform one into the other; they produce the same history. The canonical order of
     * an equivalence class is the smallest, comparing transaction by transaction and transactions by session rank.
     *
     * Algorithm. Only canonical orders are explored. An order is not canonical if a transaction could precede an
     * earlier one of a greater session: it depends on no transaction from there on, and its session was already waiting
     * for its turn. This is detected when the transaction ends, and the run is cut.
     *
     * It is detected before the transaction begins or reads if an earlier run predicts its next steps: a session that
     * received the same answers takes the same steps. A hash covers all answers to a session: a version read by its
     * content, and a scanned table by all writes to it so far. Where an abort may depend on earlier transactions in
     * other ways (si and ser), nothing is predicted.
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
     * @param cuts whether a serial run ends as soon as an equivalent order is known to represent it
     * @param known steps of sessions in earlier runs; null to predict nothing
     */
    public CanonicalOrder(boolean isSerial, boolean cuts, @Nullable StepPredictor known) {
        this.isSerial = isSerial;
        this.cuts = isSerial && cuts;
        this.known = this.cuts ? known : null;
    }

    /** Ignores the order of writes: the store has no version order, and no final read depends on it. */
    public void forgetOrderOfWrites() {
        areWritesOrdered = false;
    }

    /** Sets an action that runs once, when the run may stop. */
    public void onCut(Runnable action) {
        onCut = action;
    }

    /** Returns whether this order is equivalent to an explored canonical order. */
    public boolean isCut() {
        return isCut;
    }

    /** Returns a hash of the reads with their writers and of the transaction outcomes: equal for equal histories. */
    public long history() {
        return history;
    }

    /** Returns a hash of all statements so far, where their order matters. */
    long steps() {
        return isSerial ? 0 : steps;
    }

    void step(long session, String statement) {
        steps = mix(mix(steps, session), statementHash(statement));
    }

    /** Returns the number of finished transactions. */
    int endedCount() {
        return ended.size();
    }

    /**
     * Records a finished transaction in its archived form.
     *
     * @param waitedSince number of finished transactions when its session started to wait for its turn
     */
    void ended(long rank, int waitedSince, ArchivedTxn txn, TxnAccessSet footprint) {
        nameOf.put(txn.id, mix(rank, txn.seq));
        long text = mix(mix(rank, txn.seq), txn.status.hashCode());
        for (ArchivedTxn.Op op : txn.ops) {
            if (op.search() != null || isAbsent(op)) {
                continue; // rows of a search are separate reads; a scan reads only rows that exist
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
            boolean isAnother = couldPrecede(rank, waitedSince, footprint, footprint.sources());
            ended.add(new Ended(rank, txn.id, footprint));
            if (isAnother) {
                cut();
            }
        }
    }

    /** Returns whether the transaction read that a row has never existed. */
    private static boolean isAbsent(ArchivedTxn.Op op) {
        return !op.isWrite() && op.version() == null && op.initial() == null;
    }

    /** Marks the run as free to stop. */
    void cut() {
        if (!isCut) {
            isCut = true;
            onCut.run();
        }
    }

    private boolean couldPrecede(long rank, int waitedSince, TxnAccessSet footprint, LongSet sources) {
        for (int position = ended.size() - 1; position >= waitedSince; position--) {
            Ended earlier = ended.get(position);
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

    // ---------------------------------------------------------------- prediction

    /** Returns whether steps of sessions are predicted from earlier runs. */
    boolean foretells() {
        return known != null;
    }

    /** Returns the steps of sessions in earlier runs; requires prediction. */
    StepPredictor known() {
        return Objects.requireNonNull(known);
    }

    /** Records the content of a written version, without its id. */
    void written(RowVersion version, String textWithoutId) {
        contentOf.put(version.id(), textWithoutId.hashCode());
    }

    void committed(ObjectSpace space, RowObject object, RowVersion version) {
        versionsOf.computeIfAbsent(object.name(), none -> new ArrayList<>()).add(version);
        stateOf.merge(space.name(), answer(object.name(), version), CanonicalOrder::mix);
    }

    /** Returns a hash of an object's version. */
    long answer(String object, @Nullable RowVersion version) {
        return mix(object.hashCode(), version == null ? 0 : contentOf.get(version.id()) + 1);
    }

    /** Returns a hash of all writes to a table, in order. */
    long stateOf(String space) {
        return stateOf.getOrDefault(space, 0L);
    }

    /**
     * Returns whether all predicted continuations of a transaction let it precede one of a greater session.
     *
     * @param answered hash of all answers to its session
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
            return couldPrecede(end.rank(), waitedSince, end.footprint(), sources);
        }
        StepPredictor.ExpectedRead expectedRead = (StepPredictor.ExpectedRead) step;
        String about = expectedRead.about();
        return switch (expectedRead.kind()) {
            case SCAN -> isKnown(mix(answered, stateOf(about)), waitedSince, sources, stepsLeft);
            case ANSWER -> isKnown(mix(answered, answer(about, last(about))), waitedSince, sources, stepsLeft);
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

    /** Returns a hash of a statement without comments, since comments may contain a different trace in each run. */
    static int statementHash(String statement) {
        return withoutComments(statement).hashCode();
    }

    /** Returns a statement without comments. */
    public static String withoutComments(String statement) {
        return statement.contains("/*") ? COMMENT.matcher(statement).replaceAll("") : statement;
    }

    static long mix(long one, long other) {
        long mixed = (one ^ other * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        return mixed ^ mixed >>> 31;
    }
}
