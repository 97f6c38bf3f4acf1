package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** A small random history of tables, as plain objects to define things on and as a slice for the check. */
final class SmallTables {

    /*
     * Transactions follow a hidden order, and now and then look elsewhere; so some histories are serial, some nearly so and
     * some are nonsense. Versions of a key stand in the order of their numbers; those of transactions that were taken back
     * have no position.
     */

    /** A version of a row, made of a number; that is null if the row was deleted. */
    record Version(int txn, int key, Integer column, long number, boolean isFinal) {

        String row() {
            return column == null ? null : SmallCondition.row(column);
        }
    }

    /** What an operation does: {@code w} makes a version, {@code r} returned one, {@code p} looked for rows. */
    record Act(char kind, int key, Version version, PredicateRead predicateRead) {}

    /**
     * A look for rows.
     *
     * @param seen by key, what it looked at; null before the first version
     * @param returned by key, whether that came back as a row
     * @param isNumbered by key, whether the history says which version that was
     * @param computed what was computed instead of rows, in front of a condition; null for rows
     * @param answer what that gave; null for NULL
     * @param readTs its own snapshot; null for that of its transaction
     */
    record PredicateRead(
            SmallCondition condition,
            char relation,
            Version[] seen,
            boolean[] returned,
            boolean[] isNumbered,
            String computed,
            Long answer,
            Long readTs) {

        boolean isAbout(int key) {
            return relation == '*' || relation == relationOf(key);
        }

        boolean isComputed() {
            return computed != null;
        }

        /** What is computed of some rows, as SQL has it. */
        Long answerOf(List<Version> matching) {
            List<Long> numbers = matching.stream()
                    .filter(row -> row.column() != SmallCondition.NULL)
                    .map(row -> (long) row.column())
                    .toList();
            return switch (computed) {
                case "count(*)" -> (Long) (long) matching.size();
                case "sum(c)" -> numbers.stream().reduce(Long::sum).orElse(null);
                case "min(c)" -> numbers.stream().reduce(Math::min).orElse(null);
                default -> numbers.stream().reduce(Math::max).orElse(null);
            };
        }
    }

    /** A transaction. */
    static final class Txn {
        final int index;
        final List<Act> acts = new ArrayList<>();
        long session;
        long seq;
        boolean isAborted;
        boolean isUnknown; // to the client
        long start;
        long commit;

        Txn(int index) {
            this.index = index;
        }

        boolean writes() {
            return acts.stream().anyMatch(act -> act.kind() == 'w');
        }

        /** What it wrote of a key before one of its operations; null if nothing. */
        Version ownBefore(int key, int before) {
            Version own = null;
            for (Act act : acts.subList(0, before)) {
                own = act.kind() == 'w' && act.key() == key ? act.version() : own;
            }
            return own;
        }
    }

    final Random random;
    final int keyCount;
    final boolean isTimed;
    final boolean isNumbered; // else by writers, in the order of commits
    final boolean hasInitial; // the first transaction makes the initial state
    final List<Txn> txns = new ArrayList<>();
    final List<List<Version>> versions = new ArrayList<>(); // by key, in their order
    final List<Version> takenBack = new ArrayList<>();
    final List<Integer> hidden = new ArrayList<>();
    private final double obedience;
    HistorySlice slice;

    SmallTables(Random random, int maxTxns) {
        this.random = random;
        this.keyCount = 1 + random.nextInt(4);
        this.isTimed = random.nextInt(2) == 0;
        this.isNumbered = !isTimed || random.nextInt(3) > 0;
        this.hasInitial = random.nextInt(3) > 0;
        this.obedience = List.of(0.5, 0.8, 0.95, 1.0).get(random.nextInt(4));
        int count = 2 + random.nextInt(maxTxns - 1);
        for (int i = 0; i < count; i++) {
            txns.add(new Txn(i));
            hidden.add(i);
        }
        Collections.shuffle(hidden, random);
        if (hasInitial) {
            hidden.remove((Integer) 0);
            hidden.add(0, 0);
        }
        times();
        makeVersions();
        txns.forEach(this::addActs);
        slice = new Builder().build();
    }

    static char relationOf(int key) {
        return key == 3 ? 'u' : 't';
    }

    static String keyName(int key) {
        return relationOf(key) + "/" + key;
    }

    private boolean chance(double share) {
        return random.nextDouble() < share;
    }

