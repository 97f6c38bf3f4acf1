package io.nightjar.pipeline.check.timestamp;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.check.ResultCodecTest;
import io.nightjar.pipeline.partition.KeyFilter;
import io.nightjar.pipeline.partition.KeyRange;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneCodec;
import io.nightjar.pipeline.partition.LaneKeyFilter;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.partition.TransactionScan;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs the stations of the timestamp checks over a small history, in every way that must not matter. */
final class SmallCheck {

    private final SmallHistory history;
    private final Map<IsolationLevel, Set<Axiom>> axioms = new EnumMap<>(IsolationLevel.class);
    private int laneCount = 1;
    private int txnsPerSlice = 1_000;
    private boolean encoded;
    private int partCount = 1;
    private int windowLength;
    private int inOrderParts = 1;
    private PartitionedInOrderSweep inOrder;
    private PromotedTxns counted;
    private final Map<IsolationLevel, Long> openChoices = new EnumMap<>(IsolationLevel.class);

    private SmallCheck(SmallHistory history) {
        this.history = history;
    }

    static SmallCheck of(SmallHistory history) {
        return new SmallCheck(history);
    }

    SmallCheck levels(IsolationLevel... levels) {
        for (IsolationLevel level : levels) {
            axioms.put(level, Axiom.of(level));
        }
        return this;
    }

    SmallCheck lanes(int count) {
        laneCount = count;
        return this;
    }

    SmallCheck txnsPerSlice(int count) {
        txnsPerSlice = count;
        return this;
    }

    /** Slices, chunks, what was read of unknown transactions and what was found go through bytes. */
    SmallCheck encoded() {
        encoded = true;
        return this;
    }

    /** Each lane is dealt out to parts by other bits of its keys' hashes. */
    SmallCheck parts(int count) {
        partCount = count;
        return this;
    }

    /** Checks rows in their order with a window of the given length; lanes get what that leaves in doubt. */
    SmallCheck inOrder(int length) {
        windowLength = length;
        return this;
    }

    /** As before, by sweeps that each have some keys. */
    SmallCheck inOrder(int length, int parts) {
        inOrderParts = parts;
        return inOrder(length);
    }

    /** After {@link #run}: what came of that. */
    PartitionedInOrderSweep sweep() {
        return inOrder;
    }

    private KeyFilter suspects() {
        if (windowLength == 0) {
            return null;
        }
        inOrder = new PartitionedInOrderSweep(
                axioms, false, history.initialValue(), 1L << 26, inOrderParts, windowLength);
        TransactionScan scan = new TransactionScan(inOrderParts, history.initialValue());
        for (HistorySlice slice : history.slices(txnsPerSlice)) {
            scan.scan(slice);
            for (int part = 0; part < inOrderParts; part++) {
                InOrderSweep sweep = inOrder.sweepOf(part);
                sweep.add(scan.exchange(part, sweep.emptyChunk()));
            }
        }
        for (int part = 0; part < inOrderParts; part++) {
            inOrder.sweepOf(part).finish();
        }
        return inOrder.suspects();
    }

    Findings run() {
        List<Lane> lanes = new ArrayList<>();
        for (int lane = 0; lane < laneCount * partCount; lane++) {
            lanes.add(new Lane());
        }
        TransactionScan scan = new TransactionScan(laneCount, history.initialValue());
        scan.setKeyFilter(suspects());
        LaneKeyFilter dealer = new LaneKeyFilter();
        List<HistorySlice> slices = throughBytes(history.slices(txnsPerSlice), SliceForm.ALL);
        for (HistorySlice slice : slices) {
            scan.scan(slice);
            for (int lane = 0; lane < laneCount; lane++) {
                LaneChunk chunk = encoded ? throughBytes(scan.chunk(lane)) : scan.chunk(lane);
                for (int part = 0; part < partCount; part++) {
                    lanes.get(lane * partCount + part).append(dealer.filter(chunk, range(part)));
                }
            }
        }
        PromotedTxns unknown = resolve(lanes);
        Findings findings = new Findings(1_000);
        for (Lane lane : lanes) {
            new LaneCheck(lane, axioms, history.initialValue(), unknown, findings).run();
        }
        findings.merge(checkSessions(throughBytes(slices, SliceForm.HEADS), unknown));
        return encoded ? ResultCodecTest.throughBytes(findings) : findings;
    }

    /** After {@link #run}: the unknown transactions that counted as committed. */
    PromotedTxns unknown() {
        return counted;
    }

    /**
     * Returns, after {@link #run}, whether the answer depends on which unknown transactions committed, or may do so.
     */
    boolean isDoubtful(IsolationLevel level) {
        return counted.unplaceable() > 0 || openChoices.getOrDefault(level, 0L) > 0;
    }

    private KeyRange range(int part) {
        long width = KeyRange.ALL.width() / partCount;
        return new KeyRange(part * width, part == partCount - 1 ? KeyRange.ALL.to() : (part + 1) * width);
    }

    private PromotedTxns resolve(List<Lane> lanes) {
        OutcomeEvidence unknown = new OutcomeEvidence(history.initialValue());
        for (Lane lane : lanes) {
            OutcomeEvidence ofLane = encoded ? new OutcomeEvidence(history.initialValue()) : unknown;
            ofLane.observe(lane);
            ofLane.observePositions(lane, axioms.keySet());
            if (encoded) {
                unknown.merge(OutcomeEvidenceTest.throughBytes(ofLane));
            }
        }
        counted = unknown.resolve(axioms.keySet());
        counted.openChoicesAt().forEach((level, count) -> openChoices.merge(level, count, Long::sum));
        return counted;
    }

    private Findings checkSessions(List<HistorySlice> slices, PromotedTxns unknown) {
        SessionOrder sessions = new SessionOrder(axioms, 1_000);
        slices.forEach(sessions::observe);
        if (sessions.isInOrder() && unknown.isEmpty()) {
            return sessions.finish();
        }
        UnorderedSessionCheck gathered = new UnorderedSessionCheck(axioms, 1_000, unknown);
        slices.forEach(gathered::observe);
        gathered.openChoices().forEach((level, count) -> openChoices.merge(level, count, Long::sum));
        return gathered.finish();
    }

    private List<HistorySlice> throughBytes(List<HistorySlice> slices, SliceForm form) {
        if (!encoded) {
            return slices;
        }
        SliceCodec codec = new SliceCodec();
        ByteWriter sink = new ByteWriter(16);
        slices.forEach(slice -> codec.encode(slice, form, sink));
        ByteReader feed = new ByteReader(sink.bytes(), 0, sink.size());
        List<HistorySlice> decoded = new ArrayList<>();
        while (!feed.isEmpty()) {
            decoded.add(codec.decode(feed));
        }
        return decoded;
    }

    private static LaneChunk throughBytes(LaneChunk chunk) {
        ByteWriter sink = new ByteWriter(16);
        new LaneCodec().encode(chunk, sink);
        return new LaneCodec().decode(new ByteReader(sink.bytes(), 0, sink.size()));
    }
}
