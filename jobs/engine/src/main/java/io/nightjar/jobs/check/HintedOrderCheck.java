package io.nightjar.jobs.check;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.SerialProof;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.check.timestamp.EarliestSnapshots;
import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.check.timestamp.MissedVersions;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.decide.ValueOutcome.Doubt;
import io.nightjar.pipeline.decide.Witness;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.LongOrdinals;
import io.nightjar.pipeline.primitive.RadixSort;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntComparator;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides levels from values if the history does not fit into memory: by an order of commits that the source suggests,
 * if it is one.
 */
public final class HintedOrderCheck {

    /*
     * Candidate orders are the order of the rows, of ids, of commit timestamps and of completion times, and for
     * serializability the order of positions (MissedVersions), which snapshots and commit timestamps suggest; where
     * timestamps are the evidence, an order must write each key in the order of commit timestamps. An order becomes the
     * timestamps of the history (RankTimestampSource), with snapshots as early as the reads allow (EarliestSnapshots),
     * and the check by timestamps, lane by lane on disk, verifies that it explains every read. If it does, the level
     * holds and with it every level that it implies; this class reports no other verdict. If a value was written twice
     * to a key, the write that a read returned is ambiguous, and only the order of positions is accepted, where each
     * read is compared with the value before it.
     *
     * Memory in addition to that of the check: 4 bytes for each transaction at si and prefix, 4 more in an order that
     * is not that of the rows, and 4 for each other order that was sorted for an earlier level and is cached for the
     * next level while memory suffices. The order of positions takes 72 until it is sorted.
     */

    private static final int BYTES_TO_SORT = 24;
    private static final int BYTES_TO_SORT_POSITIONS = 72;
    private static final int BYTES_OF_POSITION = 4;
    private static final int MIN_ROWS_OF_TRIAL = 1 << 20; // rows, of which those in front are tried alone
    private static final int MAX_ROWS = Integer.MAX_VALUE - 8;

    /** Share of its usual memory that a lane may use, in addition to the table of its values. */
    private static final double SHARE_FOR_LANES = 0.6;

    private static final Set<ColumnGroup> HEAD = Set.of(ColumnGroup.TIMESTAMPS, ColumnGroup.CLIENT_TIMES);
    private static final long NEVER = Long.MAX_VALUE;

    /** Levels that an order of commits proves, from strong to weak. */
    private static final List<IsolationLevel> PROVING =
            List.of(IsolationLevel.SERIALIZABLE, IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.PREFIX);

    /** A source of candidate orders and its columns. */
    private enum Hint {
        ROWS,
        IDS,
        COMMITS,
        COMPLETIONS,
        POSITIONS;

        /** Returns the number of a transaction; {@code HistorySlice.NONE} if it has no such number. */
        long of(HistorySlice slice, int txn) {
            return switch (this) {
                case ROWS, POSITIONS -> 0;
                case IDS -> slice.txnId[txn];
                case COMMITS -> slice.commitTs == null ? HistorySlice.NONE : slice.commitTs[txn];
                case COMPLETIONS -> slice.completeNs == null ? HistorySlice.NONE : slice.completeNs[txn];
            };
        }
    }

    private final ValidatingScanner rows;
    private final HistorySource source;
    private final CheckOptions options;
    private final StageMetrics stages;
    private final ProgressListener watcher;

    private final Map<Hint, int[]> sorted = new EnumMap<>(Hint.class); // positions by row
    private long[] firstRowOf = {}; // by split; set together with the hints
    private int[] indexAt = {}; // index of the commit order by position; set together with the positions
    private boolean keepsVersionOrder; // whether positions prove nothing if a key is not written in the commit order
    private int rowCount;
    private long keyCount;

    /** @param rows validated, without skipped rows */
    public HintedOrderCheck(
            ValidatingScanner rows, CheckOptions options, StageMetrics stages, ProgressListener watcher) {
        this.rows = rows;
        this.source = rows.source();
        this.options = options;
        this.stages = stages;
        this.watcher = watcher;
    }

