package io.nightjar.jobs.command;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.file.AtomicFile;
import io.nightjar.formats.file.InputFile;
import io.nightjar.jobs.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks the paths of output files and directories before a command starts. */
public final class OutputPaths {

    private OutputPaths() {}

    /**
     * Parses the address of a lake: a path, or a folder of an object store.
     *
     * @throws UsageException if it is another address
     */
    public static Path folder(String option, String text) {
        Path folder = Addresses.path(text);
        return Addresses.isRemote(folder) ? checkWritable(folder) : localPath(option, text);
    }

    /**
     * Parses a path.
     *
     * @throws UsageException if it is an address outside of this machine's file system
     */
    public static Path localPath(String option, String text) {
        int colon = text.indexOf(":/");
        boolean isAddress = colon > 1 && text.substring(0, colon).matches("[A-Za-z][A-Za-z0-9+.-]*");
        if (isAddress && !Files.exists(Path.of(text))) {
            throw new UsageException("addresses are not supported: " + option + "=" + Addresses.withoutSecrets(text)
                    + "; name a file or directory, such as one where that storage is mounted");
        }
        return Path.of(text);
    }

    private static Path checkWritable(Path path) {
        if (Addresses.isWeb(path)) {
            throw new UsageException("[" + path + "] files of a web server are only read; name another location");
        }
        return path;
    }

    /**
     * Looks whether a file can be made, before much is done that would be lost.
     *
     * @throws UsageException if it cannot
     */
    public static void checkFile(Path out) {
        checkWritable(out);
        if (AtomicFile.isStream(out)) {
            return;
        }
        if (InputFile.isNameGarbled(out)) {
            throw new UsageException("name of the output is not UTF-8: path=" + out + "; choose another one");
        }
        if (Files.isDirectory(out)) {
            throw new UsageException("output is a directory: path=" + out + "; give a file");
        }
        Path parent = out.toAbsolutePath().getParent();
        if (Addresses.isRemote(out) && parent != null) {
            return; // a store makes its folders
        }
        if (parent == null || !Files.isDirectory(parent)) {
            throw new UsageException("no such directory: path=" + parent + "; make it first");
        }
    }
}
