package io.nightjar.jobs.mock;

import io.nightjar.datasets.store.NondeterministicStore;
import io.nightjar.datasets.store.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One client's side of a mock: its transaction, what its statements read and write. Used with the store's lock held. */
public final class MockSession {

    /*
     * A transaction begins in the store with its first read or write, so that one without any leaves nothing behind. Within a
     * statement an object is read once: whatever looks at it again sees the same version.
     *
     * A locked read (of statements that change what they read) returns the version that was committed last. As no transaction waits for
     * another here, it is looked at again at commit: if another version has been committed since, the transaction fails, as the
     * second of two that a lock would have put in order.
     *
     * A statement that writes a row whatever is in it reveals whether the row is there, by its count or by not failing. That is a
     * read of the existence alone. It is left out of the history where the write implies it: as long as the row has been there, or
     * has not been there, in all versions; and where the snapshot contains the version that is overwritten. Either is looked at
     * again at commit.
     *
     * While loading there is no history: writes change initial contents, which rolling back restores.
     */

    /** The ways in which a statement reads and writes. */
    public enum Manner {
        /** A read returns any version that the level allows. */
        WEAK,
        /** A read returns what was committed last, and that must still be so at commit. */
        LOCKED,
        /** A read reveals whether there is a version, as it was committed last, and the version is overwritten if there is one. */
        EXISTENCE,
        /** Looks at what was committed last and is no read of the history. */
        OUTSIDE
    }

    /** How a commit ended. */
    public enum Outcome {
        COMMITTED,
        /** The client is not to learn how it ended. */
        UNKNOWN
    }

    private static final int NONE = -1;

    private final MockStore shared;
    private final int arrival;
    private int number = NONE;
    private boolean isOpen;
    private long endedTxns;
    private boolean readsNewest;
    private @Nullable String client;
    private final SessionTrace trace;

    /** What the transaction has done; null if it has neither read nor written. */
    private @Nullable ArchivedTxn txn;

    private final List<String> statements = new ArrayList<>();
    private final Map<RowObject, RowVersion> seen = new IdentityHashMap<>();
    private final PendingWrites pending;
    private final CommitTimeChecks checks = new CommitTimeChecks();
    private final Set<ObjectSpace> scanned = new HashSet<>();
    private final LoadedRows loads;
    private final Savepoints savepoints = new Savepoints();
    private @Nullable String killed;

    MockSession(MockStore shared, int arrival) {
        this.shared = shared;
        this.trace = new SessionTrace(shared);
        this.arrival = arrival;
        this.pending = new PendingWrites(shared);
        this.loads = new LoadedRows(shared);
    }

    /** The session's number in the archive, which it has from its first statement on. */
    public int number() {
        if (number == NONE) {
            number = shared.newSessionNumber();
        }
        return number;
    }

    /** How many came before it. */
    public int arrival() {
        return arrival;
    }

    boolean hasNumber() {
        return number != NONE;
    }

    /** Returns what the client calls itself, null if it does not. */
    public @Nullable String client() {
        return client;
    }

    public MockStore shared() {
        return shared;
    }

    /** Sets what the client calls itself or the place that calls, for the archive. */
    public void client(@Nullable String name) {
        client = name == null || name.isEmpty() ? null : name;
        trace.sent(String.valueOf(client));
    }

    /** Lets all reads return what was committed last, for those who check an outcome. */
    public void readNewest(boolean isWanted) {
        readsNewest = isWanted;
    }

    public boolean readsNewest() {
        return readsNewest;
    }

    /** Whether a transaction has been begun and not ended. */
    public boolean isOpen() {
        return isOpen;
    }

    /** How many transactions have ended, also such that have neither read nor written. */
    public long endedTxns() {
        return endedTxns;
    }

    /** Whether the transaction has read or written. */
    boolean isBegun() {
        return txn != null;
    }

    /** What the transaction has done, which has read or written. */
    private ArchivedTxn txn() {
        return Objects.requireNonNull(txn);
    }

    // ---------------------------------------------------------------- statements

    /** Opens a transaction. */
    public void begin() {
        checkAlive();
        isOpen = true;
    }

    /** A statement begins; what the last one saw is forgotten. */
    public void statement(String text) {
        checkAlive();
        shared.checkArchive();
        seen.clear();
        statements.add(text);
        shared.turns().event();
        if (!isLoading()) {
            trace.sent(text);
            shared.step(number(), text);
        }
    }

    /** Whether a fault with this probability happens now; none does while loading. */
    public boolean strikes(double probability) {
        return !isLoading() && shared.strikes(probability);
    }

    private void checkAlive() {
        if (killed != null) {
            String why = killed;
            killed = null;
            throw new MockException("25P03", why);
        }
    }

