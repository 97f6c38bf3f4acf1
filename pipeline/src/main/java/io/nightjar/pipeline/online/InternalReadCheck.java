package io.nightjar.pipeline.online;

import io.nightjar.formats.finding.ListText;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Check of reads that follow other operations of the same transaction. Defers findings until the initial value is written. */
final class InternalReadCheck {

    private final List<IsolationLevel> levels;
    private final OnlineKeys keys;
    private final OnlineFindings findings;
    private final ProvisionalReads reads;
    private final Int2ObjectOpenHashMap<List<OnlineFinding>> excusedOf = new Int2ObjectOpenHashMap<>();

    InternalReadCheck(List<IsolationLevel> levels, OnlineKeys keys, OnlineFindings findings, ProvisionalReads reads) {
        this.levels = levels;
        this.keys = keys;
        this.findings = findings;
        this.reads = reads;
    }

    /** Discards a key that is no longer checked. */
    void drop(int key) {
        excusedOf.remove(key);
    }

    void write(int key, ByteWriter to) {
        List<OnlineFinding> excused = excusedOf.getOrDefault(key, List.of());
        to.putVarint(excused.size());
        excused.forEach(finding -> ResultCodec.encode(finding, to));
    }

    void read(int key, ByteReader from) {
        for (int count = from.getCount(); count > 0; count--) {
            excusedOf
                    .computeIfAbsent(key, absent -> new ArrayList<>())
                    .add(ResultCodec.decode(OnlineFinding.class, from));
        }
    }

    /** Checks a pair of operations. A transaction has one finding per key, however many of its reads are wrong. */
    void check(LaneChunk chunk, int txn, int pair, long arrived) {
        int key = (int) chunk.key[pair];
        boolean isExcused = isExcused(chunk, pair, key);
        for (int op = chunk.firstOpOf[txn]; op < pair; op++) {
            byte kind = chunk.kind[op];
            boolean isPair = kind >= LaneOp.OWN_EXPECTED && kind <= LaneOp.OWN_EXPECTED_LIST;
            if (isPair && chunk.key[op] == key && (!isExcused(chunk, op, key) || isExcused)) {
                return;
            }
        }
        for (IsolationLevel level : levels) {
            if (level == IsolationLevel.SNAPSHOT_ISOLATION && chunk.startTs[txn] > chunk.commitTs[txn]) {
                continue; // reported as TIMESTAMP-ORDER
            }
            OnlineFinding finding = ownRead(level, chunk, txn, pair, arrived);
            if (isExcused) {
                excusedOf.computeIfAbsent(key, absent -> new ArrayList<>()).add(finding);
            } else {
                findings.addFinal(finding);
            }
        }
    }

    private OnlineFinding ownRead(IsolationLevel level, LaneChunk chunk, int txn, int pair, long arrived) {
        return new OnlineFinding(
                level,
                Anomaly.INT,
                keys.keyText((int) chunk.key[pair]),
                new OnlineFinding.Parties(ChunkIngest.participant(chunk, txn), null, null),
                new OnlineFinding.Reading(text(chunk, pair), text(chunk, pair + 1)),
                arrived,
                0);
    }

    private @Nullable String text(LaneChunk chunk, int op) {
        if (LaneOp.holdsValue(chunk.kind[op])) {
            return keys.valueText(keys.value(chunk, chunk.value[op]));
        }
        if (!LaneOp.holdsList(chunk.kind[op])) {
            return null;
        }
        long[] elements = keys.elements(chunk, op);
        return elements.length == 0 ? null : ListText.of(elements.length, at -> keys.valueText(elements[at]));
    }

    /** Returns whether the two reads of a pair differ only in null and the initial value. */
    private boolean isExcused(LaneChunk chunk, int pair, int key) {
        byte expected = chunk.kind[pair];
        byte observed = chunk.kind[pair + 1];
        if (expected == LaneOp.OWN_EXPECTED_NOTHING && observed == LaneOp.OWN_OBSERVED) {
            return keys.isInitial(key, keys.value(chunk, chunk.value[pair + 1]));
        }
        return expected == LaneOp.OWN_EXPECTED
                && observed == LaneOp.OWN_OBSERVED_NOTHING
                && keys.isInitial(key, keys.value(chunk, chunk.value[pair]));
    }

    void recordInitialWrites(LaneChunk chunk, int first, int end) {
        for (int op = first; op < end; op++) {
            byte kind = chunk.kind[op];
            boolean writes = LaneOp.isEffective(kind) || kind == LaneOp.INTERMEDIATE_WRITE;
            if (writes && keys.isInitialValue(keys.value(chunk, chunk.value[op]))) {
                recordInitialWrite((int) chunk.key[op]);
            }
        }
    }

    private void recordInitialWrite(int key) {
        if (!keys.recordInitialWritten(key) || !OnlineKeys.isJudged(keys.modelOf(key))) {
            return;
        }
        if (keys.wasInitialForgotten(key)) {
            findings.leaveToSegment(Long.MIN_VALUE); // reads of it were wrong
        }
        reads.addVersion(key, Long.MIN_VALUE);
        List<OnlineFinding> excused = excusedOf.remove(key);
        for (OnlineFinding finding : excused == null ? List.<OnlineFinding>of() : excused) {
            findings.addFinal(finding);
        }
    }
}
