package io.nightjar.jobs.packaging;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Map;
import java.util.SortedSet;
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
    static final long TIME = 315_532_800L;

    private static final int PLAIN = 0644;
    private static final int EXECUTABLE = 0755;

    /** A file of this machine, or bytes, or the target of a symbolic link. */
    private record Content(@Nullable Path file, byte @Nullable [] bytes, @Nullable String link, boolean isExecutable) {

        static Content of(Path file) {
            return new Content(file, null, null, Files.isExecutable(file));
        }

        static Content of(byte[] bytes, boolean isExecutable) {
            return new Content(null, bytes, null, isExecutable);
        }

        static Content link(String target) {
            return new Content(null, null, target, true);
        }

        long size() throws IOException {
            return file != null ? Files.size(file) : bytes != null ? bytes.length : 0;
        }

        void writeTo(OutputStream out) throws IOException {
            if (file != null) {
                Files.copy(file, out);
            } else if (bytes != null) {
                out.write(bytes);
            }
        }
    }

    /** Mode of a folder in which all users may write. */
    private static final int FOR_ALL = 01777;

    private final Map<String, Content> contentOf = new TreeMap<>();
    private final TreeSet<String> forAll = new TreeSet<>();

    /** Adds a file of this machine; whether it can be executed stays as it is. */
    public TarArchive add(String name, Path file) {
        contentOf.put(name, Content.of(file));
        return this;
    }

    public TarArchive add(String name, String text) {
        return add(name, text.getBytes(StandardCharsets.UTF_8));
    }

    public TarArchive add(String name, byte[] bytes) {
        contentOf.put(name, Content.of(bytes, false));
        return this;
    }

    /** Adds a text as gzip compresses it. */
    public TarArchive addZipped(String name, String text) throws IOException {
        return add(name, ReproducibleGzip.zip(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Adds a symbolic link. */
    public TarArchive addLink(String name, String target) {
        contentOf.put(name, Content.link(target));
        return this;
    }

    /** Adds a script, which can be executed. */
    public TarArchive addScript(String name, String text) {
        contentOf.put(name, Content.of(text.getBytes(StandardCharsets.UTF_8), true));
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
            TarArchiveEntry entry = content.link() == null
                    ? new TarArchiveEntry(each.getKey())
                    : new TarArchiveEntry(each.getKey(), TarConstants.LF_SYMLINK);
            if (content.link() != null) {
                entry.setLinkName(content.link());
            }
            put(tar, entry, content.size(), content.isExecutable() ? EXECUTABLE : PLAIN);
            content.writeTo(tar);
            tar.closeArchiveEntry();
        }
        tar.finish();
    }

    /** Writes the archive compressed with gzip; the stream is closed. */
    public void writeZipped(OutputStream to) throws IOException {
        try (ReproducibleGzip gzip = new ReproducibleGzip(to)) {
            writeTar(gzip);
        }
    }

    /** Returns the bytes of a small archive, compressed with gzip. */
    byte[] zipped() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writeZipped(bytes);
        return bytes.toByteArray();
    }

    /** Writes the content of one file, which is no link, and returns its size; the stream stays open. */
    long writeFile(String name, OutputStream to) throws IOException {
        Content content = requireNonNull(contentOf.get(name), name);
        content.writeTo(to);
        return content.size();
    }

    SortedSet<String> names() {
        return new TreeSet<>(contentOf.keySet());
    }

    /** Returns the size of all files without headers. */
    long sizeBytes() throws IOException {
        long size = 0;
        for (Content content : contentOf.values()) {
            size += content.size();
        }
        return size;
    }

    /** Returns a line for each file, as {@code md5sum} prints it; a leading {@code ./} is omitted. */
    String md5Sums() throws IOException {
        StringBuilder sums = new StringBuilder();
        for (Map.Entry<String, Content> each : contentOf.entrySet()) {
            if (each.getValue().link() == null) {
                MessageDigest digest = Digests.of("MD5");
                try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
                    each.getValue().writeTo(out);
                }
                sums.append(Digests.hex(digest) + "  " + each.getKey().replaceFirst("^\\./", "") + "\n");
            }
        }
        return sums.toString();
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
