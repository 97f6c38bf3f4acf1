package io.nightjar.formats.finding;

import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Judges findings about one key that need no order of transactions: wrong reads, doubled values, torn lists. */
final class ReadReplay {

    private static final Set<Anomaly> TAKEN = EnumSet.of(
            Anomaly.G1A,
            Anomaly.G1B,
            Anomaly.GARBAGE_READ,
            Anomaly.INTERNAL,
            Anomaly.FUTURE_READ,
            Anomaly.DUPLICATE_WRITE,
            Anomaly.DUPLICATE_ELEMENTS,
            Anomaly.INCOMPATIBLE_ORDER,
            Anomaly.DIRTY_UPDATE,
            Anomaly.LOST_UPDATE);

    private static final Set<Anomaly> NEEDS_OBSERVED =
            EnumSet.of(Anomaly.G1A, Anomaly.G1B, Anomaly.GARBAGE_READ, Anomaly.FUTURE_READ, Anomaly.DUPLICATE_ELEMENTS);

    private final RawTxns raw;
    private final Long2ObjectOpenHashMap<KeyFacts> factsOf;
    private final String initialValue;

    ReadReplay(RawTxns raw, Long2ObjectOpenHashMap<KeyFacts> factsOf, String initialValue) {
        this.raw = raw;
        this.factsOf = factsOf;
        this.initialValue = initialValue;
    }

    static boolean takes(Anomaly anomaly) {
        return TAKEN.contains(anomaly);
    }

    /** Whether a finding may need facts about other values than the one that it says was observed. */
    static boolean asksWidely(ValueClaim claim, RawTxns raw) {
        Expectation read = claim.finding.expectation();
        return switch (claim.finding.anomaly()) {
            case DIRTY_UPDATE, LOST_UPDATE -> read == null;
            case INTERNAL, INCOMPATIBLE_ORDER, DUPLICATE_WRITE -> false;
            default -> read != null && read.observed() != null && isWholeList(claim, read.observed(), raw);
        };
    }

    /** Whether some list read of the key returned exactly what a finding says, which may be a single element as well. */
    private static boolean isWholeList(ValueClaim claim, String observed, RawTxns raw) {
        for (int txn : claim.txnOf) {
            for (int op = raw.firstOpOf[txn]; op < raw.firstOpOf[txn + 1]; op++) {
                if (raw.key[op] == claim.key
                        && raw.isListRead(op)
                        && raw.text(op).equals(observed)) {
                    return true;
                }
            }
        }
        return false;
    }

    void judge(ValueClaim claim) {
        Finding finding = claim.finding;
        if (!takes(finding.anomaly())) {
            claim.refute("an anomaly that values do not show: anomaly="
                    + finding.anomaly().spelling());
        } else if (finding.key() == null) {
            claim.refute("no key where one is involved");
        } else if (finding.level() != null && !rulesOut(finding)) {
            claim.refute("a level that it does not rule out: level="
                    + finding.level().longName());
        } else if (finding.slack() != null) {
            claim.refute("a slack where none is involved");
        } else if (NEEDS_OBSERVED.contains(finding.anomaly())
                && (finding.expectation() == null || finding.expectation().observed() == null)) {
            claim.refute("a read without the value that was observed");
        } else {
            judgeKind(claim);
            judgeEdges(claim);
        }
    }

    private static boolean rulesOut(Finding finding) {
        return LevelLattice.rulesOut(finding.anomaly(), finding.level())
                || finding.anomaly() == Anomaly.INTERNAL && finding.level() == IsolationLevel.READ_COMMITTED;
    }

    /** The only order that a read shows is that of its writer and itself. */
    private void judgeEdges(ValueClaim claim) {
        List<Edge> edges = claim.finding.edges();
        if (edges.isEmpty()) {
            return;
        }
        Edge edge = edges.get(0);
        int writer = claim.txnBy(Role.OBSERVED_WRITER);
        int reader = claim.txnBy(Role.READER);
        boolean isRight = edges.size() == 1
                && writer != RawTxns.NONE
                && reader != RawTxns.NONE
                && edge.fromTxnId() == raw.txnId[writer]
                && edge.toTxnId() == raw.txnId[reader]
                && "wr".equals(edge.type())
                && claim.finding.key().equals(edge.key())
                && Objects.equals(edge.fromValue(), claim.finding.expectation().observed())
                && Objects.equals(edge.toValue(), claim.finding.expectation().observed())
                && (isListKey(claim, reader) ? "list" : "value").equals(edge.evidence());
        if (!isRight) {
            claim.refute("an edge that the read does not show: edge=" + edge);
        }
    }

