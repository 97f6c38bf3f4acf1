package io.nightjar.formats.registry;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.ForwardingSource;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.NumberedRows;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SplitDigest;
import io.nightjar.formats.history.Traffic;
import io.nightjar.formats.text.CommonTypes;
import io.nightjar.formats.text.JsonScalars;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A source that is equal at every reading, with one type of keys and one of values: it fails if a file has changed.
 *
 * <p>Each complete reading of a split is digested and compared with the first one. When a reading fails for any reason,
 * and when {@link #checkUnchanged} is called, the files are inspected.
 */
final class ChangeDetectingSource extends ForwardingSource {

    private final Path address;
    private final SourceFingerprint stamp;
    private final AtomicReferenceArray<SplitDigest> readings;
    private final CommonTypes types = new CommonTypes();
    private volatile boolean allowsMixedTypes;

    private ChangeDetectingSource(Path address, HistorySource source, SourceFingerprint stamp) {
        super(source);
        this.address = address;
        this.stamp = stamp;
        this.readings = new AtomicReferenceArray<>(source.splits().size());
    }

    /** Opens a source after its files have been inspected. */
    @FunctionalInterface
    interface Opener {
        HistorySource open() throws IOException;
    }

    static ChangeDetectingSource open(Path address, Opener opener) throws IOException {
        SourceFingerprint stamp = SourceFingerprint.of(address);
        try {
            return new ChangeDetectingSource(address, opener.open(), stamp);
        } catch (IOException | RuntimeException | Error failed) {
            explain(stamp, failed);
            throw failed;
        }
    }

    /** Throws the change of a file that explains a failure, if a file has changed. */
    private static void explain(SourceFingerprint stamp, Throwable failed) throws ChangedInputException {
        try {
            stamp.check();
        } catch (ChangedInputException changed) {
            changed.addSuppressed(failed);
            throw changed;
        }
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        try {
            return new SteadyReader(split, wanted, badRows);
        } catch (IOException | RuntimeException | Error failed) {
            explain(stamp, failed);
            throw failed;
        }
    }

    @Override
    public void checkUnchanged() throws IOException {
        stamp.check();
    }

    @Override
    public @Nullable Traffic traffic() {
        return Addresses.traffic(address);
    }

    @Override
    public void allowMixedTypes() {
        allowsMixedTypes = true;
    }

    @Override
    public boolean holdAsJson(String faultKind) {
        return types.holdAsJson(faultKind);
    }

    @Override
    public @Nullable String initialValue(@Nullable String given) {
        String value = given != null ? given : impliedInitialValue();
        return value == null || !types.areValuesJson() ? value : JsonScalars.ofTyped(value);
    }

    @Override
    public SplitDigest reading(int split) {
        return readings.get(split);
    }

    @Override
    public void expect(int split, SplitDigest reading) throws ChangedInputException {
        SplitDigest first = readings.compareAndExchange(split, null, reading);
        String difference = first == null ? null : first.differenceTo(reading);
        if (difference != null) {
            throw new ChangedInputException(
                    InputLocation.file(splits().get(split).file()), difference);
        }
    }

    private HistorySlice ofCommonTypes(HistorySlice slice) {
        MalformedHistoryException difference = types.differenceOf(slice);
        if (difference != null) {
            throw difference;
        }
        HistorySlice converted = types.convert(slice);
        types.checkPredicates(converted);
        return converted;
    }

    /** Reader that computes the digest of the returned slices. */
    private final class SteadyReader implements SliceReader {

        private final int split;
        private final SliceReader reader;
        private final ReadingHash hash;
        private long badRowCount;
        private boolean isAtEnd;

        SteadyReader(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
            this.split = split;
            this.hash = new ReadingHash(wanted);
            BadRowHandler counting = (file, row, fault, rawText) -> {
                badRowCount++;
                badRows.add(file, row, fault, rawText);
            };
            this.reader =
                    source.open(split, wanted, badRows.requireExplicitIds() ? new NumberedRows(counting) : counting);
        }

        @Override
        public @Nullable HistorySlice next() throws IOException {
            HistorySlice slice;
            try {
                slice = reader.next();
            } catch (IOException | RuntimeException | Error failed) {
                explain(stamp, failed);
                throw failed;
            }
            if (slice != null) {
                hash.add(slice);
                return allowsMixedTypes ? slice : ofCommonTypes(slice);
            }
            if (!isAtEnd) {
                isAtEnd = true;
                expect(split, hash.reading(badRowCount));
            }
            return slice;
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }
}
