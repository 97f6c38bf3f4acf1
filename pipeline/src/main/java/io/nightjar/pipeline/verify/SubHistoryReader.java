package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongLinkedOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads from rows a sub-history: a few transactions and their reads from each other. */
final class SubHistoryReader {

    /*
     * Definitions. A read counts if it is external, its transaction committed, and every transaction that may have
     * committed with the value as its last write belongs to the sub-history, or the value is the initial state. Other
     * reads are no evidence. A list read also observes the writers of all its elements, and shows an order of versions.
     * A set is read as one key per element that a transaction of the sub-history added: the element is present or
     * absent. Keys that only one transaction of the sub-history accesses are skipped, except where a guard is about
     * them. A guard counts if every transaction that may have committed with a last write that satisfies it belongs to
     * the sub-history.
     */

    private static final int NONE = -1;

    private final RawTxns raw;
    private final GatheredFacts gathered;
    private final boolean usesVersions;

    private final GuardConditions conditions = new GuardConditions();
    private SubHistory history;
    private int[] rows; // of the transactions
    private int keyCount;
    private LongSet shared; // keys of at least two of the few
    private final Long2ObjectOpenHashMap<SubHistoryKey> keyOf = new Long2ObjectOpenHashMap<>();
    private final Long2ObjectOpenHashMap<LongArrayList> ownWrites =
            new Long2ObjectOpenHashMap<>(); // by key, before a read

    private final Map<Long, Long> ownSums = new HashMap<>(); // before a read, by key
    private final Map<Long, LongSet> keysOfAnswer = new LinkedHashMap<>(); // by the value of its guards
    private final Map<Long, Map<Long, Boolean>> ownElements = new HashMap<>(); // before a read: by key and value

    /** @param usesVersions whether the numbers that the source gives versions are their order */
    SubHistoryReader(GatheredFacts gathered, boolean usesVersions) {
        this.raw = gathered.raw();
        this.gathered = gathered;
        this.usesVersions = usesVersions;
    }

    /** A key with the values that transactions of the sub-history left. */
    private static final class SubHistoryKey {

        final KeyFacts facts;
        int number = NONE;

        /** Who of the few left a value, by value. */
        final Long2IntOpenHashMap leftBy = new Long2IntOpenHashMap(0);

        /** The value that each of the few left. */
        final Int2LongOpenHashMap valueLeftBy = new Int2LongOpenHashMap(0);

        /** Who of the few left a value that others left too, by value. */
        final Long2ObjectOpenHashMap<BitSet> leftByAny = new Long2ObjectOpenHashMap<>(0);

        /** Transactions of the few that left the key without a value. */
        final BitSet erasedBy = new BitSet();

        /** Who of the few left which number of a version. */
        @Nullable
        Map<Long, Integer> writerByVersion;

        boolean lacksVersions;

        /** Elements that are keys, by value. */
        final Long2ObjectOpenHashMap<Element> elements = new Long2ObjectOpenHashMap<>(0);

        /** By how much each of the few increments it. */
        final Map<Integer, Long> deltaOf = new HashMap<>(0);

        /** Elements that each transaction appended, in order; null if no list. */
        @Nullable
        Long2ObjectOpenHashMap<LongArrayList> appendedBy;

        SubHistoryKey(KeyFacts facts) {
            this.facts = facts;
            leftBy.defaultReturnValue(NONE);
        }
    }

    /** An element as a key that has a value if the set contains it. */
    private static final class Element {

        final int number;
        final BitSet addedBy = new BitSet(); // whose last change added it
        final BitSet removedBy = new BitSet();

        Element(int number) {
            this.number = number;
        }
    }

    /** @param txns rows; transaction {@code i} of the sub-history is {@code txns[i]} */
    @SetsFields
    SubHistory read(int[] txns) {
        history = new SubHistory();
        rows = txns;
        shared = raw.keysOfOrder(txns);
        for (int i = 0; i < txns.length; i++) {
            history.txn(
                    raw.sessionId[txns[i]], raw.sessionSeq[txns[i]], raw.invokeNs[txns[i]], raw.completeNs[txns[i]]);
            if (gathered.isOptional(txns[i])) {
                history.beOptional(i);
            }
            readWrites(i, txns[i]);
        }
        for (int i = 0; i < txns.length; i++) {
            if (raw.status[txns[i]] == TxnStatus.COMMITTED) {
                readReads(i, txns[i]);
            }
        }
        for (SubHistoryKey key : keyOf.values()) {
            if (key.appendedBy != null) {
                showOrder(key, LongArrayList.wrap(key.facts.outside.elements));
                showUnread(key, key.appendedBy);
            } else if (!key.lacksVersions && key.writerByVersion != null) {
                history.versionOrder(key.writerByVersion.values().stream()
                        .mapToInt(Integer::intValue)
                        .toArray());
            }
        }
        return history;
    }