    /** Whether writes become the initial state now. */
    public boolean isLoading() {
        return shared.phase() == MockStore.Phase.LOAD;
    }

    private void beginInStore() {
        isOpen = true;
        if (txn == null) {
            trace.begin(readsNewest);
            shared.takeTurn(this);
            txn = shared.nextTxn(number());
            shared.store().begin(number);
            if (readsNewest) {
                shared.store().readNewestUntilCommit(number);
            }
        }
    }

    /** Begins in earnest: waits until no other transaction is open, where they run one after the other. */
    public void takeTurn() {
        if (!isLoading()) {
            beginInStore();
        }
    }

    /** The session wants to run a transaction from now on; until it does, it could run at any of the others' turns. */
    public void waitForTurn() {
        trace.waitForTurn(false);
    }

    /** Whether the next transaction leads to nothing that runs before this one have not tried. */
    public boolean isKnown() {
        return trace.isKnown();
    }

    SessionTrace trace() {
        return trace;
    }

    /** A statement has failed, or may depend on what no version tells: where it stands among other transactions matters. */
    public void standOut() {
        trace.makeBarrier();
    }

    /** Looks whether there is an object, as it was last committed. */
    public void look(RowObject object) {
        if (!isLoading() && !pending.has(object)) {
            trace.look(object);
        }
    }

    /** Looks through objects as they were last committed. */
    public void scanFirmly(ObjectSpace space) {
        if (!isLoading()) {
            trace.footprint().scanFirmly(space);
            trace.scan(space);
        }
    }

    // ---------------------------------------------------------------- reads

    /** Returns what an object holds for this transaction, null if it is not there. */
    public @Nullable Object read(RowObject object, Manner manner) {
        RowVersion own = pending.of(object);
        if (manner == Manner.OUTSIDE || isLoading()) {
            trace.footprint().readFirmly(object);
            if (own == null) {
                trace.look(object);
            }
            return own == null ? object.newestContent() : own.content();
        }
        if (manner == Manner.EXISTENCE) {
            return readExistence(object, true);
        }
        if (own != null) {
            note(object, own);
            return own.content();
        }
        if (seen.containsKey(object)) {
            RowVersion version = seen.get(object);
            return version == null ? object.initial() : version.content();
        }
        RowVersion version = readFromStore(object, manner == Manner.WEAK);
        if (manner == Manner.LOCKED) {
            checks.locked(object, version);
        }
        note(object, version);
        return version == null ? object.initial() : version.content();
    }

    /** Reads a version that the level allows, or the one that was committed last; null for the initial state. */
    private @Nullable RowVersion readFromStore(RowObject object, boolean isWeak) {
        beginInStore();
        object.use();
        trace.aboutToRead(object, isWeak, place());
        shared.chooser().draw(object.choice());
        NondeterministicStore store = shared.store();
        long answer = isWeak ? store.read(number, object.number()) : store.readNewest(number, object.number());
        if (answer == Store.ABORTED) {
            throw abortedByStore(
                    "what was committed last is newer than the level allows this transaction to read: object="
                            + object.name());
        }
        RowVersion version = answer == Store.INITIAL ? null : shared.version(answer);
        if (!isWeak) {
            trace.footprint().readFirmly(object);
        }
        if (shared.log() != null && version != object.newest()) {
            shared.log().stale(number, object, version);
        }
        trace.hasRead(object, version);
        seen.put(object, version);
        return version;
    }

    /**
     * Returns what was committed last, or what the transaction itself has written, for a statement that reveals only whether that is
     * null.
     *
     * @param isWrittenIfThere whether the statement writes the object if it is there, otherwise if it is not
     */
    public @Nullable Object readExistence(RowObject object, boolean isWrittenIfThere) {
        RowVersion own = pending.of(object);
        if (own != null || isLoading()) {
            return own == null ? object.newestContent() : own.content();
        }
        beginInStore();
        boolean isThere = object.newestContent() != null;
        boolean isWritten = isThere == isWrittenIfThere;
        if (isWritten && (shared.seesWhatIsOverwritten() || object.hasOneExistence())) {
            trace.footprint().readFirmly(object);
            trace.look(object);
        } else if (!seen.containsKey(object) || seen.get(object) != object.newest()) {
            RowVersion version = readFromStore(object, false);
            if (!isWritten || isThere && object.wasDeleted()) {
                note(object, version);
            }
        }
        if (isWritten) {
            checks.recordExistence(object, isThere);
        }
        return object.newestContent();
    }

    /** Returns which statement of which transaction of which session it is, as one number. */
    private long place() {
        return CanonicalOrder.mix(CanonicalOrder.mix(number, txn().seq), statements.size());
    }

