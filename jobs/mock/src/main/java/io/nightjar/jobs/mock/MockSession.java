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

/**
 * Client session of a mock: its transaction, with the reads and writes of its statements. Requires the store's lock.
 */
public final class MockSession {

    /*
     * A transaction begins in the store with its first read or write, so that an empty transaction leaves no trace.
     * Within a statement an object is read once: all its uses see the same version.
     *
     * A locked read (of a statement that changes the rows it reads) returns the last committed version. As no
     * transaction waits for another, the read is checked again at commit: if another version has been committed since,
     * the transaction fails, like the second of two transactions that a lock would have ordered.
     *
     * A statement that overwrites a row regardless of its content reveals whether the row exists, by its count or by
     * its success. This is a read of existence only. The history omits it where the write implies it: while the row
     * exists in all versions or in none, and where the snapshot contains the overwritten version. Both conditions are
     * checked again at commit.
     *
     * Loading records no history: writes change initial contents, and a rollback restores them.
     */

    /** Modes in which a statement reads and writes. */
    public enum Manner {
        /** A read returns any version that the level allows. */
        WEAK,
        /** A read returns the last committed version, which must still be the last at commit. */
        LOCKED,
        /** A read reveals whether the last committed version exists; an existing version is overwritten. */
        EXISTENCE,
        /** Reads the last committed version without a read in the history. */
        OUTSIDE
    }

    /** Outcome of a commit. */
    public enum Outcome {
        COMMITTED,
        /** The client must not learn the outcome. */
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

    /** Operations of the transaction; null if it has neither read nor written. */
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

    /** Returns the session's number in the archive, assigned at its first statement. */
    public int number() {
        if (number == NONE) {
            number = shared.newSessionNumber();
        }
        return number;
    }

    /** Returns the number of sessions that arrived earlier. */
    public int arrival() {
        return arrival;
    }

    boolean hasNumber() {
        return number != NONE;
    }

    /** Returns the name that the client gave itself, null if none. */
    public @Nullable String client() {
        return client;
    }

    public MockStore shared() {
        return shared;
    }

    /** Sets the name of the client or of the calling location, for the archive. */
    public void client(@Nullable String name) {
        client = name == null || name.isEmpty() ? null : name;
        trace.sent(String.valueOf(client));
    }

    /** Sets whether all reads return the last committed version, for clients that check an outcome. */
    public void readNewest(boolean isWanted) {
        readsNewest = isWanted;
    }

    public boolean readsNewest() {
        return readsNewest;
    }

    /** Returns whether a transaction is open. */
    public boolean isOpen() {
        return isOpen;
    }

    /** Returns the number of finished transactions, including empty ones. */
    public long endedTxns() {
        return endedTxns;
    }

    /** Returns whether the transaction has read or written. */
    boolean isBegun() {
        return txn != null;
    }

    /** Returns the operations of the transaction, which has read or written. */
    private ArchivedTxn txn() {
        return Objects.requireNonNull(txn);
    }

    // ---------------------------------------------------------------- statements

    /** Opens a transaction. */
    public void begin() {
        checkAlive();
        isOpen = true;
    }

    /** Starts a statement and clears the reads of the previous statement. */
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

    /** Returns whether a fault with this probability occurs now; never while loading. */
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

    /** Returns whether writes currently become the initial state. */
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

    /** Starts the transaction in the store; in serial mode, waits until no other transaction is open. */
    public void takeTurn() {
        if (!isLoading()) {
            beginInStore();
        }
    }

    /** Marks the session as ready to run a transaction at any turn. */
    public void waitForTurn() {
        trace.waitForTurn(false);
    }

    /** Returns whether the next transaction leads only to outcomes that earlier runs have explored. */
    public boolean isKnown() {
        return trace.isKnown();
    }

    SessionTrace trace() {
        return trace;
    }

    /**
     * Records that a statement failed, or may depend on more than versions: its position among transactions matters.
     */
    public void standOut() {
        trace.makeBarrier();
    }

    /** Records an existence check of an object in its last committed state. */
    public void lockRow(RowObject object) {
        if (!isLoading() && !pending.has(object)) {
            trace.recordLock(object);
        }
    }

    /** Records a scan of objects in their last committed states. */
    public void scanFirmly(ObjectSpace space) {
        if (!isLoading()) {
            trace.footprint().scanFirmly(space);
            trace.scan(space);
        }
    }

    // ---------------------------------------------------------------- reads

