package io.nightjar.jobs.input;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.ScratchFolder;
import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A history that the user named: a file, a directory, a pipe or standard input. Standard input and pipes can be read
 * only once, so they are first copied into a scratch folder, from which they are read as often as is needed.
 */
public final class HistoryArgument implements AutoCloseable {

    /** The name of standard input, in arguments and results. */
    public static final String STANDARD_INPUT = "-";

    private static final List<Path> NAMES_OF_STANDARD_INPUT =
            List.of(Path.of(STANDARD_INPUT), Path.of("/dev/stdin"), Path.of("/dev/fd/0"), Path.of("/proc/self/fd/0"));
    private static final String NAME_WITHOUT_EXTENSION = "history";

    private final String name;
    private final Path path;
    private final long keptBytes;
    private final @Nullable ScratchFolder scratch; // null for a history that needs no copy

    private HistoryArgument(String name, Path path, long keptBytes, @Nullable ScratchFolder scratch) {
        this.name = name;
        this.path = path;
        this.keptBytes = keptBytes;
        this.scratch = scratch;
    }

    /**
     * Finds a history; reads a pipe to its end.
     *
     * @param onKept called for bytes read from a pipe
     * @throws io.nightjar.formats.history.MalformedHistoryException if a pipe cannot be read
     * @throws io.nightjar.jobs.lake.LakeException if the disk has no space for the copy
     */
    public static HistoryArgument find(Path named, LongConsumer onKept) throws IOException {
        if (!isPipe(named)) {
            return new HistoryArgument(named.toString(), named, 0, null);
        }
        String name = nameOf(named);
        ScratchFolder scratch = ScratchFolder.create(Path.of(System.getProperty("java.io.tmpdir")), "nightjar-pipe-");
        try {
            Path copy = scratch.path().resolve(fileName(named));
            long bytes = isStandardInput(named)
                    ? KeptPipe.keep(name, System.in, copy, onKept)
                    : KeptPipe.keep(name, named, copy, onKept);
            return new HistoryArgument(name, copy, bytes, scratch);
        } catch (IOException | RuntimeException | Error failed) {
            scratch.close();
            throw failed;
        }
    }

    /**
     * Returns the name of a history in results: its path as given, {@code -} for standard input however it is named.
     */
    public static String nameOf(Path named) {
        return isStandardInput(named) ? STANDARD_INPUT : named.toString();
    }

    /** Returns whether this means standard input. */
    public static boolean isStandardInput(Path named) {
        return NAMES_OF_STANDARD_INPUT.contains(named);
    }

    /** Returns whether a history can be read only once. */
    public static boolean isPipe(Path named) {
        return isStandardInput(named)
                || Files.exists(named) && !Files.isRegularFile(named) && !Files.isDirectory(named);
    }

    /**
     * Looks whether several histories can be read one after another.
     *
     * @throws UsageException if more than one is standard input
     */
    public static void checkTogether(List<Path> histories) {
        long standard =
                histories.stream().filter(HistoryArgument::isStandardInput).count();
        if (standard > 1) {
            throw new UsageException("standard input can be read once only: arguments that mean it=" + standard
                    + "; give the others as files");
        }
    }

    /** Returns a file name whose extension may determine a format that the content leaves open. */
    private static String fileName(Path named) {
        String file = String.valueOf(named.getFileName());
        return isStandardInput(named) || file.indexOf('.') <= 0 ? NAME_WITHOUT_EXTENSION : file;
    }

    /** Returns its name in results. */
    public String name() {
        return name;
    }

    /** Returns the file or directory in which it can be read until this is closed. */
    public Path path() {
        return path;
    }

    /** Returns the number of bytes stored in the scratch folder. */
    public long keptBytes() {
        return keptBytes;
    }

    /**
     * Opens it.
     *
     * @param format as {@code --from} spells it; null to detect it
     */
    public HistorySource open(@Nullable String format) throws IOException {
        return scratch == null ? Histories.open(path, format) : Histories.open(path, format, name);
    }

    @Override
    public void close() {
        if (scratch != null) {
            scratch.close();
        }
    }
}
