package io.nightjar.formats.registry;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.InputLocation;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Size, modification time and identity of the files of a history: a cheap check whether they have changed. */
record SourceFingerprint(Path address, Map<Path, Stamp> stampOf) {

    /** File attributes; {@code key} is the file's number on the disk, null if unsupported. */
    private record Stamp(long size, FileTime modified, Object key) {}

    /** Creates the fingerprint of a file, or of the files of a directory that are parts of a history. */
    static SourceFingerprint of(Path address) throws IOException {
        return new SourceFingerprint(address, stamps(address));
    }

    /** @throws ChangedInputException if a file has been replaced, or the number of files has changed */
    void check() throws ChangedInputException {
        Map<Path, Stamp> now;
        try {
            now = stamps(address);
        } catch (IOException gone) {
            throw changed(address, "reason=" + gone.getMessage());
        }
        for (Map.Entry<Path, Stamp> before : stampOf.entrySet()) {
            check(before.getKey(), before.getValue(), now.remove(before.getKey()));
        }
        if (!now.isEmpty()) {
            throw changed(now.keySet().iterator().next(), "before=missing");
        }
    }

    private static void check(Path file, Stamp before, Stamp now) throws ChangedInputException {
        if (now == null) {
            throw changed(file, "now=missing");
        }
        if (before.size != now.size) {
            throw changed(file, "bytesBefore=" + before.size + " bytesNow=" + now.size);
        }
        if (!before.modified.equals(now.modified)) {
            throw changed(file, "writtenBefore=" + before.modified + " writtenNow=" + now.modified);
        }
        if (!Objects.equals(before.key, now.key)) {
            throw changed(file, "now=another file of that name");
        }
    }

    private static ChangedInputException changed(Path file, String difference) {
        return new ChangedInputException(InputLocation.file(file.toString()), difference);
    }

    private static Map<Path, Stamp> stamps(Path address) throws IOException {
        Map<Path, Stamp> stamps = new TreeMap<>();
        if (!Files.isDirectory(address)) {
            add(address, stamps);
            return stamps;
        }
        addAll(address, stamps);
        return stamps;
    }

    private static void addAll(Path directory, Map<Path, Stamp> stamps) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                if (Histories.isPartition(entry)) {
                    addAll(entry, stamps);
                } else if (!Histories.isPassedOver(entry)) {
                    add(entry, stamps);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static void add(Path file, Map<Path, Stamp> stamps) throws IOException {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            if (now.isRegularFile()) { // others have no size, and may be readable only once
                stamps.put(file, new Stamp(now.size(), now.lastModifiedTime(), now.fileKey()));
            }
        } catch (NoSuchFileException | AccessDeniedException gone) {
            return; // a missing file changes the number of files
        }
    }
}
