package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Lint rules about values: written twice, read though never written, and values that may mean the initial state.
 *
 * <p>All slices are added, then {@link #needsAnotherPass} is called; while it returns true, all slices are added again.
 */
public final class ValueRules {

    /*
     * COMPARE  a table of (key, value) pairs that were written, by any transaction, or read by a committed transaction.
     *          When it does not fit, it is split into hash classes and each class has a separate pass.
     * LOCATE   a pair that was read and never written is known by its hashes only; this pass finds its rows.
     *
     * A history far larger than memory would take hundreds of passes. After the maximum number, the remaining classes
     * are skipped: the pairs compared are then a fair sample, and are reported as a sample.
     *
     * A value written twice is detected at the second write. Counters are excluded: a counter's reads are sums.
     */
    private enum Phase {
        COMPARE,
        LOCATE
    }

    static final int DEFAULT_MAX_PASSES = 4;

    private static final int TALLIED_VALUES = 1 << 16;
    private static final double MAX_SHARE = 0.8;

    private final @Nullable String initialText;
    private final int maxPasses;
    private final WrittenValues pairs;
    private final HashPasses classes = new HashPasses();
    private final NameHashes keyHashes = new NameHashes();
    private final NameHashes valueHashes = new NameHashes();
    private final LongOpenHashSet counters = new LongOpenHashSet();
    private final Long2ObjectOpenHashMap<Target> garbageByValue = new Long2ObjectOpenHashMap<>();

    private Phase phase = Phase.COMPARE;
    private int passCount;
    private double comparedShare;
    private boolean isFirstPass = true;
    private ValueType valueType = ValueType.NONE;
    private boolean hasInitial;
    private long initial;
    private int[] comparedLengthOf = new int[0]; // by list of the slice

    private long initialWriteCount;
    private @Nullable String initialWriteExample;
    private long initialReadCount;
    private long twiceCount;
    private long twiceRow = Long.MAX_VALUE;
    private @Nullable String twiceExample;
    private final Target garbage = new Target();
    private Target commonest = new Target();
    private final Target early = new Target(); // values read before they were written, by the clients' clocks
    private long earliestNs; // maximum time before
    private long rowCount; // rows of this pass so far

    /** A value that was read and never written: to be found again, with the description of the finding. */
    private static final class Target {
        private long readCount;
        private long key;
        private long value;
        private @Nullable String location;
        private @Nullable String valueText;

        private void add(long keyId, long valueId) {
            readCount++;
            boolean isLess = keyId != key ? keyId < key : valueId < value;
            if (readCount == 1 || isLess) {
                key = keyId;
                value = valueId;
            }
        }
    }

    /**
     * @param initialText the value that means the initial state as null does, as text; or null
     * @param memoryBytes memory limit
     * @param maxPasses maximum number of comparison passes, if the values do not fit
     */
    public ValueRules(@Nullable String initialText, long memoryBytes, int maxPasses) {
        this.initialText = initialText;
        this.maxPasses = maxPasses;
        this.pairs = new WrittenValues(memoryBytes);
    }

    /** Adds the next slice of the pass. */
    public void add(HistorySlice next) {
        begin(next);
        for (int txn = 0; txn < next.txnCount; txn++) {
            if (phase == Phase.COMPARE) {
                compare(next, txn);
            } else {
                locate(next, garbage, txn);
                locate(next, commonest, txn);
                locate(next, early, txn);
            }
        }
        rowCount += next.txnCount;
    }

    /** Ends a pass. Returns false if everything is known; else all slices are to be added again. */
    public boolean needsAnotherPass() {
        isFirstPass = false;
        rowCount = 0;
        if (phase == Phase.LOCATE) {
            return false;
        }
        addGarbage();
        pairs.clear();
        passCount++;
        comparedShare += classes.share();
        if (passCount < maxPasses && classes.next()) {
            return true;
        }
        chooseCommonest();
        phase = Phase.LOCATE;
        return garbage.readCount + early.readCount > 0;
    }

    /** Returns the share of all (key, value) pairs that was compared: 1 unless memory was too small. */
    public double comparedShare() {
        return comparedShare;
    }

    /** Returns the number of (key, value) pairs that were written more than once. */
    public long duplicateWriteCount() {
        return twiceCount;
    }

    /** Returns the number of reads of the value that represents the initial state. */
    public long initialReadCount() {
        return initialReadCount;
    }

    /** Returns the lint findings; valid after the last pass. */
    public List<LintFinding> findings() {
        List<LintFinding> findings = new ArrayList<>();
        if (twiceCount > 0) {
            findings.add(LintFinding.of(
                    LintRule.DUPLICATE_WRITE,
                    twiceCount,
                    twiceExample,
                    CountFormat.of(twiceCount, "value") + " written to a key more than once;"
                            + " a read of such a value may be of any of the writes, so values decide less"));
        }
        if (garbage.readCount > 0) {
            findings.add(LintFinding.of(
                    LintRule.GARBAGE_READ,
                    garbage.readCount,
                    garbage.location,
                    CountFormat.of(garbage.readCount, "value") + " read that no transaction wrote"));
        }
        addInitialFindings(findings);
        if (early.readCount > 0) {
            findings.add(LintFinding.of(
                    LintRule.CLOCKS_DIFFER,
                    early.readCount,
                    early.location,
                    CountFormat.of(early.readCount, "value")
                            + " read by transactions that, by the clients' clocks, were complete"
                            + " before the writer was invoked, by up to " + millis(earliestNs)
                            + " ms; clocks differ or were set, so their times order nothing"));
        }
        if (comparedShare < 1) {
            findings.add(LintFinding.of(
                    LintRule.VALUES_SAMPLED,
                    1,
                    null,
                    "only " + CountFormat.percent(comparedShare) + " of all values were compared, for want of memory;"
                            + " L01, L02 and L05 cover only these"));
        }
        return findings;
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%,.3f", nanos / 1e6);
    }

    // ---------------------------------------------------------------- comparing

    private void begin(HistorySlice next) {
        keyHashes.use(next.keyNames);
        valueHashes.use(next.valueNames);
        if (next.valueType != ValueType.NONE && valueType == ValueType.NONE) {
            valueType = next.valueType;
            if (initialText != null && NameHashes.canBe(valueType, initialText)) {
                hasInitial = true;
                initial = NameHashes.idOf(valueType, initialText);
            }
        }
        int listCount = next.lists == null ? 0 : next.lists.size();
        comparedLengthOf = new int[listCount];
    }

    private void compare(HistorySlice slice, int txn) {
        boolean isCommitted = slice.status[txn] == TxnStatus.COMMITTED;
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            long key = keyHashes.idOf(slice.keyType, slice.key[op]);
            switch (slice.kind[op]) {
                case OpKind.WRITE, OpKind.APPEND, OpKind.ADD -> compareWrite(slice, txn, op, key, isCommitted);
                case OpKind.READ -> {
                    if (isCommitted) {
                        compareRead(slice, txn, key, valueHashes.idOf(slice.valueType, slice.value[op]));
                    }
                }
                case OpKind.READ_LIST -> {
                    if (isCommitted) {
                        compareList(slice, txn, key, slice.value[op]);
                    }
                }
                case OpKind.INCREMENT -> counters.add(key);
                default -> {
                    // READ_NOTHING returns no value
                }
            }
        }
    }

    private void compareWrite(HistorySlice slice, int txn, int op, long key, boolean isCommitted) {
        long value = valueHashes.idOf(slice.valueType, slice.value[op]);
        if (isFirstPass && isCommitted && hasInitial && value == initial) {
            initialWriteCount++;
            if (initialWriteExample == null) {
                initialWriteExample = exampleOf(slice, txn, op);
            }
        }
        if (!isOfThisPass(key, value)) {
            return;
        }
        int slot = pairs.slotOf(key, value);
        byte flags = pairs.flagsOf[slot];
        pairs.record(slot, slice.invokeNs == null ? HistorySlice.NONE : slice.invokeNs[txn], true);
        if (flags == 0) {
            fill(slot, key, value, WrittenValues.WRITTEN);
        } else if ((flags & WrittenValues.WRITTEN) == 0) {
            pairs.flagsOf[slot] |= WrittenValues.WRITTEN;
        } else if ((flags & WrittenValues.WRITTEN_TWICE) == 0) {
            pairs.flagsOf[slot] |= WrittenValues.WRITTEN_TWICE;
            twiceCount++;
            if (rowCount + txn < twiceRow) {
                twiceRow = rowCount + txn;
                twiceExample = exampleOf(slice, txn, op);
            }
        }
    }

    private void compareRead(HistorySlice slice, int txn, long key, long value) {
        if (hasInitial && value == initial) {
            initialReadCount += isFirstPass ? 1 : 0;
            return;
        }
        if (!isOfThisPass(key, value)) {
            return;
        }
        int slot = pairs.slotOf(key, value);
        pairs.record(slot, slice.completeNs == null ? HistorySlice.NONE : slice.completeNs[txn], false);
        if (pairs.flagsOf[slot] == 0) {
            fill(slot, key, value, WrittenValues.READ);
        }
    }

    /** Reads of one key are mostly prefixes of one list: each element is compared once a slice. */
    private void compareList(HistorySlice slice, int txn, long key, long ref) {
        int list = ListRef.list(ref);
        int length = ListRef.length(ref);
        for (int i = comparedLengthOf[list]; i < length; i++) {
            compareRead(slice, txn, key, valueHashes.idOf(slice.valueType, slice.lists.element(list, i)));
        }
        comparedLengthOf[list] = Math.max(comparedLengthOf[list], length);
    }

    private boolean isOfThisPass(long key, long value) {
        return classes.isEverything() || classes.holdsHash(WrittenValues.hash(key, value));
    }

    private void fill(int slot, long key, long value, byte flags) {
        pairs.fill(slot, key, value, flags);
        if (pairs.isFull() && !pairs.grow()) {
            forgetHalf();
        }
    }

    /** Discards half of the values; duplicates counted among these are counted again in a separate pass. */
    private void forgetHalf() {
        classes.split();
        for (int slot = 0; slot < pairs.slotCount; slot++) {
            boolean isTwice = (pairs.flagsOf[slot] & WrittenValues.WRITTEN_TWICE) != 0;
            if (isTwice && !classes.holdsHash(WrittenValues.hash(pairs.keyOf[slot], pairs.valueOf[slot]))) {
                twiceCount--;
            }
        }
        pairs.keepOnly(classes);
    }

    // ---------------------------------------------------------------- garbage

    private void addGarbage() {
        for (int slot = 0; slot < pairs.slotCount; slot++) {
            long earlyNs = pairs.readTooEarlyBy(slot);
            if (earlyNs > 0) {
                early.add(pairs.keyOf[slot], pairs.valueOf[slot]);
                earliestNs = Math.max(earliestNs, earlyNs);
            }
            boolean isGarbage = pairs.flagsOf[slot] == WrittenValues.READ && !counters.contains(pairs.keyOf[slot]);
            if (!isGarbage) {
                continue;
            }
            long value = pairs.valueOf[slot];
            garbage.add(pairs.keyOf[slot], value);
            Target ofValue = garbageByValue.get(value);
            if (ofValue == null && garbageByValue.size() < TALLIED_VALUES) {
                ofValue = new Target();
                garbageByValue.put(value, ofValue);
            }
            if (ofValue != null) {
                ofValue.add(pairs.keyOf[slot], value);
            }
        }
    }

    private void chooseCommonest() {
        for (Target ofValue : garbageByValue.values()) {
            if (ofValue.readCount > commonest.readCount) {
                commonest = ofValue;
            }
        }
        garbageByValue.clear();
    }

    /**
     * Returns whether the most common value never written probably means the initial state: on several keys, and with
     * few other such values.
     */
    private boolean looksLikeInitial() {
        return initialText == null && commonest.readCount > 1 && commonest.readCount >= MAX_SHARE * garbage.readCount;
    }

    private void locate(HistorySlice slice, Target target, int txn) {
        boolean isOpen = target.readCount > 0 && target.location == null;
        if (!isOpen || slice.status[txn] != TxnStatus.COMMITTED) {
            return;
        }
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            if (keyHashes.idOf(slice.keyType, slice.key[op]) == target.key) {
                locate(slice, target, txn, op);
            }
        }
    }

    private void locate(HistorySlice slice, Target target, int txn, int op) {
        byte kind = slice.kind[op];
        if (kind == OpKind.READ) {
            locateScalar(slice, target, txn, op, slice.value[op]);
        } else if (kind == OpKind.READ_LIST) {
            int list = ListRef.list(slice.value[op]);
            for (int i = 0; i < ListRef.length(slice.value[op]); i++) {
                locateScalar(slice, target, txn, op, slice.lists.element(list, i));
            }
        }
    }

    private void locateScalar(HistorySlice slice, Target target, int txn, int op, long scalar) {
        if (target.location == null && valueHashes.idOf(slice.valueType, scalar) == target.value) {
            target.valueText = slice.valueText(scalar);
            target.location = slice.locationOf(txn) + " txn_id=" + slice.txnId[txn] + " key=" + slice.keyText(op)
                    + " value=" + target.valueText;
        }
    }

    private String exampleOf(HistorySlice slice, int txn, int op) {
        return slice.locationOf(txn) + " txn_id=" + slice.txnId[txn] + " key=" + slice.keyText(op) + " value="
                + slice.valueText(slice.value[op]);
    }

    // ---------------------------------------------------------------- the initial value

    private void addInitialFindings(List<LintFinding> findings) {
        if (initialText != null && !NameHashes.canBe(valueType, initialText)) {
            findings.add(LintFinding.of(
                    LintRule.INITIAL_VALUE,
                    1,
                    null,
                    "initial value " + initialText + " cannot occur: values are " + valueType.typeName()));
        }
        if (initialWriteCount > 0) {
            findings.add(LintFinding.of(
                    LintRule.INITIAL_VALUE,
                    initialWriteCount,
                    initialWriteExample,
                    "the initial value " + initialText + " is also written, by "
                            + CountFormat.of(initialWriteCount, "committed operation")
                            + "; reads of it on such keys mean the write"));
        }
        if (looksLikeInitial()) {
            findings.add(LintFinding.of(
                    LintRule.INITIAL_VALUE,
                    commonest.readCount,
                    commonest.location,
                    "value " + commonest.valueText + " is read on " + CountFormat.of(commonest.readCount, "key")
                            + " and written on none of them; if it means the initial state, add --initial-value "
                            + commonest.valueText));
        }
    }
}
