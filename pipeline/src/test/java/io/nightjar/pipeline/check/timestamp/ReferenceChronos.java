package io.nightjar.pipeline.check.timestamp;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Every violation of a small history by the definitions of the contract's "Timestamps: the fine print", one definition a
 * method, without any thought of cost.
 */
final class ReferenceChronos {

    private final SmallHistory history;
    private final IsolationLevel level;
    private final Set<Long> countedUnknown;
    private final List<Judged> judged = new ArrayList<>();
    private final List<ExpectedViolation> violations = new ArrayList<>();

    private ReferenceChronos(SmallHistory history, IsolationLevel level, Set<Long> countedUnknown) {
        this.history = history;
        this.level = level;
        this.countedUnknown = countedUnknown;
        for (Txn txn : history.txns()) {
            if (txn.status() == TxnStatus.COMMITTED || countedUnknown.contains(txn.id())) {
                judged.add(new Judged(txn));
            }
        }
    }

    /** A transaction that counts as committed. One that reads only may lack its commit: it is its start. */
    private record Judged(Txn txn, long start, long commit) {

        Judged(Txn txn) {
            this(txn, txn.start(), commitOf(txn));
        }

        private static long commitOf(Txn txn) {
            boolean lacksCommit = txn.commit() == HistorySlice.NONE || txn.commit() == 0;
            return txn.isReadOnly() && lacksCommit ? txn.start() : txn.commit();
        }

        long id() {
            return txn.id();
        }

        boolean isInstant() {
            return start == commit;
        }

        boolean writes(String key) {
            return txn.opsOn(key).stream().anyMatch(Op::isWrite);
        }
    }

    /** Where a value that was read comes from; slack is null if no shift explains it. */
    private record Source(Long writer, Origin origin, Long slack) {}

    /** Whether every transaction that counts as committed has the timestamps that it needs. */
    static boolean canCheck(SmallHistory history) {
        Set<Long> unknown = history.txns().stream()
                .filter(txn -> txn.status() == TxnStatus.UNKNOWN && !txn.isReadOnly())
                .map(Txn::id)
                .collect(Collectors.toSet());
        ReferenceChronos reference = new ReferenceChronos(history, IsolationLevel.SNAPSHOT_ISOLATION, unknown);
        return reference.judged.stream().allMatch(t -> t.start != HistorySlice.NONE && t.commit != HistorySlice.NONE);
    }

    /** All violations, each once, in no particular order. */
    static List<ExpectedViolation> violations(SmallHistory history, IsolationLevel level) {
        return violations(history, level, UnknownOutcomes.of(history, level).counted());
    }

    /** Whether every first read of a committed transaction is right. */
    static boolean isEveryFirstReadRight(SmallHistory history, IsolationLevel level, Set<Long> countedUnknown) {
        ReferenceChronos reference = new ReferenceChronos(history, level, countedUnknown);
        reference.judged.forEach(reference::checkReads);
        return reference.violations.stream().noneMatch(violation -> violation.anomaly() == Anomaly.EXT);
    }

    /** The same where these unknown transactions committed and no others. */
    static List<ExpectedViolation> violations(SmallHistory history, IsolationLevel level, Set<Long> countedUnknown) {
        ReferenceChronos reference = new ReferenceChronos(history, level, countedUnknown);
        for (Judged txn : reference.judged) {
            reference.checkTimestampOrder(txn);
            reference.checkSession(txn);
            reference.checkReads(txn);
        }
        reference.checkConflicts();
        return reference.violations;
    }

    private boolean isSerial() {
        return level == IsolationLevel.COMMIT_ORDER_SERIALIZABLE;
    }

    // ---------------------------------------------------------------- the order of events

    /** Whether a start after its commit keeps this transaction's reads and conflicts from being judged. */
    private boolean isBackward(Judged txn) {
        return !isSerial() && txn.start > txn.commit;
    }

    /** The timestamp at which a transaction reads. */
    private long readTs(Judged txn) {
        return isSerial() ? txn.commit : txn.start;
    }

