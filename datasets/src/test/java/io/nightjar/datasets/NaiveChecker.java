package io.nightjar.datasets;

import io.nightjar.datasets.NaiveHistory.Op;
import io.nightjar.datasets.NaiveHistory.Txn;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The definitions of the timestamp axioms, evaluated transaction by transaction against all others.
 *
 * <p>Findings are {@code TYPE [ids] key}, each as often as the counting rules require. Ties between timestamps do not
 * occur in generated histories and are not treated.
 */
public final class NaiveChecker {

    private final NaiveHistory history;
    private final boolean isSerial;
    private final List<Txn> committed = new ArrayList<>();
    private final Map<String, List<Txn>> writersOf = new HashMap<>();
    private final List<String> findings = new ArrayList<>();

    private NaiveChecker(NaiveHistory history, IsolationLevel level) {
        this.history = history;
        this.isSerial = level == IsolationLevel.COMMIT_ORDER_SERIALIZABLE;
        for (Txn txn : history.txns) {
            if (txn.isCommitted()) {
                committed.add(txn);
            }
        }
        committed.sort(Comparator.comparingLong(Txn::commit));
        for (Txn txn : committed) {
            for (String key : keysWrittenBy(txn)) {
                writersOf.computeIfAbsent(key, absent -> new ArrayList<>()).add(txn);
            }
        }
    }

    /** Returns every finding, sorted. */
    public static List<String> check(NaiveHistory history, IsolationLevel level) {
        NaiveChecker checker = new NaiveChecker(history, level);
        for (Txn txn : checker.committed) {
            boolean isReversed = txn.start() > txn.commit();
            if (isReversed && !checker.isSerial) {
                checker.findings.add(finding("TIMESTAMP-ORDER", null, txn.id()));
            } else {
                checker.checkReads(txn);
            }
        }
        if (!checker.isSerial) {
            checker.checkConflicts();
        }
        checker.checkSessions();
        checker.findings.sort(Comparator.naturalOrder());
        return checker.findings;
    }

    public static String finding(String type, String key, Long... txns) {
        return type + " " + List.of(txns) + " " + key;
    }

    private static Set<String> keysWrittenBy(Txn txn) {
        Set<String> keys = new HashSet<>();
        for (Op op : txn.ops()) {
            if (op.isWrite()) {
                keys.add(op.key());
            }
        }
        return keys;
    }

    // ---------------------------------------------------------------- EXT and INT

    private void checkReads(Txn txn) {
        Set<String> keys = new HashSet<>();
        for (Op op : txn.ops()) {
            keys.add(op.key());
        }
        for (String key : keys) {
            if (history.isList) {
                checkList(txn, key);
            } else {
                checkRegister(txn, key);
            }
        }
    }

    private void checkRegister(Txn txn, String key) {
        boolean isKnown = false;
        boolean isInternalWrong = false;
        Long known = null;
        for (Op op : txn.ops()) {
            if (!op.key().equals(key)) {
                continue;
            }
            if (!op.isWrite() && isKnown) {
                isInternalWrong |= !Objects.equals(known, op.value());
            } else if (!op.isWrite() && !Objects.equals(registerSeenBy(txn, key), op.value())) {
                findings.add(finding("EXT", key, txn.id()));
            }
            isKnown = true;
            known = op.value();
        }
        if (isInternalWrong) {
            findings.add(finding("INT", key, txn.id()));
        }
    }

    private void checkList(Txn txn, String key) {
        List<Long> own = new ArrayList<>();
        List<Long> snapshot = null;
        boolean isInternalWrong = false;
        for (Op op : txn.ops()) {
            if (!op.key().equals(key)) {
                continue;
            }
            if (op.isWrite()) {
                own.add(op.value());
                continue;
            }
            List<Long> seen = op.elements() == null ? List.of() : op.elements();
            int prefix = seen.size() - own.size();
            if (prefix < 0 || !seen.subList(prefix, seen.size()).equals(own)) {
                isInternalWrong = true;
            } else if (snapshot == null) {
                snapshot = seen.subList(0, prefix);
                if (!snapshot.equals(listSeenBy(txn, key))) {
                    findings.add(finding("EXT", key, txn.id()));
                }
            } else {
                isInternalWrong |= !snapshot.equals(seen.subList(0, prefix));
            }
        }
        if (isInternalWrong) {
            findings.add(finding("INT", key, txn.id()));
        }
    }

    private Long registerSeenBy(Txn reader, String key) {
        Long value = null;
        for (Txn writer : visibleWriters(reader, key)) {
            for (Op op : writer.ops()) {
                if (op.isWrite() && op.key().equals(key)) {
                    value = op.value();
                }
            }
        }
        return value;
    }

    private List<Long> listSeenBy(Txn reader, String key) {
        List<Long> elements = new ArrayList<>();
        for (Txn writer : visibleWriters(reader, key)) {
            for (Op op : writer.ops()) {
                if (op.isWrite() && op.key().equals(key)) {
                    elements.add(op.value());
                }
            }
        }
        return elements;
    }

    private List<Txn> visibleWriters(Txn reader, String key) {
        long moment = isSerial ? reader.commit() : reader.start();
        List<Txn> visible = new ArrayList<>();
        for (Txn writer : writersOf.getOrDefault(key, List.of())) {
            if (writer.commit() <= moment && writer.id() != reader.id()) {
                visible.add(writer);
            }
        }
        return visible;
    }

    // ---------------------------------------------------------------- NOCONFLICT and SESSION

    private void checkConflicts() {
        for (Map.Entry<String, List<Txn>> entry : writersOf.entrySet()) {
            List<Txn> writers = entry.getValue();
            for (int i = 0; i < writers.size(); i++) {
                for (int j = i + 1; j < writers.size(); j++) {
                    Txn earlier = writers.get(i);
                    Txn later = writers.get(j);
                    boolean isJudged = earlier.start() <= earlier.commit() && later.start() <= later.commit();
                    if (isJudged && later.start() < earlier.commit()) {
                        findings.add(finding("NOCONFLICT", entry.getKey(), earlier.id(), later.id()));
                    }
                }
            }
        }
    }

    private void checkSessions() {
        List<Txn> inSessionOrder = new ArrayList<>(committed);
        inSessionOrder.sort(Comparator.comparingLong(Txn::session).thenComparingLong(Txn::seq));
        Txn previous = null;
        for (Txn txn : inSessionOrder) {
            if (previous != null && previous.session() == txn.session() && breaksSession(previous, txn)) {
                findings.add(finding("SESSION", null, txn.id()));
            }
            previous = txn;
        }
    }

    private boolean breaksSession(Txn previous, Txn txn) {
        if (!isSerial) {
            return txn.start() < previous.commit();
        }
        return txn.isReadOnly() ? txn.commit() < previous.commit() : txn.commit() <= previous.commit();
    }
}