    private SubHistoryKey key(long key) {
        return keyOf.computeIfAbsent(key, absent -> new SubHistoryKey(gathered.of(key)));
    }

    // ---------------------------------------------------------------- writes

    private void readWrites(int txn, int row) {
        for (int op = raw.firstOpOf[row]; op < raw.firstOpOf[row + 1]; op++) {
            if (!shared.contains(raw.key[op])) {
                continue;
            }
            switch (raw.kind[op]) {
                case OpKind.WRITE -> {
                    SubHistoryKey key = numbered(raw.key[op]);
                    history.write(txn, key.number);
                    if (raw.isLastWrite(row, op)) {
                        key.valueLeftBy.put(txn, raw.value[op]);
                        if (isLeftBy(key, op, row)) {
                            key.leftBy.put(raw.value[op], txn);
                        } else {
                            key.leftByAny
                                    .computeIfAbsent(raw.value[op], absent -> new BitSet())
                                    .set(txn);
                        }
                        if (usesVersions) {
                            key.writerByVersion = key.writerByVersion == null ? new TreeMap<>() : key.writerByVersion;
                            key.lacksVersions |= raw.version[op] == HistorySlice.NONE
                                    || key.writerByVersion.containsKey(raw.version[op]);
                            key.writerByVersion.put(raw.version[op], txn);
                        }
                    }
                }
                case OpKind.ERASE -> {
                    SubHistoryKey key = numbered(raw.key[op]);
                    history.write(txn, key.number);
                    key.lacksVersions = true;
                    key.erasedBy.set(txn, raw.isLastWrite(row, op));
                }
                case OpKind.INCREMENT -> {
                    SubHistoryKey key = numbered(raw.key[op]);
                    history.write(txn, key.number);
                    Long number = CounterValues.number(raw.text(op));
                    if (number != null) {
                        key.deltaOf.merge(txn, number, Long::sum);
                    }
                }
                case OpKind.APPEND -> {
                    SubHistoryKey key = numbered(raw.key[op]);
                    key.appendedBy = key.appendedBy == null ? new Long2ObjectOpenHashMap<>(0) : key.appendedBy;
                    history.write(txn, key.number);
                    key.appendedBy
                            .computeIfAbsent(txn, absent -> new LongArrayList())
                            .add(raw.value[op]);
                    if (isLeftBy(key, op, row)) {
                        key.leftBy.put(raw.value[op], txn);
                    }
                }
                case OpKind.ADD, OpKind.TAKE -> {
                    SubHistoryKey key = key(raw.key[op]);
                    Element element = element(key, raw.value[op]);
                    history.write(txn, element.number);
                    element.addedBy.set(txn, raw.kind[op] == OpKind.ADD);
                    element.removedBy.set(txn, raw.kind[op] == OpKind.TAKE);
                }
                default -> {}
            }
        }
    }

    private Element element(SubHistoryKey key, long value) {
        return key.elements.computeIfAbsent(value, absent -> new Element(keyCount++));
    }

    private SubHistoryKey numbered(long rawKey) {
        SubHistoryKey key = key(rawKey);
        if (key.number == NONE) {
            key.number = keyCount++;
        }
        return key;
    }

    private boolean isLeftBy(SubHistoryKey key, int op, int row) {
        KeyFacts.Value value = key.facts.valueOf.get(raw.value[op]);
        return value != null && value.lastingWriter == raw.txnId[row];
    }

    // ---------------------------------------------------------------- reads