    /** A transaction never sees itself. */
    private boolean sees(Judged reader, Judged writer) {
        if (writer == reader) {
            return false;
        }
        if (writer.commit != readTs(reader)) {
            return writer.commit < readTs(reader);
        }
        if (isSerial()) {
            return reader.txn.isReadOnly() || writer.id() < reader.id();
        }
        return !writer.isInstant() || !reader.isInstant() || writer.id() < reader.id();
    }

    /** Writers of a key in the order of their commits. */
    private List<Judged> writersOf(String key) {
        Comparator<Judged> byCommit = Comparator.comparingLong(Judged::commit);
        if (!isSerial()) {
            byCommit = byCommit.thenComparing(Judged::isInstant);
        }
        return judged.stream()
                .filter(txn -> txn.writes(key))
                .sorted(byCommit.thenComparingLong(Judged::id))
                .toList();
    }

    private List<Judged> visibleWritersOf(String key, Judged reader) {
        return writersOf(key).stream().filter(writer -> sees(reader, writer)).toList();
    }

    // ---------------------------------------------------------------- timestamps and sessions

    private void checkTimestampOrder(Judged txn) {
        if (isBackward(txn)) {
            Map<Role, Judged> roles = Map.of(Role.SUBJECT, txn);
            add(Anomaly.TIMESTAMP_ORDER, roles, txn.commit - txn.start);
        }
    }

    private void checkSession(Judged txn) {
        Judged previous = null;
        for (Judged other : judged) {
            boolean before = other.txn.session() == txn.txn.session() && other.txn.seq() < txn.txn.seq();
            if (before && (previous == null || other.txn.seq() > previous.txn.seq())) {
                previous = other;
            }
        }
        if (previous == null) {
            return;
        }
        boolean tooEarly = readTs(txn) < previous.commit;
        boolean tiesInVain = isSerial() && txn.commit == previous.commit && !txn.txn.isReadOnly();
        if (tooEarly || tiesInVain) {
            Map<Role, Judged> roles = Map.of(Role.SUBJECT, txn, Role.PREVIOUS, previous);
            add(Anomaly.SESSION, roles, previous.commit - readTs(txn));
        }
    }

    private void checkConflicts() {
        if (isSerial()) {
            return;
        }
        for (String key : judgedKeys()) {
            List<Judged> writers = writersOf(key);
            for (int i = 0; i < writers.size(); i++) {
                for (int j = i + 1; j < writers.size(); j++) {
                    checkConflict(writers.get(i), writers.get(j), key);
                }
            }
        }
    }

    private void checkConflict(Judged earlier, Judged later, String key) {
        if (isBackward(earlier) || isBackward(later)) {
            return;
        }
        boolean overlap = earlier.start < later.commit && later.start < earlier.commit;
        if (overlap || earlier.commit == later.commit) {
            Map<Role, Judged> roles = Map.of(Role.EARLIER_WRITER, earlier, Role.LATER_WRITER, later);
            add(Anomaly.NOCONFLICT, roles, key, null, earlier.commit - later.start);
        }
    }

    // ---------------------------------------------------------------- reads

    /** Judges the reads of a committed transaction; those of one with an unknown outcome are not judged. */
    private void checkReads(Judged txn) {
        if (isBackward(txn) || txn.txn.status() != TxnStatus.COMMITTED) {
            return;
        }
        for (String key : judgedKeys()) {
            if (isList(key)) {
                checkListReads(txn, key);
            } else {
                checkFirstRead(txn, key);
                checkLaterReads(txn, key);
            }
        }
    }

    /** Sets and counters cannot be judged from timestamps. */
    private List<String> judgedKeys() {
        return history.keys().stream()
                .filter(key -> !isTouchedBy(key, op -> op.kind() == OpKind.ADD || op.kind() == OpKind.INCREMENT))
                .toList();
    }