    private void note(RowObject object, @Nullable RowVersion version) {
        if (!isLoading()) {
            txn().ops.add(ArchivedTxn.Op.of(false, object, version));
        }
    }

    /** Whether a scan need not read an object, because only its writer can see any version of it. */
    public boolean isUnborn(RowObject object) {
        return !object.isBorn() && !pending.has(object);
    }

    /**
     * Remembers that all objects of a range were looked for, so that those that come later have been seen to be missing.
     *
     * @param range equal for scans of the same objects
     * @param covers whether an object is in the range
     */
    public void scanRange(ObjectSpace space, Object range, Predicate<RowObject> covers) {
        if (!isLoading()) {
            beginInStore();
            trace.scan(space);
            space.scanned(number, shared.store().committedCount(number), range, covers);
            scanned.add(space);
        }
    }

    /**
     * Remembers that objects were looked for by what is in them. Those that never had it are not returned; but at all levels above
     * read committed the transaction has seen some version of them, and none that others write later.
     *
     * @param found whether an object ever had it
     */
    public void scanContents(ObjectSpace space, Predicate<RowObject> found) {
        if (isLoading()) {
            return;
        }
        if (!shared.keepsSnapshots()) {
            trace.scan(space);
            return;
        }
        scanRange(space, Boolean.TRUE, object -> true);
        for (RowObject object : space.written()) {
            if (!seen.containsKey(object) && !found.test(object)) {
                readOldest(object);
            }
        }
    }

    private void readOldest(RowObject object) {
        if (shared.store().readOldest(number, object.number()) == Store.ABORTED) {
            throw abortedByStore("the level leaves no version for this transaction to see: object=" + object.name());
        }
    }

    /** Begins to look for objects by a condition, where archives keep that; null where they do not. */
    public @Nullable PredicateRead search(ObjectSpace space, String condition, List<Object> parameters) {
        boolean isKept = !isLoading() && shared.archivesSearches() && space.keepsSearches();
        return isKept ? new PredicateRead(this, space, condition, parameters) : null;
    }

    ArchivedTxn.Op opOf(RowObject object) {
        RowVersion own = pending.of(object);
        return ArchivedTxn.Op.of(false, object, own == null ? seen.get(object) : own);
    }

    void looked(PredicateRead search) {
        beginInStore();
        search.space().searched();
        txn().ops.add(ArchivedTxn.Op.of(search));
    }

    // ---------------------------------------------------------------- writes

    /** Does what changes tables, and loads rows that stay in them also if the transaction is rolled back, as the change does. */
    public <T> T changingTables(Supplier<T> change) {
        int before = loads.count();
        try {
            return change.get();
        } finally {
            loads.keep(before);
        }
    }

    /** Gives an object its initial content, whatever the phase, as a table does that is made anew. */
    public void load(ObjectSpace space, RowObject object, @Nullable Object content, LongFunction<String> text) {
        if (shared.foretells() && shared.order().endedCount() > 0) {
            shared.order().known().giveUp(); // what is there initially is no answer
        }
        loads.load(space, object, content == null ? null : new InitialRow(content, text));
    }

    /**
     * Writes an object.
     *
     * @param content null to delete it
     * @param text what the archive keeps, of the version's id
     */
    public void write(ObjectSpace space, RowObject object, @Nullable Object content, LongFunction<String> text) {
        if (isLoading()) {
            isOpen = true;
            load(space, object, content, text);
            return;
        }
        beginInStore();
        object.use();
        long id = shared.nextVersionId();
        RowVersion version = new RowVersion(id, txn().id, content, text.apply(id));
        pending.noteUnborn(space, object);
        if (!shared.store().write(number, object.number(), id)) {
            throw abortedByStore("no order of the transactions is left with this write: object=" + object.name());
        }
        shared.keepVersion(version);
        if (shared.foretells()) {
            shared.order().written(version, text.apply(0));
        }
        pending.put(space, object, version);
        trace.footprint().write(object, space);
        txn().ops.add(ArchivedTxn.Op.of(true, object, version));
    }

    /** Registers a check for when the transaction commits, if the object is still there then. */
    public void checkAtCommit(RowObject object, BooleanSupplier isStillUnique) {
        if (!isLoading()) {
            checks.inserted(object, isStillUnique);
        }
    }

    // ---------------------------------------------------------------- savepoints

    public void savepoint(String name) {
        savepoints.add(new Savepoints.Savepoint(
                name, txn == null ? 0 : txn.ops.size(), loads.count(), checks.insertedCount()));
    }

    /** Forgets a savepoint and those behind it. */
    public void release(String name) {
        savepoints.release(name);
    }