    private void times() {
        long[] sessions = new long[3];
        for (int position = 0; position < hidden.size(); position++) {
            Txn txn = txns.get(hidden.get(position));
            txn.commit = 10L * (position + 1);
            long start = txn.commit - 1 - random.nextInt(chance(0.5) ? 3 : 25);
            txn.start = hasInitial && position > 0 ? Math.max(start, 10) : start; // the initial state was there
            int session = random.nextInt(3);
            txn.session = chance(0.7) ? 10 + txn.index : session;
            txn.seq = sessions[session]++;
            txn.isAborted = !(hasInitial && txn.index == 0) && chance(0.06);
        }
    }

    // ---------------------------------------------------------------- versions

    private void makeVersions() {
        for (int key = 0; key < keyCount; key++) {
            List<Integer> writers = new ArrayList<>();
            for (int txn : hidden) {
                boolean isNeeded = key == 0 && writers.isEmpty() && txn == hidden.get(hidden.size() - 1);
                if (hasInitial && txn == 0 || chance(0.35) || isNeeded) {
                    writers.add(txn);
                }
            }
            if (isNumbered && !chance(obedience)) {
                Collections.shuffle(writers.subList(hasInitial ? 1 : 0, writers.size()), random);
            }
            List<Version> made = new ArrayList<>();
            for (int writer : writers) {
                makeVersions(key, writer, made);
            }
            versions.add(made);
        }
    }

    private void makeVersions(int key, int writer, List<Version> made) {
        boolean isInitial = hasInitial && writer == 0;
        int count = isInitial || !chance(0.25) ? 1 : 2;
        Integer before = null;
        for (int i = 1; i <= count; i++) {
            boolean isNeeded = key == 0 && i == count && made.stream().allMatch(known -> known.column() == null);
            boolean isDeletion = chance(0.2) && !isNeeded; // some row has the column
            Integer column = isDeletion ? null : (Integer) random.nextInt(isNeeded ? 5 : 7);
            if (i == 2 && !isNumbered && Objects.equals(column, before)) {
                column = 7; // or one could not tell which of the two was read
            }
            before = column;
            boolean isTakenBack = txns.get(writer).isAborted;
            long number = isInitial ? 0 : isTakenBack ? 1000L + takenBack.size() : 10L * made.size() + 10;
            Version version = new Version(writer, key, column, number, i == count);
            (isTakenBack ? takenBack : made).add(version);
            txns.get(writer).acts.add(new Act('w', key, version, null));
        }
    }

    /** The last version that transactions in front of one in the hidden order left; null if there is none. */
    private Version inHiddenOrder(int txn, int key) {
        Version last = null;
        for (Version version : versions.get(key)) {
            boolean isBefore = hidden.indexOf(version.txn()) < hidden.indexOf(txn);
            last = isBefore && version.isFinal() ? version : last;
        }
        return last;
    }

    /** What a snapshot shows to a transaction; null if nothing. */
    Version atSnapshot(Txn txn, int key, long snapshot) {
        Version last = null;
        for (Version version : versions.get(key)) {
            boolean isShown = txns.get(version.txn()).commit <= snapshot && version.txn() != txn.index;
            last = isShown && version.isFinal() ? version : last;
        }
        return last;
    }

    /** Whether everybody reads what its start shows, and versions are numbered in the order of their commits. */
    boolean isObedient() {
        return obedience == 1.0
                && txns.stream()
                        .flatMap(txn -> txn.acts.stream())
                        .noneMatch(act -> act.predicateRead() != null
                                && act.predicateRead().readTs() != null);
    }

    boolean mayBeUnborn(int key) {
        return !hasInitial || versions.get(key).isEmpty();
    }

    /** A version that somebody else made. */
    private Version draw(Txn txn, int key, Long snapshot) {
        if (chance(0.02) && !takenBack.isEmpty()) {
            Version rolledBack = takenBack.get(random.nextInt(takenBack.size()));
            return rolledBack.key() == key && rolledBack.txn() != txn.index
                    ? rolledBack
                    : inHiddenOrder(txn.index, key);
        }
        if (chance(obedience)) {
            return snapshot == null ? inHiddenOrder(txn.index, key) : atSnapshot(txn, key, snapshot);
        }
        List<Version> others = new ArrayList<>();
        for (Version version : versions.get(key)) {
            boolean isSeen =
                    version.isFinal() || isNumbered && chance(0.1); // a writer alone does not say which of its versions
            if (version.txn() != txn.index && isSeen) {
                others.add(version);
            }
        }
        if (mayBeUnborn(key)) {
            others.add(null);
        }
        return others.isEmpty() ? inHiddenOrder(txn.index, key) : others.get(random.nextInt(others.size()));
    }