    private boolean isList(String key) {
        return isTouchedBy(key, op -> op.kind() == OpKind.APPEND || op.kind() == OpKind.READ_LIST);
    }

    private boolean isTouchedBy(String key, Predicate<Op> test) {
        return history.txns().stream().anyMatch(txn -> txn.opsOn(key).stream().anyMatch(test));
    }

    private void checkFirstRead(Judged txn, String key) {
        List<Op> ops = txn.txn.opsOn(key);
        if (ops.isEmpty() || ops.get(0).isWrite()) {
            return;
        }
        Judged frontier = last(visibleWritersOf(key, txn));
        String expected = frontier == null ? null : finalValue(frontier, key);
        String observed = ops.get(0).value();
        boolean isRight = frontier == null ? isInitial(key, observed) : expected.equals(observed);
        if (!isRight) {
            addRead(
                    Anomaly.EXT,
                    txn,
                    key,
                    expected,
                    frontier,
                    observed,
                    sourceOf(txn, key, observed, frontier != null));
        }
    }

    private void checkLaterReads(Judged txn, String key) {
        List<Op> ops = txn.txn.opsOn(key);
        boolean wrote = false;
        for (int i = 1; i < ops.size(); i++) {
            wrote |= ops.get(i - 1).isWrite();
            String expected = ops.get(i - 1).value();
            String observed = ops.get(i).value();
            if (ops.get(i).isRead() && !isSame(key, expected, observed)) {
                boolean someoneWrote = wrote || !visibleWritersOf(key, txn).isEmpty();
                Source source = sourceOf(txn, key, observed, someoneWrote);
                addInternal(txn, key, expected, wrote, observed, source);
                return;
            }
        }
    }

    private boolean isSame(String key, String expected, String observed) {
        return isInitial(key, observed) ? isInitial(key, expected) : observed.equals(expected);
    }

    private boolean isInitial(String key, String value) {
        return value == null
                || (value.equals(history.initialValue())
                        && history.txns().stream()
                                .noneMatch(txn -> txn.status() == TxnStatus.COMMITTED && writeOf(txn, key, value)));
    }

    private static boolean writeOf(Txn txn, String key, String value) {
        return txn.opsOn(key).stream().anyMatch(op -> op.isWrite() && op.value().equals(value));
    }

    private static String finalValue(Judged writer, String key) {
        return last(writer.txn.opsOn(key).stream().filter(Op::isWrite).toList()).value();
    }

    // ---------------------------------------------------------------- where a register's value comes from

    private Source sourceOf(Judged reader, String key, String observed, boolean someoneWrote) {
        List<Judged> writers = writersOf(key);
        if (isInitial(key, observed)) {
            if (!someoneWrote) {
                return new Source(null, null, null);
            }
            boolean everyWriterIsLater = writers.isEmpty() || readTs(reader) < writers.get(0).commit;
            return new Source(
                    null, Origin.STALE, everyWriterIsLater ? null : writers.get(0).commit - 1 - readTs(reader));
        }
        Source closest = null;
        for (Judged writer : writers) {
            if (finalValue(writer, key).equals(observed)) {
                Origin origin = sees(reader, writer) ? Origin.STALE : Origin.FUTURE;
                Source source = new Source(writer.id(), origin, shiftTo(writer, writers, reader));
                closest = closest == null || isCloser(source, closest) ? source : closest;
            }
        }
        return closest != null ? closest : sourceOfUncommitted(key, observed);
    }

    /** How far a snapshot has to move so that this writer is the last before it: the smallest such shift, or null. */
    private Long shiftTo(Judged writer, List<Judged> writers, Judged reader) {
        int next = writers.indexOf(writer) + 1;
        long last = next < writers.size() ? writers.get(next).commit - 1 : Long.MAX_VALUE;
        if (writer == reader || last < writer.commit) {
            return null;
        }
        if (last < readTs(reader)) {
            return last - readTs(reader);
        }
        return Math.max(0, writer.commit - readTs(reader));
    }

