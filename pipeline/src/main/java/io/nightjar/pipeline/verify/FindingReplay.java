package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.IsolationLevel;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Replays findings of every kind against the raw history, each by the verifier of its theory.
 *
 * <p>Pass every slice to {@link #observe}, then call {@link #endOfPass}; repeat from the first slice while it returns
 * true. Then call {@link #refuted}. Not thread-safe.
 */
public final class FindingReplay {

    private final List<Claim> claims = new ArrayList<>(); // in the order of the findings
    private final List<FindingVerifier> byTimestamps = new ArrayList<>(); // one per level
    private final ValueFindingVerifier byValues;
    private final TableFindingVerifier ofTables;

    /**
     * @param initialValue the value that means the initial state as null does, as text; null if none does
     * @param countedByTimestamps ids of unknown transactions promoted by timestamps, per level
     * @param interchangeable ids of these instead of which others may have committed, per level
     * @param countedByValues ids of unknown transactions promoted by values
     * @param serialOrder ids in the order in which serializability was checked; null for none, or for commit order
     */
    public FindingReplay(
            List<Finding> findings,
            @Nullable String initialValue,
            Function<IsolationLevel, LongSet> countedByTimestamps,
            Function<IsolationLevel, LongSet> interchangeable,
            LongSet countedByValues,
            long @Nullable [] serialOrder) {
        Map<IsolationLevel, List<FindingClaim>> timestamps = new EnumMap<>(IsolationLevel.class);
        List<ValueClaim> values = new ArrayList<>();
        List<Claim> tables = new ArrayList<>();
        for (Finding finding : findings) {
            if (finding.isOfTables()) {
                add(new Claim(finding), tables);
            } else if (finding.isByTimestamps()) {
                add(
                        new FindingClaim(finding),
                        timestamps.computeIfAbsent(finding.level(), absent -> new ArrayList<>()));
            } else {
                add(new ValueClaim(finding), values);
            }
        }
        timestamps.forEach((level, ofLevel) -> byTimestamps.add(new FindingVerifier(
                ofLevel, initialValue, countedByTimestamps.apply(level), interchangeable.apply(level))));
        byValues = new ValueFindingVerifier(values, initialValue, countedByValues);
        ofTables = new TableFindingVerifier(tables, initialValue, serialOrder);
    }

    private <C extends Claim> void add(C claim, List<C> ofTheory) {
        claims.add(claim);
        ofTheory.add(claim);
    }

    /** Returns the columns that a pass needs; all others may be omitted. */
    public Set<ColumnGroup> wantedColumns() {
        Set<ColumnGroup> columns = EnumSet.noneOf(ColumnGroup.class);
        byTimestamps.forEach(verifier -> columns.addAll(verifier.wantedColumns()));
        columns.addAll(byValues.wantedColumns());
        columns.addAll(ofTables.wantedColumns());
        return columns;
    }

    /** Sets when searches have to end; findings that they concern are left open. */
    public void endWhen(BooleanSupplier isTimeOver) {
        byValues.endWhen(isTimeOver);
    }

    /** Takes every slice of the history, once for each pass, in the order of the rows. */
    public void observe(HistorySlice slice) {
        observe(newCursor().at(slice));
    }

    /** Returns a scanner of slices for one more thread during the current pass. */
    public ReplayCursor newCursor() {
        return new ReplayCursor();
    }

    /** Scanner that selects the relevant rows of a slice, which is most of the work per operation. */
    public final class ReplayCursor {

        private final List<FindingVerifier.PassState> cursors =
                byTimestamps.stream().map(FindingVerifier::newPassState).toList();

        public Seen at(HistorySlice slice) {
            return new Seen(
                    slice, cursors.stream().map(cursor -> cursor.at(slice)).toList());
        }
    }

    /** A slice with the rows that each verifier by timestamps needs. */
    public record Seen(HistorySlice slice, List<FindingVerifier.Seen> byTimestamps) {}

    /** Consumes a scanned slice. Each pass consumes every slice of the history once, in the order of rows. */
    public void observe(Seen seen) {
        HistorySlice slice = seen.slice();
        for (int i = 0; i < byTimestamps.size(); i++) {
            byTimestamps.get(i).observe(slice, seen.byTimestamps().get(i));
        }
        byValues.observe(slice);
        ofTables.observe(slice.whole().withoutConditions());
    }

    /**
     * Ends a pass; returns true if every slice must be passed again before {@link #refuted} can be
     * called.
     */
    public boolean endOfPass() {
        ofTables.endOfPass();
        boolean isWanted = byValues.endOfPass();
        for (FindingVerifier verifier : byTimestamps) {
            isWanted |= verifier.endOfPass();
        }
        return isWanted;
    }

    /**
     * Returns whether the next pass needs all rows of the history, even if the first needed only the rows of a
     * {@link ReplayRowSelection}: its queries follow from the first pass.
     */
    public boolean needsAllRows() {
        return byTimestamps.stream().anyMatch(FindingVerifier::asksForWrites);
    }

    /** Returns the findings that could not be confirmed, with the reason; empty if the history confirms every finding. */
    public List<RefutedFinding> refuted() {
        byTimestamps.forEach(FindingVerifier::verify);
        byValues.verify();
        ofTables.verify();
        return claims.stream()
                .filter(Claim::isRefuted)
                .map(claim -> new RefutedFinding(claim.finding, claim.reason()))
                .toList();
    }

    /** Returns the findings whose replay was too long to end, so that they are neither confirmed nor refuted; asked after {@link #refuted}. */
    public List<Finding> open() {
        return claims.stream().filter(Claim::isOpen).map(claim -> claim.finding).toList();
    }

    /**
     * Returns the findings in their order, with the classic names of the replayed anomalies; called after {@link
     * #refuted}.
     */
    public List<Finding> named() {
        return claims.stream().map(Claim::named).toList();
    }
}
