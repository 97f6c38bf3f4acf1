package io.nightjar.jobs.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.datasets.generate.DataModel;
import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.inject.Fault;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.lake.LakeException;
import io.nightjar.jobs.spill.SpillFile;
import io.nightjar.pipeline.check.timestamp.InOrderSweep;
import io.nightjar.pipeline.check.timestamp.LaneSize.PlannedRange;
import io.nightjar.pipeline.check.timestamp.OutcomeEvidence;
import io.nightjar.pipeline.check.timestamp.PromotedTxns;
import io.nightjar.pipeline.decide.TimestampMerger;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.partition.LaneCodec;
import io.nightjar.pipeline.partition.TransactionScan;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lane that does not fit is checked in parts, from chunks on disk, with the same result. */
class SpilledLaneTest {

    private static final long MUCH = 1L << 30;
    private static final long LITTLE = 200 << 10;

    @TempDir
    Path folder;

    @AfterEach
    void nothingIsLeftOnDisk() {
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void partsAgreeWithWholeLane() throws IOException {
        for (DataModel model : DataModel.values()) {
            for (boolean isNamed : new boolean[] {false, true}) {
                List<ByteWriter> chunks = chunks(generated(model, isNamed));
                Checked whole = check(chunks, MUCH);
                Checked parts = check(chunks, LITTLE);

                assertThat(whole.parts).isEqualTo(1);
                assertThat(whole.bytesSpilled).isZero();
                assertThat(parts.parts).as("model=%s named=%s", model, isNamed).isGreaterThan(3);
                assertThat(parts.bytesSpilled).isPositive();
                assertThat(whole.outcome.findings().total()).isPositive();
                assertThat(parts.outcome.findings().inTime())
                        .isEqualTo(whole.outcome.findings().inTime());
                assertThat(parts.outcome.keyCount()).isEqualTo(whole.outcome.keyCount());
                assertThat(parts.outcome.unfitKeys()).isZero();
                assertThat(parts.promoted).isEqualTo(whole.promoted).matches(counted -> !counted.isEmpty());
            }
        }
    }

    @Test
    void aKeyThatNoMemoryHoldsLeavesOutNoOther() throws IOException {
        SliceBuilder builder = new SliceBuilder("hot");
        builder.keysAreLongs();
        builder.valuesAreLongs();
        for (int txn = 0; txn < 20_000; txn++) {
            builder.beginTxn(txn + 1, txn, 1, txn).status(TxnStatus.COMMITTED).timestamps(10L * txn + 1, 10L * txn + 5);
            builder.op(OpKind.WRITE, 0, txn);
            builder.op(OpKind.READ, 1 + txn % 5_000, -1);
            builder.endTxn();
        }

        Checked parts = check(chunks(List.of(builder.build())), LITTLE);

        assertThat(parts.outcome.unfitKeys()).isEqualTo(1);
        assertThat(parts.outcome.keyCount()).isEqualTo(5_001);
        assertThat(parts.outcome.findings().total()).as("at two levels").isEqualTo(2 * 20_000);
    }

    @Test
    void keysAreCountedWithoutALane() throws IOException {
        List<ByteWriter> chunks = chunks(generated(DataModel.REGISTER, true));
        try (SpilledLane lane = SpilledLane.ofTask(spillFolders(), LITTLE)) {
            fill(lane, chunks);
            assertThat(lane.countKeys(LITTLE))
                    .isEqualTo(check(chunks, MUCH).outcome.keyCount());
        }
    }

    @Test
    void aLaneInOrderIsCheckedWithoutBeingPutTogether() throws IOException {
        assertThat(sweep(cleanInOrder(false), 1_000)).isEqualTo(2_000);
        assertThat(sweep(cleanInOrder(true), LITTLE)).as("from disk").isEqualTo(2_000);
        List<HistorySlice> outOfOrder = new ArrayList<>(cleanInOrder(false));
        outOfOrder.add(outOfOrder.remove(0));
        assertThat(sweep(outOfOrder, MUCH)).as("its beginning comes last").isEqualTo(-1);
        assertThat(sweep(generated(DataModel.REGISTER, false), MUCH))
                .as("with faults")
                .isEqualTo(-1);
        assertThat(sweep(generated(DataModel.LIST, false), MUCH)).as("of lists").isEqualTo(-1);
    }

    private long sweep(List<HistorySlice> slices, long maxHeldBytes) throws IOException {
        Map<IsolationLevel, Set<Axiom>> axioms =
                Map.of(IsolationLevel.SNAPSHOT_ISOLATION, Axiom.of(IsolationLevel.SNAPSHOT_ISOLATION));
        try (SpilledLane lane = SpilledLane.ofTask(spillFolders(), maxHeldBytes)) {
            fill(lane, chunks(slices));
            return lane.sweep(new InOrderSweep(axioms, null, MUCH));
        }
    }

    private static List<HistorySlice> cleanInOrder(boolean isNamed) throws IOException {
        List<HistorySlice> slices = new ArrayList<>();
        HistoryGenerator.generate(
                GeneratorOptions.builder()
                        .transactions(80_000)
                        .ops(8)
                        .keys(2_000)
                        .build(),
                slices::add);
        return isNamed ? slices.stream().map(SpilledLaneTest::named).toList() : slices;
    }

    @Test
    void unwritableFolderIsStorageFailure() throws IOException {
        List<ByteWriter> chunks = chunks(generated(DataModel.REGISTER, false));
        Path missing = folder.resolve("missing");
        SpilledLane lane = SpilledLane.ofTask(new SpillFile.Folders(List.of(missing), "free some"), LITTLE);

        assertThatThrownBy(() -> fill(lane, chunks))
                .isInstanceOf(LakeException.class)
                .hasMessageStartingWith("[" + missing + "] cannot spill: reason=");
    }

    // ---------------------------------------------------------------- helpers

    private record Checked(TimestampOutcome outcome, PromotedTxns promoted, int parts, long bytesSpilled) {}

    private Checked check(List<ByteWriter> chunks, long maxBytes) throws IOException {
        OutcomeEvidence unknown = new OutcomeEvidence(null);
        try (SpilledLane lane = SpilledLane.ofTask(spillFolders(), maxBytes)) {
            fill(lane, chunks);
            lane.forEachRange(maxBytes, unknown::observe);
        }
        Map<IsolationLevel, Set<Axiom>> axioms = new EnumMap<>(IsolationLevel.class);
        for (IsolationLevel level :
                List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE)) {
            axioms.put(level, Axiom.of(level));
        }
        PromotedTxns promoted = unknown.resolve(axioms.keySet());
        TimestampMerger merger = new TimestampMerger(100_000, maxBytes);
        int[] parts = {0};
        try (SpilledLane lane = SpilledLane.ofTask(spillFolders(), maxBytes)) {
            fill(lane, chunks);
            List<PlannedRange> unfit = lane.forEachRange(maxBytes, part -> {
                merger.add(TimestampOutcome.ofLane(part, promoted, axioms, null, 100_000));
                parts[0]++;
            });
            merger.add(TimestampOutcome.unfit(lane.countKeys(unfit)));
            return new Checked(merger.merged(), promoted, parts[0], lane.bytesSpilled());
        }
    }

