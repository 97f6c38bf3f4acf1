package io.nightjar.pipeline.online;

import io.nightjar.formats.finding.ListText;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneOp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Check of reads that follow other operations of the same transaction. */
final class InternalReadCheck {

    private final List<IsolationLevel> levels;
    private final OnlineKeys keys;
    private final OnlineFindings findings;
    private final ProvisionalReads reads;

    InternalReadCheck(List<IsolationLevel> levels, OnlineKeys keys, OnlineFindings findings, ProvisionalReads reads) {
        this.levels = levels;
        this.keys = keys;
        this.findings = findings;
        this.reads = reads;
    }

    /** Checks a pair of operations. A transaction has one finding per key, however many of its reads are wrong. */
    void check(LaneChunk chunk, int txn, int pair, long arrived) {
        int key = (int) chunk.key[pair];
        if (isExcused(chunk, pair, key)) {
            return;
        }
        for (int op = chunk.firstOpOf[txn]; op < pair; op++) {
            byte kind = chunk.kind[op];
            boolean isPair = kind >= LaneOp.OWN_EXPECTED && kind <= LaneOp.OWN_EXPECTED_LIST;
            if (isPair && chunk.key[op] == key && !isExcused(chunk, op, key)) {
                return;
            }
        }
        for (IsolationLevel level : levels) {
            if (level == IsolationLevel.SNAPSHOT_ISOLATION && chunk.startTs[txn] > chunk.commitTs[txn]) {
                continue; // reported as TIMESTAMP-ORDER
            }
            findings.addFinal(ownRead(level, chunk, txn, pair, arrived));
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
        findings.leaveToSegment(Long.MIN_VALUE); // sealed reads of it may have been wrong
        reads.addVersion(key, Long.MIN_VALUE);
    }
}
