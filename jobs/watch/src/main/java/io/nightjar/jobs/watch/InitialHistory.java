package io.nightjar.jobs.watch;

import io.nightjar.formats.file.AtomicFile;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.registry.Histories;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.online.OnlineCheckCodec;
import io.nightjar.pipeline.online.OnlineListener;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The last versions of a history, with which a watch begins. */
public final class InitialHistory {

    private InitialHistory() {}

    /** Creates a check without a listener. */
    static OnlineCheck nobodys(IsolationLevel level) {
        return new OnlineCheck(List.of(level), null, OnlineListener.NONE);
    }

    /** Returns the diagnostic about keys with a learned state; null if no key has one. */
    static @Nullable SourceDiagnostic remark(long learnedKeys) {
        if (learnedKeys == 0) {
            return null;
        }
        String message = String.format(
                Locale.ROOT,
                "%,d keys had a value before the first write: learned from the first sealed read of each",
                learnedKeys);
        return new SourceDiagnostic("L36", learnedKeys, null, message);
    }

    /** Checks a history to its end. */
    static OnlineCheck read(Path file, IsolationLevel level) throws IOException {
        OnlineCheck end = nobodys(level);
        end.retainValueTexts();
        try (HistorySource source = Histories.open(file, null)) {
            for (int split = 0; split < source.splits().size(); split++) {
                try (SliceReader slices = source.open(split, ColumnGroup.all(), BadRowHandler.REJECT)) {
                    for (HistorySlice slice = slices.next(); slice != null; slice = slices.next()) {
                        end.add(slice, 0);
                    }
                }
            }
        }
        if (end.unplacedCount() > 0) {
            throw new MalformedHistoryException(
                    InputLocation.file(file.toString()),
                    InputError.of("committed transactions without timestamps")
                            .with("transactions=" + end.unplacedCount())
                            .advise("the initial state is determined by the last commit of each key"));
        }
        end.seal(Long.MAX_VALUE);
        return end;
    }

    /**
     * Writes the last versions of a history into a file, from which {@link #readLanes} reads the keys of some lanes.
     */
    public static void writeLanes(Path history, IsolationLevel level, int laneCount, Path to) throws IOException {
        try (AtomicFile file = new AtomicFile(to)) {
            try (DataOutputStream out = new DataOutputStream(file.openPlain())) {
                for (ByteWriter lane : OnlineCheckCodec.writeEnd(read(history, level), laneCount)) {
                    Checkpoint.writeBytes(out, lane);
                }
            }
            file.publish();
        }
    }

    /** Starts a check with the last versions of the keys of some lanes, from such a file. */
    public static void readLanes(Path file, int laneCount, IntPredicate lanes, OnlineCheck into) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            for (int lane = 0; lane < laneCount; lane++) {
                ByteReader state = Checkpoint.readBytes(in);
                if (lanes.test(lane)) {
                    OnlineCheckCodec.readKeys(state, into);
                }
            }
        }
    }
}
