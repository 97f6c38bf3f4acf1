package io.nightjar.pipeline.infer;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import java.util.LinkedHashMap;
import java.util.Map;

/** Collects the computed answers whose parts are known. Other answers are omitted, which rules out no order. */
final class AnswerCollector {

    /** Maximum number of parts of all answers. */
    private static final int MAX_PARTS = 1 << 22;

    private final OperationLog log;
    private final KeyUse use;
    private final WriterIndex writers;
    private final TxnOutcomes outcomes;
    private final int[] ordinalOf;
    private final Int2ObjectOpenHashMap<IntArrayList> writesOf = new Int2ObjectOpenHashMap<>(); // last ones, by key
    private final Int2ObjectOpenHashMap<IntArrayList> writersOf = new Int2ObjectOpenHashMap<>(); // parallel
    private final IntOpenHashSet openKeys = new IntOpenHashSet(); // whose writers are not known
    private final Answers.Builder answers = new Answers.Builder();

    /** @param ordinalOf by row: its transaction, or negative if it does not count */
    AnswerCollector(OperationLog log, KeyUse use, WriterIndex writers, TxnOutcomes outcomes, int[] ordinalOf) {
        this.log = log;
        this.use = use;
        this.writers = writers;
        this.outcomes = outcomes;
        this.ordinalOf = ordinalOf;
    }

    /** @param rowOf by transaction */
    Answers collect(int[] rowOf) {
        findWrites();
        int[] firstOf = new int[rowOf.length + 1];
        for (int txn = 0; txn < rowOf.length && !writesOf.isEmpty(); txn++) {
            if (!outcomes.isPromoted(rowOf[txn])) {
                keysOfAnswers(rowOf[txn]).forEach(this::add);
            }
            firstOf[txn + 1] = answers.count();
        }
        return answers.build(firstOf);
    }

    /** Returns the keys of each answer of a transaction, by the value of its guards. */
    private Map<Long, IntSet> keysOfAnswers(int row) {
        Map<Long, IntSet> keysOf = new LinkedHashMap<>();
        for (int op = log.firstOpOf[row]; op < log.firstOpOf[row + 1]; op++) {
            if (log.kind[op] == OpKind.COMPUTED) {
                keysOf.computeIfAbsent(log.value[op], absent -> new IntOpenHashSet())
                        .add(log.key[op]);
            }
        }
        return keysOf;
    }

    private void findWrites() {
        for (int row = 0; row < log.txnCount; row++) {
            for (int op = log.firstOpOf[row]; ordinalOf[row] >= 0 && op < log.firstOpOf[row + 1]; op++) {
                if (log.kind[op] == OpKind.COMPUTED && writesOf.putIfAbsent(log.key[op], new IntArrayList()) == null) {
                    writersOf.put(log.key[op], new IntArrayList());
                }
            }
        }
        for (int row = 0; row < log.txnCount && !writesOf.isEmpty(); row++) {
            for (int op = log.firstOpOf[row]; op < log.firstOpOf[row + 1]; op++) {
                IntArrayList writes = OpKind.isWrite(log.kind[op]) ? writesOf.get(log.key[op]) : null;
                if (writes == null || !writers.isFinal(op)) {
                    continue;
                }
                if (ordinalOf[row] >= 0) {
                    writes.add(op);
                    requireNonNull(writersOf.get(log.key[op])).add(ordinalOf[row]);
                } else if (outcomes.isOpen(row)) {
                    openKeys.add(log.key[op]);
                }
            }
        }
    }

    private void add(long answer, IntSet keysRead) {
        long[] range = log.initialAsValue == HistorySlice.NONE ? log.range(answer) : null;
        boolean isKnown = range != null && answers.partCount() < MAX_PARTS;
        for (int key : keysRead.toIntArray()) {
            isKnown = isKnown && addParts(answer, key);
        }
        if (isKnown) {
            answers.answer(requireNonNull(range)[0], range[1]);
        } else {
            answers.drop();
        }
    }

    /** Adds a key and the parts of its versions, unless all are 0; returns false if they are not known. */
    private boolean addParts(long answer, int key) {
        IntArrayList writes = requireNonNull(writesOf.get(key));
        IntArrayList by = requireNonNull(writersOf.get(key));
        boolean matters = false;
        for (int i = 0; i < writes.size(); i++) {
            int write = writes.getInt(i);
            Long known = log.kind[write] == OpKind.WRITE ? log.part(answer, log.value[write]) : Long.valueOf(0);
            if (known == null) {
                return false;
            }
            if (known != 0) {
                matters = true;
                answers.part(key, by.getInt(i), known);
            }
        }
        if (matters) {
            answers.key(key);
        }
        return !openKeys.contains(key) && !(matters && !use.isJudged(key));
    }
}
