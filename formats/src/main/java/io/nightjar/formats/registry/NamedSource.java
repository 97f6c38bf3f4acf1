package io.nightjar.formats.registry;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.ForwardingSource;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SplitDigest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A history under the name that the user gave it, independent of its path: in messages, splits and rows. */
final class NamedSource extends ForwardingSource {

    private final String path;
    private final String uri;

    /**
     * @param path its path; names of its files begin with it
     * @param uri its address as the user gave it
     */
    private NamedSource(HistorySource source, String path, String uri) {
        super(source);
        this.path = path;
        this.uri = uri;
    }

    static NamedSource open(Path path, @Nullable String formatName, String uri) throws IOException {
        try {
            return new NamedSource(Histories.open(path, formatName), path.toString(), uri);
        } catch (MalformedHistoryException malformed) {
            throw renamed(malformed, path.toString(), uri);
        } catch (ChangedInputException changed) {
            throw changed.renamed(path.toString(), uri);
        }
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public List<Split> splits() {
        return isNamedAlike()
                ? source.splits()
                : source.splits().stream()
                        .map(split ->
                                new Split(nameOf(split.file()), split.txnCount(), split.opCount(), split.byteCount()))
                        .toList();
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        if (isNamedAlike()) {
            return source.open(split, wanted, badRows);
        }
        BadRowHandler named = (file, row, fault, rawText) -> badRows.add(nameOf(file), row, fault, rawText);
        try {
            return new NamedReader(source.open(split, wanted, named));
        } catch (MalformedHistoryException malformed) {
            throw renamed(malformed, path, uri);
        } catch (ChangedInputException changed) {
            throw changed.renamed(path, uri);
        }
    }

    @Override
    public void checkUnchanged() throws IOException {
        try {
            source.checkUnchanged();
        } catch (ChangedInputException changed) {
            throw changed.renamed(path, uri);
        }
    }

    @Override
    public void expect(int split, SplitDigest reading) throws IOException {
        try {
            source.expect(split, reading);
        } catch (ChangedInputException changed) {
            throw changed.renamed(path, uri);
        }
    }

    private boolean isNamedAlike() {
        return path.equals(uri);
    }

    private String nameOf(String file) {
        return file.startsWith(path) ? uri + file.substring(path.length()) : file;
    }

    /** Renames all locations of a message. Details may name a second location; every location begins with a bracket. */
    private static MalformedHistoryException renamed(MalformedHistoryException malformed, String path, String uri) {
        InputError fault = malformed.fault();
        InputError renamed =
                new InputError(fault.kind(), fault.details().replace("[" + path, "[" + uri), fault.advice());
        return new MalformedHistoryException(malformed.location().renamed(path, uri), renamed, malformed);
    }

    /** Reader that returns slices with the user's name of their file. */
    private final class NamedReader implements SliceReader {

        private final SliceReader reader;

        NamedReader(SliceReader reader) {
            this.reader = reader;
        }

        @Override
        public @Nullable HistorySlice next() throws IOException {
            try {
                HistorySlice slice = reader.next();
                return slice == null ? null : slice.withFile(nameOf(slice.file));
            } catch (MalformedHistoryException malformed) {
                throw renamed(malformed, path, uri);
            } catch (ChangedInputException changed) {
                throw changed.renamed(path, uri);
            }
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }
}
