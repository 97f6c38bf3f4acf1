package io.nightjar.formats.registry;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.InputFile;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Entry point for opening and creating histories in any format. */
public final class Histories {

    private Histories() {}

    /**
     * Opens a file, or a directory whose files are the parts of one history.
     *
     * @param formatName as {@link #formatNames} spells it; null to detect it by content and extension
     * @throws MalformedHistoryException if the path does not exist or is not a history
     * @throws IllegalArgumentException if the format is unknown
     */
    public static HistorySource open(Path path, @Nullable String formatName) throws IOException {
        FormatChoice asked = FormatChoice.parse(formatName);
        if (path.toString().isEmpty()) { // an empty path would mean the working directory
            throw new MalformedHistoryException(InputLocation.file(""), InputError.of("no such file or directory"));
        }
        return ChangeDetectingSource.open(
                path, () -> Files.isDirectory(path) ? openDirectory(path, asked) : openFile(path, asked));
    }

    /**
     * Opens a history under a name that differs from its path.
     *
     * @param name its name in messages, splits and rows; the names of its files begin with it
     * @throws MalformedHistoryException if the path does not exist or is not a history
     * @throws IllegalArgumentException if the format is unknown
     */
    public static HistorySource open(Path path, @Nullable String formatName, String name) throws IOException {
        return NamedSource.open(path, formatName, name);
    }

    /**
     * Opens files, which must not change while they are read, as the parts of one history.
     *
     * @param files of this format, in their order; at least one file
     */
    public static HistorySource openParts(@Nullable String formatName, List<Path> files, String name)
            throws IOException {
        FormatChoice asked = FormatChoice.parse(formatName);
        return requireNonNull(asked.format()).open(name, null, files, asked);
    }

    private static HistorySource openFile(Path file, FormatChoice asked) throws IOException {
        InputFile.check(file);
        Format format = asked.format() == null ? recognise(file, asked) : asked.format();
        return format.open(file.toString(), null, List.of(file), asked);
    }

    /**
     * Checks that a format can be requested.
     *
     * @param formatName a name, {@code auto}, or either with columns after a colon; null for {@code auto}
     * @throws IllegalArgumentException if the format is unknown
     */
    public static void checkFormatName(@Nullable String formatName) {
        FormatChoice.parse(formatName);
    }

    /**
     * Creates a writer; the file appears under its name when the writer finishes.
     *
     * @param formatName as {@link #formatNames} spells it; null to use the extension
     * @throws IllegalArgumentException if the format is unknown
     */
    public static HistoryWriter create(Path out, @Nullable String formatName) throws IOException {
        Format format = formatName == null ? Format.byExtension(out) : formatNamed(formatName);
        if (format == null) {
            throw new IllegalArgumentException("format of the output unknown: file=%s extensions=%s; or name the format"
                    .formatted(out, extensions()));
        }
        return format.create(out);
    }

    /** Returns whether the extension of a file identifies its format. */
    public static boolean hasKnownExtension(Path file) {
        return Format.byExtension(file) != null;
    }

    /** Returns whether the format identified by a file's extension can store complete histories. */
    public static boolean holdsEverything(Path file) {
        Format format = Format.byExtension(file);
        return format != null && format.isOurs();
    }

    /** Returns the names of writable formats, as {@code --to} spells them. */
    public static List<String> writableFormatNames() {
        return Arrays.stream(Format.values())
                .filter(Format::isWritable)
                .map(format -> format.spelling)
                .toList();
    }

    /** Returns the names of readable formats, as {@code --from} spells them. */
    public static List<String> formatNames() {
        return Arrays.stream(Format.values()).map(format -> format.spelling).toList();
    }

    /** Returns the facts about each format. */
    public static List<FormatFacts> formats() {
        return Arrays.stream(Format.values())
                .map(format -> new FormatFacts(
                        format.spelling,
                        format.extensions,
                        format.directory != Format.Directory.NONE,
                        format.isWritable(),
                        format.columns()))
                .toList();
    }

    static Format formatNamed(String name) {
        Format format = Format.named(name);
        if (format == null) {
            throw new IllegalArgumentException(
                    "unknown format: format=%s expected=%s".formatted(name, String.join("|", formatNames())));
        }
        return format;
    }

    private static Format recognise(Path file, FormatChoice choice) throws IOException {
        Format format = FormatDetector.of(file, choice);
        if (format == null) {
            throw new MalformedHistoryException(
                    InputLocation.file(file.toString()),
                    InputError.of("format not recognised")
                            .with("extensions=" + extensions())
                            .advise("name the format if it is one of " + String.join("|", formatNames())));
        }
        return format;
    }

