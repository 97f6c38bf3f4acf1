package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.Place;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.source.Histories;
import io.nightjar.pipeline.online.AtticPages;
import io.nightjar.pipeline.online.KeyRoom;
import io.nightjar.pipeline.online.LogAttic;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.online.OnlineListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What a history leaves behind: the state that a watch begins with. */
final class InitialHistory {

    private InitialHistory() {}

    /** Reads a history to its end. */
    static OnlineCheck read(Path file, IsolationLevel level) throws IOException {
        KeyRoom room = KeyRoom.unlimited();
        LogAttic attic = new LogAttic(0, AtticPages.NONE, room);
        OnlineCheck end = new OnlineCheck(List.of(level), null, attic, room, OnlineListener.NOBODY, 0);
        end.holdTexts();
        try (HistorySource source = Histories.open(file, null)) {
            for (int split = 0; split < source.splits().size(); split++) {
                try (SliceReader slices = source.open(split, Column.all(), BadRows.PASS_OVER)) {
                    for (HistorySlice slice = slices.next(); slice != null; slice = slices.next()) {
                        end.add(slice, 0);
                    }
                }
            }
        }
        if (end.unplacedCount() > 0) {
            throw new MalformedHistoryException(
                    Place.file(file.toString()),
                    "committed transactions without timestamps: transactions=" + end.unplacedCount()
                            + "; an initial state is what the last commit of each key left");
        }
        end.seal(Long.MAX_VALUE);
        return end;
    }
}
