package io.nightjar.pipeline.check.cycle;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.DependencyGraph;
import io.nightjar.pipeline.infer.DependencyInference;
import io.nightjar.pipeline.infer.KeyUse;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.ReadResolution;
import io.nightjar.pipeline.infer.RealTimeOrder;
import io.nightjar.pipeline.infer.Sessions;
import io.nightjar.pipeline.infer.TxnOutcomes;
import io.nightjar.pipeline.infer.VersionOrders;
import io.nightjar.pipeline.infer.VersionSource;
import io.nightjar.pipeline.infer.Versions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks a history by the dependencies between its transactions, as Adya defined levels and Elle checks them. */
public final class DependencyChecker {

    /*
     * Algorithm. If no anomaly is found, its absence is proved as follows.
     *
     * Without rw edges (G0, G1c) no order of versions needs to be known: if the known ww edges, with wr and the orders
     * of sessions and time, have no cycle, then every order of versions that follows a topological order of them has
     * none.
     *
     * With rw edges the order of versions matters if a transaction read a version whose next version is unknown. If no
     * transaction did, the versions in question can be arranged in a topological order of the whole graph, if that has
     * no cycle; each new ww edge then agrees with it, and no rw edge is new. If the whole graph has cycles, some of
     * which a level may allow, candidate orders are tried: of commits, of completions, of rows. If a candidate adds no
     * cycle whose rw edges are kept apart, it proves the levels that forbid only those.
     */

    private DependencyChecker() {}

    /** Positions of transactions, as four times a time plus a number from 1 to 3 (CommitPositions). */
    @FunctionalInterface
    public interface KnownPositions {

        long of(long txnId, boolean isReadOnly, long startTs, long commitTs);
    }

    /**
     * Options of a dependency check.
     *
     * @param sources sources that may order the versions of registers
     * @param sessions whether to search for anomalies of session order
     * @param realTime whether to search for anomalies of real time
     * @param byPositions whether each dependency that goes back in the order of positions is one anomaly
     * @param known positions in the history that the log is a part of; null if it is whole
     */
    public record Options(
            Set<VersionSource> sources,
            boolean sessions,
            boolean realTime,
            boolean byPositions,
            @Nullable KnownPositions known) {

        public Options {
            sources = sources.isEmpty() ? EnumSet.noneOf(VersionSource.class) : EnumSet.copyOf(sources);
        }

        public Options(Set<VersionSource> sources, boolean sessions, boolean realTime) {
            this(sources, sessions, realTime, false, null);
        }

        /** Returns options without any order but that of versions, as lists show it. */
        public static Options plain() {
            return new Options(Set.of(), false, false);
        }
    }

    public static DependencyAnswer check(ReadResolution reads, Options options, Budget budget) {
        OperationLog log = reads.log;
        Versions versions = reads.versions();
        boolean needsSessions = options.sessions() || options.sources().contains(VersionSource.SESSION);
        Sessions sessions = needsSessions ? Sessions.of(log) : null;
        VersionOrders orders = VersionOrders.infer(reads, sessions, options.sources(), options.byPositions(), null);
        DirectFindings direct = NonCycleAnomalies.find(reads, orders);
        DependencyGraph graph =
                DependencyInference.infer(reads, orders, options.sessions() ? sessions : null, options.realTime());
        CycleSearch search = new CycleSearch(graph, believedOrder(log), budget);
        search.run(options.byPositions() ? CommitPositions.of(log, graph, options.known()) : null);
        OpenOrders open = OpenOrders.of(log, orders);
        boolean isGuessed = open.needed() == 0
                && open.free() > 0
                && !search.isAcyclic()
                && !hasSeparateMisses(search)
                && isGuessable(reads, options, orders, sessions);
        boolean isAmbiguous = versions.repeatedWriteCount() > 0
                || reads.doubtfulInitials() != null
                || reads.repeatedWriteCount() > 0 && isRepeatedValueRead(log, versions);
        String unnamed = isAmbiguous
                ? "values were written twice, so reads of them do not identify the writer"
                : log.hasGuards()
                        ? "a condition that did not hold does not identify the version that it was about"
                        : null;
        return answer(log, options, orders, direct, search, open, isGuessed, isAmbiguous && !log.hasGuards(), unnamed);
    }

    /** Returns whether session order and the dependencies in the order of versions from some sources have a cycle. */
    public static boolean hasCycle(ReadResolution reads, Set<VersionSource> sources) {
        Sessions sessions = Sessions.of(reads.log);
        VersionOrders orders = VersionOrders.infer(reads, sessions, sources);
        return DependencyInference.infer(reads, orders, sessions, false).edges().topologicalOrder() == null;
    }

