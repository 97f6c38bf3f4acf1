package io.nightjar.formats.registry;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A directory in which another tool stores one history, recognized by the names of its files. */
enum ToolFolder {
    DBCOP(Format.DBCOP, Pattern.compile("history\\.bincode(\\.gz|\\.zst)?"), "history.bincode"),
    COBRA(Format.COBRA, Pattern.compile("T\\d{1,18}\\.log(\\.gz|\\.zst)?"), "T0.log, T1.log and so on"),
    VIPER(Format.VIPER, Pattern.compile("J\\d{1,18}\\.log(\\.gz|\\.zst)?"), "J0.log, J1.log and so on"),
    /** The folder of a test, in which Jepsen stores all its results, including files for human readers. */
    JEPSEN(Format.EDN, Pattern.compile("history\\.edn(\\.gz|\\.zst)?"), "history.edn"),
    ETCD(Format.ETCD, Pattern.compile("operations\\.json(\\.gz|\\.zst)?"), "client-1/operations.json and so on");

    /** Files that Cobra's clients write next to their logs for human readers. */
    private static final Pattern NOISE = Pattern.compile(".*\\.(error|debug)");

    /** Files next to a published history of dbcop for human readers. */
    private static final Pattern NOTES = Pattern.compile(".*\\.txt");

    final Format format;
    private final Pattern names;
    private final String expected;

    ToolFolder(Format format, Pattern names, String expected) {
        this.format = format;
        this.names = names;
        this.expected = expected;
    }

    /** Returns the tool that has a file among these, or the requested one; null if none matches. */
    static @Nullable ToolFolder of(List<Path> files, @Nullable Format asked) {
        for (ToolFolder folder : values()) {
            boolean isIt = asked == null ? files.stream().anyMatch(folder::isMember) : asked == folder.format;
            if (isIt) {
                return folder;
            }
        }
        return null;
    }

    /** Returns the files that contain the history; all others must be known to contain no transactions. */
    List<Path> members(Path directory, List<Path> files) {
        List<Path> members = new ArrayList<>();
        for (Path file : files) {
            if (isMember(file)) {
                members.add(file);
            } else if (!isNoise(file)) {
                throw Histories.foreign(directory, file, expected);
            }
        }
        if (members.isEmpty() || ((this == DBCOP || this == JEPSEN) && members.size() > 1)) {
            throw Histories.foreign(directory, files.get(files.size() - 1), expected);
        }
        return members;
    }

    private boolean isNoise(Path file) {
        return switch (this) {
            case COBRA -> NOISE.matcher(nameOf(file)).matches();
            case JEPSEN, ETCD -> true;
            case DBCOP -> NOTES.matcher(nameOf(file)).matches();
            case VIPER -> false;
        };
    }

    private boolean isMember(Path file) {
        return names.matcher(nameOf(file)).matches() && !Files.isDirectory(file);
    }

    private static String nameOf(Path file) {
        return String.valueOf(file.getFileName());
    }
}
