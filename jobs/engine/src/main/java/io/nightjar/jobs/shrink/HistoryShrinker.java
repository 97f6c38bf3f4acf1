package io.nightjar.jobs.shrink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.CopyFilter;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes a small history of a large one, so that it still shows an anomaly. */
public final class HistoryShrinker {

    /*
     * From the anomaly's transactions to the transactions that explain them: the writers of the values that they read,
     * all that access their keys, everything; each subset as it is, and without reads of values that it does not write.
     * The first subset that shows the anomaly is made smaller: transactions, operations, elements of lists, and columns
     * that nothing depends on are removed, repeatedly until nothing more can be removed. Each attempt is a separate
     * check.
     */

    private static final int ALWAYS = -1;

    private final CandidateSubsets subsets;
    private final AnomalyOracle oracle;
    private final long deadlineNanos;

    /**
     * @param rows the rows of the whole history
     * @param options for the level and the evidence of the anomaly, without tables
     * @param budgetNanos maximum time; afterwards the smallest history so far is the result
     */
    public HistoryShrinker(ValidatingScanner rows, ShrinkTarget target, CheckOptions options, long budgetNanos) {
        this.subsets = new CandidateSubsets(rows, target);
        this.oracle = new AnomalyOracle(target, options, rows.source().uri());
        this.deadlineNanos = System.nanoTime() + budgetNanos;
    }

    /**
     * The result.
     *
     * @param isMinimal whether time sufficed to try everything
     * @param fromTxns transactions of the history that it was made of
     */
    public record Shrunk(
            HistorySlice history, ListedAnomaly anomaly, boolean isMinimal, long fromTxns, long fromOps, long checks) {}

    /** Returns the small history; null if the anomaly shows in no subset of it. */
    public @Nullable Shrunk shrink() throws IOException {
        HistorySlice subset = firstThatShows();
        if (subset == null) {
            return null;
        }
        HistorySlice smallest = subset;
        HistorySlice before;
        do {
            before = smallest;
            smallest = fewerTxns(smallest);
            smallest = fewerKeys(smallest);
            smallest = fewerOps(smallest);
            smallest = fewerElements(smallest);
        } while (mayContinue() && size(smallest) < size(before));
        smallest = fewerColumns(smallest);
        return new Shrunk(
                smallest,
                requireNonNull(oracle.found(List.of(smallest))), // each step preserved it
                mayContinue(),
                subsets.txnCount(),
                subsets.opCount(),
                oracle.checks());
    }

    /** Returns whether a written history still shows it; formats may have other ids. */
    public boolean shows(HistorySource written) throws IOException {
        oracle.beContentWith(AnomalyOracle.Likeness.TYPE);
        return oracle.found(written) != null;
    }

    private static long size(HistorySlice history) {
        return history.txnCount + (long) history.opCount + (history.lists == null ? 0 : history.lists.elementCount());
    }

    private boolean mayContinue() {
        return System.nanoTime() - deadlineNanos < 0;
    }

    // ---------------------------------------------------------------- initial candidates

    private @Nullable HistorySlice firstThatShows() throws IOException {
        List<HistorySlice> tried = new ArrayList<>();
        HistorySlice alone = firstOf(tried);
        if (alone != null) {
            return alone;
        }
        oracle.allowOthers();
        HistorySlice some = firstOf(tried);
        if (some != null) {
            return some;
        }
        List<HistorySlice> whole = subsets.whole();
        return oracle.found(whole) == null ? null : fewerTxns(whole);
    }

    /** Returns the first subset that shows the anomaly; null if none does well enough. */
    private @Nullable HistorySlice firstOf(List<HistorySlice> tried) throws IOException {
        for (AnomalyOracle.Likeness enough : AnomalyOracle.Likeness.values()) {
            oracle.beContentWith(enough);
            for (int attempt = 0; attempt < 6; attempt++) {
                if (attempt == tried.size()) {
                    tried.add(attempt % 2 == 1 ? explained(tried.get(attempt - 1)) : subset(attempt / 2));
                }
                HistorySlice some = tried.get(attempt);
                if (some != null && some.txnCount > 0 && oracle.shows(some)) {
                    return some;
                }
            }
        }
        return null;
    }

