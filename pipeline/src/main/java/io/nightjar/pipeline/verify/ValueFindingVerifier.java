package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.EdgeReason.LinkSource;
import io.nightjar.formats.finding.EdgeReason.VersionLink;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.ParticipantRows;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import it.unimi.dsi.fastutil.longs.Long2IntMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Replays findings from values against the raw history.
 *
 * <p>The order of calls is that of {@link FindingReplay}. Not thread-safe. Memory grows with the transactions of the
 * findings.
 */
final class ValueFindingVerifier {

    /*
     * Algorithm. A pass retains the rows of the participants and gathers facts about the queried keys and values: other
     * writers (a value with two writers proves nothing), and the longest list read of a key (which shows the order of
     * its versions). Cycles and most reads name their keys and values; for other findings both follow from the rows,
     * and a second pass gathers the facts about them. Then each finding is verified from its rows and these facts
     * alone:
     *
     *   ReadReplay    accesses of one or two transactions to one key
     *   OrderReplay   transactions without a valid order: brute deduction by OrderSearch
     *   CycleReplay   dependency cycles, edge by edge
     */

    private final List<ValueClaim> claims;
    private final LongSet countedUnknown;
    private final @Nullable String initialValue;
    private final RawTxns raw;
    private final Long2ObjectOpenHashMap<KeyFacts> factsOf = new Long2ObjectOpenHashMap<>();
    private final GuardConditions conditions = new GuardConditions();
    private final OwnWrites lastingWrites = new OwnWrites();
    private final OwnWrites writesOfTxn = new OwnWrites();
    private final List<KeyFacts.MaxLengthList> unsettled = new ArrayList<>();
    private final Set<ColumnGroup> columns =
            EnumSet.of(ColumnGroup.TIMESTAMPS, ColumnGroup.OPERATIONS, ColumnGroup.WRITERS);
    private final Set<List<Integer>> askedOrders = new HashSet<>(); // rows of transactions whose keys are watched
    private boolean isFirstPass = true;
    private boolean hasAskedAhead;
    private boolean needsMore;
    private BooleanSupplier isTimeOver = () -> false;

    /**
     * @param initialValue the value that means the initial state as null does, as text; null if none does
     * @param unknownCountedAsCommitted ids of promoted transactions
     */
    ValueFindingVerifier(List<ValueClaim> claims, @Nullable String initialValue, LongSet unknownCountedAsCommitted) {
        this.claims = claims;
        this.initialValue = initialValue;
        this.countedUnknown = unknownCountedAsCommitted;
        this.raw = new RawTxns(named(claims.stream().map(claim -> claim.finding).toList()));
        Set<Finding> seen = new HashSet<>();
        for (ValueClaim claim : claims) {
            Finding finding = claim.finding;
            if (!seen.add(finding)) {
                claim.refute("reported twice");
            }
            for (Edge edge : finding.edges()) {
                if (edge.evidence() == EdgeEvidence.VERSION || names(edge, LinkSource.VERSION)) {
                    columns.add(ColumnGroup.VERSIONS);
                }
                boolean isInTime = edge.evidence() == EdgeEvidence.REALTIME || edge.type() == EdgeType.RT;
                if (isInTime || names(edge, LinkSource.REAL_TIME)) {
                    columns.add(ColumnGroup.CLIENT_TIMES);
                }
            }
            if (OrderReplay.takes(finding.anomaly())) {
                OrderRules rules = OrderRules.impliedBy(finding.level());
                if (rules != null && rules.keepsRealTime()) {
                    columns.add(ColumnGroup.CLIENT_TIMES);
                }
            }
        }
    }

    private static boolean names(Edge edge, LinkSource source) {
        return VersionGraph.linksOf(edge).stream().anyMatch(link -> link.source() == source);
    }

    /** Returns the participants, and those whose lists are named as reasons. */
    static LongSet named(List<Finding> findings) {
        LongSet named = ParticipantRows.participantsOf(findings);
        for (Finding finding : findings) {
            for (Edge edge : finding.edges()) {
                if (edge.reason() instanceof EdgeReason.Listed listed && listed.reader() != null) {
                    named.add(listed.reader().longValue());
                } else if (edge.reason() instanceof EdgeReason.MissedInList missed) {
                    named.add(missed.reader());
                }
            }
        }
        return named;
    }

    /** Returns the columns that a pass needs; all others may be omitted. */
    Set<ColumnGroup> wantedColumns() {
        boolean isWanted = isFirstPass ? !claims.isEmpty() : needsMore;
        return isWanted ? columns : EnumSet.noneOf(ColumnGroup.class);
    }

