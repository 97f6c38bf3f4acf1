package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Number of keys by model, and distribution of operations and writers over keys.
 *
 * <p>All slices are added, then {@link #needsAnotherPass} is called; while it returns true, all slices are added again.
 * The table contains the keys of one hash class; if the keys exceed memory, each class has a separate pass.
 */
public final class KeyProfile {

    /** Type that a key is used as. */
    public enum Model {
        REGISTER,
        LIST,
        SET,
        COUNTER,
        /** The key is used in two incompatible ways. */
        MIXED,
        /** Only ever read as empty. */
        UNKNOWN
    }

    private static final int NONE = -1;
    private static final double MUCH = 0.2;
    private static final double NEARLY_ALL = 0.9;
    private static final long SMALL_OPS = 1000;
    private static final long SMALL_KEYS = 10;

    private final int keyLimit;
    private final HashPasses classes = new HashPasses();
    private final NameHashes hashes = new NameHashes();
    private Long2ObjectOpenHashMap<KeyState> keys = new Long2ObjectOpenHashMap<>(); // by hash

    private final long[] keyCountByModel = new long[Model.values().length];
    private long writtenKeyCount;
    private long singleWriterKeyCount;

    private long largestOpCount;
    private long largestKey;
    private @Nullable String largestText;
    private int largestOp; // in the slice being added, or NONE
    private long mixedRow = Long.MAX_VALUE;
    private @Nullable String mixedExample;
    private long rowCount; // rows of this pass so far

    /** @param memoryBytes memory limit; a smaller one only causes more passes */
    public KeyProfile(long memoryBytes) {
        keyLimit = (int) Math.max(16, Math.min(memoryBytes / KeyState.BYTES, 1 << 29));
    }

    /** Adds the next slice of the pass. */
    public void add(HistorySlice slice) {
        hashes.use(slice.keyNames);
        largestOp = NONE;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            boolean mayCount = slice.status[txn] != TxnStatus.ABORTED;
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                long id = hashes.idOf(slice.keyType, slice.key[op]);
                if (classes.holds(id)) {
                    add(slice, txn, op, id, mayCount);
                }
            }
        }
        if (largestOp != NONE) {
            largestText = slice.keyText(largestOp);
        }
        rowCount += slice.txnCount;
    }

    /** Ends a pass. Returns false if everything is known; else all slices are to be added again. */
    public boolean needsAnotherPass() {
        for (KeyState key : keys.values()) {
            keyCountByModel[modelOf(key.uses).ordinal()]++;
            writtenKeyCount += key.writerCount > 0 ? 1 : 0;
            singleWriterKeyCount += key.writerCount == 1 ? 1 : 0;
        }
        keys = new Long2ObjectOpenHashMap<>();
        rowCount = 0;
        return classes.next();
    }

    public long keyCount() {
        long sum = 0;
        for (long count : keyCountByModel) {
            sum += count;
        }
        return sum;
    }

    public long keyCount(Model model) {
        return keyCountByModel[model.ordinal()];
    }

    /** Returns the number of keys that a transaction which is not aborted wrote. */
    public long writtenKeyCount() {
        return writtenKeyCount;
    }

    public long singleWriterKeyCount() {
        return singleWriterKeyCount;
    }

    /** Returns the key with the most operations as text; null without operations. */
    public @Nullable String largestKey() {
        return largestText;
    }

    public long largestOpCount() {
        return largestOpCount;
    }

    /** Returns the lint findings; valid after the last pass. */
    public List<LintFinding> findings(HistoryFacts facts) {
        List<LintFinding> findings = new ArrayList<>();
        boolean isReadAtAll = facts.committedReadCount() > 0;
        if (isReadAtAll && writtenKeyCount >= SMALL_KEYS && singleWriterKeyCount > NEARLY_ALL * writtenKeyCount) {
            findings.add(new LintFinding(
                    LintRule.FEW_READS,
                    LintSeverity.INFO,
                    singleWriterKeyCount,
                    null,
                    CountFormat.percent(singleWriterKeyCount, writtenKeyCount) + " of "
                            + CountFormat.of(writtenKeyCount, "written key")
                            + " with a single writer; without concurrent writers few anomalies are possible"));
        }
        long opCount = facts.opCount();
        if (opCount >= SMALL_OPS && keyCount() > 1 && largestOpCount > MUCH * opCount) {
            findings.add(LintFinding.of(
                    LintRule.KEY_SKEW,
                    largestOpCount,
                    "key=" + largestText,
                    "key " + largestText + " has " + CountFormat.percent(largestOpCount, opCount)
                            + " of all operations; the work on one key cannot be divided"));
        }
        long mixed = keyCount(Model.MIXED);
        if (mixed > 0) {
            findings.add(LintFinding.of(
                    LintRule.MIXED_MODEL,
                    mixed,
                    mixedExample,
                    CountFormat.of(mixed, "key") + " used in two ways, such as register and list;"
                            + " the result of a read of such a key is undefined"));
        }
        return findings;
    }

    private void add(HistorySlice slice, int txn, int op, long id, boolean mayCount) {
        KeyState key = keys.computeIfAbsent(id, absent -> new KeyState());
        byte kind = slice.kind[op];
        byte before = key.uses;
        byte uses = (byte) (before | KeyState.use(kind));
        if (uses != before) {
            key.uses = uses;
            if (modelOf(uses) == Model.MIXED && modelOf(before) != Model.MIXED && rowCount + txn < mixedRow) {
                mixedRow = rowCount + txn;
                mixedExample = slice.locationOf(txn) + " txn_id=" + slice.txnId[txn] + " key=" + slice.keyText(op);
            }
        }
        if (mayCount && OpKind.isWrite(kind)) {
            key.addWriter(slice.txnId[txn]);
        }
        long opCount = ++key.opCount;
        if (opCount >= largestOpCount && (opCount > largestOpCount || id < largestKey)) {
            largestOpCount = opCount;
            largestKey = id;
            largestOp = op;
        }
        if (keys.size() > keyLimit) {
            classes.split();
            keys.keySet().removeIf((long each) -> !classes.holds(each));
        }
    }

    private static Model modelOf(byte uses) {
        if (uses == 0) {
            return Model.UNKNOWN;
        }
        if (isWithin(uses, KeyState.SCALAR_READ | KeyState.WRITTEN)) {
            return Model.REGISTER;
        }
        if (isWithin(uses, KeyState.SCALAR_READ | KeyState.INCREMENTED)) {
            return Model.COUNTER;
        }
        if (isWithin(uses, KeyState.LIST_READ | KeyState.APPENDED)) {
            return Model.LIST;
        }
        return isWithin(uses, KeyState.LIST_READ | KeyState.ADDED) ? Model.SET : Model.MIXED;
    }

    private static boolean isWithin(byte uses, int allowed) {
        return (uses & ~allowed) == 0;
    }
}