    private void readReads(int txn, int row) {
        ownWrites.clear();
        ownElements.clear();
        ownSums.clear();
        keysOfAnswer.clear();
        for (int op = raw.firstOpOf[row]; op < raw.firstOpOf[row + 1]; op++) {
            if (OpKind.isWrite(raw.kind[op])) {
                ownWrites
                        .computeIfAbsent(raw.key[op], absent -> new LongArrayList())
                        .add(raw.value[op]);
            }
            if (raw.kind[op] == OpKind.COMPUTED) {
                keysOfAnswer
                        .computeIfAbsent(raw.value[op], absent -> new LongLinkedOpenHashSet())
                        .add(raw.key[op]);
                continue;
            }
            KeyFacts facts = gathered.of(raw.key[op]);
            if (facts != null && (facts.isOfElements || facts.isSet) && raw.kind[op] != OpKind.NEVER) {
                readElements(key(raw.key[op]), txn, row, op);
                continue;
            }
            if (facts != null && facts.isCounter) {
                readCounter(numbered(raw.key[op]), txn, op);
                continue;
            }
            if (OpKind.isGuard(raw.kind[op]) || isReadOfErased(op)) {
                readGuard(txn, row, op);
                continue;
            }
            SubHistoryKey key = raw.isRead(op) ? keyOf.get(raw.key[op]) : null;
            if (key == null) {
                continue; // none of the few wrote it
            }
            int position = op - raw.firstOpOf[row];
            if (key.appendedBy != null) {
                readList(key, key.appendedBy, txn, row, op);
            } else if (key.number != NONE && !ownWrites.containsKey(raw.key[op])) {
                if (gathered.isInitial(op) && !mayBeOfOptional(op)) {
                    history.read(txn, position, key.number, SubHistory.INITIAL);
                } else if (raw.kind[op] == OpKind.READ && writerOf(key, op) != NONE) {
                    history.read(txn, position, key.number, writerOf(key, op));
                } else if (raw.kind[op] == OpKind.READ) {
                    readAny(key, txn, position, raw.value[op]);
                }
            }
        }
        keysOfAnswer.forEach((answer, keys) -> readAnswer(txn, answer, keys));
    }

    /** Adds a computed answer, if all transactions that may have written one of its keys belong to the sub-history. */
    private void readAnswer(int txn, long value, LongSet keys) {
        String answer = raw.values.text(value);
        List<SubHistory.Part> parts = new ArrayList<>();
        for (long rawKey : keys) {
            KeyFacts facts = gathered.of(rawKey);
            if (facts == null || gathered.initialValue() != null) {
                return;
            }
            if (facts.lastingOthersOf.get(value) == facts.lastingWriters) {
                continue; // no row of the key adds anything
            }
            SubHistoryKey key = numbered(rawKey);
            int known = key.valueLeftBy.size() + key.erasedBy.cardinality();
            boolean isOfRows = !facts.isSet && !facts.isOfElements && !facts.isCounter && key.appendedBy == null;
            if (!isOfRows || known < facts.lastingWriters + facts.lastingErasers) {
                return;
            }
            key.valueLeftBy.forEach((writer, left) -> parts.add(
                    new SubHistory.Part(key.number, writer, conditions.alike(answer, raw.values.text(left)))));
            key.erasedBy.stream().forEach(writer -> parts.add(new SubHistory.Part(key.number, writer, null)));
        }
        parts.removeIf(part -> part.writer() == txn);
        history.answer(txn, parts, rows -> conditions.isAnswer(answer, rows));
    }

    /** Returns whether a read of the initial value may be of a transaction that need not have committed. */
    private boolean mayBeOfOptional(int op) {
        KeyFacts.Value value =
                raw.kind[op] == OpKind.READ ? gathered.of(raw.key[op]).valueOf.get(raw.value[op]) : null;
        return history.hasOptional() && value != null && value.lastingCount > 0;
    }

    /** Adds a read of a value that several transactions wrote last, if all of them belong to the sub-history. */
    private void readAny(SubHistoryKey key, int txn, int position, long value) {
        BitSet writers = key.leftByAny.get(value);
        KeyFacts.Value facts = key.facts.valueOf.get(value);
        if (writers == null || facts == null || writers.cardinality() < facts.lastingCount) {
            return;
        }
        BitSet others = (BitSet) writers.clone();
        others.clear(txn);
        if (others.cardinality() == 1) {
            history.read(txn, position, key.number, others.nextSetBit(0));
        } else if (!others.isEmpty()) {
            history.observe(txn, position, key.number, others, false);
        }
    }

