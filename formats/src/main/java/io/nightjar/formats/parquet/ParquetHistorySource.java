package io.nightjar.formats.parquet;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.text.CommonTypes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A history in Parquet files of any writer; each row group is a split. */
public final class ParquetHistorySource implements HistorySource {

    private static final int NO_ROW_GROUP = -1;

    private final String uri;
    private final List<Split> splits = new ArrayList<>();
    private final List<GroupSplit> groupSplits = new ArrayList<>();

    /** Internal data of a split. */
    private record GroupSplit(Path path, FileFooter footer, HistoryLeaves leaves, int rowGroup) {

        /** Returns whether the footer permits a value that is not null in a column. */
        boolean hasValues(HistoryColumn column) {
            SchemaNode leaf = leaves.leaf(column);
            if (leaf == null || rowGroup == NO_ROW_GROUP) {
                return false;
            }
            ChunkInfo chunk = footer.rowGroups().get(rowGroup).chunks().get(leaf.leaf);
            return chunk.nullCount() != chunk.entryCount();
        }
    }

    private ParquetHistorySource(String uri) {
        this.uri = uri;
    }

    /**
     * Reads the footers of all files.
     *
     * @param uri the address as the user gave it
     * @param files the part files of one history, in order
     * @throws MalformedHistoryException if one of them is not a history in Parquet
     */
    public static ParquetHistorySource open(String uri, List<Path> files) throws IOException {
        ParquetHistorySource source = new ParquetHistorySource(uri);
        for (Path file : files) {
            source.add(file);
        }
        return source;
    }

    private void add(Path path) throws IOException {
        String file = path.toString();
        FileFooter footer = footer(path);
        HistoryLeaves leaves = new HistoryLeaves(file, footer);
        for (int rowGroup = 0; rowGroup < footer.rowGroups().size(); rowGroup++) {
            RowGroupInfo group = footer.rowGroups().get(rowGroup);
            long entries = group.chunks()
                    .get(requireNonNull(leaves.leaf(HistoryColumn.KIND)).leaf)
                    .entryCount();
            splits.add(new Split(file, group.rowCount(), entries, byteCount(group)));
            groupSplits.add(new GroupSplit(path, footer, leaves, rowGroup));
        }
        if (footer.rowGroups().isEmpty()) {
            splits.add(new Split(file, 0, 0, 0));
            groupSplits.add(new GroupSplit(path, footer, leaves, NO_ROW_GROUP));
        }
    }

    private static long byteCount(RowGroupInfo group) {
        long bytes = 0;
        for (ChunkInfo chunk : group.chunks()) {
            bytes += chunk.compressedSize();
        }
        return bytes;
    }

    private static FileFooter footer(Path path) throws IOException {
        String file = path.toString();
        try (FileChannel channel = channel(path)) {
            return FooterReader.read(channel);
        } catch (CorruptFileException e) {
            throw new MalformedHistoryException(InputLocation.file(file), e.fault(), e);
        }
    }

    static FileChannel channel(Path path) throws IOException {
        String file = path.toString();
        if (Files.isDirectory(path)) {
            throw new MalformedHistoryException(
                    InputLocation.file(file),
                    InputError.of("not a parquet file")
                            .with("found=directory expected=file")
                            .advise("give the files in it"));
        }
        try {
            return FileChannel.open(path, StandardOpenOption.READ);
        } catch (NoSuchFileException e) {
            throw new MalformedHistoryException(
                    InputLocation.file(file),
                    InputError.of("file is missing").with("path=" + file).advise("check it"),
                    e);
        } catch (AccessDeniedException e) {
            throw new MalformedHistoryException(
                    InputLocation.file(file),
                    InputError.of("file may not be read").with("path=" + file).advise("change its permissions"),
                    e);
        }
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public String format() {
        return "parquet";
    }

    @Override
    public List<Split> splits() {
        return splits;
    }

    @Override
    public boolean hasPredicateColumns() {
        return groupSplits.stream().anyMatch(groupSplit -> groupSplit.hasValues(HistoryColumn.PREDICATE));
    }

    @Override
    public List<SourceDiagnostic> remarks() {
        List<SourceDiagnostic> remarks = new ArrayList<>();
        Set<String> reported = new HashSet<>();
        for (GroupSplit groupSplit : groupSplits) {
            String doubt = groupSplit.footer.metadata().get(HistorySchema.DOUBT_KEY);
            if (doubt != null && reported.add(doubt)) {
                remarks.add(new SourceDiagnostic("L39", 1, groupSplit.path.toString(), doubt, doubt));
            }
        }
        return remarks;
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        GroupSplit groupSplit = groupSplits.get(split);
        if (groupSplit.rowGroup == NO_ROW_GROUP) {
            return SliceReader.of(Collections.emptyIterator());
        }
        String file = groupSplit.path.toString();
        FileChannel channel = channel(groupSplit.path);
        try {
            SliceReader reader = new RowGroupReader(
                    file,
                    channel,
                    groupSplit.footer,
                    groupSplit.leaves,
                    groupSplit.rowGroup,
                    ReadPlan.of(wanted),
                    badRows);
            boolean areKeysJson = isJson(groupSplit, CommonTypes.KEY_TYPE);
            boolean areValuesJson = isJson(groupSplit, CommonTypes.VALUE_TYPE);
            return areKeysJson || areValuesJson
                    ? reader.map(slice -> CommonTypes.ofJsonTexts(slice, areKeysJson, areValuesJson))
                    : reader;
        } catch (RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public void close() {
        // Files are open only while a split is read.
    }

    private static boolean isJson(GroupSplit groupSplit, String member) {
        return CommonTypes.JSON.equals(groupSplit.footer.metadata().get(member));
    }
}
