package io.nightjar.jobs.watch;

import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.LakeRun;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** What a watch leaves in the folder of {@code --checkpoint}, and how the same call goes on from it. */
@SuppressWarnings("NullAway.Init") // stations and what was told are set by begin
final class WatchCheckpoints implements AutoCloseable {

    private static final long FEWEST_TXNS_OF_BASE = 200_000;

    private final WatchOptions options;
    private final CheckpointFolder folder;
    private final @Nullable Checkpoint from; // null to begin anew
    private final RestartSnapshot base;
    private long txnsOfBase = FEWEST_TXNS_OF_BASE;
    private WatchPipeline watch;
    private ReportedFindings reported;
    private @Nullable String runId; // null if no tables are written
    private int segmentsWritten; // number of their state
    private int segmentsCounted; // how many they were
    private long nextAt;
    private long txnsAt = -1;

    private WatchCheckpoints(WatchOptions options, CheckpointFolder folder, @Nullable Checkpoint from) {
        this.options = options;
        this.folder = folder;
        this.from = from;
        this.base = new RestartSnapshot(folder);
    }

    /** @throws UsageException if another watch has the folder, or left a checkpoint there */
    static WatchCheckpoints open(WatchOptions options, Path path) throws IOException {
        CheckpointFolder folder = CheckpointFolder.open(path);
        try {
            Checkpoint from = folder.read();
            if (from != null) {
                expectSame(from, nameOf(options), path);
            }
            return new WatchCheckpoints(options, folder, from);
        } catch (IOException | RuntimeException failed) {
            folder.close();
            throw failed;
        }
    }

    /** @throws UsageException if it is not of the watch of this name */
    static void expectSame(Checkpoint from, String name, Path folder) {
        if (!from.watch().equals(name)) {
            throw new UsageException("the checkpoint is of another watch: checkpoint=" + folder + " watch="
                    + from.watch() + "; name another folder, or call that watch again");
        }
    }

    /** Returns what must be the same for a watch to go on. */
    static String nameOf(WatchOptions options) {
        StringJoiner name = new StringJoiner(" ");
        options.arrivals().sources().forEach(source -> name.add("source=" + source));
        options.check().levels().forEach(level -> name.add("level=" + level.shortName()));
        name.add("initial-value=" + options.check().initialValue());
        name.add("initial=" + options.initial().name());
        return name.add("archive=" + options.keeping().archive()).toString();
    }

    /** How many transactions a restart may read again before another base is made. */
    void makeBasesOf(long txns) {
        txnsOfBase = txns;
    }

    // ---------------------------------------------------------------- what is there

    /** Whether another watch had begun. */
    boolean goesOn() {
        return from != null;
    }

    /** The options of {@code check}, with the run that goes on. */
    CheckOptions checkOptions() {
        return from == null || from.runId() == null
                ? options.check()
                : options.check().withRunId(from.runId());
    }

    /** Returns what a watch concluded that was killed behind its end. */
    Optional<RunResult> ended() throws IOException {
        return from == null || from.runId() == null ? Optional.empty() : LakeRun.completed(checkOptions());
    }

    /** Returns the positions at which files continue, by name. */
    Map<String, FeedPosition> positions() {
        return from == null ? Map.of() : from.positions();
    }

    Path evidence() {
        return folder.evidence();
    }

    RowArchive keptRows() throws IOException {
        if (from == null) {
            return options.keeping().archive() == null
                    ? RowArchive.reopen(folder.rows(), RowArchive.Extent.NONE)
                    : RowArchive.inFolder(options.keeping().archive());
        }
        Path rows = options.keeping().archive() == null
                ? folder.rows()
                : options.keeping().archive();
        try {
            return RowArchive.reopen(rows, from.files().rows());
        } catch (NoSuchFileException gone) {
            throw new CorruptCheckpointException(folder.path(), gone.getFile());
        }
    }

    // ---------------------------------------------------------------- going on

