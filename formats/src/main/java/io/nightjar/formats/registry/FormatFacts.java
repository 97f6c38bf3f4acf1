package io.nightjar.formats.registry;

import io.nightjar.formats.history.ColumnGroup;
import java.util.List;
import java.util.Set;

/**
 * Properties of a format that are independent of a file.
 *
 * @param name as {@code --from} and {@code --to} spell it
 * @param extensions extensions of its files, the usual one first; empty if only content identifies the format
 * @param isFolder whether a directory may be one history
 * @param isWritable whether histories can be written in it
 * @param columns groups that it can store; empty for logs of writes, which contain no reads
 */
public record FormatFacts(
        String name, List<String> extensions, boolean isFolder, boolean isWritable, Set<ColumnGroup> columns) {

    public FormatFacts {
        extensions = List.copyOf(extensions);
        columns = Set.copyOf(columns);
    }
}