    /** Takes back what was written since; what was read stays read. */
    public void rollbackTo(String name) {
        Savepoints.Savepoint savepoint = savepoints.backTo(name);
        loads.restore(savepoint.loads());
        if (txn != null) {
            pending.takeBack(txn, savepoint.ops(), number);
        }
        checks.forgetInserted(savepoint.checks());
        seen.clear();
    }

    // ---------------------------------------------------------------- ends

    /**
     * Commits.
     *
     * @throws MockException if the transaction was aborted instead, or no archive will have it, nor anything that comes after it
     */
    public Outcome commit() {
        checkAlive();
        if (!isBegun()) {
            end();
            return Outcome.COMMITTED;
        }
        MockFaults faults = shared.options().faults();
        if (shared.strikes(faults.abort())) {
            throw abortedByStore("a fault that was asked for: fault=abort");
        }
        boolean isUnknown = shared.strikes(faults.unknownCommit());
        if (isUnknown && shared.strikes(1.0 / 2)) {
            shared.store().abort(number);
            forgetScans();
            archive("unknown");
            end();
            return Outcome.UNKNOWN;
        }
        checkTables();
        checkLocked();
        checkInserted();
        checkExistence();
        pending.noteUnborn();
        if (!shared.store().commit(number)) {
            throw abortedByStore("no order of the transactions is left with this one");
        }
        if (shared.snapshots() != null) {
            shared.snapshots().witness().committed(number, txn().id);
        }
        pending.commit();
        archive(isUnknown ? "unknown" : "committed");
        end();
        if (isUnknown) {
            return Outcome.UNKNOWN;
        }
        shared.checkArchive();
        return Outcome.COMMITTED;
    }

    private void checkTables() {
        RowObject lost = pending.lostFor(this);
        if (lost != null) {
            throw abortedByStore(
                    "its table was altered or dropped by another session since it was written: object=" + lost.name());
        }
    }

    private void checkLocked() {
        RowObject changed = checks.changedMeanwhile();
        if (changed != null) {
            throw abortedByStore(
                    "changed by another transaction since it was read to be changed: object=" + changed.name());
        }
    }

    /** A write that was taken back implies nothing of what its count revealed, so that becomes a read. */
    private void checkExistence() {
        for (RowObject object : checks.withReportedExistence()) {
            if (checks.contradictsReportedExistence(object)) {
                throw abortedByStore("inserted or deleted by another transaction since its existence was read: object="
                        + object.name());
            }
            if (!pending.has(object)) {
                note(object, readFromStore(object, false));
            }
        }
    }

    private void checkInserted() {
        if (!shared.options().reads().constraintsReadNewest()) {
            return;
        }
        RowObject twice = checks.insertedMeanwhile(this::leaves);
        if (twice != null) {
            standOut();
            rollback();
            throw new MockException(
                    MockException.UNIQUE_VIOLATION,
                    "duplicate key: another transaction has inserted it meanwhile: object=" + twice.name());
        }
    }

    /** Whether it commits an object with something in it. */
    private boolean leaves(RowObject object) {
        RowVersion own = pending.of(object);
        return own != null && own.content() != null;
    }

    /** Ends the transaction as if it had never been. */
    public void rollback() {
        killed = null;
        if (isBegun()) {
            shared.store().abort(number);
            forgetScans();
            archive("aborted");
        }
        loads.restore(0);
        end();
    }

    private MockException abortedByStore(String why) {
        MockException failure = new MockException(
                MockException.SERIALIZATION_FAILURE, "could not serialize access: " + why + "; try again");
        standOut();
        rollback();
        shared.store().readNewestUntilCommit(number);
        return failure;
    }

    /** Ends a transaction that has kept others waiting too long; its client hears of it with its next statement. */
    void kill() {
        standOut();
        rollback();
        killed = "transaction ended, as others have waited too long for it: patienceMs="
                + shared.options().schedule().patienceMs();
    }

    private void forgetScans() {
        int place = shared.store().committedCount(number);
        scanned.forEach(space -> space.forget(number, place));
    }

    private void archive(String status) {
        ArchivedTxn ending = txn();
        ending.status = status;
        ending.client = client;
        ending.statements.addAll(statements);
        if (!"committed".equals(status) && !"unknown".equals(status)) {
            pending.dropVersions();
        }
        trace.ended(ending);
        if (shared.archive() != null) {
            shared.archive().add(ending);
        }
    }

    private void end() {
        endedTxns++;
        isOpen = false;
        txn = null;
        statements.clear();
        seen.clear();
        pending.clear();
        checks.clear();
        scanned.clear();
        loads.clear();
        savepoints.clear();
        trace.end();
        shared.turns().over(this);
    }

    /** The client has gone; what is open is rolled back. */
    public void close() {
        rollback();
        shared.closed(this);
    }
}
