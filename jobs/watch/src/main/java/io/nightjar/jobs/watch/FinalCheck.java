package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.local.LocalEngine;
import io.nightjar.jobs.local.WatchedHistory;
import io.nightjar.jobs.local.WatchedHistory.Known;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.jobs.run.LakeRun;
import io.nightjar.jobs.run.MemoryAdvice;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.SerialProof;
import io.nightjar.jobs.watch.LiveCounts.Count;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Computes the verdict of a watch: checks the kept rows as any history, at the end or in segments. */
final class FinalCheck {

    private final long begunNanos = System.nanoTime();
    private final WatchOptions watchOptions;
    private final CheckOptions options;
    private final String checkerVersion;
    private final ProgressListener watcher;
    private final String historyName;
    private final RowArchive kept;
    private final WatchEngine state;
    private final String engine;
    private final DeadLetterLog letters;
    private final ReportedFindings reported;
    private final SegmentedCheck segments;
    private final long maxBytes;
    private long lastCut = Long.MIN_VALUE;

    /**
     * @param options of the check; of the resumed run, if any
     * @param maxBytes capacity for kept rows; beyond it they are checked and dropped
     * @param evidence a folder for the rows of findings
     */
    FinalCheck(
            WatchOptions watchOptions,
            CheckOptions options,
            String checkerVersion,
            ProgressListener watcher,
            String historyName,
            String engine,
            WatchEngine state,
            RowArchive kept,
            DeadLetterLog letters,
            ReportedFindings reported,
            long maxBytes,
            Path evidence) {
        this.watchOptions = watchOptions;
        this.options = options;
        this.checkerVersion = checkerVersion;
        this.watcher = watcher;
        this.historyName = historyName;
        this.engine = engine;
        this.state = state;
        this.kept = kept;
        this.letters = letters;
        this.reported = reported;
        this.maxBytes = maxBytes;
        kept.setTotalBytes(maxBytes);
        CheckOptions concurrent = options.withMemoryBytes(new WatchMemory(options.memoryBytes()).forConcurrentCheck())
                .onOneThread();
        this.segments = new SegmentedCheck(kept, concurrent, evidence, reported, watcher);
    }

    /** Returns the check of segments, which determines the transactions that are too late. */
    SegmentedCheck segments() {
        return segments;
    }

    /**
     * Returns whether kept rows fill three quarters of their capacity, so that a segment should be checked and dropped,
     * and
     * no check is running.
     */
    boolean isSegmentDue() throws IOException {
        boolean isDue = !segments.isRunning() && kept.bytes() > maxBytes / 4 * 3 && counts().get(Count.UNPLACED) == 0;
        return isDue && kept.cut(state.watermark()) > lastCut;
    }

    void beginSegment() {
        lastCut = kept.cut(state.watermark());
        segments.start(lastCut, before(), isClean());
    }

    /** Publishes the result of a check after late rows; starts another if one is needed and the pause is over. */
    void checkAgainIfDue() throws IOException {
        if (segments.mayStartAgain() && state.beginsSegmentCheck()) {
            segments.startAgain(state.watermark(), before());
        }
    }

    /** Waits for running checks, then checks sealed rows again if late rows may change their verdicts. */
    void checkAgainAtEnd() throws IOException {
        segments.await();
        if (state.beginsSegmentCheck()) {
            segments.startAgain(state.watermark(), before());
            segments.await();
        }
    }

    /** Waits for the running check of a segment. */
    void awaitSegment() throws IOException {
        segments.await();
    }

    /** Stops without a conclusion; cancels a running check. */
    void stop() {
        segments.stop();
    }

    /** Returns the number of checked segments. */
    int segmentCount() {
        return segments.count();
    }

    void writeSegments(DataOutputStream out) throws IOException {
        out.writeLong(lastCut);
        segments.write(out);
    }

    void readSegments(DataInputStream in) throws IOException {
        lastCut = in.readLong();
        segments.read(in);
    }

    private LiveCounts counts() {
        return state.counts();
    }

    /** @param whyCut why only sealed rows are checked; null if all are sealed */
    RunResult conclude(LakeRun lake, @Nullable String whyCut) throws IOException {
        awaitSegment();
        return segmentCount() > 0 ? concludeSegments(lake, whyCut) : concludeAtOnce(lake, whyCut);
    }