    private @Nullable HistorySlice subset(int number) throws IOException {
        return switch (number) {
            case 0 -> subsets.participants();
            case 1 -> subsets.withWriters();
            default -> subsets.withKeys();
        };
    }

    /**
     * Returns a subset without reads of values that it does not write: they would be separate anomalies, which end
     * other checks.
     */
    static @Nullable HistorySlice explained(@Nullable HistorySlice subset) {
        if (subset == null) {
            return null;
        }
        Set<List<Long>> written = new HashSet<>();
        for (int op = 0; op < subset.opCount; op++) {
            if (OpKind.isWriteOfValue(subset.kind[op])) {
                written.add(List.of(subset.key[op], subset.value[op]));
            }
        }
        return without(subset, new CopyFilter() {
            @Override
            public boolean keepsOp(int op) {
                byte kind = subset.kind[op];
                boolean isOfOneValue = OpKind.isRead(kind) && OpKind.hasValue(kind) && !OpKind.hasList(kind);
                return !isOfOneValue || written.contains(List.of(subset.key[op], subset.value[op]));
            }
        });
    }

    private DeltaDebugging.Trial trial(Attempt attempt) {
        return new DeltaDebugging.Trial() {
            @Override
            public boolean works(BitSet kept) throws IOException {
                return attempt.works(kept);
            }

            @Override
            public boolean mayContinue() {
                return HistoryShrinker.this.mayContinue();
            }
        };
    }

    /** One history that is tried. */
    private interface Attempt {
        boolean works(BitSet kept) throws IOException;
    }

    // ---------------------------------------------------------------- removal

    private HistorySlice fewerTxns(HistorySlice history) throws IOException {
        return fewerTxns(List.of(history));
    }

    private HistorySlice fewerTxns(List<HistorySlice> slices) throws IOException {
        int count = slices.stream().mapToInt(slice -> slice.txnCount).sum();
        BitSet kept = DeltaDebugging.minimise(count, trial(txns -> !txns.isEmpty() && oracle.shows(cut(slices, txns))));
        return cut(slices, kept);
    }

    private static HistorySlice cut(List<HistorySlice> slices, BitSet txns) {
        SliceBuilder fewer = new SliceBuilder(slices.get(0).file);
        int first = 0;
        for (HistorySlice slice : slices) {
            int end = first + slice.txnCount;
            for (int txn = txns.nextSetBit(first); txn >= 0 && txn < end; txn = txns.nextSetBit(txn + 1)) {
                fewer.copyTxn(slice, txn - first, fewer.txnCount() + 1, CopyFilter.ALL);
            }
            first = end;
        }
        return fewer.build();
    }

    /** Removes keys with all of their rows: without some rows of a key, predicate reads would have other results. */
    private HistorySlice fewerKeys(HistorySlice history) throws IOException {
        Map<Long, Integer> keys = new LinkedHashMap<>();
        for (int op = 0; op < history.opCount && history.isRelational(); op++) {
            if (!OpKind.isPredicate(history.kind[op])) {
                keys.putIfAbsent(history.key[op], keys.size());
            }
        }
        int[] keyOf = new int[history.opCount];
        for (int op = 0; op < history.opCount; op++) {
            keyOf[op] = keys.getOrDefault(history.key[op], ALWAYS);
            keyOf[op] = OpKind.isPredicate(history.kind[op]) ? ALWAYS : keyOf[op];
        }
        return fewer(history, keys.size(), keyOf);
    }