    private boolean isListKey(ValueClaim claim, int reader) {
        for (int op = raw.firstOpOf[reader]; op < raw.firstOpOf[reader + 1]; op++) {
            if (raw.key[op] == claim.key && raw.isListRead(op)) {
                return true;
            }
        }
        return false;
    }

    private void judgeKind(ValueClaim claim) {
        switch (claim.finding.anomaly()) {
            case G1A -> judgeAborted(claim);
            case G1B -> judgeIntermediate(claim);
            case GARBAGE_READ -> judgeGarbage(claim);
            case FUTURE_READ -> judgeFuture(claim);
            case INTERNAL -> judgeInternal(claim);
            case DUPLICATE_WRITE -> judgeDuplicateWrite(claim);
            case DUPLICATE_ELEMENTS -> judgeDuplicateElements(claim);
            case INCOMPATIBLE_ORDER -> judgeIncompatible(claim);
            case DIRTY_UPDATE -> judgeDirtyUpdate(claim);
            case LOST_UPDATE -> judgeLostUpdate(claim);
            default -> throw new AssertionError("cannot happen: " + claim.finding.anomaly());
        }
    }

    // ---------------------------------------------------------------- reads of what nobody should see

    private void judgeAborted(ValueClaim claim) {
        int writer = claim.txnBy(Role.OBSERVED_WRITER);
        if (!isReadBy(claim) || !isByOthers(claim, Origin.ABORTED, writer, null, null)) {
            return;
        }
        if (raw.status[writer] != TxnStatus.ABORTED) {
            claim.refute("the writer is not aborted: status=" + TxnStatus.name(raw.status[writer]));
            return;
        }
        int reader = claim.txnBy(Role.READER);
        for (int read = raw.firstOpOf[reader]; read < raw.firstOpOf[reader + 1]; read++) {
            for (int write = raw.firstOpOf[writer]; write < raw.firstOpOf[writer + 1]; write++) {
                if (isSeen(claim, read, write) && facts(claim, raw.value[write]).livingWriter == KeyFacts.NOBODY) {
                    return;
                }
            }
        }
        claim.refute("no read returned what the aborted transaction wrote, and it alone");
    }

    private void judgeIntermediate(ValueClaim claim) {
        int writer = claim.txnBy(Role.OBSERVED_WRITER);
        if (!isReadBy(claim)) {
            return;
        }
        String last = writer == RawTxns.NONE ? null : lastValue(claim, writer);
        Long expectedWriter = writer == RawTxns.NONE ? null : raw.txnId[writer];
        if (!isByOthers(claim, Origin.INTERMEDIATE, writer, last, expectedWriter)) {
            return;
        }
        if (raw.status[writer] == TxnStatus.ABORTED) {
            claim.refute("the writer is aborted: txn=" + raw.txnId[writer]);
            return;
        }
        int reader = claim.txnBy(Role.READER);
        for (int read = raw.firstOpOf[reader]; read < raw.firstOpOf[reader + 1]; read++) {
            for (int write = raw.firstOpOf[writer]; write < raw.firstOpOf[writer + 1]; write++) {
                if (isSeen(claim, read, write)
                        && facts(claim, raw.value[write]).livingWriter == raw.txnId[writer]
                        && isReplaced(claim, writer, write, read)) {
                    return;
                }
            }
        }
        claim.refute("no read returned what its writer replaced itself, unseen by the reader");
    }

    private String lastValue(ValueClaim claim, int writer) {
        String last = null;
        for (int op = raw.firstOpOf[writer]; op < raw.firstOpOf[writer + 1]; op++) {
            if (raw.key[op] == claim.key && OpKind.isWrite(raw.kind[op])) {
                last = raw.text(op);
            }
        }
        return last;
    }

    /** Whether the writer went on to write the key, and the read does not show it or ends before it. */
    private boolean isReplaced(ValueClaim claim, int writer, int write, int read) {
        int last = write;
        for (int later = write + 1; later < raw.firstOpOf[writer + 1]; later++) {
            if (raw.key[later] == claim.key && OpKind.isWrite(raw.kind[later])) {
                last = later;
            }
        }
        boolean isAtEnd = raw.length(read) > 0 && raw.element(read, raw.length(read) - 1) == raw.value[write];
        return last != write && raw.value[last] != raw.value[write] && (isAtEnd || !returns(read, raw.value[last]));
    }

