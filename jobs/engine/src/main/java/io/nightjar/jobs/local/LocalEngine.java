package io.nightjar.jobs.local;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.read.ItemSource;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.jobs.run.LakeRun;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.Reporter;
import io.nightjar.jobs.run.StageMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Checks one history on this machine, from the source to the lake. */
public final class LocalEngine {

    private static final String LOCAL = "local";

    private static final long NOT_BEGUN = Long.MIN_VALUE;

    private final CheckOptions options;
    private final String checkerVersion;
    private final ProgressListener watcher;
    private Predicate<RunResult> isCommitted = result -> true;
    private String name = LOCAL;
    private long begunNs = NOT_BEGUN; // where that was before the check

    public LocalEngine(CheckOptions options, String checkerVersion, ProgressListener watcher) {
        this.options = options;
        this.checkerVersion = checkerVersion;
        this.watcher = watcher;
    }

    /**
     * Decides every requested level and writes the tables.
     *
     * @param source the history to check; the caller closes it
     * @param address its location
     * @throws io.nightjar.formats.history.MalformedHistoryException if it is not a history; nothing is written then
     * @throws io.nightjar.formats.file.ChangedInputException if it changed during the check; nothing is written then
     * either
     */
    public RunResult check(HistorySource source, Path address) throws IOException {
        return check(source, address, 0);
    }

    /**
     * Checks a history that was read from a pipe.
     *
     * @param keptBytes size of its copy in a scratch folder, which counts as spilled
     */
    public RunResult check(HistorySource source, Path address, long keptBytes) throws IOException {
        return source.read(() -> checkOnce(source, address, keptBytes));
    }

    private RunResult checkOnce(HistorySource source, Path address, long keptBytes) throws IOException {
        try (LakeRun run = LakeRun.begin(options, checkerVersion, source.uri(), address, Instant.now());
                ValidatingScanner rows = new ValidatingScanner(
                        ItemSource.of(source, options.search().conflictsBySet()),
                        options.threadCount(),
                        options.memoryBytes(),
                        options.spillParent())) {
            if (run.stored() != null) {
                return run.stored();
            }
            long startNs = System.nanoTime();
            StageMetrics stages = new StageMetrics(watcher);
            if (keptBytes > 0) {
                stages.add(StageMetrics.ofPipe(keptBytes));
            }
            DeadLetters deadLetters = new DeadLetters(options.maxDeadLetters());
            Conclusion conclusion = new HistoryCheck(rows, options, deadLetters, stages, watcher).run();
            RunResult result = new Reporter(conclusion, rows, deadLetters, stages, LOCAL, run.writer()).report(startNs);
            source.checkUnchanged();
            return isCommitted.test(result) ? run.commit(result) : result;
        } catch (IOException | RuntimeException | Error failed) {
            source.checkUnchanged(); // a change explains any failure
            throw failed;
        }
    }

    /** Commits only runs with a wanted result; of any other nothing stays in the lake. */
    public LocalEngine committing(Predicate<RunResult> isWanted) {
        isCommitted = isWanted;
        return this;
    }

    /** Makes results name the engine that watched, and count time from the beginning of the watch. */
    public LocalEngine forWatch(String engine, long watchedNs) {
        name = engine;
        begunNs = System.nanoTime() - watchedNs;
        return this;
    }

    private long begun() {
        return begunNs == NOT_BEGUN ? System.nanoTime() : begunNs;
    }

    /**
     * Decides every level of a history that was watched, in a run that was started, and commits it.
     *
     * @param watched its rows, and the results of the watch
     * @param consumer receives the conclusion, before it is reported
     */
    public RunResult conclude(LakeRun run, WatchedHistory watched, Consumer<Conclusion> consumer) throws IOException {
        HistorySource source = watched.source();
        DeadLetters letters = watched.letters();
        try (ValidatingScanner rows =
                new ValidatingScanner(source, options.threadCount(), options.memoryBytes(), options.spillParent())) {
            long startNs = begun();
            StageMetrics stages = new StageMetrics(watcher);
            Conclusion conclusion = new HistoryCheck(rows, options, letters, stages, watcher).run(watched.known());
            conclusion.doubt(watched.doubt().get());
            conclusion.leaveOut(watched.before(), watched.opsBefore());
            if (!watched.isWhole()) {
                conclusion.mayLackWriters();
            }
            consumer.accept(conclusion);
            RunResult result = new Reporter(conclusion, rows, letters, stages, name, run.writer()).report(startNs);
            source.checkUnchanged();
            return run.commit(result);
        }
    }

    /**
     * Concludes and reports a history that was checked segment by segment and whose rows are deleted.
     *
     * @param evidence the rows of participants of findings, under the name of the history
     * @param conclusion of all segments
     */
    public RunResult conclude(
            LakeRun run,
            HistorySource evidence,
            DeadLetters letters,
            Conclusion conclusion,
            Consumer<Conclusion> consumer)
            throws IOException {
        try (ValidatingScanner rows =
                new ValidatingScanner(evidence, options.threadCount(), options.memoryBytes(), options.spillParent())) {
            long startNs = begun();
            conclusion.confirmed();
            consumer.accept(conclusion);
            RunResult result = new Reporter(conclusion, rows, letters, new StageMetrics(watcher), name, run.writer())
                    .report(startNs);
            return run.commit(result);
        }
    }
}
