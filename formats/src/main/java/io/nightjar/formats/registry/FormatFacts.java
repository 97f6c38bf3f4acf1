package io.nightjar.formats.registry;

import io.nightjar.formats.history.ColumnGroup;
import java.util.List;
import java.util.Set;

/**
 * What there is to know of a format before a file is opened.
 *
 * @param name as {@code --from} and {@code --to} spell it
 * @param extensions by which files are known, the first is the usual one; none where only content tells
 * @param isFolder whether a directory may be one history
 * @param isWritable whether histories can be written in it
 * @param columns what a history in it may say; nothing for logs of writes, which say nothing of reads
 */
public record FormatFacts(
        String name, List<String> extensions, boolean isFolder, boolean isWritable, Set<ColumnGroup> columns) {

    public FormatFacts {
        extensions = List.copyOf(extensions);
        columns = Set.copyOf(columns);
    }
}
