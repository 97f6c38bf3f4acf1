package io.nightjar.jobs.lake;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Removes runs. The caller must hold the run's lock. */
final class LakeCleaner {

    private final Path root;

    LakeCleaner(Path root) {
        this.root = root;
    }

    /** Removes a visible run: it becomes invisible first, so that the remains are an attempt if this stops half-way. */
    void removeCompleteRun(String runId) {
        remove(root.resolve(Lake.RUNS).resolve(runId).resolve(Lake.SUCCESS));
        removeRun(runId);
        for (LakeTable table : LakeTable.values()) {
            Path folder = root.resolve(table.tableName());
            for (Path history : Lake.list(folder)) {
                removeIfEmpty(history);
            }
            removeIfEmpty(folder);
        }
    }

    /** Removes all files of a run, in every history. */
    void removeRun(String runId) {
        for (LakeTable table : LakeTable.values()) {
            for (Path history : Lake.list(root.resolve(table.tableName()))) {
                removeFolder(history.resolve(Lake.RUN_FOLDER + runId));
            }
        }
        removeFolder(root.resolve(Lake.RUNS).resolve(runId));
    }

    /** Removes the files of one attempt at a run, and the folders around them that are otherwise empty. */
    void removeAttempt(String historyId, String runId) {
        removeFolder(root.resolve(Lake.RUNS).resolve(runId));
        for (LakeTable table : LakeTable.values()) {
            Path history = root.resolve(table.tableName()).resolve(Lake.HISTORY_FOLDER + historyId);
            removeFolder(history.resolve(Lake.RUN_FOLDER + runId));
            removeIfEmpty(history);
            removeIfEmpty(requireNonNull(history.getParent()));
        }
    }

    /** Removes the lake itself, if nothing is in it. */
    void removeLakeIfEmpty() {
        removeIfEmpty(root.resolve(Lake.RUNS));
        removeIfEmpty(root);
    }

    private static void removeFolder(Path folder) {
        for (Path entry : Lake.list(folder)) {
            if (Files.isDirectory(entry)) {
                removeFolder(entry);
            } else {
                remove(entry);
            }
        }
        remove(folder);
    }

    private static void removeIfEmpty(Path folder) {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException othersAreInThere) {
            return;
        } catch (IOException e) {
            throw LakeException.of("remove", folder, e);
        }
    }

    private static void remove(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw LakeException.of("remove", path, e);
        }
    }
}