    /**
     * The smaller shift, of two equal ones the one back in time; where no shift helps, the last writer before the
     * snapshot, else the first after it.
     */
    private static boolean isCloser(Source later, Source earlier) {
        if (later.slack == null || earlier.slack == null) {
            return earlier.slack == null && (later.slack != null || later.origin == Origin.STALE);
        }
        return Math.abs(later.slack) < Math.abs(earlier.slack);
    }

    private Source sourceOfUncommitted(String key, String value) {
        Long intermediate = smallestId(judged.stream()
                .map(Judged::txn)
                .filter(txn -> writeOf(txn, key, value))
                .toList());
        if (intermediate != null) {
            return new Source(intermediate, Origin.INTERMEDIATE, null);
        }
        Long aborted = smallestId(history.txns().stream()
                .filter(txn -> txn.status() == TxnStatus.ABORTED && writeOf(txn, key, value))
                .toList());
        return new Source(aborted, aborted == null ? Origin.NEVER : Origin.ABORTED, null);
    }

    private static Long smallestId(List<Txn> txns) {
        return txns.stream().map(Txn::id).min(Long::compare).orElse(null);
    }

    // ---------------------------------------------------------------- lists

    private void checkListReads(Judged txn, String key) {
        List<String> snapshot = listAfter(visibleWritersOf(key, txn), key);
        List<String> base = null;
        List<String> own = new ArrayList<>();
        for (Op op : txn.txn.opsOn(key)) {
            if (op.isWrite()) {
                own.add(op.value());
                continue;
            }
            List<String> observed = op.elements() == null ? List.of() : op.elements();
            if (base != null) {
                if (!observed.equals(joined(base, own))) {
                    addListInternal(txn, key, joined(base, own), !own.isEmpty(), observed);
                    return;
                }
            } else if (!endsWith(observed, own)) {
                if (!startsWith(observed, snapshot)) {
                    Source source = sourceOfList(txn, key, snapshot, observed, null);
                    addListExternal(txn, key, joined(snapshot, own), observed, source);
                }
                addListInternal(txn, key, joined(snapshot, own), !own.isEmpty(), observed);
                return;
            } else {
                base = observed.subList(0, observed.size() - own.size());
                if (!base.equals(snapshot)) {
                    Source source = sourceOfList(txn, key, snapshot, base, shiftToList(base, key, txn));
                    addListExternal(txn, key, joined(snapshot, own), observed, source);
                }
            }
        }
    }

    private static List<String> listAfter(List<Judged> writers, String key) {
        List<String> list = new ArrayList<>();
        for (Judged writer : writers) {
            writer.txn.opsOn(key).stream().filter(Op::isWrite).forEach(op -> list.add(op.value()));
        }
        return list;
    }

    /** How far a snapshot has to move so that the list is this one, or null if it never was. */
    private Long shiftToList(List<String> list, String key, Judged reader) {
        List<Judged> writers = writersOf(key);
        for (int count = 0; count <= writers.size(); count++) {
            if (listAfter(writers.subList(0, count), key).equals(list)) {
                long first = count == 0 ? Long.MIN_VALUE : writers.get(count - 1).commit;
                long last = count == writers.size() ? Long.MAX_VALUE : writers.get(count).commit - 1;
                if (last < first || (count > 0 && writers.get(count - 1) == reader)) {
                    return null;
                }
                return last < readTs(reader) ? last - readTs(reader) : Math.max(0, first - readTs(reader));
            }
        }
        return null;
    }

    /** Decided by the first element that differs; a list that only ends too early is stale. */
    private Source sourceOfList(Judged reader, String key, List<String> expected, List<String> observed, Long slack) {
        int same = 0;
        while (same < observed.size()
                && same < expected.size()
                && observed.get(same).equals(expected.get(same))) {
            same++;
        }
        if (same < observed.size()) {
            Source source = sourceOfElement(reader, key, observed.get(same));
            return new Source(source.writer, source.origin, slack);
        }
        Long lastWriter = same == 0 ? null : sourceOfElement(reader, key, observed.get(same - 1)).writer;
        return new Source(lastWriter, Origin.STALE, slack);
    }

