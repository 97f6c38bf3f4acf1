package io.nightjar.jobs.lake;

import io.nightjar.formats.file.Addresses;
import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A directory of anomaly tables: the runs that are complete, and the writer of further runs. */
public final class Lake {

    /*
     *   LAKE/_runs/<run_id>/run.json                                       options, input, result
     *   LAKE/_runs/<run_id>/live.json                                      of a watch: progress and published parts
     *   LAKE/_runs/<run_id>/_SUCCESS                                       written last: the run is visible
     *   LAKE/_runs/.locks/<run_id>                                         while the run is being written
     *   LAKE/<table>/history_id=<slug>/run_id=<run_id>/part-00000.parquet  no file without rows
     */

    /** The version of the tables' columns and of {@code run.json}. */
    public static final long SCHEMA_VERSION = 1;

    static final String RUNS = "_runs";
    static final String LOCKS = ".locks";
    static final String SUCCESS = "_SUCCESS";
    static final String RUN_JSON = "run.json";
    static final String LIVE_JSON = "live.json";
    static final String HISTORY_FOLDER = "history_id=";
    static final String RUN_FOLDER = "run_id=";

    private static final int MAX_DRAWS = 10_000;

    private static final Set<String> TABLES =
            Arrays.stream(LakeTable.values()).map(LakeTable::tableName).collect(Collectors.toUnmodifiableSet());

    private final Path root;

    private Lake(Path root) {
        this.root = root;
    }

    /** Opens an existing lake, an empty directory, or a path that does not exist; everything else is a usage error. */
    public static Lake open(Path root) {
        if (Files.exists(root) && !isLake(root)) {
            throw new UsageException("[" + root + "] not a lake: missing=" + RUNS
                    + "; name a directory that nightjar wrote, an empty one or a new one");
        }
        return new Lake(root);
    }

    /** Opens an existing lake; a path without a lake is a usage error. */
    public static Lake openExisting(Path root) {
        if (!Files.exists(root)) {
            throw new UsageException("[" + root + "] no such lake; "
                    + CommandHint.of("check", "--lake", root, "HISTORY") + " writes one");
        }
        return open(root);
    }

    /**
     * Returns whether a path is a lake; the second test is for a lake that another process began between the first test
     * and the listing.
     */
    private static boolean isLake(Path root) {
        return hasRuns(root) || isEmpty(root) || hasRuns(root);
    }

    private static boolean hasRuns(Path root) {
        return Files.isDirectory(root.resolve(RUNS));
    }