    /** Adds an own increment, or a read if all transactions that may have incremented the counter belong to the sub-history. */
    private void readCounter(SubHistoryKey key, int txn, int op) {
        Long number = CounterValues.number(raw.text(op));
        if (raw.kind[op] == OpKind.INCREMENT && number != null) {
            ownSums.merge(raw.key[op], number, Long::sum);
        } else if (raw.isRead(op) && key.deltaOf.size() >= key.facts.incrementers) {
            Long seen = CounterValues.changeSeen(raw.text(op), gathered.initialValue());
            Map<Integer, Long> others = new HashMap<>(key.deltaOf);
            others.remove(txn);
            if (seen != null) {
                history.sum(txn, seen - ownSums.getOrDefault(raw.key[op], 0L), others);
            }
        }
    }

    /** Reads a change, a test or all elements of a set whose elements are keys. */
    private void readElements(SubHistoryKey key, int txn, int row, int op) {
        byte kind = raw.kind[op];
        if (kind == OpKind.ADD || kind == OpKind.TAKE) {
            ownElements.computeIfAbsent(raw.key[op], absent -> new HashMap<>()).put(raw.value[op], kind == OpKind.ADD);
            return;
        }
        int position = op - raw.firstOpOf[row];
        if (OpKind.isGuard(kind)) {
            readElement(key, txn, position, raw.value[op], kind == OpKind.CONTAINS);
            return;
        }
        LongSet returned = new LongOpenHashSet(raw.list(op));
        LongSet all = new LongOpenHashSet(returned);
        all.addAll(key.elements.keySet());
        Map<Long, Boolean> own = ownElements.getOrDefault(raw.key[op], Map.of());
        for (long value : all) {
            Boolean isIn = own.get(value);
            if (isIn == null) {
                readElement(key, txn, position, value, returned.contains(value));
            } else if (isIn != returned.contains(value)) {
                history.observe(txn, position, element(key, value).number, new BitSet(), false);
            }
        }
    }

    /** Adds the presence or absence of an element, if all transactions that may explain it belong to the sub-history. */
    private void readElement(SubHistoryKey key, int txn, int position, long value, boolean isIn) {
        KeyFacts.Value facts = key.facts.valueOf.get(value);
        Element element = element(key, value);
        BitSet writers = (BitSet) (isIn ? element.addedBy : element.removedBy).clone();
        if (facts != null && writers.cardinality() >= (isIn ? facts.lastingAdders : facts.lastingRemovers)) {
            writers.clear(txn);
            if (writers.cardinality() == (isIn ? 1 : 0)) {
                history.read(txn, position, element.number, isIn ? writers.nextSetBit(0) : SubHistory.INITIAL);
            } else {
                history.observe(txn, position, element.number, writers, !isIn);
            }
        }
    }

    /** Returns whether a read of nothing may be of a version that a transaction erased. */
    private boolean isReadOfErased(int op) {
        KeyFacts facts = raw.kind[op] == OpKind.READ_NOTHING ? gathered.of(raw.key[op]) : null;
        return facts != null && facts.lastingErasers > 0;
    }

    /** Adds a guard, if all transactions that may satisfy it belong to the sub-history. */
    private void readGuard(int txn, int row, int op) {
        KeyFacts facts = gathered.of(raw.key[op]);
        int position = op - raw.firstOpOf[row];
        if (raw.kind[op] == OpKind.NEVER) {
            history.observe(txn, position, numbered(raw.key[op]).number, new BitSet(), false);
        }
        if (facts == null || ownWrites.containsKey(raw.key[op]) || raw.kind[op] == OpKind.NEVER) {
            return;
        }
        if (raw.kind[op] == OpKind.UNLIKE) {
            readSearch(txn, position, op, facts);
            return;
        }
        boolean isPresence = raw.kind[op] == OpKind.PRESENT;
        boolean isUnequal = raw.kind[op] == OpKind.UNEQUAL;
        SubHistoryKey key = numbered(raw.key[op]);
        BitSet writers = isPresence ? new BitSet() : (BitSet) key.erasedBy.clone();
        int expected = isPresence ? 0 : facts.lastingErasers;
        if (isPresence || isUnequal) {
            KeyFacts.Value excluded = isPresence ? null : facts.valueOf.get(raw.value[op]);
            key.valueLeftBy.forEach((writer, left) -> {
                if (isPresence || left != raw.value[op]) {
                    writers.set(writer);
                }
            });
            expected += facts.lastingWriters - (excluded == null ? 0 : excluded.lastingCount);
        }
        if (writers.cardinality() < expected) {
            return;
        }
        writers.clear(txn);
        boolean hasInitialValue = gathered.initialValue() != null && raw.values.isPossible(gathered.initialValue());
        boolean isInitial = hasInitialValue && isUnequal && raw.values.intern(gathered.initialValue()) == raw.value[op];
        history.observe(txn, position, key.number, writers, isPresence ? hasInitialValue : !isInitial);
    }