    /** Every append of a transaction is final; of several, the last before the snapshot, else the first after it. */
    private Source sourceOfElement(Judged reader, String key, String element) {
        Source source = null;
        for (Judged writer : writersOf(key)) {
            if (writeOf(writer.txn, key, element)) {
                boolean seen = sees(reader, writer);
                if (seen || source == null) {
                    source = new Source(writer.id(), seen ? Origin.STALE : Origin.FUTURE, null);
                }
            }
        }
        return source != null ? source : sourceOfUncommitted(key, element);
    }

    private static List<String> joined(List<String> first, List<String> second) {
        List<String> both = new ArrayList<>(first);
        both.addAll(second);
        return both;
    }

    private static boolean startsWith(List<String> list, List<String> start) {
        return list.size() >= start.size() && list.subList(0, start.size()).equals(start);
    }

    private static boolean endsWith(List<String> list, List<String> end) {
        return list.size() >= end.size()
                && list.subList(list.size() - end.size(), list.size()).equals(end);
    }

    // ---------------------------------------------------------------- noting violations

    private void addListExternal(Judged txn, String key, List<String> expected, List<String> observed, Source source) {
        Judged frontier = last(visibleWritersOf(key, txn));
        addRead(Anomaly.EXT, txn, key, listText(expected), frontier, listText(observed), source);
    }

    private void addListInternal(Judged txn, String key, List<String> expected, boolean wrote, List<String> observed) {
        Source source = sourceOfList(txn, key, expected, observed, null);
        addInternal(txn, key, listText(expected), wrote, listText(observed), source);
    }

    /** What an earlier read of the same transaction returned is expected of no particular writer. */
    private void addInternal(Judged txn, String key, String expected, boolean wrote, String observed, Source source) {
        Source unmoved = new Source(source.writer, source.origin, null);
        addRead(Anomaly.INT, txn, key, expected, wrote ? txn : null, observed, unmoved);
    }

    private void addRead(
            Anomaly anomaly,
            Judged reader,
            String key,
            String expected,
            Judged expectedWriter,
            String observed,
            Source source) {
        Map<Role, Long> roles = new TreeMap<>();
        roles.put(Role.READER, reader.id());
        if (expectedWriter != null) {
            roles.put(Role.EXPECTED_WRITER, expectedWriter.id());
        }
        if (source.writer != null) {
            roles.put(Role.OBSERVED_WRITER, source.writer);
        }
        violations.add(new ExpectedViolation(
                anomaly,
                level,
                words(roles),
                key,
                expected,
                expectedWriter == null ? null : expectedWriter.id(),
                observed,
                source.writer,
                source.origin,
                source.slack,
                roles.values().stream().anyMatch(countedUnknown::contains)));
    }

    private void add(Anomaly anomaly, Map<Role, Judged> txns, Long slack) {
        add(anomaly, txns, null, null, slack);
    }

    private void add(Anomaly anomaly, Map<Role, Judged> txns, String key, Origin origin, Long slack) {
        Map<Role, Long> roles = new TreeMap<>();
        txns.forEach((role, txn) -> roles.put(role, txn.id()));
        boolean needsUnknown = roles.values().stream().anyMatch(countedUnknown::contains);
        violations.add(new ExpectedViolation(
                anomaly, level, words(roles), key, null, null, null, null, origin, slack, needsUnknown));
    }

    private static Map<String, Long> words(Map<Role, Long> roles) {
        Map<String, Long> words = new TreeMap<>();
        roles.forEach((role, id) -> words.put(role.word(), id));
        return words;
    }

    private static String listText(List<String> list) {
        return list.isEmpty() ? null : "[" + String.join(",", list) + "]";
    }

    private static <T> T last(List<T> list) {
        return list.isEmpty() ? null : list.get(list.size() - 1);
    }
}