    private static boolean isEmpty(Path root) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                boolean isOfKilledRun = Addresses.isRemote(root) && TABLES.contains(name); // _runs is no folder there
                if (!name.startsWith(".") && !isOfKilledRun) {
                    return false;
                }
            }
            return true;
        } catch (NotDirectoryException file) {
            return false;
        } catch (NoSuchFileException removedMeanwhile) {
            return true;
        } catch (IOException e) {
            throw LakeException.of("read lake", root, e);
        }
    }

    public Path root() {
        return root;
    }

    /**
     * Begins a run. Removes the remains of a crashed attempt at the same run.
     *
     * @param runId as the user gave it, or null for a new one
     * @param historyId as {@link LakeNames#historyId} makes it
     */
    public RunWriter begin(@Nullable String runId, String historyId) {
        return begin(runId, historyId, RunWriter.MAX_ROWS);
    }

    RunWriter begin(@Nullable String runId, String historyId, long maxRows) {
        boolean isNew = !Files.exists(root);
        removeDeadAttempts();
        RunLock lock = runId == null
                ? lockNewRun(() -> LakeNames.newRunId(Instant.now()))
                : lockRun(LakeNames.checkRunId(runId));
        String id = lock.path().getFileName().toString();
        boolean isBegun = false;
        try {
            if (isComplete(id)) {
                throw new UsageException(
                        "run exists already: run-id=" + id + " lake=" + root + "; choose another --run-id");
            }
            boolean mayBeLeft =
                    Addresses.isRemote(root) ? runId != null : lock.isLeftOver() || Files.exists(runFolder(id));
            if (mayBeLeft) {
                new LakeCleaner(root).removeRun(id);
            }
            RunWriter writer = new RunWriter(this, id, historyId, lock, isNew, maxRows);
            isBegun = true;
            return writer;
        } finally {
            if (!isBegun) {
                lock.close();
            }
        }
    }

    private RunLock lockRun(String runId) {
        RunLock lock = RunLock.acquire(lockFile(runId));
        if (lock == null) {
            throw new UsageException("run is being written by another process: run-id=" + runId
                    + "; wait for it or choose another --run-id");
        }
        return lock;
    }

    /** Locks a new run. Many runs may begin in one second, so a drawn id may be in use. */
    RunLock lockNewRun(Supplier<String> ids) {
        for (int draw = 0; draw < MAX_DRAWS; draw++) {
            String id = ids.get();
            RunLock lock = RunLock.acquireAtOnce(lockFile(id));
            if (lock != null && !Files.exists(runFolder(id))) {
                return lock;
            }
            if (lock != null) {
                lock.close();
            }
        }
        throw new LakeException("[" + root + "] no free run id: draws=" + MAX_DRAWS);
    }

    /** Removes the remains of processes that died while they wrote a run. */
    private void removeDeadAttempts() {
        for (Path file : list(root.resolve(RUNS).resolve(LOCKS))) {
            RunLock lock = RunLock.acquireAtOnce(file);
            if (lock == null) {
                continue;
            }
            try {
                String runId = file.getFileName().toString();
                if (lock.isLeftOver() && !isComplete(runId)) {
                    new LakeCleaner(root).removeRun(runId);
                }
            } finally {
                lock.close();
            }
        }
    }

    private Path lockFile(String runId) {
        return root.resolve(RUNS).resolve(LOCKS).resolve(runId);
    }

    /** Returns the run of this id, if it is complete. */
    public Optional<StoredRun> completedRun(String runId) {
        LakeNames.checkRunId(runId);
        return isComplete(runId) ? Optional.of(readRun(runId)) : Optional.empty();
    }

    private StoredRun readRun(String runId) {
        Path file = runFolder(runId).resolve(RUN_JSON);
        try {
            return RunJson.read(Files.readString(file));
        } catch (IOException e) {
            throw LakeException.of("read run", file, e);
        }
    }

    /** Returns the ids of all complete runs, sorted. */
    public Set<String> completeRuns() {
        Set<String> complete = new TreeSet<>();
        for (Path folder : list(root.resolve(RUNS))) {
            String runId = folder.getFileName().toString();
            if (!runId.startsWith(".") && isComplete(runId)) {
                complete.add(runId);
            }
        }
        return complete;
    }

    /** Returns all complete runs, by id; skips a run that is deleted concurrently. */
    public List<StoredRun> storedRuns() {
        List<StoredRun> runs = new ArrayList<>();
        for (String runId : completeRuns()) {
            try {
                runs.add(readRun(runId));
            } catch (LakeException unreadable) {
                if (isComplete(runId)) {
                    throw unreadable;
                }
            }
        }
        return runs;
    }

    /** Returns the folder of the files about a run as a whole. */
    public Path folderOf(String runId) {
        return runFolder(LakeNames.checkRunId(runId));
    }

    /** Returns the runs that are not complete, sorted: being written, or remains of processes that died. */
    public Set<String> incompleteRuns() {
        Set<String> incomplete = new TreeSet<>();
        for (Path folder : list(root.resolve(RUNS))) {
            String runId = folder.getFileName().toString();
            if (!runId.startsWith(".") && !isComplete(runId)) {
                incomplete.add(runId);
            }
        }
        for (Path file : list(root.resolve(RUNS).resolve(LOCKS))) {
            String runId = file.getFileName().toString();
            if (!isComplete(runId)) {
                incomplete.add(runId);
            }
        }
        return incomplete;
    }

    /** Returns the bytes of all files of a run. */
    public long sizeOf(String runId) {
        long bytes = sizeOf(runFolder(LakeNames.checkRunId(runId)));
        for (LakeTable table : LakeTable.values()) {
            for (Path history : list(root.resolve(table.tableName()))) {
                bytes += sizeOf(history.resolve(RUN_FOLDER + runId));
            }
        }
        return bytes;
    }

    private static long sizeOf(Path folder) {
        long bytes = 0;
        for (Path entry : list(folder)) {
            try {
                bytes += Files.isDirectory(entry) ? sizeOf(entry) : Files.size(entry);
            } catch (NoSuchFileException removedMeanwhile) {
                continue;
            } catch (IOException e) {
                throw LakeException.of("read lake", entry, e);
            }
        }
        return bytes;
    }

    /**
     * Removes a run, complete or the remains of a process that died. It is invisible before its first row is deleted.
     *
     * @return whether it was removed; not if a process is writing it
     */
    public boolean delete(String runId) {
        RunLock lock = RunLock.acquireAtOnce(lockFile(LakeNames.checkRunId(runId)));
        if (lock == null) {
            return false;
        }
        try {
            new LakeCleaner(root).removeCompleteRun(runId);
        } finally {
            lock.close();
        }
        return true;
    }

    /** Returns the ids of watches that are running, or were killed. */
    public Set<String> liveRuns() {
        Set<String> live = new TreeSet<>();
        for (Path folder : list(root.resolve(RUNS))) {
            if (Files.exists(folder.resolve(LIVE_JSON)) && !Files.exists(folder.resolve(SUCCESS))) {
                live.add(folder.getFileName().toString());
            }
        }
        return live;
    }

    /** Returns the files with a table's rows of these runs. */
    public List<Path> files(LakeTable table, Set<String> runIds) {
        List<Path> files = new ArrayList<>();
        for (Path history : list(root.resolve(table.tableName()))) {
            if (!history.getFileName().toString().startsWith(HISTORY_FOLDER)) {
                continue;
            }
            for (Path run : list(history)) {
                String name = run.getFileName().toString();
                if (name.startsWith(RUN_FOLDER) && runIds.contains(name.substring(RUN_FOLDER.length()))) {
                    addParts(run, files);
                }
            }
        }
        return files;
    }

    private static void addParts(Path run, List<Path> into) {
        for (Path file : list(run)) {
            String name = file.getFileName().toString();
            if (name.startsWith("part-") && name.endsWith(".parquet")) {
                into.add(file);
            }
        }
    }

    /** Returns the entries of a folder by name; none if it does not exist. */
    static List<Path> list(Path folder) {
        List<Path> paths = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                paths.add(entry);
            }
        } catch (NoSuchFileException | NotDirectoryException nothingThere) {
            return List.of();
        } catch (IOException e) {
            throw LakeException.of("read lake", folder, e);
        }
        Collections.sort(paths);
        return paths;
    }

    boolean isComplete(String runId) {
        return Files.exists(runFolder(runId).resolve(SUCCESS));
    }

    Path runFolder(String runId) {
        return root.resolve(RUNS).resolve(runId);
    }

    Path tableFolder(LakeTable table, String historyId, String runId) {
        return root.resolve(table.tableName())
                .resolve(HISTORY_FOLDER + historyId)
                .resolve(RUN_FOLDER + runId);
    }
}