    private void judgeGarbage(ValueClaim claim) {
        if (!isReadBy(claim) || !hasOrigin(claim, Origin.NEVER, null, null, null)) {
            return;
        }
        int reader = claim.txnBy(Role.READER);
        for (int read = raw.firstOpOf[reader]; read < raw.firstOpOf[reader + 1]; read++) {
            if (!isReadOn(claim, read) || textOf(claim, read) == null) {
                continue;
            }
            for (int place = 0; place < sizeOf(read); place++) {
                long value = valueAt(read, place);
                if (isObserved(claim, read, value) && facts(claim, value).writer == KeyFacts.NOBODY) {
                    return;
                }
            }
        }
        claim.refute("no read returned a value that nobody wrote");
    }

    private void judgeFuture(ValueClaim claim) {
        int reader = claim.txnBy(Role.READER);
        if (!isReadBy(claim)) {
            return;
        }
        Long writer = claim.finding.expectation().observedWriter();
        if (!hasOrigin(claim, Origin.FUTURE, writer, null, null)) {
            return;
        }
        if (writer != null && writer != raw.txnId[reader]) {
            claim.refute("the observed writer is not the reader: observedWriter=" + writer);
            return;
        }
        for (int read = raw.firstOpOf[reader]; read < raw.firstOpOf[reader + 1]; read++) {
            for (int write = read + 1; write < raw.firstOpOf[reader + 1]; write++) {
                if (isSeen(claim, read, write)
                        && facts(claim, raw.value[write]).livingWriter == raw.txnId[reader]
                        && !isWrittenBefore(claim, reader, read, raw.value[write])) {
                    return;
                }
            }
        }
        claim.refute("no read returned what its own transaction wrote only afterwards");
    }

