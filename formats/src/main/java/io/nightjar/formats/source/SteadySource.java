package io.nightjar.formats.source;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.ForwardingSource;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.NumberedRows;
import io.nightjar.formats.history.Place;
import io.nightjar.formats.history.Reading;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.text.CommonTypes;
import io.nightjar.formats.text.JsonScalars;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A source that is the same at every reading, with one type of keys and one of values: it fails where a file is found to be
 * another one than before.
 *
 * <p>Each reading of a split to its end is summed up and compared with the first one. When a reading fails for any reason,
 * and when {@link #checkUnchanged} is called, the files themselves are looked at.
 */
final class SteadySource extends ForwardingSource {

    private final SourceStamp stamp;
    private final AtomicReferenceArray<Reading> readings;
    private final CommonTypes types = new CommonTypes();
    private volatile boolean allowsMixedTypes;

    private SteadySource(HistorySource source, SourceStamp stamp) {
        super(source);
        this.stamp = stamp;
        this.readings = new AtomicReferenceArray<>(source.splits().size());
    }

    /** Opens a source once its files have been looked at. */
    @FunctionalInterface
    interface Opener {
        HistorySource open() throws IOException;
    }

    static SteadySource open(Path address, Opener opener) throws IOException {
        SourceStamp stamp = SourceStamp.of(address);
        try {
            return new SteadySource(opener.open(), stamp);
        } catch (IOException | RuntimeException | Error failed) {
            explain(stamp, failed);
            throw failed;
        }
    }

    /** Throws the change of a file that explains a failure, if there is one. */
    private static void explain(SourceStamp stamp, Throwable failed) throws ChangedInputException {
        try {
            stamp.check();
        } catch (ChangedInputException changed) {
            changed.addSuppressed(failed);
            throw changed;
        }
    }

    @Override
    public SliceReader open(int split, Set<Column> wanted, BadRows badRows) throws IOException {
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
    public Reading reading(int split) {
        return readings.get(split);
    }

    @Override
    public void expect(int split, Reading reading) throws ChangedInputException {
        Reading first = readings.compareAndExchange(split, null, reading);
        String difference = first == null ? null : first.differenceTo(reading);
        if (difference != null) {
            throw new ChangedInputException(Place.file(splits().get(split).file()), difference);
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

    /** Sums up what it hands out. */
    private final class SteadyReader implements SliceReader {

        private final int split;
        private final SliceReader reader;
        private final ReadingHash hash;
        private long badRowCount;
        private boolean isAtEnd;

        SteadyReader(int split, Set<Column> wanted, BadRows badRows) throws IOException {
            this.split = split;
            this.hash = new ReadingHash(wanted);
            BadRows counting = (file, row, fault, rawText) -> {
                badRowCount++;
                badRows.add(file, row, fault, rawText);
            };
            this.reader = source.open(split, wanted, badRows.wantNumbers() ? new NumberedRows(counting) : counting);
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