    /** Takes every slice of the history, once for each pass, in the order of the rows. */
    void observe(HistorySlice slice) {
        if (claims.isEmpty() || !isFirstPass && !needsMore) {
            return;
        }
        if (isFirstPass) {
            raw.observe(slice);
            askAheadOnceTypesAreKnown();
        }
        if (!factsOf.isEmpty()) {
            gatherFacts(slice);
        }
    }

    /** Ends a pass; returns true if every slice must be passed again before {@link #verify} can be called. */
    boolean endOfPass() {
        if (!isFirstPass) {
            return false;
        }
        isFirstPass = false;
        factsOf.values().forEach(KeyFacts::settleAll);
        for (ValueClaim claim : claims) {
            if (!claim.isRefuted()) {
                claim.meet(raw, countedUnknown);
            }
            if (!claim.isRefuted()) {
                askAhead(claim);
                ask(claim);
            }
        }
        return needsMore;
    }

    void verify() {
        GatheredFacts gathered = new GatheredFacts(raw, factsOf, initialValue, countedUnknown);
        ReadReplay reads = new ReadReplay(gathered);
        OrderReplay orders = new OrderReplay(gathered, isTimeOver);
        CycleReplay cycles = new CycleReplay(gathered);
        for (ValueClaim claim : claims) {
            if (claim.isRefuted()) {
                continue;
            }
            if (OrderReplay.takes(claim.finding.anomaly())) {
                orders.verify(claim);
            } else if (CycleReplay.takes(claim.finding.anomaly())) {
                cycles.verify(claim);
            } else {
                reads.verify(claim);
            }
        }
    }

    /** Sets when searches have to end. */
    void endWhen(BooleanSupplier hasEnded) {
        isTimeOver = hasEnded;
    }

    // ---------------------------------------------------------------- questions

    private void askAheadOnceTypesAreKnown() {
        if (!hasAskedAhead && raw.keys.isLearnt() && raw.values.isLearnt()) {
            claims.forEach(this::askAhead);
            hasAskedAhead = true;
            needsMore = false; // nothing was shown before
        }
    }

    /** Watches the keys and values that a finding names. */
    private void askAhead(ValueClaim claim) {
        Finding finding = claim.finding;
        if (finding.key() != null && raw.keys.isPossible(finding.key())) {
            KeyFacts facts = watch(raw.keys.intern(finding.key()));
            if (finding.expectation() != null) {
                watch(facts, finding.expectation().observed());
            }
            if (finding.anomaly() == Anomaly.DIRTY_UPDATE) {
                needsMore |= facts.watchMaxLists();
            }
        }
        if (CycleReplay.takes(finding.anomaly())) {
            for (Edge edge : finding.edges()) {
                if (edge.key() != null && raw.keys.isPossible(edge.key())) {
                    KeyFacts facts = watch(raw.keys.intern(edge.key()));
                    watch(facts, edge.fromValue());
                    watch(facts, edge.toValue());
                    for (VersionLink link : VersionGraph.linksOf(edge)) {
                        watch(facts, link.from());
                        watch(facts, link.to());
                    }
                    if (edge.evidence() == EdgeEvidence.LIST || edge.evidence() == EdgeEvidence.TIMESTAMP) {
                        needsMore |= facts.watchMaxLists(); // timestamps order elements that no list contains
                    }
                }
            }
        }
    }

    /**
     * Watches keys and values that only the rows contain: the writes of participants of orders, and values that
     * findings about reads omit.
     */
    private void ask(ValueClaim claim) {
        boolean isAboutOrder = OrderReplay.takes(claim.finding.anomaly());
        if (!isAboutOrder && !(claim.finding.key() != null && ReadReplay.asksWidely(claim, raw))) {
            return;
        }
        if (isAboutOrder
                && !askedOrders.add(IntStream.of(claim.txnOf).sorted().boxed().toList())) {
            return; // findings of several levels are about the same transactions
        }
        boolean isAlone = claim.txnOf.length == 1; // a read may be impossible without any writer
        LongSet shared = isAboutOrder ? raw.keysOfOrder(claim.txnOf) : LongSet.of(claim.key);
        for (int txn : claim.txnOf) {
            for (int op = raw.firstOpOf[txn]; op < raw.firstOpOf[txn + 1]; op++) {
                boolean isGuard = OpKind.isGuard(raw.kind[op]);
                if (!shared.contains(raw.key[op])
                        || (isAboutOrder ? !isGuard && !OpKind.isWrite(raw.kind[op]) && !isAlone : isGuard)) {
                    continue;
                }
                KeyFacts facts = watch(raw.key[op]);
                if (raw.kind[op] == OpKind.UNLIKE || raw.kind[op] == OpKind.COMPUTED) {
                    needsMore |= facts.watchCondition(raw.value[op]);
                } else if (isGuard) {
                    needsMore |= facts.watchWriters();
                }
                facts.isOfElements |= OpKind.isOfElement(raw.kind[op]);
                if (raw.kind[op] == OpKind.APPEND) {
                    needsMore |= facts.watchMaxLists();
                }
                if (raw.kind[op] == OpKind.READ_LIST) {
                    for (int position = 0; position < raw.length(op); position++) {
                        needsMore |= facts.watch(raw.element(op, position));
                    }
                } else if (OpKind.hasValue(raw.kind[op])) {
                    needsMore |= facts.watch(raw.value[op]);
                }
            }
        }
    }