    private static HistorySource openDirectory(Path directory, FormatChoice choice) throws IOException {
        InputLocation location = InputLocation.file(directory.toString());
        Format asked = choice.format();
        if (asked != null && asked.directory == Format.Directory.NONE) {
            throw new MalformedHistoryException(
                    location,
                    InputError.of("a directory is not read in this format")
                            .with("format=%s", asked.spelling)
                            .advise("give its files one by one"));
        }
        List<Path> parts = parts(directory);
        if (parts.isEmpty()) {
            throw new MalformedHistoryException(
                    location,
                    InputError.of("directory holds no history")
                            .with("files=0")
                            .advise("names that begin with _ or . are skipped"));
        }
        for (Path part : parts) {
            if (Files.exists(part)
                    && !Files.isRegularFile(part)
                    && !Files.isDirectory(part)) { // opening it would wait for a writer
                throw foreign(directory, part, "a file, since a pipe can be read once only");
            }
        }
        ToolFolder folder = ToolFolder.of(withClients(parts), asked);
        if (folder != null) {
            List<Path> members = folder.members(directory, withClients(parts));
            return folder.format.open(directory.toString(), null, members, choice);
        }
        if (asked == null && !holdsPart(parts, choice)) {
            throw new MalformedHistoryException(
                    location,
                    InputError.of("directory holds no history")
                            .with("files=%d expected=one of %s", parts.size(), partFormats())
                            .advise("name a file or directory that is a history"));
        }
        Format format = asked;
        for (Path part : parts) {
            Format found = partFormat(directory, part, choice);
            if (format == null) {
                format = found;
            }
            if (found != format) {
                throw foreign(directory, part, format.spelling + " like the others, not " + found.spelling);
            }
        }
        return requireNonNull(format).open(directory.toString(), directory, parts, choice);
    }

    /** Returns the entries of a directory, with folders such as {@code client-1} replaced by their entries. */
    private static List<Path> withClients(List<Path> parts) throws IOException {
        List<Path> all = new ArrayList<>();
        for (Path part : parts) {
            boolean isClient = part.getFileName().toString().matches("client-\\d{1,9}")
                    && Files.isDirectory(part, LinkOption.NOFOLLOW_LINKS);
            all.addAll(isClient ? parts(part) : List.of(part));
        }
        return all;
    }

    /** Returns whether any of these can be a part of a history. */
    private static boolean holdsPart(List<Path> entries, FormatChoice choice) throws IOException {
        for (Path entry : entries) {
            Format format = Files.isDirectory(entry) ? null : FormatDetector.of(entry, choice);
            if (format != null && format.directory == Format.Directory.PARTS) {
                return true;
            }
        }
        return false;
    }

    private static Format partFormat(Path directory, Path part, FormatChoice choice) throws IOException {
        if (Files.isDirectory(part)) {
            throw foreign(
                    directory, part, "a file, or folders such as day=1; the parts of a history are in one folder");
        }
        Format format = FormatDetector.of(part, choice);
        if (format == null || format.directory != Format.Directory.PARTS) {
            throw foreign(directory, part, "one of " + partFormats());
        }
        return format;
    }

    static MalformedHistoryException foreign(Path directory, Path part, String expected) {
        return new MalformedHistoryException(
                InputLocation.file(directory.toString()),
                InputError.of("foreign file in a directory that is one history")
                        .with("file=%s expected=%s", part.getFileName(), expected)
                        .advise("move it away or begin its name with _"));
    }

    /** Returns the entries of a directory in the order of names, with folders such as {@code day=1} expanded. */
    private static List<Path> parts(Path directory) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            for (Path entry : stream) {
                if (!isPassedOver(entry)) {
                    entries.add(entry);
                }
            }
        } catch (AccessDeniedException e) {
            throw new MalformedHistoryException(
                    InputLocation.file(directory.toString()),
                    InputError.of("may not be read").advise("check the permissions of the directory"),
                    e);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        entries.sort((left, right) ->
                left.getFileName().toString().compareTo(right.getFileName().toString()));
        List<Path> parts = new ArrayList<>();
        for (Path entry : entries) {
            parts.addAll(isPartition(entry) ? parts(entry) : List.of(entry));
        }
        return parts;
    }

    /** Returns whether this is a folder of parts in the layout of other tools, such as {@code day=1}. */
    static boolean isPartition(Path entry) {
        String name = entry.getFileName().toString();
        boolean isDay = name.matches("\\d{4}-\\d\\d-\\d\\d"); // layout of changefeeds
        return (isDay || name.indexOf('=') > 0)
                && !isPassedOver(entry)
                && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns whether an entry of a history's directory is ignored because of its name. */
    public static boolean isPassedOver(Path entry) {
        String name = entry.getFileName().toString();
        return name.startsWith("_") || name.startsWith(".");
    }

    private static String partFormats() {
        return Arrays.stream(Format.values())
                .filter(format -> format.directory == Format.Directory.PARTS)
                .map(format -> format.spelling)
                .collect(Collectors.joining("|"));
    }

    private static String extensions() {
        return Arrays.stream(Format.values())
                .flatMap(format -> format.extensions.stream())
                .collect(Collectors.joining(","));
    }
}
