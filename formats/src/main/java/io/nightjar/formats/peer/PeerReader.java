package io.nightjar.formats.peer;

import io.nightjar.formats.file.DamagedDataException;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.FileByFile;
import io.nightjar.formats.text.RowSink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Makes slices of the files of a history in a foreign format. */
final class PeerReader extends FileByFile<PeerRows> {

    private final PeerRows.Opener opener;

    PeerReader(List<Path> files, PeerRows.Opener opener, RowSink sink) {
        super(files, sink);
        this.opener = opener;
    }

    @Override
    protected PeerRows open(Path file) throws IOException {
        return opener.open(file, sink);
    }

    @Override
    protected boolean readNext(PeerRows rows) throws IOException {
        try {
            return rows.advance();
        } catch (BadRowException beyondRepair) {
            throw sink.malformed(beyondRepair.fault(), beyondRepair);
        } catch (DamagedDataException damaged) {
            throw sink.malformed(damaged.fault(), damaged);
        }
    }
}