    /** Brings a watch to where the last one was, or remembers that one begins. */
    void begin(WatchPipeline pipeline, ReportedFindings findings, @Nullable String run) throws IOException {
        watch = pipeline;
        reported = findings;
        runId = run;
        watch.intake().resumeFrom(base, reported);
        if (from == null) {
            folder.openChanges(Checkpoint.Changes.NONE, reported);
            folder.write(Checkpoint.atBegin(nameOf(options), runId));
            return;
        }
        reported.mute(true);
        folder.openChanges(from.changes(), reported);
        reported.mute(false);
        watch.intake().positions().putAll(from.positions());
        from.letters()
                .forEach(letter -> watch.letters().add(letter.file(), letter.row(), letter.fault(), letter.rawText()));
        readRowsAgain(from);
        segmentsWritten = from.files().segments();
        if (segmentsWritten > 0) {
            try (DataInputStream in = folder.openSegments(segmentsWritten)) {
                watch.verdict().readSegments(in);
            }
            segmentsCounted = watch.verdict().segmentCount();
        }
        if (from.intake().length > 0) {
            watch.intake().restore(from.intake(), options.check().timedLevels());
        }
    }

    private void readRowsAgain(Checkpoint from) throws IOException {
        reported.silence(true);
        base.read(from.files().base(), watch.online(), watch.known());
        try {
            long mostOpen = options.check().memoryBytes() / 4;
            base.replay(watch.kept(), watch.intake(), from.watermark(), mostOpen);
        } catch (MalformedHistoryException damaged) {
            throw new CorruptCheckpointException(folder.path(), damaged);
        }
        watch.watermark().restore(from.watermark());
        if (from.watermark() != Long.MIN_VALUE) {
            watch.online().seal(from.watermark());
        }
        reported.silence(false);
    }

    // ---------------------------------------------------------------- while it goes on

    void writeIfDue() throws IOException {
        long now = WatchClock.micros();
        boolean isNew = watch.online().txnCount() != txnsAt || watch.intake().hasNewTally();
        if (now >= nextAt && isNew) {
            nextAt = now + options.keeping().checkpointMicros();
            write(runId);
        }
    }

    /** The last one of a watch that ends before its sources do: what comes next is a run of its own. */
    void writeLast() throws IOException {
        write(null);
    }

    /** The last one before the same run goes on with more memory: a base takes memory too. */
    void writeWithoutBase() throws IOException {
        txnsOfBase = Long.MAX_VALUE;
        write(runId);
    }

    private void write(@Nullable String runThatGoesOn) throws IOException {
        watch.kept().finishPart();
        txnsAt = watch.online().txnCount();
        if (base.isDue(txnsAt, txnsOfBase)) {
            advanceBase();
        }
        if (hasNewSegments()) {
            segmentsCounted = watch.verdict().segmentCount();
            folder.writeSegments(++segmentsWritten, watch.verdict()::writeSegments);
        }
        Map<String, FeedPosition> positions = watch.intake().positions();
        folder.write(new Checkpoint(
                nameOf(options),
                runThatGoesOn,
                watch.online().watermark(),
                folder.flushChanges(reported.changeSeq()),
                new Checkpoint.Files(watch.kept().extent(), base.number(), segmentsWritten),
                watch.intake().state(options.check().timedLevels()),
                positions,
                watch.letters().upTo(positions, watch.feeds()::isReadOn)));
        watch.kept().deleteDropped();
        watch.feeds().all().forEach(feed -> feed.durable(watch.intake().tally()));
    }

    private boolean hasNewSegments() {
        return watch.verdict().segmentCount() > segmentsCounted;
    }

    private void advanceBase() throws IOException {
        long upTo = watch.online().watermark();
        base.advance(watch.kept(), upTo, watch.online().txnCount(), watch.online(), watch.known());
    }

    /** Rows are dropped behind a base only that stands for them, and what came of a part is told before the next one begins. */
    void beforePart() throws IOException {
        if (hasNewSegments()) {
            write(runId);
        }
        advanceBase();
    }

    void add(VerdictChange change) {
        folder.add(change);
    }

    /** The watch has come to its end. */
    void clear() throws IOException {
        folder.clear();
    }

    @Override
    public void close() throws IOException {
        folder.close();
    }
}