    private RunResult concludeAtOnce(LakeRun lake, @Nullable String whyCut) throws IOException {
        boolean isCut = whyCut != null;
        try (HistorySource all = kept.open(historyName)) {
            boolean isEmpty = counts().get(Count.TRANSACTIONS) == 0;
            VerdictRows judged = isEmpty && letters.count() == 0
                    ? VerdictRows.ofNothing(all)
                    : whyCut == null ? VerdictRows.allOf(all) : VerdictRows.upTo(state.watermark(), all, whyCut);
            Known known = isCut || isEmpty || !before().isEmpty() ? null : known(state.summary());
            CheckOptions withRest = options.withMemoryBytes(state.memoryAtEnd());
            return new LocalEngine(withRest, checkerVersion, watcher)
                    .forWatch(engine, System.nanoTime() - begunNanos)
                    .conclude(lake, watched(judged, known, isCut), this::correct);
        }
    }

    /** Returns whether no sealed row has an anomaly: the online check found none and could check every row. */
    private boolean isClean() {
        return counts().areAllRowsChecked()
                && options.initialValue() == null
                && !state.isResumed()
                && before().isEmpty()
                && reported.isEmpty(options.timedLevels());
    }

    private @Nullable Known known(@Nullable HistorySummary seen) {
        return seen == null ? null : new Known(seen.with(remarks()), counts().get(Count.KEYS), isClean());
    }

    private void correct(Conclusion conclusion) {
        reported.correct(conclusion, state.watermark());
    }

    private RunResult concludeSegments(LakeRun lake, @Nullable String whyCut) throws IOException {
        boolean isCut = whyCut != null;
        HistorySummary seen = isCut ? null : state.summary();
        segments.checkNow(isCut ? state.watermark() : Long.MAX_VALUE, before(), seen != null && isClean());
        long leftOut = isCut ? segments.txnsAfterCut() : 0;
        HistorySummary summary = seen == null ? summaryOfSegments(leftOut, isCut) : seen.with(remarks());
        Conclusion conclusion = new Conclusion(
                options,
                summary,
                segments.outcome(),
                null,
                SerialProof.NONE,
                null,
                counts().get(Count.KEYS),
                letters.count(),
                0,
                MemoryAdvice.MORE,
                null);
        conclusion.doubt(whyCut == null ? null : VerdictRows.doubtOfCut(whyCut, leftOut));
        try (HistorySource evidence = segments.evidence(historyName)) {
            return new LocalEngine(options, checkerVersion, watcher)
                    .forWatch(engine, System.nanoTime() - begunNanos)
                    .conclude(lake, evidence, letters.all(), conclusion, this::correct);
        }
    }

    /** Returns a summary where validation has not read all rows: counts without lint findings. */
    private HistorySummary summaryOfSegments(long leftOut, boolean isCut) {
        LiveCounts counts = counts();
        return segments.lastSummary()
                .ofAll(
                        counts.get(Count.TRANSACTIONS) - leftOut,
                        counts.get(Count.OPERATIONS) - (isCut ? segments.opsLeftOut() : 0),
                        counts.get(Count.COMMITTED) - leftOut,
                        counts.get(Count.UNKNOWN),
                        counts.get(Count.COMMITTED) - leftOut - counts.get(Count.UNPLACED),
                        state.sessionCount(),
                        remarks());
    }

    /** Returns the values before all arrivals, as transactions. */
    private List<HistorySlice> before() {
        return state.initials().initialState();
    }

    /** Returns the rows, preceded by the transactions of the initial state. */
    private WatchedHistory watched(VerdictRows judged, @Nullable Known known, boolean isCut) {
        List<HistorySlice> before = before();
        long ops = before.stream().mapToLong(slice -> slice.opCount).sum();
        return new WatchedHistory(
                new PrefixedSource(judged.rows(), before, remarks()),
                letters.all(),
                judged.doubt(),
                SegmentedCheck.ids(before),
                ops,
                known,
                watchOptions.showsAllWriters(isCut, letters.count()));
    }

    private List<SourceDiagnostic> remarks() {
        List<SourceDiagnostic> remarks = new ArrayList<>();
        SourceDiagnostic learned = InitialHistory.remark(state.initials().learnedKeys());
        if (learned != null) {
            remarks.add(learned);
        }
        if (segments.count() > 0) {
            String message = "the history was checked in " + segments.count()
                    + " parts, since it exceeds --retain; suspicious values are reported only with --archive";
            remarks.add(new SourceDiagnostic("L38", segments.count(), null, message));
        }
        SourceDiagnostic late = counts().remarkOnLateness();
        if (late != null) {
            remarks.add(late);
        }
        return remarks;
    }
}
