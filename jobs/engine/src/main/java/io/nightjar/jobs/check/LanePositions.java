package io.nightjar.jobs.check;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.timestamp.DependencyBuffer;
import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.check.timestamp.LaneDependencies;
import io.nightjar.pipeline.check.timestamp.PositionMerger;
import io.nightjar.pipeline.check.timestamp.Positions;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Positions of transactions from lanes, for rows in any order. */
public final class LanePositions {

    /*
     * Memory. The merger takes a quarter at most, encoded dependencies another quarter, and lanes half.
     */

    private static final int SHARE = 4;

    private final CheckOptions options;
    private final PositionMerger merger;
    private final List<byte[]> dependencies = new ArrayList<>(); // encoded
    private long bytesHeld;
    private boolean isInDoubt;

    private LanePositions(CheckOptions options) {
        this.options = options;
        this.merger = new PositionMerger(options.memoryBytes() / SHARE);
    }

    /**
     * Reads the rows again and finds positions.
     *
     * @param rows validated, without skipped rows
     * @return null if positions are not determined, or do not fit into memory
     */
    public static @Nullable Positions find(
            ValidatingScanner rows,
            @Nullable String initialValue,
            CheckOptions options,
            StageMetrics stages,
            ProgressListener watcher)
            throws IOException {
        HistorySummary summary = rows.summary();
        if (!summary.areTimestampsComplete() || summary.unknownCount() > 0 || summary.relationalCount() > 0) {
            return null;
        }
        CheckOptions ofLanes = options.withMemoryBytes(options.memoryBytes() / 2);
        try (TimestampCheck lanes = new TimestampCheck(rows, Map.of(), initialValue, ofLanes, 0, stages, watcher)) {
            lanes.read(EvidenceChoice.TIMESTAMP_COLUMNS, BadRowHandler.PASS_OVER);
            return lanes.areStartsInSessionOrder() ? new LanePositions(options).positions(lanes, initialValue) : null;
        }
    }

    private @Nullable Positions positions(TimestampCheck lanes, @Nullable String initialValue) throws IOException {
        boolean isWhole = lanes.show(lane -> find(lane, initialValue), this::isInDoubt);
        if (!isWhole || isInDoubt) {
            return null;
        }
        for (byte[] chunk : dependencies) {
            DependencyBuffer.decodeDependencies(new ByteReader(chunk, 0, chunk.length), merger);
        }
        return merger.positions();
    }

    private void find(Lane lane, @Nullable String initialValue) {
        DependencyBuffer buffer = new DependencyBuffer(this::addMisses, this::addDependencies);
        boolean isPlaced = LaneDependencies.find(lane, initialValue, buffer);
        buffer.flush();
        if (!isPlaced) {
            doubt();
        }
    }

    private synchronized void addMisses(ByteWriter misses) {
        DependencyBuffer.decodeMisses(new ByteReader(misses.bytes(), 0, misses.size()), merger);
    }

    private synchronized void addDependencies(ByteWriter encoded) {
        bytesHeld += encoded.size();
        if (bytesHeld > options.memoryBytes() / SHARE) {
            isInDoubt = true;
        }
        if (!isInDoubt) {
            dependencies.add(Arrays.copyOf(encoded.bytes(), encoded.size()));
        }
    }

    private synchronized void doubt() {
        isInDoubt = true;
    }

    private synchronized boolean isInDoubt() {
        return isInDoubt;
    }
}
