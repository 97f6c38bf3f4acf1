package io.nightjar.datasets.inject;

import static java.util.Objects.requireNonNull;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.datasets.workload.RecordedTxn;
import io.nightjar.datasets.workload.TxnRecorder;
import io.nightjar.datasets.workload.WorkloadKeys;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a clean history of one table once, in the order of its commits, and finds where faults of predicate reads can
 * be planted.
 */
public final class TableFaultPlanner implements TxnRecorder {

    /*
     * Victims of all faults except write skew only read, so that the check of no other transaction depends on the
     * change, and no read returns an internal write. Rows that write skew inserts are new keys with
     * amounts that no other range contains.
     */

    private static final int SITES = 1024;
    private static final int READERS_KEPT = 32;
    private static final int VERSIONS_KEPT = 8;
    private static final long UNUSED_AMOUNT = 1_000_000_000;
    private static final int WIDTH = 10;

    private final WorkloadKeys keys;
    private final List<IsolationLevel> levels;
    private final Map<Fault, Integer> countOf;
    private final Map<Fault, Reservoir> reservoirOf = new EnumMap<>(Fault.class);
    private final Map<Integer, Deque<Version>> versionsOf = new HashMap<>(); // by key, the last ones
    private final Deque<RecordedTxn> readers = new ArrayDeque<>(); // the last ones that only read
    private @Nullable RecordedTxn last; // last committed one
    private final SeededRandom random;
    private long row;
    private long greatestVersion;
    private int skews;

    /** The version of a row that a committed transaction wrote last. */
    private record Version(long amount, long version, long writer) {}