    private KeyFacts watch(long key) {
        KeyFacts facts = factsOf.get(key);
        if (facts == null) {
            facts = new KeyFacts();
            factsOf.put(key, facts);
            watch(facts, initialValue);
            needsMore = true; // whether it is a set
        }
        return facts;
    }

    private void watch(KeyFacts facts, @Nullable String value) {
        if (value != null && raw.values.isPossible(value)) {
            needsMore |= facts.watch(raw.values.intern(value));
        }
    }

    // ---------------------------------------------------------------- selection of rows

    /** Asks all that findings ask, of rows that {@link ReplayRowSelection#participants} kept. */
    void askBeforehand(List<HistorySlice> participants) {
        participants.forEach(raw::observe);
        for (ValueClaim claim : claims) {
            if (claim.find(raw)) {
                ask(claim);
            }
        }
    }

    /** Records the types of the next slice; queries given as text become numbers of these types. */
    void learnTypes(HistorySlice slice) {
        raw.keys.learn(slice.keyType);
        raw.values.learn(slice.valueType);
        askAheadOnceTypesAreKnown();
    }

    /** Returns whether an operation of a transaction matters to a claim, other than as a participant's. */
    boolean asksAbout(HistorySlice slice, int txn, int op) {
        KeyFacts facts = factsOf.get(raw.keys.find(slice.keyNames, slice.key[op]));
        if (facts == null) {
            return false;
        }
        byte kind = slice.kind[op];
        if (kind == OpKind.READ_LIST) {
            return slice.status[txn] == TxnStatus.COMMITTED
                    && facts.gathersMaxLists()
                    && (facts.whole.mayBe(ListRef.length(slice.value[op]))
                            | facts.outside.mayBe(ListRef.length(outside(slice, txn, op))));
        }
        boolean isNews = kind == OpKind.ADD && !facts.isSet || kind == OpKind.WRITE && facts.countsWriters();
        facts.isSet |= kind == OpKind.ADD;
        if (kind == OpKind.ERASE || kind == OpKind.INCREMENT) {
            return facts.countsErasers();
        }
        isNews |= OpKind.isOfElement(kind) && !facts.isOfElements;
        facts.isOfElements |= OpKind.isOfElement(kind);
        if (OpKind.isGuard(kind)) {
            return isNews;
        }
        return isNews || facts.valueOf.containsKey(raw.values.find(slice.valueNames, slice.value[op]));
    }

    // ---------------------------------------------------------------- facts