    /**
     * Returns whether an order can decide as much as a check that holds everything in memory: no unknown transactions,
     * whose outcome reads may determine, no versions that order writes, and no request for the witness or for search
     * statistics.
     */
    public boolean canAnswer(boolean hasVersions) {
        boolean trustsVersions =
                hasVersions && (options.evidence() == Evidence.AUTO || options.evidence() == Evidence.VERSIONS);
        return !trustsVersions
                && options.evidence() != Evidence.VERSIONS
                && options.witness() == null
                && !options.search().crossChecks()
                && rows.summary().unknownCount() == 0
                && rows.summary().relationalCount() == 0
                && rows.summary().txnCount() <= MAX_ROWS;
    }

    /**
     * Tries orders until each level is proved that an order can prove.
     *
     * @param unfit the undecided reason of levels that are not proved
     * @return null if nothing is proved
     */
    public @Nullable ValueOutcome check(Set<IsolationLevel> wanted, String unfit) throws IOException {
        EnumSet<IsolationLevel> open = EnumSet.copyOf(wanted);
        open.retainAll(IsolationLevel.all());
        IsolationLevel strongest = null;
        if (open.isEmpty()) {
            return null;
        }
        try (StageMetrics.Stage stage = stages.begin("verify", source)) {
            List<Hint> hints = hints();
            stage.advance(rowCount);
            for (IsolationLevel level : PROVING) {
                if (isNeeded(level, open) && isProved(level, hints)) {
                    strongest = strongest == null ? level : strongest;
                    open.removeIf(other -> LevelLattice.implies(level, other));
                }
            }
        } finally {
            sorted.clear();
        }
        return strongest == null ? null : outcome(wanted, strongest, unfit);
    }

    /** Returns whether no weaker order would prove an undecided level. */
    private static boolean isNeeded(IsolationLevel proving, Set<IsolationLevel> open) {
        IsolationLevel weaker =
                PROVING.indexOf(proving) + 1 < PROVING.size() ? PROVING.get(PROVING.indexOf(proving) + 1) : null;
        return open.stream()
                .anyMatch(level -> LevelLattice.implies(proving, level)
                        && (weaker == null || !LevelLattice.implies(weaker, level)));
    }

    private ValueOutcome outcome(Set<IsolationLevel> wanted, IsolationLevel proved, String unfit) {
        Map<IsolationLevel, Doubt> doubts = new EnumMap<>(IsolationLevel.class);
        for (IsolationLevel level : wanted) {
            if (!IsolationLevel.all().contains(level) || !LevelLattice.implies(proved, level)) {
                doubts.put(level, new Doubt(unfit, 0, 1));
            }
        }
        Witness placeholder = new Witness(proved, 0, new long[0], new int[0], new int[0]); // its positions are not used
        return new ValueOutcome(
                1,
                keyCount,
                new Findings(options.findingLimit()),
                new ValueOutcome.Basis(false, null, new LongOpenHashSet(0)),
                ValueOutcome.Refuted.NOTHING,
                doubts,
                List.of(),
                new ValueOutcome.Orders(List.of(placeholder), true));
    }

    /**
     * Searches for an order that proves serializability of a history with timestamps.
     *
     * @param timestamps their outcome, in which the order of commits is no proof
     * @param isAll whether no row was skipped
     */
    public static SerialProof serialProof(
            ValidatingScanner rows,
            TimestampOutcome timestamps,
            boolean isAll,
            CheckOptions options,
            StageMetrics stages,
            ProgressListener watcher)
            throws IOException {
        if (isAll
                && timestamps.unjudgedKeys() == 0
                && new HintedOrderCheck(rows, options, stages, watcher).arePositionsSerial()) {
            return SerialProof.POSITIONS;
        }
        return SerialProof.OPEN;
    }

    /** Returns whether the order of positions proves serializability; false proves nothing. */
    private boolean arePositionsSerial() throws IOException {
        if (!canBePlaced()) {
            return false;
        }
        try (StageMetrics.Stage stage = stages.begin("verify", source)) {
            hints();
            stage.advance(rowCount);
            keepsVersionOrder = true;
            return isProved(IsolationLevel.SERIALIZABLE, List.of(Hint.POSITIONS));
        } finally {
            sorted.clear();
        }
    }

    /** Returns whether transactions can have positions: all outcomes and timestamps are known. */
    private boolean canBePlaced() {
        HistorySummary summary = rows.summary();
        return summary.areTimestampsComplete()
                && summary.committedCount() > 0
                && summary.unknownCount() == 0
                && summary.relationalCount() == 0
                && summary.txnCount() <= MAX_ROWS;
    }