    // ---------------------------------------------------------------- operations

    private void addActs(Txn txn) {
        if (hasInitial && txn.index == 0) {
            return;
        }
        mixKeys(txn);
        for (int i = random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(txn.acts.size() + 1);
            Act act = chance(0.4) ? read(txn, at) : predicateRead(txn, at);
            if (act != null) {
                txn.acts.add(at, act);
            }
        }
    }

    /** Writes of different keys in any order, those of one key in theirs. */
    private void mixKeys(Txn txn) {
        List<Act> writes = List.copyOf(txn.acts);
        List<Integer> keys = new ArrayList<>(writes.stream().map(Act::key).toList());
        Collections.shuffle(keys, random);
        int[] taken = new int[keyCount];
        txn.acts.clear();
        for (int key : keys) {
            List<Act> ofKey = writes.stream().filter(act -> act.key() == key).toList();
            txn.acts.add(ofKey.get(taken[key]++));
        }
    }

    private Act read(Txn txn, int at) {
        int key = random.nextInt(keyCount);
        Version own = txn.ownBefore(key, at);
        Version seen = own != null && chance(0.95) ? own : draw(txn, key, isTimed ? txn.start : null);
        if (seen == null && !mayBeUnborn(key)) {
            return null; // no transaction could see that
        }
        return new Act('r', key, seen, null);
    }

    private Act predicateRead(Txn txn, int at) {
        SmallCondition condition = SmallCondition.any(random);
        char relation = "ttt*u".charAt(random.nextInt(5));
        Version[] seen = new Version[keyCount];
        boolean[] returned = new boolean[keyCount];
        boolean[] isNumbered = new boolean[keyCount];
        Long readTs = isTimed && chance(0.4) ? (Long) (txn.start + random.nextInt(12)) : null;
        boolean isComputed = isTimed && chance(0.15);
        String computed =
                isComputed ? List.of("count(*)", "sum(c)", "min(c)", "max(c)").get(random.nextInt(4)) : null;
        boolean saysAll = chance(0.7);
        PredicateRead predicateRead =
                new PredicateRead(condition, relation, seen, returned, isNumbered, computed, null, readTs);
        List<Version> matching = new ArrayList<>();
        for (int key = 0; key < keyCount; key++) {
            if (!predicateRead.isAbout(key)) {
                continue;
            }
            Long snapshot = isTimed ? (Long) (readTs != null ? readTs : txn.start) : null;
            Version own = txn.ownBefore(key, at);
            seen[key] = own != null && chance(0.95)
                    ? own
                    : isComputed ? atSnapshot(txn, key, snapshot) : draw(txn, key, snapshot);
            boolean isMatch = condition.matches(seen[key]);
            if (isMatch) {
                matching.add(seen[key]);
            }
            returned[key] = !isComputed
                    && (isMatch ? chance(0.98) : seen[key] != null && seen[key].column() != null && chance(0.01));
            isNumbered[key] = returned[key] || !isComputed && seen[key] != null && saysAll && !isMatch;
        }
        Long answer = isComputed ? predicateRead.answerOf(matching) : null;
        if (isComputed && chance(0.05)) {
            boolean isNull = !computed.equals("count(*)") && answer != null && chance(0.5);
            answer = isNull ? null : (Long) (answer == null ? 0 : answer + 1);
        }
        boolean saysRows = isComputed && chance(0.5);
        for (int key = 0; saysRows && key < keyCount; key++) {
            boolean isRow =
                    predicateRead.isAbout(key) && condition.matches(seen[key]) && txn.ownBefore(key, at) == null;
            returned[key] = isRow && chance(0.7);
            isNumbered[key] = returned[key];
            Version other = returned[key] && chance(0.1) ? draw(txn, key, null) : null;
            seen[key] = other != null && other.column() != null ? other : seen[key];
        }
        PredicateRead done =
                new PredicateRead(condition, relation, seen, returned, isNumbered, computed, answer, readTs);
        return new Act('p', -1, null, done);
    }

    // ---------------------------------------------------------------- outcomes

    /** The client never learned what became of a transaction. */
    void forget(int txn) {
        txns.get(txn).isUnknown = true;
        slice = new Builder().build();
    }

