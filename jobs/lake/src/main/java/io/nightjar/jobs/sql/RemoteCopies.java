package io.nightjar.jobs.sql;

import io.nightjar.formats.file.Addresses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Copies of objects of a store in a scratch folder, since the database reads files of this machine only. */
final class RemoteCopies {

    private final Path folder;
    private final Map<Path, Path> copyOf = new ConcurrentHashMap<>();

    RemoteCopies(Path scratch) {
        this.folder = scratch.resolve("objects");
    }

    /** Returns the folder of the copies, which may not exist. */
    Path folder() {
        return folder;
    }

    /** Returns files with the content of these: files of this machine themselves. */
    List<Path> of(List<Path> files) {
        return files.stream().noneMatch(Addresses::isRemote)
                ? files
                : files.parallelStream().map(this::copy).toList();
    }

    private Path copy(Path file) {
        if (!Addresses.isRemote(file)) {
            return file;
        }
        return copyOf.computeIfAbsent(file, object -> {
            try {
                Files.createDirectories(folder);
                Path copy = Files.createTempFile(folder, "part-", ".parquet");
                Files.copy(object, copy, StandardCopyOption.REPLACE_EXISTING);
                return copy;
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
    }
}