    private boolean isProved(IsolationLevel level, List<Hint> hints) throws IOException {
        for (Hint hint : hints) {
            if (hint == Hint.POSITIONS && level != IsolationLevel.SERIALIZABLE) {
                continue;
            }
            if (hint == Hint.ROWS && rowCount >= MIN_ROWS_OF_TRIAL && firstRowOf.length > 1) {
                Boolean begins = OutOfMemoryGuard.runOrNull(() -> isWitness(level, hint, 1));
                if (begins == null || !begins) {
                    continue; // rows in front that their order does not explain are explained by no more of it
                }
            }
            Boolean isWitness = OutOfMemoryGuard.runOrNull(() -> isWitness(level, hint, firstRowOf.length));
            if (isWitness != null && isWitness) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- orders

    /** Counts rows; returns the hints whose order differs from the order of the rows. */
    private List<Hint> hints() throws IOException {
        firstRowOf = new long[source.splits().size()];
        Hint[] all = Hint.values();
        boolean[] isKnown = new boolean[all.length - 1]; // by hint, without positions
        boolean[] isAscending = new boolean[all.length];
        long[] latest = new long[all.length];
        Arrays.fill(isKnown, true);
        Arrays.fill(isAscending, true);
        Arrays.fill(latest, Long.MIN_VALUE);
        rowCount = forEachRow(firstRowOf.length, HEAD, (slice, txn, row) -> {
            for (int hint = 0; slice.status[txn] == TxnStatus.COMMITTED && hint < isKnown.length; hint++) {
                long number = all[hint].of(slice, txn);
                isKnown[hint] &= number != HistorySlice.NONE;
                isAscending[hint] &= number >= latest[hint];
                latest[hint] = number;
            }
        });
        List<Hint> hints = new ArrayList<>();
        for (Hint hint : all) {
            boolean isOther =
                    hint == Hint.POSITIONS ? canBePlaced() : isKnown[hint.ordinal()] && !isAscending[hint.ordinal()];
            if (hint == Hint.ROWS || isOther) {
                hints.add(hint);
            }
        }
        return hints;
    }

    /** Processes each row. */
    @FunctionalInterface
    private interface OfRow {
        void see(HistorySlice slice, int txn, int row);
    }

    /** Reads all rows of some splits on this thread; returns their number. */
    private int forEachRow(int splitCount, Set<ColumnGroup> columns, OfRow work) throws IOException {
        int row = 0;
        for (int split = 0; split < splitCount; split++) {
            firstRowOf[split] = row;
            try (SliceReader reader = source.open(split, columns, BadRowHandler.PASS_OVER)) {
                for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                    for (int txn = 0; txn < slice.txnCount; txn++) {
                        work.see(slice, txn, row++);
                    }
                }
            }
        }
        return row;
    }

    /**
     * Returns the position of each row; null for the order of the rows.
     *
     * @param memory bytes for the lanes that determine positions
     */
    private int @Nullable [] positionsOf(Hint hint, long memory) throws IOException {
        if (hint == Hint.ROWS || sorted.containsKey(hint)) {
            return sorted.get(hint);
        }
        if (hint == Hint.POSITIONS) {
            sorted.put(hint, positions(memory));
            return sorted.get(hint);
        }
        long[] numbers = new long[rowCount];
        int[] rowAt = new int[rowCount];
        forEachRow(firstRowOf.length, HEAD, (slice, txn, row) -> {
            numbers[row] = hint.of(slice, txn);
            rowAt[row] = row;
        });
        RadixSort.sort(numbers, rowAt, rowCount);
        int[] positionOf = positionOf(rowAt);
        sorted.put(hint, positionOf);
        return positionOf;
    }

    private static int[] positionOf(int[] rowAt) {
        int[] positionOf = new int[rowAt.length];
        for (int position = 0; position < rowAt.length; position++) {
            positionOf[rowAt[position]] = position;
        }
        return positionOf;
    }

    /** Sorts rows by their positions; transactions that did not commit are at the end. */
    private int[] positions(long memory) throws IOException {
        long[] starts = new long[rowCount];
        long[] sessions = new long[rowCount];
        long[] seqs = new long[rowCount];
        long[] commits = new long[rowCount];
        BitSet readOnly = new BitSet(rowCount);
        int[] rowAt = new int[rowCount];
        forEachRow(firstRowOf.length, EvidenceChoice.TIMESTAMP_COLUMNS, (slice, txn, row) -> {
            boolean isCommitted = slice.status[txn] == TxnStatus.COMMITTED && slice.startTs != null;
            boolean isReadOnly = slice.isReadOnly(txn);
            readOnly.set(row, isReadOnly);
            rowAt[row] = row;
            starts[row] = isCommitted ? slice.startTs[txn] : NEVER;
            commits[row] = isCommitted ? slice.commitTsOf(txn, isReadOnly) : NEVER;
            sessions[row] = slice.sessionId[txn];
            seqs[row] = slice.sessionSeq[txn];
        });
        RadixSort.sort(commits, rowAt, rowCount);
        sortTies(commits, rowAt, (one, other) -> {
            int byKind = Boolean.compare(readOnly.get(one), readOnly.get(other));
            int bySession = byKind != 0 ? byKind : Long.compare(sessions[one], sessions[other]);
            return bySession != 0 ? bySession : Long.compare(seqs[one], seqs[other]);
        });
        EarliestSnapshots snapshots = new EarliestSnapshots(rowCount);
        for (int index = 0; index < rowCount; index++) {
            snapshots.set(index, Math.min(index, countUpTo(starts[rowAt[index]], commits)));
        }
        MissedVersions missed = new MissedVersions(rowCount);
        int[] indexOfRow = positionOf(rowAt);
        try (ValidatingScanner indexed = rowsOf(indexOfRow, snapshots, firstRowOf.length, memory);
                TimestampCheck lanes = check(indexed, Map.of(), memory)) {
            lanes.read(EvidenceChoice.TIMESTAMP_COLUMNS, BadRowHandler.PASS_OVER);
            lanes.show(missed::observe, () -> false);
        }
        for (int index = 0; index < rowCount; index++) {
            boolean isCommitted = commits[index] != NEVER;
            commits[index] =
                    isCommitted ? missed.position(index, snapshots.seenBy(index), readOnly.get(rowAt[index])) : NEVER;
        }
        RadixSort.sort(commits, rowAt, rowCount);
        indexAt = new int[rowCount];
        for (int position = 0; position < rowCount; position++) {
            indexAt[position] = indexOfRow[rowAt[position]];
        }
        return positionOf(rowAt);
    }

    /** Sorts rows of the same commit timestamp. */
    private static void sortTies(long[] commits, int[] rowAt, IntComparator order) {
        int end;
        for (int first = 0; first < rowAt.length; first = end) {
            end = first + 1;
            while (end < rowAt.length && commits[end] == commits[first]) {
                end++;
            }
            if (end - first > 1 && commits[first] != NEVER) {
                IntArrays.mergeSort(rowAt, first, end, order);
            }
        }
    }

    /** Returns the number of ascending timestamps that are at most the given timestamp. */
    private static int countUpTo(long ts, long[] ascending) {
        int low = 0;
        int high = ascending.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ascending[middle] <= ts) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    // ---------------------------------------------------------------- one order

    private long bytesHeld(boolean isSerial, Hint hint) {
        int orders = sorted.size() + (hint == Hint.ROWS || sorted.containsKey(hint) ? 0 : 1);
        return (orders + (isSerial && hint != Hint.POSITIONS ? 0L : 1L)) * BYTES_OF_POSITION * rowCount;
    }

    private long bytesToSort(Hint hint) {
        long perRow = hint == Hint.POSITIONS ? BYTES_TO_SORT_POSITIONS : BYTES_TO_SORT;
        return hint == Hint.ROWS || sorted.containsKey(hint) ? 0 : perRow * rowCount;
    }

    /** @param splitCount number of leading splits to check */
    private boolean isWitness(IsolationLevel level, Hint hint, int splitCount) throws IOException {
        boolean isSerial = level == IsolationLevel.SERIALIZABLE;
        if (bytesHeld(isSerial, hint) + bytesToSort(hint) > options.memoryBytes() / 2) {
            sorted.keySet().retainAll(Set.of(hint));
        }
        long held = bytesHeld(isSerial, hint);
        if (held + bytesToSort(hint) > options.memoryBytes() / 2) {
            return false;
        }
        long memory = (long) ((options.memoryBytes() - held) * SHARE_FOR_LANES);
        int[] positionOf = positionsOf(hint, memory);
        EarliestSnapshots snapshots = null;
        if (!isSerial) {
            snapshots = snapshots(level, positionOf, splitCount, memory);
            if (snapshots == null) {
                return false;
            }
        }
        IsolationLevel judged = isSerial ? IsolationLevel.COMMIT_ORDER_SERIALIZABLE : IsolationLevel.SNAPSHOT_ISOLATION;
        Set<Axiom> demanded = EnumSet.copyOf(Axiom.of(judged));
        if (level == IsolationLevel.PREFIX) {
            demanded.remove(Axiom.NOCONFLICT);
        }
        try (ValidatingScanner positions = rowsOf(positionOf, snapshots, splitCount, memory);
                TimestampCheck check = check(positions, Map.of(judged, demanded), memory)) {
            check.read(EvidenceChoice.TIMESTAMP_COLUMNS, BadRowHandler.PASS_OVER);
            TimestampOutcome outcome = check.checkWhile(
                    hint == Hint.POSITIONS ? this::mayProve : EarliestSnapshots::isEachValueWrittenOnce);
            if (outcome == null || outcome.findings().total() > 0) {
                return false;
            }
            keyCount = outcome.keyCount();
            return outcome.unfitKeys() == 0 && outcome.unjudgedKeys() == 0;
        }
    }

    private boolean mayProve(Lane positions) {
        return !keepsVersionOrder || MissedVersions.keepsVersionOrder(positions, indexAt);
    }

    /** Returns the earliest snapshots; null if they cannot be determined. */
    private @Nullable EarliestSnapshots snapshots(
            IsolationLevel level, int @Nullable [] positionOf, int splitCount, long memory) throws IOException {
        int count = splitCount == firstRowOf.length ? rowCount : (int) firstRowOf[splitCount];
        EarliestSnapshots bounds = new EarliestSnapshots(count);
        seeSessions(bounds, positionOf, splitCount, count);
        try (ValidatingScanner positions = rowsOf(positionOf, null, splitCount, memory);
                TimestampCheck lanes = check(positions, Map.of(), memory)) {
            lanes.read(EvidenceChoice.TIMESTAMP_COLUMNS, BadRowHandler.PASS_OVER);
            boolean isWhole = lanes.show(
                    lane -> bounds.observe(lane, level == IsolationLevel.SNAPSHOT_ISOLATION), bounds::isRepeated);
            return isWhole && !bounds.isRepeated() ? bounds : null;
        }
    }

    /**
     * Lets each transaction observe its predecessor in the session; whether that is the order of the session is checked
     * later.
     */
    private void seeSessions(EarliestSnapshots bounds, int @Nullable [] positionOf, int splitCount, int count)
            throws IOException {
        LongOrdinals sessions = new LongOrdinals();
        forEachRow(splitCount, HEAD, (slice, txn, row) -> {
            if (slice.status[txn] == TxnStatus.COMMITTED) {
                bounds.raise(positionOf == null ? row : positionOf[row], sessions.ordinal(slice.sessionId[txn]) + 1);
            }
        });
        IntColumn seenBy = new IntColumn(); // by session: transaction that its next transaction observes
        for (int session = 0; session < sessions.size(); session++) {
            seenBy.add(0);
        }
        for (int position = 0; position < count; position++) {
            int session = bounds.seenBy(position) - 1;
            if (session >= 0) {
                bounds.set(position, seenBy.get(session));
                seenBy.set(session, position + 1);
            }
        }
    }

    private ValidatingScanner rowsOf(
            int @Nullable [] positionOf, @Nullable EarliestSnapshots snapshots, int splitCount, long memory) {
        RankTimestampSource placed = new RankTimestampSource(source, firstRowOf, splitCount, positionOf, snapshots);
        ValidatingScanner positions =
                new ValidatingScanner(placed, options.threadCount(), memory, options.spillParent());
        positions.wasValidated(rows.summary());
        return positions;
    }

    private TimestampCheck check(ValidatingScanner positions, Map<IsolationLevel, Set<Axiom>> axioms, long memory) {
        CheckOptions bounded = options.withMemoryBytes(memory);
        String initial = options.initialValueOf(source);
        return new TimestampCheck(positions, axioms, initial, bounded, 1, StageMetrics.untold(), watcher);
    }
}
