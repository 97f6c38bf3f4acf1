package io.nightjar.jobs.check;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.decide.ValueOutcome.Replay;
import io.nightjar.pipeline.decide.Witness;
import io.nightjar.pipeline.verify.GuardReplay;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Replays witnesses against the source: the checks by timestamps verify every order, independently of its origin. */
public final class WitnessReplay {

    private final HistorySource source;
    private final long opCount;
    private final CheckOptions options;
    private final StageMetrics stages;

    /**
     * @param source the whole history, or all rows of some groups of sessions
     * @param opCount number of its operations
     */
    public WitnessReplay(HistorySource source, long opCount, CheckOptions options, StageMetrics stages) {
        this.source = source;
        this.opCount = opCount;
        this.options = options;
        this.stages = stages;
    }

    /**
     * Replays the witnesses that a verdict depends on, and records that it did.
     *
     * @param values their outcome for all that the source holds, without skipped rows
     * @param levels the levels that values decide
     * @throws AssertionError if the history contradicts a witness
     */
    public ValueOutcome check(ValueOutcome values, Set<IsolationLevel> levels) throws IOException {
        List<Replay> replays = values.toReplay(levels);
        boolean isConfirmed = !replays.isEmpty();
        for (Replay replay : replays) {
            Boolean fits = OutOfMemoryGuard.runOrNull(() -> confirms(replay.witness(), replay.isWhole()));
            isConfirmed &= fits != null && fits;
        }
        return values.withWitnessChecked(isConfirmed);
    }

    private boolean confirms(Witness witness, boolean isWhole) throws IOException {
        IsolationLevel level = witness.level();
        boolean isSerial = level == IsolationLevel.SERIALIZABLE || level == IsolationLevel.PL_3;
        IsolationLevel judged = isSerial ? IsolationLevel.COMMIT_ORDER_SERIALIZABLE : IsolationLevel.SNAPSHOT_ISOLATION;
        Set<Axiom> demanded = EnumSet.copyOf(Axiom.of(judged));
        if (level == IsolationLevel.PREFIX) {
            demanded.remove(Axiom.NOCONFLICT);
        }
        if (level == IsolationLevel.PL_SI || level == IsolationLevel.PL_3) {
            demanded.remove(Axiom.SESSION);
        }
        CheckOptions bounded = options.withMemoryBytes(ValueCheck.bytesLeft(opCount, options.memoryBytes()));
        try (ValidatingScanner positions = new ValidatingScanner(
                        new WitnessTimestampSource(source, witness, isWhole),
                        bounded.threadCount(),
                        bounded.memoryBytes(),
                        bounded.spillParent());
                StageMetrics.Stage stage = stages.begin("verify", source);
                TimestampCheck replay = new TimestampCheck(
                        positions,
                        Map.of(judged, demanded),
                        options.initialValueOf(source),
                        bounded,
                        1,
                        StageMetrics.untold(),
                        ProgressListener.NONE)) {
            replay.read(EvidenceChoice.TIMESTAMP_COLUMNS, BadRowHandler.PASS_OVER);
            stage.advance(positions.summary().txnCount());
            TimestampOutcome outcome = replay.check();
            if (outcome.findings().total() > 0) {
                throw new AssertionError("witness not confirmed by the history: level=" + level.longName() + " finding="
                        + outcome.findings().inTime().get(0));
            }
            if (outcome.unjudgedKeys() > 0) {
                replayGuards(positions, demanded.contains(Axiom.NOCONFLICT), level);
            }
            return outcome.unfitKeys() == 0;
        }
    }

    /** Replays keys with guards, which lanes omit. */
    private void replayGuards(ValidatingScanner positions, boolean forbidsOverlap, IsolationLevel level)
            throws IOException {
        GuardReplay guards = new GuardReplay(options.initialValueOf(source));
        positions.pass(EvidenceChoice.TIMESTAMP_COLUMNS, guards::findKeys);
        if (!guards.isEmpty()) {
            positions.pass(EvidenceChoice.TIMESTAMP_COLUMNS, guards::gather);
        }
        String mismatch = guards.mismatch(forbidsOverlap);
        if (mismatch != null) {
            throw new AssertionError(
                    "witness not confirmed by the history: level=" + level.longName() + " " + mismatch);
        }
    }
}