    /**
     * Returns the transactions in an order that session order and the dependencies allow if commit timestamps order
     * versions, and a given order the others; null if none is allowed. The history has no faulty read.
     */
    public static int @Nullable [] assumedOrder(ReadResolution reads, int[] order) {
        int[] rankOf = new int[order.length];
        for (int rank = 0; rank < order.length; rank++) {
            rankOf[order[rank]] = rank;
        }
        Sessions sessions = Sessions.of(reads.log);
        VersionOrders orders = VersionOrders.infer(reads, sessions, EnumSet.of(VersionSource.TIMESTAMP), true, rankOf);
        DependencyGraph graph = DependencyInference.infer(reads, orders, sessions, false);
        boolean isWhole = OpenOrders.of(reads.log, orders).needed() == 0;
        return isWhole ? CycleSearch.serialOrder(graph) : null;
    }

    /**
     * Returns whether a transaction read a value that an aborted transaction wrote as well, so that its writer is
     * unknown.
     */
    private static boolean isRepeatedValueRead(OperationLog log, Versions versions) {
        for (int txn = 0; txn < log.txnCount; txn++) {
            boolean isJudged = log.status[txn] == TxnStatus.COMMITTED;
            for (int op = log.firstOpOf[txn]; isJudged && op < log.firstOpOf[txn + 1]; op++) {
                boolean isNamed = log.writerTxn != null && log.writerTxn[op] != HistorySlice.NONE;
                boolean isRepeated = log.kind[op] == OpKind.READ_LIST
                        ? isAnyRepeated(log, versions, txn, op)
                        : log.kind[op] == OpKind.READ && isRepeated(versions, versions.ofOp(op), txn);
                if (isRepeated && !isNamed) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isAnyRepeated(OperationLog log, Versions versions, int txn, int op) {
        for (int position = 0; position < log.lists.length(log.value[op]); position++) {
            long element = log.lists.element(log.key[op], log.value[op], position);
            if (isRepeated(versions, versions.find(log.key[op], element), txn)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isRepeated(Versions versions, int version, int reader) {
        return version != Versions.NONE && versions.isWrittenTwice(version) && versions.firstWriter(version) != reader;
    }

    /** Returns the order in which backward edges are searched: it proves nothing, so any numbers suffice. */
    private static long[] believedOrder(OperationLog log) {
        for (long[] numbers : Arrays.asList(log.commitTs, log.completeNs)) {
            boolean isThere = numbers != null;
            for (int txn = 0; txn < log.txnCount && isThere; txn++) {
                isThere = numbers[txn] != HistorySlice.NONE || log.status[txn] != TxnStatus.COMMITTED;
            }
            if (isThere) {
                return numbers;
            }
        }
        return rows(log);
    }

    private static long[] rows(OperationLog log) {
        long[] rows = new long[log.txnCount];
        for (int txn = 0; txn < rows.length; txn++) {
            rows[txn] = txn;
        }
        return rows;
    }

    private static boolean hasSeparateMisses(CycleSearch search) {
        for (CycleRule rule : CycleRule.values()) {
            boolean isAnswered =
                    search.count(rule.anomaly) == 0 && !search.cutShort().contains(rule.anomaly);
            if (rule.base != CycleRule.Base.MISSES_IN_A_ROW && !isAnswered) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether some order of the versions that no transaction saw brings in no cycle whose rw edges are kept
     * apart.
     */
    private static boolean isGuessable(
            ReadResolution reads, Options options, VersionOrders orders, @Nullable Sessions sessions) {
        OperationLog log = reads.log;
        for (long[] guess : Arrays.asList(log.commitTs, log.completeNs, rows(log))) {
            if (guess != null) {
                DependencyGraph graph = DependencyInference.infer(
                        reads, orders, options.sessions() ? sessions : null, options.realTime(), guess);
                if (CycleSearch.isFreeOfSeparateMisses(graph)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static DependencyAnswer answer(
            OperationLog log,
            Options options,
            VersionOrders orders,
            DirectFindings direct,
            CycleSearch search,
            OpenOrders open,
            boolean isGuessed,
            boolean isAmbiguous,
            @Nullable String unnamed) {
        boolean lacksTimes = options.realTime() && lacksTimes(log, orders.outcomes());
        boolean isUnnamed = unnamed != null || orders.hasPartialLists();
        EnumSet<Anomaly> unproved = EnumSet.noneOf(Anomaly.class);
        unproved.addAll(search.cutShort());
        for (CycleRule rule : CycleRule.values()) {
            boolean hasMisses = (rule.base.kinds() & DependencyGraph.RW) != 0;
            boolean isSearched = rule.required == 0
                    || (rule.required == DependencyGraph.SO ? options.sessions() : options.realTime());
            boolean isBlind = rule.required == DependencyGraph.RT && (lacksTimes || search.areOrdersContradictory());
            boolean isFreeOpen =
                    open.free() > 0 && !search.isAcyclicWithin(rule) && !(isGuessed && rule.base.keepsApart());
            boolean isOpen = hasMisses && (open.needed() > 0 || isFreeOpen);
            if (!isSearched || isBlind || isUnnamed || isOpen) {
                unproved.add(rule.anomaly);
            }
        }
        if (isUnnamed) {
            unproved.addAll(EnumSet.of(Anomaly.G1A, Anomaly.G1B, Anomaly.LOST_UPDATE));
        }
        int unordered = open.needed() + (search.isAcyclic() || isGuessed ? 0 : open.free());
        long found = orders.cyclicVersions().size();
        for (Anomaly anomaly : Anomaly.values()) {
            found += direct.count(anomaly) + search.count(anomaly);
        }
        String reason = reason(unordered, log.keyCount, orders.contradictedKeys(), unnamed, lacksTimes, search, found);
        if (reason == null && orders.hasPartialLists()) {
            reason = "lists show only some of a transaction's appends, or in another order";
        }
        boolean isOnlyUnordered =
                unordered > 0 && !isUnnamed && search.cutShort().isEmpty();
        return new DependencyAnswer(
                direct, search, unproved, reason, unordered, log.keyCount, isAmbiguous, isOnlyUnordered, orders);
    }

    private static @Nullable String reason(
            int unordered,
            int keys,
            int contradicted,
            @Nullable String unnamed,
            boolean lacksTimes,
            CycleSearch search,
            long found) {
        if (unnamed != null) {
            return unnamed;
        }
        if (!search.cutShort().isEmpty()) {
            return "the search for cycles ran out of budget after " + search.searchedComponents() + " of "
                    + search.components() + " components, with " + found
                    + (found == 1 ? " anomaly found" : " anomalies found");
        }
        if (unordered > 0) {
            return "the order of versions is not known for " + unordered + " of " + keys
                    + (keys == 1 ? " key" : " keys")
                    + (contradicted == 0
                            ? ""
                            : ", and reads contradict the order of commit timestamps for " + contradicted);
        }
        if (search.areOrdersContradictory()) {
            return "client times contradict the order of sessions";
        }
        return lacksTimes ? "not every transaction has client times" : null;
    }

    private static boolean lacksTimes(OperationLog log, TxnOutcomes outcomes) {
        for (int txn = 0; txn < log.txnCount; txn++) {
            boolean isComplete = RealTimeOrder.hasBeginning(log, txn)
                    && (log.status[txn] != TxnStatus.COMMITTED || RealTimeOrder.hasEnd(log, txn));
            if (outcomes.isCounted(txn) && !isComplete) {
                return true;
            }
        }
        return false;
    }

    /** Keys whose versions are not in one order: those where it matters, and those where any order will do. */
    private record OpenOrders(int needed, int free) {

        static OpenOrders of(OperationLog log, VersionOrders orders) {
            int open = 0;
            boolean[] isOpen = new boolean[log.keyCount];
            boolean[] isReadCounter = readCounters(log, orders.use());
            for (int key = 0; key < log.keyCount; key++) {
                isOpen[key] = !orders.isTotal(key) || isReadCounter[key];
                open += isOpen[key] ? 1 : 0;
            }
            if (open == 0) {
                return new OpenOrders(0, 0);
            }
            boolean[] isNeeded = new boolean[log.keyCount];
            for (int key = 0; key < log.keyCount; key++) {
                byte use = orders.use().of(key);
                isNeeded[key] = isOpen[key]
                        && (use == KeyUse.COUNTER || use == KeyUse.MIXED || use == KeyUse.SET || orders.isPartial(key));
                isNeeded[key] |= isOpen[key] && orders.repeatedAt(key) != Integer.MAX_VALUE;
            }
            for (int op = 0; op < log.opCount; op++) { // reads of a list are prefixes of its chain, or an anomaly
                int key = log.key[op];
                isNeeded[key] |= isOpen[key] && log.kind[op] == OpKind.READ;
            }
            int needed = 0;
            for (boolean isOneNeeded : isNeeded) {
                needed += isOneNeeded ? 1 : 0;
            }
            return new OpenOrders(needed, open - needed);
        }

        /** Returns the counters that a transaction read: the value does not determine whose increments it includes. */
        private static boolean[] readCounters(OperationLog log, KeyUse use) {
            boolean[] isRead = new boolean[log.keyCount];
            boolean hasCounters = use.count(KeyUse.COUNTER) > 0;
            for (int op = 0; hasCounters && op < log.opCount; op++) {
                isRead[log.key[op]] |= OpKind.isRead(log.kind[op]) && use.of(log.key[op]) == KeyUse.COUNTER;
            }
            return isRead;
        }
    }
}
