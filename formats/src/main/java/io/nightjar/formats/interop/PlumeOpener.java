package io.nightjar.formats.interop;

import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.LineReader;
import io.nightjar.formats.text.RowSliceBuilder;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Opens files of Plume after determining, once per file, whether the operations of every transaction are contiguous.
 */
final class PlumeOpener implements InteropRowReader.Opener {

    private final Map<Path, Boolean> isGathered = new HashMap<>();

    @Override
    public InteropRowReader open(Path file, RowSliceBuilder sink) throws IOException {
        return isGathered(file) ? new PlumeRows(file, sink) : new ScatteredPlumeRows(file, sink);
    }

    private synchronized boolean isGathered(Path file) throws IOException {
        Boolean known = isGathered.get(file);
        if (known == null) {
            known = scan(file);
            isGathered.put(file, known);
        }
        return known;
    }

    private static boolean scan(Path file) throws IOException {
        LongOpenHashSet seen = new LongOpenHashSet();
        PlumeLine line = new PlumeLine();
        long last = PlumeLine.ABORTED;
        long session = 0;
        try (LineReader lines = new LineReader(file)) {
            while (lines.advance()) {
                if (!isReadable(line, lines) || (line.txn == last && line.session == session)) {
                    continue;
                }
                last = line.txn;
                session = line.session;
                if (last != PlumeLine.ABORTED && !seen.add(last)) {
                    return false;
                }
            }
        } catch (MalformedHistoryException damaged) {
            return true; // the reader will report the location
        }
        return true;
    }

    private static boolean isReadable(PlumeLine line, LineReader lines) {
        try {
            return line.read(lines);
        } catch (BadRowException bad) {
            return false; // and the reader will report it as a bad row
        }
    }
}
