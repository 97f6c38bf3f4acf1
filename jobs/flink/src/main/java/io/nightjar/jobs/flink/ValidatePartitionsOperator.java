package io.nightjar.jobs.flink;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.check.timestamp.SessionOrder;
import io.nightjar.pipeline.decide.TimestampMerger;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.PackedLongs;
import io.nightjar.pipeline.validate.PartitionAnswer;
import io.nightjar.pipeline.validate.ValidationPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Stage 2 for a partition of ids and sessions: receives ids, and transactions without keys and values, in the order of
 * their rows; reports contradictions, and lint findings about sessions.
 */
final class ValidatePartitionsOperator extends KeyedOperator {

    private static final long serialVersionUID = 1;

    /**
     * Divisor of the memory, for the facts about ids and sessions, and for rows by which a session may be checked
     * again.
     */
    private static final int SHARE_FOR_PARTITION = 8;

    private static final long BYTES_PER_ROW = 32;

    /** Share of memory that sessions may take while their rows come in order; other tasks check them where they take more. */
    private static final int SHARE_FOR_ORDER = 10;

    private transient CheckOptions options;
    private transient EvidenceChoice choice;
    private transient SliceCodec codec;
    private transient TimestampMerger merger;
    private transient SessionWeights weights;
    private transient PartitionAnswer ofTask;
    private transient boolean isInOrder;
    private transient boolean startsAfterPrevious;
    private transient long txnCount;
    private transient long[] numbers;

    private transient ValidationPartition partition;
    private transient SessionOrder order;
    private transient List<Chunk> kept;
    private transient long keptBytes;

    ValidatePartitionsOperator(JobSpec spec) {
        super(spec, "validate");
    }

    /** Returns how many rows make a partition that is never in doubt for want of memory, unless they have very many operations. */
    static long rowsThatFit(long heapBytes) {
        long forPartition = heapBytes / SHARE_FOR_PARTITION;
        return Math.max(
                1, Math.min(ValidationPartition.idsThatFit(forPartition) / 4 * 3, forPartition / BYTES_PER_ROW));
    }

    @Override
    public void open() throws Exception {
        super.open();
        options = spec.options(heapBytes());
        choice = new EvidenceChoice(options);
        codec = new SliceCodec();
        merger = new TimestampMerger(spec.keptFindings(), heapBytes());
        weights = new SessionWeights();
        ofTask = PartitionAnswer.ofNothing();
        isInOrder = true;
        startsAfterPrevious = true;
        numbers = new long[64];
    }

    @Override
    @SetsFields
    void beginPartition() {
        partition = new ValidationPartition(options.memoryBytes() / SHARE_FOR_PARTITION);
        order = new SessionOrder(choice.axioms(), spec.keptFindings(), options.memoryBytes() / SHARE_FOR_ORDER);
        kept = new ArrayList<>();
        keptBytes = 0;
    }

    @Override
    void take(Chunk chunk) {
        switch (chunk.kind) {
            case IDS -> takeIds(chunk.feed());
            case HEADS -> {
                forEachSlice(chunk, this::observe);
                keep(chunk);
            }
            default -> throw new AssertionError("bug: kind=" + chunk.kind);
        }
    }

    private void takeIds(ByteReader feed) {
        while (!feed.isEmpty()) {
            int count = feed.getCount();
            numbers = numbers.length < count ? new long[Math.max(count, 2 * numbers.length)] : numbers;
            PackedLongs.get(feed, numbers, count);
            partition.addIds(numbers, count);
        }
    }

    /** Calls for each slice of a chunk, when {@link #numbers} has the rows. */
    private void forEachSlice(Chunk chunk, Consumer<HistorySlice> to) {
        ByteReader feed = chunk.feed();
        while (!feed.isEmpty()) {
            HistorySlice heads = codec.decode(feed);
            numbers = SlicePartitioner.getRows(feed, heads, numbers);
            to.accept(heads);
        }
    }

    private void observe(HistorySlice heads) {
        partition.addSessions(heads, numbers);
        if (spec.plan.first().triesTimestamps()) {
            order.observe(heads);
        }
        if (spec.plan.first().joinsSessions()) {
            weights.add(heads);
        }
        txnCount += heads.txnCount;
        advance(heads.txnCount);
    }

    /** Keeps rows for another pass as long as they fit. */
    private void keep(Chunk chunk) {
        keptBytes += chunk.length;
        if (keptBytes > options.memoryBytes() / SHARE_FOR_PARTITION) {
            kept.clear();
        } else {
            kept.add(chunk);
        }
    }

    @Override
    void endPartition() {
        while (partition.needsAnotherPass()) {
            if (keptBytes > options.memoryBytes() / SHARE_FOR_PARTITION) {
                partition.cancel();
            }
            for (Chunk chunk : kept) {
                forEachSlice(chunk, heads -> partition.addSessions(heads, numbers));
            }
        }
        ofTask.merge(partition.answer());
        isInOrder &= order.isInOrder();
        startsAfterPrevious &= order.startsAfterPrevious();
        merger.add(TimestampOutcome.ofSessions(order));
    }

    @Override
    void end() {
        if (txnCount == 0 && !ofTask.isInDoubt()) {
            return;
        }
        emit(Chunk.of(0, new PartitionsMessage(ofTask, isInOrder, isInOrder && startsAfterPrevious)), LAST);
        if (isInOrder) {
            emit(new Chunk(Chunk.Kind.TIMESTAMP_OUTCOME, 0, ResultCodec.bytes(merger.merged())), LAST);
        }
        if (spec.plan.first().joinsSessions()) {
            emit(Chunk.of(0, new WeightsMessage(weights.ids(), weights.weights())), LAST);
        }
        reportStage(0, 0, 0); // the merging task reports the counts
    }
}
