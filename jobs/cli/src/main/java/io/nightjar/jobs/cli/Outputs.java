package io.nightjar.jobs.cli;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.file.AtomicFile;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.artifact.WholeFile;
import io.nightjar.jobs.command.OutputPaths;
import io.nightjar.jobs.command.ResultStream;
import io.nightjar.jobs.input.HistoryArgument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Begins the files that commands write; an older file of that name is replaced when the new one is complete. */
final class Outputs {

    private static final String JSON_LINES = "jsonl";

    private Outputs() {}

    /**
     * @param formatName null to use the extension
     * @throws UsageException if nothing can be written there
     */
    static HistoryWriter create(Path out, @Nullable String formatName) throws IOException {
        OutputPaths.checkFile(out);
        try {
            String format = formatName == null && AtomicFile.isStream(out) ? formatOfStream(out) : formatName;
            return new NamedWriter(out, Histories.create(out, format));
        } catch (IllegalArgumentException noSuchFormat) {
            throw new UsageException(noSuchFormat.getMessage(), noSuchFormat);
        }
    }

    /** Returns the format in a pipe's name, else the format that any program reads. */
    private static @Nullable String formatOfStream(Path out) {
        return Histories.hasKnownExtension(out) ? null : JSON_LINES;
    }

    /**
     * Checks that a file does not replace or join a history that is read.
     *
     * @throws UsageException if it is the history, or would be among its files
     */
    static void checkApart(Path out, Path history) throws IOException {
        if (AtomicFile.isStream(out) || HistoryArgument.isPipe(history)) {
            return;
        }
        if (!Files.exists(history)) {
            return; // the failure is reported when it is opened
        }
        Path input = history.toRealPath();
        Path output = realOf(out);
        if (output.equals(input)) {
            throw new UsageException("output is the input: path=" + out);
        }
        if (output.startsWith(input)) {
            throw new UsageException(
                    "output lies in the input: path=" + out + " input=" + history + "; choose another location");
        }
    }

    /**
     * Checks that a directory does not replace or join a history that is read: in a directory that is a history it
     * would be foreign, and the next check would reject them both.
     *
     * @throws UsageException if it is the history, or would be among its parts under a name that is not skipped
     */
    static void checkDirectoryApart(String option, Path out, Path history, @Nullable String formatName)
            throws IOException {
        if (!Files.isDirectory(history)) {
            return;
        }
        Path input = history.toRealPath();
        Path output = realOf(out);
        if (!output.startsWith(input)) {
            return;
        }
        if (!output.equals(input)
                && Histories.isPassedOver(input.relativize(output).getName(0))) {
            return;
        }
        try {
            Histories.open(history, formatName).close();
        } catch (MalformedHistoryException noHistory) {
            return; // the failure is reported when it is checked, and nothing is written then
        }
        throw new UsageException("output lies in the input: " + option + "=" + out + " input=" + history
                + "; the next check would reject the history, choose a location outside with " + option
                + ", or a name there that begins with _");
    }

    private static Path realOf(Path out) throws IOException {
        if (Addresses.isRemote(out) || Files.exists(out)) {
            return out.toRealPath();
        }
        Path absolute = out.toAbsolutePath();
        Path there = absolute;
        while (!Files.exists(there)) {
            there = requireNonNull(there.getParent());
        }
        Path rest = absolute.subpath(there.getNameCount(), absolute.getNameCount());
        return there.toRealPath().resolve(rest).normalize();
    }

    /** Adds to every failure the name of the file that could not be written. */
    private record NamedWriter(Path out, HistoryWriter writer) implements HistoryWriter {

        @Override
        public void write(HistorySlice slice) throws IOException {
            try {
                writer.write(slice);
            } catch (IOException failed) {
                throw named(failed);
            }
        }

        @Override
        public boolean doubt(String why) {
            return writer.doubt(why);
        }

        @Override
        public boolean takesMixedTypes() {
            return writer.takesMixedTypes();
        }

        @Override
        public void finish() throws IOException {
            try {
                writer.finish();
            } catch (IOException failed) {
                throw named(failed);
            }
        }

        @Override
        public void close() throws IOException {
            writer.close();
        }

        private IOException named(IOException failed) {
            if (ResultStream.isBrokenPipe(failed)) {
                throw new ResultStream.BrokenException(failed);
            }
            return new IOException(
                    "[" + out + "] cannot write: reason=" + WholeFile.reason(failed)
                            + "; nothing was written, free some space or choose another location",
                    failed);
        }
    }
}