    private void gatherFacts(HistorySlice slice) {
        if (slice.keyType == ValueType.NONE) {
            return;
        }
        for (int txn = 0; txn < slice.txnCount; txn++) {
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                byte kind = slice.kind[op];
                boolean isOfElement = OpKind.isOfElement(kind);
                if (kind == OpKind.READ || kind == OpKind.READ_NOTHING || OpKind.isGuard(kind) && !isOfElement) {
                    continue;
                }
                KeyFacts facts = factsOf.get(raw.keys.find(slice.keyNames, slice.key[op]));
                if (facts == null) {
                    continue;
                }
                facts.isOfElements |= isOfElement;
                if (OpKind.isGuard(kind)) {
                    continue;
                }
                if (kind != OpKind.READ_LIST) {
                    recordWrite(slice, txn, op, facts);
                } else if (facts.gathersMaxLists() && slice.status[txn] == TxnStatus.COMMITTED) {
                    if (facts.whole.offer(slice.value[op], slice.txnId[txn])) {
                        unsettled.add(facts.whole);
                    }
                    if (facts.outside.offer(outside(slice, txn, op), slice.txnId[txn])) {
                        unsettled.add(facts.outside);
                    }
                }
            }
        }
        for (KeyFacts.MaxLengthList maxList : unsettled) {
            maxList.settle(slice, raw.values);
        }
        unsettled.clear();
    }

    /** Returns the list of a read without the own appends, if it ends with all of them. */
    private long outside(HistorySlice slice, int txn, int read) {
        long ref = slice.value[read];
        int length = ListRef.length(ref);
        for (int op = previousWrite(slice, txn, read); op != OwnWrites.NONE; op = previousWrite(slice, txn, op)) {
            length--;
            boolean isAtEnd = length >= 0
                    && slice.kind[op] == OpKind.APPEND
                    && slice.lists.element(ListRef.list(ref), length) == slice.value[op];
            if (!isAtEnd) {
                return ref;
            }
        }
        return ListRef.of(ListRef.list(ref), length);
    }

    private int previousWrite(HistorySlice slice, int txn, int op) {
        return writesOfTxn.previous(
                slice,
                slice.firstOpOf[txn],
                slice.firstOpOf[txn + 1],
                op,
                at -> slice.key[at],
                at -> OpKind.isWrite(slice.kind[at]));
    }

    private void recordWrite(HistorySlice slice, int txn, int op, KeyFacts facts) {
        facts.isSet |= slice.kind[op] == OpKind.ADD;
        if (slice.kind[op] == OpKind.INCREMENT) {
            facts.isCounter = true;
            boolean isFirst = previousIncrement(slice, txn, op) == OwnWrites.NONE;
            boolean isCounted = isFirst && slice.status[txn] != TxnStatus.ABORTED && facts.countsErasers();
            facts.incrementers += isCounted ? 1 : 0;
            return;
        }
        if (slice.kind[op] == OpKind.ERASE) {
            boolean isLasting = slice.status[txn] != TxnStatus.ABORTED && isLast(slice, txn, op);
            facts.lastingErasers += isLasting && facts.countsErasers() ? 1 : 0;
            return;
        }
        boolean isCounted = facts.countsWriters() && slice.kind[op] == OpKind.WRITE && isLast(slice, txn, op);
        if (isCounted && slice.status[txn] != TxnStatus.ABORTED) {
            facts.lastingWriters++;
            for (Long2IntMap.Entry others : facts.lastingOthersOf.long2IntEntrySet()) {
                String guard = raw.values.text(others.getLongKey());
                boolean isMatch = conditions.matches(guard, slice.valueText(slice.value[op]));
                others.setValue(others.getIntValue() + (isMatch ? 0 : 1));
            }
        }
        KeyFacts.Value value = facts.valueOf.get(raw.values.find(slice.valueNames, slice.value[op]));
        if (value == null || value.isSettled) {
            return;
        }
        boolean isAddition = slice.kind[op] == OpKind.ADD;
        if (isAddition || slice.kind[op] == OpKind.TAKE) {
            boolean isLasting = slice.status[txn] != TxnStatus.ABORTED && isLastOfElement(slice, txn, op);
            value.lastingAdders += isLasting && isAddition ? 1 : 0;
            value.lastingRemovers += isLasting && !isAddition ? 1 : 0;
            if (!isAddition) {
                return;
            }
        }
        long writer = slice.txnId[txn];
        value.writeCount++;
        value.writer = KeyFacts.Value.merge(value.writer, writer);
        value.isWrittenByCommitted |= slice.status[txn] == TxnStatus.COMMITTED;
        if (slice.status[txn] != TxnStatus.ABORTED) {
            value.livingWriter = KeyFacts.Value.merge(value.livingWriter, writer);
            if (slice.kind[op] != OpKind.WRITE || isLast(slice, txn, op)) {
                value.lastingWriter = KeyFacts.Value.merge(value.lastingWriter, writer);
                value.lastingCount++;
                value.commitTs = slice.commitTs == null ? HistorySlice.NONE : slice.commitTs[txn];
                value.version = slice.version == null ? HistorySlice.NONE : slice.version[op];
            }
        }
    }

    private static int previousIncrement(HistorySlice slice, int txn, int op) {
        int before = op - 1;
        while (before >= slice.firstOpOf[txn]
                && !(slice.kind[before] == OpKind.INCREMENT && slice.key[before] == slice.key[op])) {
            before--;
        }
        return before < slice.firstOpOf[txn] ? OwnWrites.NONE : before;
    }

    private static boolean isLastOfElement(HistorySlice slice, int txn, int op) {
        for (int later = op + 1; later < slice.firstOpOf[txn + 1]; later++) {
            boolean isChange = slice.kind[later] == OpKind.ADD || slice.kind[later] == OpKind.TAKE;
            if (isChange && slice.key[later] == slice.key[op] && slice.value[later] == slice.value[op]) {
                return false;
            }
        }
        return true;
    }

    private boolean isLast(HistorySlice slice, int txn, int op) {
        return lastingWrites.isLast(
                slice,
                slice.firstOpOf[txn],
                slice.firstOpOf[txn + 1],
                op,
                at -> slice.key[at],
                at -> slice.kind[at] == OpKind.WRITE || slice.kind[at] == OpKind.ERASE);
    }
}