    private static void fill(SpilledLane lane, List<ByteWriter> chunks) {
        chunks.forEach(chunk -> lane.add(chunk.bytes(), chunk.size()));
    }

    private SpillFile.Folders spillFolders() {
        return new SpillFile.Folders(List.of(folder), "free some");
    }

    /** Returns all operations in one lane, as they arrive. */
    private static List<ByteWriter> chunks(List<HistorySlice> slices) {
        TransactionScan scan = new TransactionScan(1, null);
        LaneCodec codec = new LaneCodec();
        List<ByteWriter> chunks = new ArrayList<>();
        for (HistorySlice slice : slices) {
            scan.scan(slice);
            ByteWriter bytes = new ByteWriter(1 << 10);
            codec.encode(scan.chunk(0), bytes);
            chunks.add(bytes);
        }
        return chunks;
    }

    /** With faults, transactions of unknown outcome that were read from, and perhaps names for numbers. */
    private static List<HistorySlice> generated(DataModel model, boolean isNamed) throws IOException {
        Random random = new Random(model.ordinal());
        List<HistorySlice> slices = new ArrayList<>();
        HistoryGenerator.generate(
                GeneratorOptions.builder()
                        .model(model)
                        .transactions(5_000)
                        .ops(8)
                        .keys(2_000)
                        .faults(Map.of(Fault.STALE_READ, 20))
                        .build(),
                slices::add);
        for (HistorySlice slice : slices) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                slice.status[txn] = random.nextInt(50) == 0 ? TxnStatus.UNKNOWN : slice.status[txn];
            }
        }
        return isNamed ? slices.stream().map(SpilledLaneTest::named).toList() : slices;
    }

    private static HistorySlice named(HistorySlice slice) {
        SliceBuilder builder = new SliceBuilder("named");
        builder.keysAreStrings();
        if (slice.lists == null) {
            builder.valuesAreStrings();
        } else {
            builder.valuesAreLongs();
        }
        for (int txn = 0; txn < slice.txnCount; txn++) {
            builder.beginTxn(txn + 1, slice.txnId[txn], slice.sessionId[txn], slice.sessionSeq[txn]);
            builder.status(slice.status[txn]).timestamps(slice.startTs[txn], slice.commitTs[txn]);
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                long key = builder.keyNames().intern("key " + slice.key[op]);
                if (slice.kind[op] == OpKind.READ_LIST) {
                    builder.beginList();
                    int list = ListRef.list(slice.value[op]);
                    for (int at = 0; at < ListRef.length(slice.value[op]); at++) {
                        builder.element(slice.lists.element(list, at));
                    }
                    builder.listRead(key);
                } else {
                    boolean isName = slice.lists == null && slice.kind[op] != OpKind.READ_NOTHING;
                    long value = isName ? builder.valueNames().intern("value " + slice.value[op]) : slice.value[op];
                    builder.op(slice.kind[op], key, value);
                }
            }
            builder.endTxn();
        }
        return builder.build();
    }
}
