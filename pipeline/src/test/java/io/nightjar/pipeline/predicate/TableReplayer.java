package io.nightjar.pipeline.predicate;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.predicate.SmallTables.Act;
import io.nightjar.pipeline.predicate.SmallTables.PredicateRead;
import io.nightjar.pipeline.predicate.SmallTables.Txn;
import io.nightjar.pipeline.predicate.SmallTables.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What transactions should have seen, one after the other, looked up anew for every row. */
final class TableReplayer {

    private final SmallTables history;
    private final TableDefinition versions; // whose versions must fit too; null if values are enough

    TableReplayer(SmallTables history, TableDefinition versions) {
        this.history = history;
        this.versions = versions;
    }

    /** Whether a transaction saw what is current, and what it wrote itself. */
    boolean isExplained(Txn txn, Version[] current) {
        for (int at = 0; at < txn.acts.size(); at++) {
            Act act = txn.acts.get(at);
            if (act.kind() == 'r') {
                Version own = txn.ownBefore(act.key(), at);
                boolean isIt = versions == null
                        || own != null
                        || versions.mayRead(txn, act.key(), act.version(), current[act.key()]);
                if (!isIt || !isSame(act.version(), own != null ? own : current[act.key()])) {
                    return false;
                }
            } else if (act.kind() == 'p' && !isExplained(txn, at, act.predicateRead(), current)) {
                return false;
            }
        }
        return true;
    }

    private boolean isExplained(Txn txn, int at, PredicateRead predicateRead, Version[] current) {
        Version[] shown = shown(txn, at, current);
        if (wrongRows(predicateRead, shown) > 0) {
            return false;
        }
        for (int key = 0; versions != null && key < history.keyCount; key++) {
            boolean isOwn = shown[key] != current[key];
            boolean isRow = predicateRead.returned()[key];
            if (!isOwn && isRow && predicateRead.seen()[key] != current[key]
                    || predicateRead.isAbout(key)
                            && !versions.isPossible(txn.index, predicateRead, key, current[key])) {
                return false;
            }
        }
        return true;
    }

    private Version[] shown(Txn txn, int at, Version[] current) {
        Version[] shown = current.clone();
        for (int key = 0; key < shown.length; key++) {
            Version own = txn.ownBefore(key, at);
            shown[key] = own != null ? own : shown[key];
        }
        return shown;
    }

    private static Integer column(Version version) {
        return version == null ? null : version.column();
    }

    /** Whether what was read is a version: its row, and the number or writer that the read names. */
    boolean isSame(Version read, Version version) {
        boolean isNamed = read == null
                || read == version
                || version != null && !history.isNumbered && read.number() != 0 && read.txn() == version.txn();
        return Objects.equals(column(read), column(version)) && isNamed;
    }

    /** Whether two reads may have returned the same. */
    private boolean areAlike(Version one, Version other) {
        boolean isOneUnnamed = one == null || other == null;
        return isOneUnnamed ? Objects.equals(column(one), column(other)) : isSame(one, other);
    }

    /** How many rows a look should have returned otherwise; of what was computed, one more if it is wrong. */
    private int wrongRows(PredicateRead predicateRead, Version[] shown) {
        int wrong = 0;
        for (int key = 0; key < history.keyCount; key++) {
            boolean isAsked = !predicateRead.isComputed() || predicateRead.returned()[key];
            wrong += isAsked && isWrong(predicateRead, key, shown[key]) ? 1 : 0;
        }
        boolean isAnswered = !predicateRead.isComputed()
                || Objects.equals(predicateRead.answerOf(matching(predicateRead, shown)), predicateRead.answer());
        return isAnswered ? wrong : wrong + 1;
    }

    /** Whether an answer, or a row beside it, is not what its snapshot shows. */
    boolean isContradicted(Txn txn, int at) {
        PredicateRead predicateRead = txn.acts.get(at).predicateRead();
        long snapshot = predicateRead.readTs() != null ? predicateRead.readTs() : txn.start;
        return history.isTimed
                && predicateRead.isComputed()
                && wrongRows(predicateRead, shown(txn, at, latest(txn, snapshot))) > 0;
    }

    private List<Version> matching(PredicateRead predicateRead, Version[] shown) {
        List<Version> matching = new ArrayList<>();
        for (int key = 0; key < history.keyCount; key++) {
            if (predicateRead.isAbout(key) && predicateRead.condition().matches(shown[key])) {
                matching.add(shown[key]);
            }
        }
        return matching;
    }

    // ---------------------------------------------------------------- counts

    /** What snapshot isolation finds by timestamps, counted. */
    Map<Anomaly, Long> bySnapshots() {
        Map<Anomaly, Long> counts = new HashMap<>();
        for (Txn txn : history.txns) {
            if (!txn.isAborted) {
                count(txn, latest(txn), true, counts);
            }
        }
        List<Txn> committed =
                history.txns.stream().filter(txn -> !txn.isAborted).toList();
        for (Txn one : committed) {
            Txn before = null;
            for (Txn other : committed) {
                boolean overlap = one.commit < other.commit && other.start < one.commit;
                for (int key = 0; overlap && key < history.keyCount; key++) {
                    add(counts, Anomaly.NOCONFLICT, writes(one, key) && writes(other, key));
                }
                boolean isBefore = other.session == one.session && other.seq < one.seq;
                before = isBefore && (before == null || before.seq < other.seq) ? other : before;
            }
            add(counts, Anomaly.SESSION, before != null && one.start < before.commit);
        }
        return counts;
    }

