package io.nightjar.jobs.packaging;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.jspecify.annotations.Nullable;

/** Files by their names in the archive, written as a tar archive without the time, machine and user of its creation. */
public final class TarArchive {

    /** The time of all files, in seconds since 1970: some tools complain of times before. */
    private static final long TIME = 315_532_800L;

    private static final int PLAIN = 0644;
    private static final int EXECUTABLE = 0755;

    private record Content(@Nullable Path file, byte @Nullable [] bytes, boolean isExecutable) {}

    /** Mode of a folder in which all users may write. */
    private static final int FOR_ALL = 01777;

    private final Map<String, Content> contentOf = new TreeMap<>();
    private final TreeSet<String> forAll = new TreeSet<>();

    /** Adds a file of this machine; whether it can be executed stays as it is. */
    public TarArchive add(String name, Path file) {
        contentOf.put(name, new Content(file, null, Files.isExecutable(file)));
        return this;
    }

    public TarArchive add(String name, String text) {
        contentOf.put(name, new Content(null, text.getBytes(StandardCharsets.UTF_8), false));
        return this;
    }

    /** Adds a script, which can be executed. */
    public TarArchive addScript(String name, String text) {
        contentOf.put(name, new Content(null, text.getBytes(StandardCharsets.UTF_8), true));
        return this;
    }

    /** Adds the files below a folder; links are replaced by their targets. */
    public TarArchive addAll(String prefix, Path folder, Predicate<Path> wanted) throws IOException {
        try (Stream<Path> files = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
            for (Path file : files.toList()) {
                if (Files.isRegularFile(file) && wanted.test(folder.relativize(file))) {
                    add(prefix + folder.relativize(file).toString().replace('\\', '/'), file);
                }
            }
        }
        return this;
    }

    /** Adds a folder in which all users may write. */
    public TarArchive addFolderForAll(String name) {
        forAll.add(name);
        return this;
    }

    /** Writes the archive; the stream stays open. */
    public void writeTar(OutputStream to) throws IOException {
        TarArchiveOutputStream tar = new TarArchiveOutputStream(to, StandardCharsets.UTF_8.name());
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
        for (String folder : folders()) {
            int mode = forAll.contains(folder) ? FOR_ALL : EXECUTABLE;
            put(tar, new TarArchiveEntry(folder + "/", TarConstants.LF_DIR), 0, mode);
            tar.closeArchiveEntry();
        }
        for (Map.Entry<String, Content> each : contentOf.entrySet()) {
            Content content = each.getValue();
            long size = content.bytes() == null ? Files.size(content.file()) : content.bytes().length;
            put(tar, new TarArchiveEntry(each.getKey()), size, content.isExecutable() ? EXECUTABLE : PLAIN);
            if (content.bytes() == null) {
                Files.copy(content.file(), tar);
            } else {
                tar.write(content.bytes());
            }
            tar.closeArchiveEntry();
        }
        tar.finish();
    }

    private static void put(TarArchiveOutputStream tar, TarArchiveEntry entry, long size, int mode) throws IOException {
        entry.setSize(size);
        entry.setMode(mode);
        entry.setModTime(TIME * 1_000);
        entry.setIds(0, 0);
        entry.setNames("root", "root");
        tar.putArchiveEntry(entry);
    }

    private TreeSet<String> folders() {
        TreeSet<String> folders = new TreeSet<>(forAll);
        for (String name : contentOf.keySet()) {
            for (int slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1)) {
                folders.add(name.substring(0, slash));
            }
        }
        return folders;
    }
}
