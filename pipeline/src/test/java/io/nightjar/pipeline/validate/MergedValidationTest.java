package io.nightjar.pipeline.validate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.IrregularRows;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What parts of a history say together is what one validation of all of it says, or that they cannot tell. */
@Tag(Seeds.TAG)
class MergedValidationTest {

    private static final int HISTORIES = 1_500;
    private static final long AMPLE = 1 << 20;

    @Test
    void mergedPartsEqualOneValidation() throws Exception {
        int rejected = 0;
        int irregular = 0;
        for (long seed : Seeds.upTo(HISTORIES)) {
            List<HistorySlice> slices = IrregularRows.of(seed);
            MergedValidation merged = merged(slices, new Random(seed), AMPLE, true);
            Validation whole = validated(slices);
            assertThat(merged.isInDoubt()).as("seed=%d", seed).isEqualTo(whole == null);
            if (whole == null) {
                rejected++;
                continue;
            }
            irregular += whole.findings().isEmpty() ? 0 : 1;
            assertSame(merged, whole, seed);
        }
        assertThat(rejected).isBetween(1, Seeds.rounds(HISTORIES) - 1);
        assertThat(irregular).isPositive();
    }

    @Test
    void partsBeyondMemoryAreDoubtfulInsteadOfWrong() throws Exception {
        int settled = 0;
        int open = 0;
        for (long seed : Seeds.upTo(HISTORIES / 2)) {
            List<HistorySlice> slices = IrregularRows.of(seed);
            MergedValidation merged = merged(slices, new Random(seed), 1 << 10, false);
            Validation whole = validated(slices);
            assertThat(merged.isInDoubt() || whole != null).as("seed=%d", seed).isTrue();
            if (merged.isInDoubt() || whole == null) {
                open++;
                continue;
            }
            settled++;
            assertSame(merged, whole, seed);
        }
        assertThat(settled).isPositive();
        assertThat(open).isPositive();
    }

    @Test
    void longHistoryMentionsCommitOrder() throws Exception {
        for (long seed : Seeds.upTo(3)) {
            List<HistorySlice> slices = IrregularRows.manyNearlyInOrder(seed);
            MergedValidation merged = merged(slices, new Random(seed), AMPLE, true);
            assertSame(merged, validated(slices), seed);
            assertThat(merged.findings()).extracting(LintFinding::rule).contains(LintRule.COMMIT_ORDER);
        }
    }

    private static void assertSame(MergedValidation merged, Validation whole, long seed) {
        assertThat(merged.findings()).as("seed=%d", seed).isEqualTo(whole.findings());
        assertThat(merged.sessionCount()).as("seed=%d", seed).isEqualTo(whole.sessionCount());
        assertThat(merged.keyType()).as("seed=%d", seed).isEqualTo(whole.keyType());
        assertThat(merged.valueType()).as("seed=%d", seed).isEqualTo(whole.valueType());
        assertThat(merged.facts())
                .as("seed=%d", seed)
                .usingRecursiveComparison()
                .ignoringFields("isWriter")
                .isEqualTo(whole.facts());
    }

    /** Null if it is rejected. */
    private static Validation validated(List<HistorySlice> slices) {
        Validation validation = new Validation(AMPLE);
        try {
            do {
                slices.forEach(validation::add);
            } while (validation.needsAnotherPass());
            return validation;
        } catch (MalformedHistoryException rejected) {
            return null;
        }
    }

    // ---------------------------------------------------------------- in parts

    private static MergedValidation merged(
            List<HistorySlice> slices, Random random, long memoryBytes, boolean mayRepeat) throws Exception {
        int partCount = 1 + random.nextInt(5);
        List<ValidationPartition> parts = new ArrayList<>();
        for (int part = 0; part < partCount; part++) {
            parts.add(new ValidationPartition(memoryBytes));
        }
        MergedValidation merged = new MergedValidation();
        SplitFacts split = new SplitFacts();
        CommittedRows committed = new CommittedRows();
        for (HistorySlice slice : slices) {
            if (random.nextInt(3) == 0) {
                merged.add(throughBytes(split));
                split = new SplitFacts();
            }
            split.add(slice);
            committed.gather(slice);
            merged.add(throughBytes(committed));
            partitionIds(slice, parts);
        }
        merged.add(throughBytes(split));
        partitionSessions(slices, parts);
        List<PartitionAnswer> answers = new ArrayList<>();
        for (int part = 0; part < partCount; part++) {
            while (parts.get(part).needsAnotherPass()) {
                if (mayRepeat) {
                    partitionSessions(slices, parts, part);
                } else {
                    parts.get(part).cancel();
                }
            }
            answers.add(throughBytes(parts.get(part).answer()));
        }
        Collections.shuffle(answers, random);
        answers.forEach(merged::add);
        return merged;
    }

    private static void partitionIds(HistorySlice slice, List<ValidationPartition> parts) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int part = ValidationPartition.partitionOfId(slice.txnId[txn], parts.size());
            parts.get(part).addIds(new long[] {slice.txnId[txn]}, 1);
        }
    }

    private static void partitionSessions(List<HistorySlice> slices, List<ValidationPartition> parts) {
        for (int part = 0; part < parts.size(); part++) {
            partitionSessions(slices, parts, part);
        }
    }

    private static void partitionSessions(List<HistorySlice> slices, List<ValidationPartition> parts, int part) {
        long firstRow = 0;
        for (HistorySlice slice : slices) {
            SliceBuilder some = new SliceBuilder(slice.file);
            long[] rows = new long[slice.txnCount];
            int count = 0;
            for (int txn = 0; txn < slice.txnCount; txn++) {
                if (ValidationPartition.partitionOfSession(slice.sessionId[txn], parts.size()) == part) {
                    some.copyTxn(slice, txn);
                    rows[count++] = firstRow + txn;
                }
            }
            firstRow += slice.txnCount;
            if (count > 0) {
                parts.get(part).addSessions(some.build(), rows);
            }
        }
    }

    private static CommittedRows throughBytes(CommittedRows rows) {
        ByteWriter sink = new ByteWriter(64);
        rows.encode(sink);
        CommittedRows same = new CommittedRows();
        same.decode(new ByteReader(sink.bytes(), 0, sink.size()));
        return same;
    }

    @SuppressWarnings("unchecked")
    private static <T extends Serializable> T throughBytes(T message) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(message);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (T) in.readObject();
        }
    }
}