    /**
     * @param level level that holds for the history: snapshot isolation, or serializable, which it then is in the order
     * of its commits
     */
    public TableFaultPlanner(WorkloadKeys keys, IsolationLevel level, Map<Fault, Integer> countOf, long seed) {
        this.keys = keys;
        this.levels = level == IsolationLevel.COMMIT_ORDER_SERIALIZABLE
                ? List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE)
                : List.of(IsolationLevel.SNAPSHOT_ISOLATION);
        this.countOf = new EnumMap<>(countOf);
        this.random = new SeededRandom(~seed);
        countOf.forEach((fault, count) -> reservoirOf.put(fault, new Reservoir(Math.max(SITES, 8 * count), random)));
    }

    /** Chooses victims, a different victim for each fault. @throws TooFewSitesException if the history has too few */
    public FaultPlan plan() {
        Map<Fault, List<FaultSite>> sitesOf = new EnumMap<>(Fault.class);
        reservoirOf.forEach((fault, reservoir) -> sitesOf.put(fault, reservoir.shuffled()));
        return new FaultPlan(new SiteChooser(countOf, sitesOf).choose(), greatestVersion);
    }

    @Override
    public void record(RecordedTxn txn) {
        row++;
        for (int op = 0; op < txn.opCount; op++) {
            greatestVersion = Math.max(greatestVersion, txn.op(op).version);
        }
        if (txn.status != TxnStatus.COMMITTED) {
            return;
        }
        RecordedTxn kept = txn.copy();
        kept.id = txn.id == 0 ? row : txn.id;
        boolean onlyReads = true;
        for (int op = 0; op < kept.opCount; op++) {
            onlyReads &= !OpKind.isWrite(kept.op(op).kind);
        }
        if (onlyReads) {
            offerReads(kept);
        }
        offerSkew(kept);
        offerPhantoms(kept);
        addVersions(kept);
        if (onlyReads) {
            readers.addLast(kept);
            if (readers.size() > READERS_KEPT) {
                readers.removeFirst();
            }
        }
        last = kept;
    }

    @Override
    public void finish() {}

    private void addVersions(RecordedTxn txn) {
        for (int op = 0; op < txn.opCount; op++) {
            if (OpKind.isWrite(txn.op(op).kind)) {
                Deque<Version> versions = versionsOf.computeIfAbsent(txn.op(op).key, unseen -> new ArrayDeque<>());
                if (!versions.isEmpty() && versions.getLast().writer() == txn.id) {
                    versions.removeLast(); // other transactions observe only the last one
                }
                versions.addLast(new Version(txn.op(op).amount, txn.op(op).version, txn.id));
                if (versions.size() > VERSIONS_KEPT) {
                    versions.removeFirst();
                }
            }
        }
    }

    // ---------------------------------------------------------------- one predicate read

    private void offerReads(RecordedTxn txn) {
        int firstOp = txn.opCount == 0 ? 0 : random.below(txn.opCount);
        for (Map.Entry<Fault, Reservoir> entry : reservoirOf.entrySet()) {
            for (int i = 0; i < txn.opCount; i++) {
                int op = (firstOp + i) % txn.opCount;
                boolean isWhole = txn.op(op).kind == OpKind.PREDICATE && txn.op(op).limit == 0;
                FaultSite site = isWhole ? site(entry.getKey(), txn, op) : null;
                if (site != null) {
                    if (entry.getValue().wants()) {
                        entry.getValue().put(site);
                    }
                    break;
                }
            }
        }
    }

    /** Returns null if no row is suitable. */
    private @Nullable FaultSite site(Fault fault, RecordedTxn txn, int op) {
        int first = op + 1;
        boolean hasRows = txn.op(op).rows > 0;
        if (fault == Fault.WRONG_AGGREGATE) {
            return site(fault, txn.id, null, new TableEdit.Count(txn.id, op));
        }
        if (!hasRows) {
            return null;
        }
        return switch (fault) {
            case ROW_LEFT_OUT -> site(fault, txn.id, name(txn, first), new TableEdit.Remove(txn.id, op, first));
            case ROW_TOO_MANY -> tooMany(txn, op);
            case STALE_ROW -> stale(txn, op, first);
            default -> null;
        };
    }

    private @Nullable FaultSite tooMany(RecordedTxn txn, int op) {
        int next = op + 1;
        boolean isOnly = true;
        for (int other = op + 2; other <= op + txn.op(op).rows; other++) {
            isOnly = txn.op(other).amount != txn.op(next).amount
                    && (isOnly || txn.op(other).amount < txn.op(next).amount);
            next = txn.op(other).amount < txn.op(next).amount ? other : next;
        }
        return !isOnly || txn.op(next).amount >= txn.op(op).greatest
                ? null
                : site(
                        Fault.ROW_TOO_MANY,
                        txn.id,
                        name(txn, next),
                        new TableEdit.Narrow(txn.id, op, txn.op(next).amount + 1));
    }

    private @Nullable FaultSite stale(RecordedTxn txn, int op, int returned) {
        Version before = null;
        for (Version version : versionsOf.getOrDefault(txn.op(returned).key, new ArrayDeque<>())) {
            if (version.version() == txn.op(returned).version) {
                break;
            }
            before = version;
        }
        boolean isThere = before != null && before.version() != txn.op(returned).version;
        boolean isKnown = versionsOf.getOrDefault(txn.op(returned).key, new ArrayDeque<>()).stream()
                .anyMatch(version -> version.version() == txn.op(returned).version);
        if (!isThere || !isKnown) {
            return null;
        }
        FaultSite site = site(
                Fault.STALE_ROW,
                txn.id,
                name(txn, returned),
                new TableEdit.Replace(
                        txn.id,
                        op,
                        returned,
                        requireNonNull(before).amount(),
                        requireNonNull(before).version()));
        site.transactions.add(before.writer());
        return site;
    }

    private FaultSite site(Fault fault, long victim, @Nullable String key, TableEdit edit) {
        FaultSite site = new FaultSite(fault, key, victim);
        site.tableEdits.add(edit);
        for (IsolationLevel level : levels) {
            site.expected.add(new ExpectedAnomaly(Anomaly.RESULT_SET_MISMATCH, level, List.of(victim), key));
        }
        return site;
    }

    private String name(RecordedTxn txn, int op) {
        return keys.name(txn.op(op).key);
    }

    // ---------------------------------------------------------------- two transactions

    /** Offers phantoms: rows as a transaction wrote them last, which an earlier reader could have observed. */
    private void offerPhantoms(RecordedTxn writer) {
        Reservoir reservoir = reservoirOf.get(Fault.PHANTOM);
        readers.removeIf(reader -> replaces(writer, reader)); // readers whose fault would also be one of rows
        for (int op = 0; reservoir != null && op < writer.opCount; op++) {
            boolean isWrite = OpKind.isWrite(writer.op(op).kind);
            for (int later = op + 1; later < writer.opCount; later++) {
                isWrite &= !OpKind.isWrite(writer.op(later).kind) || writer.op(later).key != writer.op(op).key;
            }
            for (RecordedTxn reader : isWrite ? readers : List.<RecordedTxn>of()) {
                int predicateRead = looksFor(reader, writer, op);
                if (predicateRead >= 0 && reservoir.wants()) {
                    FaultSite site = site(
                            Fault.PHANTOM,
                            reader.id,
                            name(writer, op),
                            new TableEdit.Repeat(
                                    reader.id,
                                    predicateRead,
                                    writer.op(op).key,
                                    writer.op(op).amount,
                                    writer.op(op).version));
                    site.transactions.add(writer.id);
                    reservoir.put(site);
                }
            }
        }
    }

    private static boolean replaces(RecordedTxn writer, RecordedTxn reader) {
        for (int op = 0; op < writer.opCount; op++) {
            for (int read = 0; OpKind.isWrite(writer.op(op).kind) && read < reader.opCount; read++) {
                if (!OpKind.isPredicate(reader.op(read).kind) && reader.op(read).key == writer.op(op).key) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns the predicate read that would have returned a row, and did not because it was committed later; -1 if none
     * would.
     */
    private static int looksFor(RecordedTxn reader, RecordedTxn writer, int op) {
        for (int predicateRead = 0; writer.commit > reader.commit && predicateRead < reader.opCount; predicateRead++) {
            boolean isIn = reader.op(predicateRead).kind == OpKind.PREDICATE
                    && reader.op(predicateRead).limit == 0
                    && reader.op(predicateRead).minAmount <= writer.op(op).amount
                    && writer.op(op).amount <= reader.op(predicateRead).greatest;
            for (int returned = predicateRead + 1;
                    isIn && returned <= predicateRead + reader.op(predicateRead).rows;
                    returned++) {
                isIn = reader.op(returned).key != writer.op(op).key;
            }
            if (isIn) {
                return predicateRead;
            }
        }
        return -1;
    }

    private void offerSkew(RecordedTxn later) {
        Reservoir reservoir = reservoirOf.get(Fault.PREDICATE_WRITE_SKEW);
        boolean isSuitable = reservoir != null
                && last != null
                && later.start < last.commit
                && last.commit < later.commit
                && last.start < last.commit;
        if (!isSuitable || !requireNonNull(reservoir).wants()) {
            return;
        }
        long next = UNUSED_AMOUNT + (long) WIDTH * skews;
        int key = Math.addExact(keys.count(), 2 * skews);
        long version = Long.MAX_VALUE / 2 + 2L * skews; // a number that no other transaction has
        skews++;
        FaultSite site = new FaultSite(Fault.PREDICATE_WRITE_SKEW, keys.name(key), later.id);
        site.transactions.add(requireNonNull(last).id);
        site.tableEdits.add(new TableEdit.Insert(last.id, next, key, next, version));
        site.tableEdits.add(new TableEdit.Insert(later.id, next, key + 1, next + 1, version + 1));
        site.expected.add(new ExpectedAnomaly(
                Anomaly.RESULT_SET_MISMATCH, IsolationLevel.COMMIT_ORDER_SERIALIZABLE, List.of(later.id), site.key));
        reservoir.put(site);
    }
}