    /** Returns the content of an object visible to this transaction, null if it does not exist. */
    public @Nullable Object read(RowObject object, Manner manner) {
        RowVersion own = pending.of(object);
        if (manner == Manner.OUTSIDE || isLoading()) {
            trace.footprint().readFirmly(object);
            if (own == null) {
                trace.recordLock(object);
            }
            return own == null ? object.newestContent() : own.content();
        }
        if (manner == Manner.EXISTENCE) {
            return readExistence(object, true);
        }
        if (own != null) {
            record(object, own);
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
        record(object, version);
        return version == null ? object.initial() : version.content();
    }

    /** Reads a version allowed by the level, or the last committed version; null for the initial state. */
    private @Nullable RowVersion readFromStore(RowObject object, boolean isWeak) {
        beginInStore();
        object.use();
        trace.aboutToRead(object, isWeak, position());
        shared.chooser().draw(object.choice());
        NondeterministicStore store = shared.store();
        long answer = isWeak ? store.read(number, object.number()) : store.readNewest(number, object.number());
        if (answer == Store.ABORTED) {
            throw abortedByStore(
                    "the last committed version is newer than the level allows this transaction to read: object="
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
     * Returns the last committed content or the transaction's uncommitted content, for a statement that reveals only
     * whether it is null.
     *
     * @param isWrittenIfThere whether the statement writes the object if it exists, otherwise if it does not
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
            trace.recordLock(object);
        } else if (!seen.containsKey(object) || seen.get(object) != object.newest()) {
            RowVersion version = readFromStore(object, false);
            if (!isWritten || isThere && object.wasDeleted()) {
                record(object, version);
            }
        }
        if (isWritten) {
            checks.recordExistence(object, isThere);
        }
        return object.newestContent();
    }

    /** Returns a number that identifies the session, transaction and statement. */
    private long position() {
        return CanonicalOrder.mix(CanonicalOrder.mix(number, txn().seq), statements.size());
    }

    private void record(RowObject object, @Nullable RowVersion version) {
        if (!isLoading()) {
            txn().ops.add(ArchivedTxn.Op.of(false, object, version));
        }
    }

    /** Returns whether a scan can skip an object because only its writer can observe any version of it. */
    public boolean isUnborn(RowObject object) {
        return !object.isBorn() && !pending.has(object);
    }

    /**
     * Records a scan of all objects of a range, so that its later objects count as observed missing.
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
     * Records a scan by content. Objects that never matched are not returned; but at all levels above read committed
     * the transaction has observed some version of them, and no version written later by others.
     *
     * @param found whether any version of an object matched
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

    /** Starts a predicate read; null where archives do not record them. */
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

    /**
     * Runs a change of tables; the rows that it loads remain even if the transaction rolls back, like the change
     * itself.
     */
    public <T> T changingTables(Supplier<T> change) {
        int before = loads.count();
        try {
            return change.get();
        } finally {
            loads.keep(before);
        }
    }

    /** Sets the initial content of an object in any phase, for a newly created table. */
    public void load(ObjectSpace space, RowObject object, @Nullable Object content, LongFunction<String> text) {
        if (shared.foretells() && shared.order().endedCount() > 0) {
            shared.order().known().disable(); // initial contents are not part of the predicted answers
        }
        loads.load(space, object, content == null ? null : new InitialRow(content, text));
    }

    /**
     * Writes an object.
     *
     * @param content null to delete it
     * @param text creates the archived text from the version's id
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
        pending.recordUnborn(space, object);
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

    /** Registers a check for commit time, if the object still exists then. */
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

    /** Removes a savepoint and all later ones. */
    public void release(String name) {
        savepoints.release(name);
    }

    /** Rolls back the writes since the savepoint; reads remain. */
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
     * Commits the transaction.
     *
     * @throws MockException if the transaction was aborted instead, or if it and all later ones cannot be archived
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
        pending.recordUnborn();
        if (!shared.store().commit(number)) {
            throw abortedByStore("no order of the transactions includes this transaction");
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

    /** Records existence as a read where the write that implied it was rolled back. */
    private void checkExistence() {
        for (RowObject object : checks.withReportedExistence()) {
            if (checks.contradictsReportedExistence(object)) {
                throw abortedByStore("inserted or deleted by another transaction since its existence was read: object="
                        + object.name());
            }
            if (!pending.has(object)) {
                record(object, readFromStore(object, false));
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
                    "duplicate key: another transaction has inserted it: object=" + twice.name());
        }
    }

    /** Returns whether the transaction commits an object with content. */
    private boolean leaves(RowObject object) {
        RowVersion own = pending.of(object);
        return own != null && own.content() != null;
    }

    /** Discards the transaction. */
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

    /** Aborts a transaction that has blocked others too long; its client receives the error with its next statement. */
    void kill() {
        standOut();
        rollback();
        killed = "transaction ended, as others have waited too long for it: patienceMs="
                + shared.options().schedule().patienceMs();
    }

    private void forgetScans() {
        int position = shared.store().committedCount(number);
        scanned.forEach(space -> space.forget(number, position));
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

    /** Closes the session of a disconnected client and rolls back its open transaction. */
    public void close() {
        rollback();
        shared.closed(this);
    }
}