    private static boolean writes(Txn txn, int key) {
        return txn.acts.stream().anyMatch(act -> act.kind() == 'w' && act.key() == key);
    }

    private static void add(Map<Anomaly, Long> counts, Anomaly anomaly, boolean isOne) {
        if (isOne) {
            counts.merge(anomaly, 1L, Long::sum);
        }
    }

    /** Whether a look returned something else than its own snapshot shows, rows left out that its transaction writes later. */
    boolean isAnyStatementContradicted() {
        for (Txn txn : history.txns) {
            for (int at = 0; at < txn.acts.size() && !txn.isAborted; at++) {
                PredicateRead predicateRead = txn.acts.get(at).predicateRead();
                if (predicateRead == null || predicateRead.readTs() == null) {
                    continue;
                }
                Version[] shown = shown(txn, at, latest(txn, predicateRead.readTs()));
                List<Act> later = txn.acts.subList(at, txn.acts.size());
                for (int key = 0; key < history.keyCount; key++) {
                    int of = key;
                    boolean isAsked =
                            !predicateRead.isComputed() || predicateRead.returned()[key];
                    boolean isAnother =
                            isAsked && later.stream().noneMatch(act -> act.kind() == 'w' && act.key() == of);
                    if (isAnother && isWrong(predicateRead, key, shown[key])) {
                        return true;
                    }
                }
                if (predicateRead.isComputed()
                        && !Objects.equals(
                                predicateRead.answerOf(matching(predicateRead, shown)), predicateRead.answer())) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isWrong(PredicateRead predicateRead, int key, Version shown) {
        boolean isMatch =
                predicateRead.isAbout(key) && predicateRead.condition().matches(shown);
        return isMatch != predicateRead.returned()[key]
                || isMatch && !isSame(predicateRead.seen()[key], shown);
    }

    /** By key, the version that was committed last when a transaction started. */
    private Version[] latest(Txn txn) {
        return latest(txn, txn.start);
    }

    private Version[] latest(Txn txn, long snapshot) {
        Version[] shown = new Version[history.keyCount];
        for (Txn other : history.txns) {
            for (Act act : other.acts) {
                boolean isShown = act.kind() == 'w' && !other.isAborted && other.commit <= snapshot && other != txn;
                Version known = isShown ? shown[act.key()] : null;
                if (isShown && (known == null || history.txns.get(known.txn()).commit <= other.commit)) {
                    shown[act.key()] = act.version();
                }
            }
        }
        return shown;
    }

    /** What a serial order does not explain, counted. */
    Map<Anomaly, Long> serially(List<Integer> order) {
        Map<Anomaly, Long> counts = new HashMap<>();
        Version[] current = new Version[history.keyCount];
        for (int index : order) {
            Txn txn = history.txns.get(index);
            if (!txn.isAborted) {
                count(txn, current, false, counts);
                txn.acts.stream().filter(act -> act.kind() == 'w').forEach(act -> current[act.key()] = act.version());
            }
        }
        return counts;
    }

    /** @param isSnapshot whether only the first read of a row is judged by the snapshot, and the next ones by it */
    private void count(Txn txn, Version[] visible, boolean isSnapshot, Map<Anomaly, Long> counts) {
        Map<Integer, Version> known = new HashMap<>();
        Set<Integer> written = new HashSet<>();
        Set<Integer> external = new HashSet<>();
        Set<Integer> internal = new HashSet<>();
        for (int at = 0; at < txn.acts.size(); at++) {
            Act act = txn.acts.get(at);
            if (act.kind() == 'p') {
                counts.merge(
                        Anomaly.RESULT_SET_MISMATCH,
                        (long) wrongRows(act.predicateRead(), shown(txn, at, visible)),
                        Long::sum);
                continue;
            }
            boolean isOwn = known.containsKey(act.key());
            Version expected = isOwn ? known.get(act.key()) : visible[act.key()];
            boolean isRepeated = isOwn && !written.contains(act.key());
            boolean isRight = isRepeated ? areAlike(act.version(), expected) : isSame(act.version(), expected);
            Version shown = visible[act.key()];
            boolean isOther = isRepeated && isRight && isSame(expected, shown) && !isSame(act.version(), shown);
            if (act.kind() == 'r' && (!isRight || isOther)) {
                (isOwn && !isOther ? internal : external).add(act.key());
            }
            if (act.kind() == 'w') {
                written.add(act.key());
            }
            if (act.kind() == 'w' || isSnapshot && !isOwn) {
                known.put(act.key(), act.version());
            }
        }
        external.forEach(key -> add(counts, Anomaly.EXT, true));
        internal.forEach(key -> add(counts, Anomaly.INT, true));
        counts.remove(Anomaly.RESULT_SET_MISMATCH, 0L);
    }
}
