package io.nightjar.formats.interop;

import io.nightjar.formats.file.CorruptDataException;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.FileByFile;
import io.nightjar.formats.text.RowSliceBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads the files of a history in a foreign format into slices. */
final class PeerReader extends FileByFile<InteropRowReader> {

    private final InteropRowReader.Opener opener;

    PeerReader(List<Path> files, InteropRowReader.Opener opener, RowSliceBuilder sink) {
        super(files, sink);
        this.opener = opener;
    }

    @Override
    protected InteropRowReader open(Path file) throws IOException {
        return opener.open(file, sink);
    }

    @Override
    protected boolean readNext(InteropRowReader rows) throws IOException {
        try {
            return rows.advance();
        } catch (BadRowException beyondRepair) {
            throw sink.malformed(beyondRepair.fault(), beyondRepair);
        } catch (CorruptDataException damaged) {
            throw sink.malformed(damaged.fault(), damaged);
        }
    }
}