    /** Adds a guard that its key had no row that matches a condition. */
    private void readSearch(int txn, int position, int op, KeyFacts facts) {
        SubHistoryKey key = numbered(raw.key[op]);
        String guard = raw.values.text(raw.value[op]);
        BitSet writers = (BitSet) key.erasedBy.clone();
        key.valueLeftBy.forEach((writer, left) -> {
            if (!conditions.matches(guard, raw.values.text(left))) {
                writers.set(writer);
            }
        });
        if (writers.cardinality() >= facts.lastingErasers + facts.lastingOthersOf.get(raw.value[op])) {
            writers.clear(txn);
            boolean isMatch = gathered.initialValue() != null && conditions.matches(guard, gathered.initialValue());
            history.observe(txn, position, key.number, writers, !isMatch);
        }
    }

    /**
     * Returns the writer in the sub-history of the value that a register read returned; among several, the writer named
     * by the source.
     */
    private int writerOf(SubHistoryKey key, int op) {
        int writer = key.leftBy.get(raw.value[op]);
        BitSet others = key.leftByAny.get(raw.value[op]);
        return writer != NONE || others == null
                ? writer
                : others.stream()
                        .filter(txn -> raw.txnId[rows[txn]] == raw.writerTxn[op] && !gathered.isOptional(rows[txn]))
                        .findFirst()
                        .orElse(NONE);
    }

    private void readList(
            SubHistoryKey key, Long2ObjectOpenHashMap<LongArrayList> appendedBy, int txn, int row, int op) {
        LongArrayList own = ownWrites.getOrDefault(raw.key[op], new LongArrayList());
        int length = raw.length(op) - own.size();
        if (!raw.endsWith(op, own)) {
            return; // the read is wrong, and no evidence for other transactions
        }
        LongArrayList shown = new LongArrayList();
        int position = op - raw.firstOpOf[row];
        for (int i = 0; i < length; i++) {
            long element = raw.element(op, i);
            shown.add(element);
            if (key.leftBy.get(element) != NONE) {
                history.read(txn, position, SubHistory.NO_KEY, key.leftBy.get(element));
            }
        }
        showOrder(key, shown);
        if (length == 0) {
            history.read(txn, position, key.number, SubHistory.INITIAL);
        } else {
            int writer = key.leftBy.get(raw.element(op, length - 1));
            if (writer != NONE && isLastOf(appendedBy, writer, raw.element(op, length - 1))) {
                history.read(txn, position, key.number, writer);
            }
        }
    }

    private static boolean isLastOf(Long2ObjectOpenHashMap<LongArrayList> appendedBy, int writer, long element) {
        LongArrayList appended = appendedBy.get(writer);
        return appended != null && appended.getLong(appended.size() - 1) == element;
    }

    // ---------------------------------------------------------------- orders of versions

    private void showOrder(SubHistoryKey key, LongArrayList list) {
        history.versionOrder(writersIn(key, list).toIntArray());
    }

    private static IntArrayList writersIn(SubHistoryKey key, LongArrayList list) {
        IntArrayList writers = new IntArrayList();
        for (int i = 0; i < list.size(); i++) {
            int writer = key.leftBy.get(list.getLong(i));
            if (writer != NONE && (writers.isEmpty() || writers.getInt(writers.size() - 1) != writer)) {
                writers.add(writer);
            }
        }
        return writers;
    }

    /** Adds the order of appends that the longest list does not show: they come after all that it shows. */
    private void showUnread(SubHistoryKey key, Long2ObjectOpenHashMap<LongArrayList> appendedBy) {
        IntArrayList shown = writersIn(key, LongArrayList.wrap(key.facts.outside.elements));
        if (shown.isEmpty()) {
            return;
        }
        LongSet elements = new LongOpenHashSet(key.facts.outside.elements);
        for (long writer : appendedBy.keySet()) {
            boolean isShown = false;
            for (long element : appendedBy.get(writer)) {
                isShown |= elements.contains(element);
            }
            if (!isShown) {
                history.versionOrder(shown.getInt(shown.size() - 1), (int) writer);
            }
        }
    }
}