    /** Whether somebody says that what they saw is of a transaction. */
    boolean isNamed(int txn) {
        return txns.stream()
                .filter(other -> !other.isAborted && other.index != txn)
                .flatMap(other -> other.acts.stream())
                .anyMatch(act -> act.kind() == 'p'
                        ? isNamed(act.predicateRead(), txn)
                        : act.kind() == 'r' && isOf(act.version(), txn));
    }

    private boolean isNamed(PredicateRead predicateRead, int txn) {
        for (int key = 0; key < keyCount; key++) {
            if (predicateRead.isNumbered()[key] && isOf(predicateRead.seen()[key], txn)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOf(Version version, int txn) {
        return version != null && version.txn() == txn;
    }

    /** The same history if a transaction was taken back after all. */
    void takeBack(int txn) {
        txns.get(txn).isAborted = true;
        for (List<Version> ofKey : versions) {
            ofKey.stream().filter(version -> version.txn() == txn).forEach(takenBack::add);
            ofKey.removeIf(version -> version.txn() == txn);
        }
    }

    // ---------------------------------------------------------------- the slice

    /** Writes it all down. */
    private final class Builder {

        private final SliceBuilder to = new SliceBuilder("small");

        HistorySlice build() {
            to.keysAreStrings();
            to.valuesAreStrings();
            for (Txn txn : txns) {
                to.beginTxn(txn.index + 1L, txn.index + 1L, txn.session, txn.seq);
                byte outcome = txn.isAborted ? TxnStatus.ABORTED : TxnStatus.COMMITTED;
                to.status(txn.isUnknown ? TxnStatus.UNKNOWN : outcome);
                if (isTimed) {
                    to.timestamps(txn.start, txn.commit);
                }
                txn.acts.forEach(this::add);
                to.endTxn();
            }
            return to.build();
        }

        private void add(Act act) {
            switch (act.kind()) {
                case 'w' ->
                    row(act.version().column() == null ? OpKind.DELETE : OpKind.WRITE, act.key(), act.version());
                case 'r' -> returned(act.key(), act.version());
                default -> predicateRead(act.predicateRead());
            }
        }

        private void row(byte kind, int key, Version version) {
            boolean hasValue = version != null && OpKind.hasValue(kind);
            long value = hasValue ? to.valueNames().intern(version.row()) : 0;
            to.op(kind, to.keyNames().intern(keyName(key)), value);
            if (version == null) {
                return;
            }
            boolean isWrite = kind == OpKind.WRITE || kind == OpKind.DELETE;
            if (isNumbered || version.number() == 0) {
                to.version(version.number());
            }
            if (!isNumbered && !isWrite) {
                to.writerTxn(version.txn() + 1L);
            }
        }

        private void returned(int key, Version version) {
            row(version == null || version.column() == null ? OpKind.READ_NOTHING : OpKind.READ, key, version);
        }

        private void predicateRead(PredicateRead predicateRead) {
            int at = to.nextOp();
            boolean isWhole = predicateRead.relation() == '*';
            boolean isComputed = predicateRead.isComputed();
            boolean hasAnswer = predicateRead.answer() != null;
            long value =
                    hasAnswer ? to.valueNames().intern(predicateRead.answer().toString()) : 0;
            byte kind = hasAnswer ? OpKind.PREDICATE_ANSWER : OpKind.PREDICATE;
            if (isWhole) {
                to.op(kind, HistorySlice.NONE, value);
            } else {
                to.op(kind, to.keyNames().intern(String.valueOf(predicateRead.relation())), value);
            }
            to.opText(
                    HistoryColumn.PREDICATE,
                    (isComputed ? predicateRead.computed() + " WHERE " : "")
                            + predicateRead.condition().sql());
            to.opText(HistoryColumn.PARAMS, predicateRead.condition().params());
            if (predicateRead.readTs() != null) {
                to.opNumber(HistoryColumn.READ_TS, predicateRead.readTs());
            }
            for (int key = 0; key < keyCount; key++) {
                if (predicateRead.returned()[key]) {
                    returned(key, predicateRead.seen()[key]);
                } else if (predicateRead.isNumbered()[key]) {
                    row(OpKind.UNMATCHED, key, predicateRead.seen()[key]);
                }
            }
            to.setOpNumber(HistoryColumn.ROWS, at, to.nextOp() - at - 1L);
        }
    }
}
