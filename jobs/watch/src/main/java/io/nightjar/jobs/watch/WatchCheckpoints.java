package io.nightjar.jobs.watch;

import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.LakeRun;
import io.nightjar.pipeline.online.OnlineCheckCodec;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Checkpoints of a watch in the folder of {@code --checkpoint}: writes them, and resumes from the last one. */
final class WatchCheckpoints implements AutoCloseable {

    private static final int PAUSE_FACTOR = 10; // relative to the duration of a checkpoint

    private static final int LANES = 128; // blocks of the state, each of which fits an array

    private final WatchOptions options;
    private final CheckpointFolder folder;
    private final @Nullable Checkpoint from; // null to start anew
    private int stateNumber; // of the state that was written last; 0 for none
    private WatchPipeline watch;
    private FinalCheck verdict;
    private ReportedFindings reported;
    private @Nullable String runId; // null without tables
    private int segmentsWritten; // number of their last file
    private int segmentsCounted; // number of segments in that file
    private long nextAt;
    private long txnsAt = -1;

    private WatchCheckpoints(WatchOptions options, CheckpointFolder folder, @Nullable Checkpoint from) {
        this.options = options;
        this.folder = folder;
        this.from = from;
    }

    /** @throws UsageException if another watch uses the folder, or left a checkpoint there */
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

    /** @throws UsageException if the checkpoint is not of the watch of this name */
    static void expectSame(Checkpoint from, String name, Path folder) {
        if (!from.watch().equals(name)) {
            throw new UsageException("the checkpoint is of another watch: checkpoint=" + folder + " watch="
                    + from.watch() + "; name another folder, or repeat that call");
        }
    }

    /** Returns the sources and options that must not differ when a watch resumes. */
    static String nameOf(WatchOptions options) {
        StringJoiner name = new StringJoiner(" ");
        options.arrivals().sources().forEach(source -> name.add("source=" + source));
        options.check().levels().forEach(level -> name.add("level=" + level.shortName()));
        name.add("initial-value=" + options.check().initialValue());
        name.add("initial=" + options.initial().name());
        return name.add("archive=" + options.keeping().archive()).toString();
    }

    // ---------------------------------------------------------------- existing checkpoint

    /** Returns whether an earlier watch is resumed. */
    boolean continues() {
        return from != null;
    }

    /** Returns the options of {@code check}, with the id of a resumed run. */
    CheckOptions checkOptions() {
        return from == null || from.runId() == null
                ? options.check()
                : options.check().withRunId(from.runId());
    }

    /** Returns the result of a watch that was killed after its end. */
    Optional<RunResult> ended() throws IOException {
        return from == null || from.runId() == null ? Optional.empty() : LakeRun.completed(checkOptions());
    }

    /** Returns the positions at which files are resumed, by name. */
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
            throw CheckpointException.damaged(folder.path(), gone.getFile());
        }
    }

    /** Returns the failure for kept rows that cannot be read again. */
    CheckpointException corrupt(MalformedHistoryException damaged) {
        return CheckpointException.damaged(
                folder.path(),
                Path.of("rows", Path.of(damaged.location().file()).getFileName().toString())
                        .toString());
    }

    // ---------------------------------------------------------------- resuming

    /** Restores the state of the last checkpoint, or writes the first one. */
    @SetsFields
    void begin(WatchPipeline pipeline, FinalCheck check, ReportedFindings findings, @Nullable String run)
            throws IOException {
        watch = pipeline;
        verdict = check;
        reported = findings;
        runId = run;
        if (from == null) {
            folder.openChanges(0, reported);
            folder.write(Checkpoint.atBegin(nameOf(options), runId));
            return;
        }
        reported.mute(true);
        folder.openChanges((int) from.changes(), reported);
        reported.mute(false);
        watch.intake().positions().putAll(from.positions());
        watch.letters().addAll(from.letters());
        watch.letters().resume(from.letterCount());
        stateNumber = from.files().base();
        if (stateNumber > 0) {
            try (DataInputStream in = folder.openBase(stateNumber)) {
                readState(in);
            }
            watch.intake().resume(from.tooLate());
        }
        segmentsWritten = from.files().segments();
        if (segmentsWritten > 0) {
            try (DataInputStream in = folder.openSegments(segmentsWritten)) {
                verdict.readSegments(in);
            }
            segmentsCounted = verdict.segmentCount();
        }
    }

    private void writeState(DataOutputStream out) throws IOException {
        watch.known().write(out);
        watch.known().writeContents(out);
        watch.watermark().write(out);
        for (ByteWriter lane : OnlineCheckCodec.write(watch.online(), LANES, 0)) {
            out.writeBoolean(lane != null);
            if (lane != null) {
                Checkpoint.writeBytes(out, lane);
            }
        }
    }

    private void readState(DataInputStream in) throws IOException {
        watch.known().read(in);
        watch.known().readContents(in);
        watch.watermark().read(in, WatchClock.micros());
        for (int lane = 0; lane < LANES; lane++) {
            if (in.readBoolean()) {
                OnlineCheckCodec.read(Checkpoint.readBytes(in), watch.online());
            }
        }
        watch.online().resume(watch.online().watermark());
    }

    // ---------------------------------------------------------------- writing

    void writeIfDue() throws IOException {
        long now = WatchClock.micros();
        if (now >= nextAt && watch.online().txnCount() != txnsAt) {
            write(runId);
            long took = WatchClock.micros() - now;
            nextAt = now + Math.max(options.keeping().checkpointMicros(), PAUSE_FACTOR * took);
        }
    }

    /** Writes the last checkpoint of a watch that ends before its sources do: its successor is another run. */
    void writeLast() throws IOException {
        write(null);
    }

    /** Writes the last checkpoint before the same run resumes with more memory. */
    void writeToGoOn() throws IOException {
        write(runId);
    }

    private void write(@Nullable String runThatGoesOn) throws IOException {
        watch.kept().finishPart();
        txnsAt = watch.online().txnCount();
        folder.writeBase(++stateNumber, this::writeState);
        if (hasNewSegments()) {
            segmentsCounted = verdict.segmentCount();
            folder.writeSegments(++segmentsWritten, verdict::writeSegments);
        }
        folder.write(new Checkpoint(
                nameOf(options),
                runThatGoesOn,
                watch.online().watermark(),
                folder.flushChanges(),
                new Checkpoint.Files(watch.kept().extent(), stateNumber, segmentsWritten),
                watch.intake().tooLate(),
                watch.intake().positions(),
                watch.letters().all().inOrder(),
                watch.letters().count()));
        watch.kept().deleteDropped();
    }

    private boolean hasNewSegments() {
        return verdict.segmentCount() > segmentsCounted;
    }

    /** Writes a checkpoint if a segment was completed, before the next one starts. */
    void beforeSegment() throws IOException {
        if (hasNewSegments()) {
            write(runId);
        }
    }

    void add(VerdictChange change) {
        folder.add(change);
    }

    /** Removes the checkpoint after the end of the watch. */
    void clear() throws IOException {
        folder.clear();
    }

    @Override
    public void close() throws IOException {
        folder.close();
    }
}