    /** Removes operations one by one, predicate reads with their rows. */
    private HistorySlice fewerOps(HistorySlice history) throws IOException {
        int[] groupOf = new int[history.opCount];
        long[] rowsOf = history.numbers(HistoryColumn.ROWS);
        int groupCount = 0;
        long endOfRows = 0;
        for (int op = 0; op < history.opCount; op++) {
            groupCount += op < endOfRows ? 0 : 1;
            groupOf[op] = groupCount - 1;
            if (rowsOf != null && rowsOf[op] != HistorySlice.NONE) {
                endOfRows = op + 1 + rowsOf[op];
            }
        }
        return fewer(history, groupCount, groupOf);
    }

    /** @param groupOf by operation, {@link #ALWAYS} for operations that stay */
    private HistorySlice fewer(HistorySlice history, int groupCount, int[] groupOf) throws IOException {
        if (groupCount == 0) {
            return history;
        }
        BitSet kept = DeltaDebugging.minimise(
                groupCount, trial(some -> oracle.shows(without(history, keptGroups(some, groupOf)))));
        return without(history, keptGroups(kept, groupOf));
    }

    private static CopyFilter keptGroups(BitSet groups, int[] groupOf) {
        return new CopyFilter() {
            @Override
            public boolean keepsOp(int op) {
                return groupOf[op] == ALWAYS || groups.get(groupOf[op]);
            }
        };
    }

    /** Removes elements of lists: each from every read, together with its append. */
    private HistorySlice fewerElements(HistorySlice history) throws IOException {
        Map<List<Long>, Integer> elements = new LinkedHashMap<>();
        for (int op = 0; op < history.opCount; op++) {
            if (OpKind.hasList(history.kind[op])) {
                int list = ListRef.list(history.value[op]);
                for (int i = 0; i < ListRef.length(history.value[op]); i++) {
                    elements.putIfAbsent(List.of(history.key[op], history.lists.element(list, i)), elements.size());
                }
            }
        }
        if (elements.isEmpty()) {
            return history;
        }
        BitSet kept = DeltaDebugging.minimise(
                elements.size(), trial(some -> oracle.shows(without(history, keptElements(history, elements, some)))));
        return without(history, keptElements(history, elements, kept));
    }

    private static CopyFilter keptElements(HistorySlice history, Map<List<Long>, Integer> elements, BitSet kept) {
        return new CopyFilter() {
            @Override
            public boolean keepsOp(int op) {
                boolean isOfElement = OpKind.isWriteOfValue(history.kind[op]);
                return !isOfElement || keepsElement(history.key[op], history.value[op]);
            }

            @Override
            public boolean keepsElement(long key, long element) {
                Integer number = elements.get(List.of(key, element));
                return number == null || kept.get(number);
            }
        };
    }

    /** Removes columns that no anomaly depends on. */
    private HistorySlice fewerColumns(HistorySlice history) throws IOException {
        List<Set<HistoryColumn>> groups = List.of(
                Set.of(HistoryColumn.START_TS, HistoryColumn.COMMIT_TS),
                Set.of(HistoryColumn.INVOKE_NS, HistoryColumn.COMPLETE_NS),
                Set.of(HistoryColumn.VERSION),
                Set.of(HistoryColumn.WRITER_TXN));
        List<HistoryColumn> gone = new ArrayList<>();
        HistorySlice smallest = history;
        for (Set<HistoryColumn> group : groups) {
            List<HistoryColumn> more = new ArrayList<>(gone);
            more.addAll(group);
            HistorySlice fewer = without(history, new CopyFilter() {
                @Override
                public boolean keepsColumn(HistoryColumn column) {
                    return !more.contains(column);
                }
            });
            if (oracle.shows(fewer)) {
                gone.addAll(group);
                smallest = fewer;
            }
        }
        return smallest;
    }

    private static HistorySlice without(HistorySlice history, CopyFilter kept) {
        SliceBuilder fewer = new SliceBuilder(history.file);
        for (int txn = 0; txn < history.txnCount; txn++) {
            fewer.copyTxn(history, txn, txn + 1, kept);
        }
        return fewer.build();
    }
}