    private boolean isWrittenBefore(ValueClaim claim, int txn, int read, long value) {
        for (int op = raw.firstOpOf[txn]; op < read; op++) {
            if (raw.key[op] == claim.key && OpKind.isWrite(raw.kind[op]) && raw.value[op] == value) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- reads against their own transaction

    private void judgeInternal(ValueClaim claim) {
        int reader = claim.txnBy(Role.READER);
        Expectation read = claim.finding.expectation();
        if (read == null) {
            claim.refute("an internal read without what was expected");
            return;
        }
        if (!isReadBy(claim)) {
            return;
        }
        boolean isOwn = read.expectedWriter() != null && read.expectedWriter() == raw.txnId[reader];
        if (read.origin() != null || (read.expectedWriter() != null && !isOwn)) {
            claim.refute("an internal read is measured by its own transaction only: claimed=" + read);
            return;
        }
        OwnView view = new OwnView(raw, initialOf(claim), facts(claim).isSet);
        for (int op = raw.firstOpOf[reader]; op < raw.firstOpOf[reader + 1]; op++) {
            if (raw.key[op] != claim.key) {
                continue;
            }
            OwnView.Disagreement disagreement = view.take(op);
            boolean counts = disagreement == OwnView.Disagreement.WITH_OWN_WRITE
                    || disagreement == OwnView.Disagreement.WITH_OWN_READ
                            && claim.finding.level() != IsolationLevel.READ_COMMITTED;
            if (counts
                    && Objects.equals(textOf(claim, op), read.observed())
                    && view.expectedTexts().contains(String.valueOf(read.expected()))
                    && (!isOwn || view.hasOwnWrites())
                    && isWriterOf(claim, op)) {
                return;
            }
        }
        claim.refute("no read disagrees so with its own transaction: claimed=" + read);
    }

    /** Whether the observed writer, if one is named, wrote something that the read returned, and takes part if it is another. */
    private boolean isWriterOf(ValueClaim claim, int read) {
        Long writerId = claim.finding.expectation().observedWriter();
        int writer = claim.txnBy(Role.OBSERVED_WRITER);
        if (writerId == null) {
            return writer == RawTxns.NONE;
        }
        boolean isReader = writer == RawTxns.NONE && writerId == raw.txnId[claim.txnBy(Role.READER)];
        if (!isReader && (writer == RawTxns.NONE || raw.txnId[writer] != writerId)) {
            return false;
        }
        int row = isReader ? claim.txnBy(Role.READER) : writer;
        for (int write = raw.firstOpOf[row]; write < raw.firstOpOf[row + 1]; write++) {
            if (raw.key[write] == claim.key && OpKind.isWrite(raw.kind[write]) && returns(read, raw.value[write])) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- doubled values, torn lists

    private void judgeDuplicateWrite(ValueClaim claim) {
        int first = claim.txnBy(Role.EXPECTED_WRITER);
        int second = claim.txnBy(Role.OBSERVED_WRITER);
        Expectation write = claim.finding.expectation();
        if (first == RawTxns.NONE || second == RawTxns.NONE || claim.txnOf.length != 2 || write == null) {
            claim.refute("a doubled value needs two writers and the value");
            return;
        }
        boolean isRight = write.observed() != null
                && write.observed().equals(write.expected())
                && Objects.equals(write.expectedWriter(), raw.txnId[first])
                && Objects.equals(write.observedWriter(), raw.txnId[second])
                && write.origin() == null;
        int needed = first == second ? 2 : 1;
        if (!isRight
                || writesOf(claim, first, write.observed()) < needed
                || writesOf(claim, second, write.observed()) < needed) {
            claim.refute("not written twice: claimed=" + write);
        }
    }

    private int writesOf(ValueClaim claim, int txn, String value) {
        int count = 0;
        for (int op = raw.firstOpOf[txn]; op < raw.firstOpOf[txn + 1]; op++) {
            if (raw.key[op] == claim.key
                    && OpKind.isWrite(raw.kind[op])
                    && raw.text(op).equals(value)) {
                count++;
            }
        }
        return count;
    }

    private void judgeDuplicateElements(ValueClaim claim) {
        int writer = claim.txnBy(Role.OBSERVED_WRITER);
        Long writerId =
                writer == RawTxns.NONE ? claim.finding.expectation().observedWriter() : Long.valueOf(raw.txnId[writer]);
        if (!isReadBy(claim) || !hasOrigin(claim, null, writerId, null, null)) {
            return;
        }
        int reader = claim.txnBy(Role.READER);
        for (int read = raw.firstOpOf[reader]; read < raw.firstOpOf[reader + 1]; read++) {
            if (!isReadOn(claim, read) || !raw.isListRead(read)) {
                continue;
            }
            LongOpenHashSet seen = new LongOpenHashSet();
            for (int place = 0; place < raw.length(read); place++) {
                long element = raw.element(read, place);
                boolean isTwice = !seen.add(element) && isObserved(claim, read, element);
                KeyFacts.Value facts = facts(claim, element);
                if (isTwice
                        && facts.writeCount <= 1
                        && isWriterOf(claim, read)
                        && (writerId == null || facts.writer == writerId)) {
                    return;
                }
            }
        }
        claim.refute("no list shows twice what was appended once");
    }

    private void judgeIncompatible(ValueClaim claim) {
        Expectation read = claim.finding.expectation();
        boolean hasWriters = read != null
                && (read.expectedWriter() != null || read.observedWriter() != null || read.origin() != null);
        boolean isOfReaders = claim.finding.participants().stream().allMatch(txn -> txn.role() == Role.READER);
        if (claim.txnOf.length != 2 || !isOfReaders || read == null || hasWriters) {
            claim.refute("two lists need two readers, and what each returned");
            return;
        }
        int reader = claim.txnOf[0];
        int other = claim.txnOf[1];
        if (!isCommittedReader(claim, reader) || !isCommittedReader(claim, other)) {
            return;
        }
        for (int a = raw.firstOpOf[reader]; a < raw.firstOpOf[reader + 1]; a++) {
            if (!isReadOn(claim, a) || !Objects.equals(raw.text(a), read.observed())) {
                continue;
            }
            for (int b = raw.firstOpOf[other]; b < raw.firstOpOf[other + 1]; b++) {
                if (isReadOn(claim, b) && Objects.equals(raw.text(b), read.expected()) && isTorn(a, b)) {
                    return;
                }
            }
        }
        claim.refute("no two such lists, neither a prefix of the other");
    }

    private boolean isTorn(int read, int other) {
        for (int place = 0; place < Math.min(raw.length(read), raw.length(other)); place++) {
            if (raw.element(read, place) != raw.element(other, place)) {
                return true;
            }
        }
        return false;
    }

    private void judgeDirtyUpdate(ValueClaim claim) {
        int aborted = claim.txnBy(Role.EARLIER_WRITER);
        int updater = claim.txnBy(Role.LATER_WRITER);
        if (aborted == RawTxns.NONE || updater == RawTxns.NONE || claim.txnOf.length > 3) {
            claim.refute("a dirty update needs an aborted writer and one that built on it");
            return;
        }
        if (raw.status[aborted] != TxnStatus.ABORTED || raw.status[updater] == TxnStatus.ABORTED) {
            claim.refute("the earlier writer must be aborted, the later one not");
            return;
        }
        int shower = claim.txnOf.length == 2 ? RawTxns.NONE : claim.txnBy(Role.NEEDED);
        if (claim.txnOf.length == 3 && (shower == RawTxns.NONE || !isCommittedReader(claim, shower))) {
            claim.refute("a third transaction that shows nothing");
            return;
        }
        for (int write = raw.firstOpOf[aborted]; write < raw.firstOpOf[aborted + 1]; write++) {
            boolean isDirty = raw.key[write] == claim.key
                    && OpKind.isWrite(raw.kind[write])
                    && facts(claim, raw.value[write]).livingWriter == KeyFacts.NOBODY
                    && (claim.finding.expectation() == null
                            || raw.text(write)
                                    .equals(claim.finding.expectation().observed()));
            if (isDirty && isBuiltOn(claim, raw.value[write], updater, shower)) {
                return;
            }
        }
        claim.refute("nothing shows that one built on what the other wrote");
    }

    /** The updater read it and then wrote the key, or a committed read shows an element of the updater behind it. */
    private boolean isBuiltOn(ValueClaim claim, long value, int updater, int shower) {
        boolean hasRead = false;
        for (int op = raw.firstOpOf[updater]; op < raw.firstOpOf[updater + 1]; op++) {
            if (raw.key[op] != claim.key) {
                continue;
            }
            hasRead |= raw.isRead(op) && returns(op, value);
            if (OpKind.isWrite(raw.kind[op])) {
                boolean isShown = shower == RawTxns.NONE
                        ? hasRead && raw.status[updater] == TxnStatus.COMMITTED
                                || isBehind(facts(claim).longest, value, raw.value[op])
                        : showsBehind(claim, shower, value, raw.value[op]);
                if (isShown) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean showsBehind(ValueClaim claim, int shower, long first, long second) {
        for (int op = raw.firstOpOf[shower]; op < raw.firstOpOf[shower + 1]; op++) {
            if (raw.key[op] == claim.key && raw.isListRead(op)) {
                if (isBehind(raw.list(op), first, second)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isBehind(long[] list, long first, long second) {
        boolean hasFirst = false;
        for (long element : list) {
            if (hasFirst && element == second) {
                return true;
            }
            hasFirst |= element == first;
        }
        return false;
    }

    private void judgeLostUpdate(ValueClaim claim) {
        Expectation version = claim.finding.expectation();
        boolean saysMore = version != null
                && (version.expected() != null
                        || version.expectedWriter() != null
                        || version.observedWriter() != null
                        || version.origin() != null);
        boolean isOfSubjects = claim.finding.participants().stream().allMatch(txn -> txn.role() == Role.SUBJECT);
        if (claim.txnOf.length < 2 || saysMore || hasTwice(claim) || !isOfSubjects) {
            claim.refute("a lost update needs two transactions and the version that they read");
            return;
        }
        int first = claim.txnOf[0];
        for (int read = raw.firstOpOf[first]; read < raw.firstOpOf[first + 1]; read++) {
            if (isUpdateOf(claim, first, read)
                    && (version == null || Objects.equals(textOf(claim, read), version.observed()))
                    && allUpdate(claim, read)) {
                return;
            }
        }
        claim.refute("not all read one version of the key and replaced it");
    }

    private static boolean hasTwice(ValueClaim claim) {
        return claim.finding.participants().stream()
                        .map(Participant::txnId)
                        .distinct()
                        .count()
                != claim.txnOf.length;
    }

    private boolean allUpdate(ValueClaim claim, int read) {
        for (int txn : claim.txnOf) {
            boolean updates = false;
            for (int op = raw.firstOpOf[txn]; op < raw.firstOpOf[txn + 1]; op++) {
                updates |= isUpdateOf(claim, txn, op)
                        && Objects.equals(textOf(claim, op), textOf(claim, read))
                        && isSame(op, read);
            }
            if (!updates) {
                return false;
            }
        }
        return true;
    }

    private boolean isSame(int read, int other) {
        return raw.length(read) == raw.length(other) && !isTorn(read, other);
    }

    /** Whether an operation is a committed transaction's read before any own write of the key, which it writes later. */
    private boolean isUpdateOf(ValueClaim claim, int txn, int read) {
        if (!isReadOn(claim, read) || raw.status[txn] != TxnStatus.COMMITTED) {
            return false;
        }
        if (raw.kind[read] == OpKind.READ && facts(claim, raw.value[read]).lastingWriter == KeyFacts.SEVERAL) {
            return false;
        }
        boolean writesLater = false;
        for (int op = raw.firstOpOf[txn]; op < raw.firstOpOf[txn + 1]; op++) {
            if (raw.key[op] == claim.key && OpKind.isWrite(raw.kind[op])) {
                if (op < read) {
                    return false;
                }
                writesLater = true;
            }
        }
        return writesLater;
    }

    // ---------------------------------------------------------------- what they share

    /** A reader that committed, and nobody but the reader and whom it read from takes part. */
    private boolean isReadBy(ValueClaim claim) {
        int reader = claim.txnBy(Role.READER);
        int parts = claim.txnBy(Role.OBSERVED_WRITER) == RawTxns.NONE ? 1 : 2;
        if (reader == RawTxns.NONE || claim.txnOf.length != parts) {
            claim.refute("wrong parts: claimed=" + claim.finding.participants());
            return false;
        }
        return isCommittedReader(claim, reader);
    }

    private boolean isCommittedReader(ValueClaim claim, int reader) {
        if (raw.status[reader] != TxnStatus.COMMITTED) {
            claim.refute("reads of transactions that did not commit are not judged: txn=" + raw.txnId[reader]);
            return false;
        }
        return true;
    }

    private boolean isByOthers(ValueClaim claim, Origin origin, int writer, String expected, Long expectedWriter) {
        int reader = claim.txnBy(Role.READER);
        if (writer == RawTxns.NONE || writer == reader) {
            claim.refute("no other transaction that wrote it");
            return false;
        }
        return hasOrigin(claim, origin, raw.txnId[writer], expected, expectedWriter);
    }

    /** What the expectation says besides the value that was observed. */
    private boolean hasOrigin(
            ValueClaim claim, Origin origin, Long observedWriter, String expected, Long expectedWriter) {
        Expectation read = claim.finding.expectation();
        boolean isRight = read.origin() == origin
                && Objects.equals(read.observedWriter(), observedWriter)
                && Objects.equals(read.expected(), expected)
                && Objects.equals(read.expectedWriter(), expectedWriter);
        if (!isRight) {
            claim.refute("expected=" + expected + " of " + expectedWriter + " origin=" + origin + " observedWriter="
                    + observedWriter + " claimed=" + read);
        }
        return isRight;
    }

    private KeyFacts facts(ValueClaim claim) {
        return factsOf.get(claim.key);
    }

    private KeyFacts.Value facts(ValueClaim claim, long value) {
        KeyFacts.Value facts = facts(claim).valueOf.get(value);
        return facts == null ? new KeyFacts.Value() : facts;
    }

    /** The initial value as the rows spell it if it stands for the initial state of the claim's key. */
    private Long initialOf(ValueClaim claim) {
        if (initialValue == null || !raw.values.isPossible(initialValue)) {
            return null;
        }
        long value = raw.values.intern(initialValue);
        return facts(claim, value).isWrittenByCommitted ? null : value;
    }

    /** What a read returned, as findings say it: null for the initial state, however the history spells that. */
    private String textOf(ValueClaim claim, int read) {
        Long initial = initialOf(claim);
        boolean isInitial = raw.kind[read] == OpKind.READ && initial != null && raw.value[read] == initial;
        return isInitial ? null : raw.text(read);
    }

    private boolean isReadOn(ValueClaim claim, int op) {
        return raw.key[op] == claim.key && raw.isRead(op);
    }

    /** Whether a read shows what a write of the claim's key left, and the claim speaks of that value or that list. */
    private boolean isSeen(ValueClaim claim, int read, int write) {
        return isReadOn(claim, read)
                && raw.key[write] == claim.key
                && OpKind.isWrite(raw.kind[write])
                && returns(read, raw.value[write])
                && isObserved(claim, read, raw.value[write]);
    }

    private boolean isObserved(ValueClaim claim, int read, long value) {
        String observed = claim.finding.expectation().observed();
        return observed.equals(raw.values.text(value)) || observed.equals(raw.text(read));
    }

    /** How many values a read returned. */
    private int sizeOf(int read) {
        return raw.kind[read] == OpKind.READ ? 1 : raw.length(read);
    }

    private long valueAt(int read, int place) {
        return raw.kind[read] == OpKind.READ ? raw.value[read] : raw.element(read, place);
    }

    private boolean returns(int read, long value) {
        for (int place = 0; place < sizeOf(read); place++) {
            if (valueAt(read, place) == value) {
                return true;
            }
        }
        return false;
    }
}
