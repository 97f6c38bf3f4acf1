package io.nightjar.jobs.mock;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.datasets.store.NondeterministicStore;
import io.nightjar.datasets.store.StrongCommitOrderStore;
import io.nightjar.datasets.store.WeakCommitOrderStore;
import io.nightjar.datasets.store.WeakFreeOrderStore;
import io.nightjar.formats.level.IsolationLevel;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** State shared by all sessions of a mock. All methods except {@link #lock} require the lock. */
public final class MockStore {

    private static final int FIRST_SESSIONS = 16;
    private static final int SESSIONS_BEFORE_REUSE = 128;
    private static final int FIRST_KEYS = 256;

    /** Phases of a run, which determine the effect of a write. */
    public enum Phase {
        /** Writes become the initial state. */
        LOAD,
        /** Writes belong to transactions. */
        RUN
    }

    /** A store with snapshots, and the source of their timestamps. */
    record Snapshots(StrongCommitOrderStore store, WitnessTimestamps witness) {

        private Long2ObjectOpenHashMap<long[]> timestamps() {
            return witness.compute(store);
        }
    }

    private final ReentrantLock lock = new ReentrantLock(true);
    private final @Nullable MockArchive archive;
    private final SeededRandom faultRandom;

    private MockOptions options;
    private AnswerChooser chooser;
    private NondeterministicStore store;
    private @Nullable Snapshots snapshots; // null if the store's versions have none
    private Phase phase = Phase.RUN;

    private int keyCount;
    private int sessionCapacity = FIRST_SESSIONS;
    private int sessionCount;
    private int loader = -1;
    private int arrivals;
    private final ArrayDeque<Integer> closedSessions = new ArrayDeque<>();
    private final List<Long> lastSeq = new ArrayList<>();
    private final List<MockSession> openSessions = new ArrayList<>();
    private final Map<String, Integer> incarnations = new HashMap<>();
    private final List<ObjectSpace> spaces = new ArrayList<>();
    private final Long2ObjectOpenHashMap<RowVersion> versions = new Long2ObjectOpenHashMap<>();

    private StatementOrder statementOrder = StatementOrder.NONE;
    private @Nullable RunLog log;
    private @Nullable CanonicalOrder order;
    private final TxnScheduler turns;
    private long txnCount;
    private long versionCount;

    /** @param chooser draws the answers */
    public MockStore(MockOptions options, AnswerChooser chooser, @Nullable MockArchive archive) {
        this.options = options;
        this.chooser = chooser;
        this.archive = archive;
        this.turns = new TxnScheduler(lock, options.schedule().patienceMs(), () -> openSessions.size());
        this.faultRandom = new SeededRandom(new SeededRandom(~options.seed()).next());
        openStore();
    }

    /** Creates a store that draws its answers by the options. */
    public static MockStore of(MockOptions options, @Nullable MockArchive archive) {
        return new MockStore(options, new AnswerChooser(options.reads().choice(), options.seed(), false), archive);
    }

    private void openStore() {
        IsolationLevel level = options.level();
        snapshots = null;
        chooser.mayBeApart(level == IsolationLevel.CAUSAL || level == IsolationLevel.PREFIX);
        store = switch (level) {
            case READ_COMMITTED, READ_ATOMIC, CAUSAL -> free(level);
            case PREFIX -> ordered(StrongCommitOrderStore.Level.PREFIX);
            case SNAPSHOT_ISOLATION -> ordered(StrongCommitOrderStore.Level.SNAPSHOT_ISOLATION);
            case SERIALIZABLE -> ordered(StrongCommitOrderStore.Level.SERIALIZABLE);
            default -> throw new IllegalArgumentException("no store keeps it: level=" + level);
        };
        if (archive != null) {
            archive.keepTables(checksSearches() ? this : null);
        }
    }

    private NondeterministicStore free(IsolationLevel level) {
        WeakFreeOrderStore.Level free =
                switch (level) {
                    case READ_COMMITTED -> WeakFreeOrderStore.Level.READ_COMMITTED;
                    case READ_ATOMIC -> WeakFreeOrderStore.Level.READ_ATOMIC;
                    default -> WeakFreeOrderStore.Level.CAUSAL;
                };
        return options.reads().updatesReadNewest()
                ? new WeakCommitOrderStore(
                        free, sessionCapacity, FIRST_KEYS, options.reads().staleness(), chooser)
                : new WeakFreeOrderStore(
                        free, sessionCapacity, FIRST_KEYS, options.reads().staleness(), chooser);
    }

    private NondeterministicStore ordered(StrongCommitOrderStore.Level level) {
        WitnessTimestamps witness = new WitnessTimestamps(level == StrongCommitOrderStore.Level.SERIALIZABLE);
        StrongCommitOrderStore ordered = new StrongCommitOrderStore(
                level, sessionCapacity, FIRST_KEYS, options.reads().staleness(), chooser, witness);
        snapshots = new Snapshots(ordered, witness);
        return ordered;
    }

    // ---------------------------------------------------------------- lifecycle

    /** Returns the lock under which statements run one at a time. */
    public ReentrantLock lock() {
        return lock;
    }

    public MockOptions options() {
        return options;
    }

    public AnswerChooser chooser() {
        return chooser;
    }

    /** Returns the archive, null if none is written. */
    public @Nullable MockArchive archive() {
        return archive;
    }

    /**
     * Returns whether archives record searches: at levels whose checks can compute the expected rows from timestamps,
     * and only where rows are objects.
     */
    boolean archivesSearches() {
        return archive != null && !options.rules().isByCell();
    }

    /**
     * Returns whether timestamps determine the rows a search must find, so that deletions and initial contents are
     * archived.
     */
    private boolean checksSearches() {
        return archivesSearches() && options.level().compareTo(IsolationLevel.SNAPSHOT_ISOLATION) >= 0;
    }

    /** Creates a transaction that precedes all others, in a new session. */
    ArchivedTxn newLoader() {
        if (loader < 0) {
            loader = sessionCount++;
            lastSeq.add(-1L);
        }
        return nextTxn(loader);
    }

    /** Returns whether versions are ordered by commit. */
    public boolean ordersVersions() {
        return !(store instanceof WeakFreeOrderStore);
    }

    /** Returns whether a transaction that has seen one version of an object may not see another one later. */
    boolean keepsSnapshots() {
        return options.level() != IsolationLevel.READ_COMMITTED;
    }

    /**
     * Returns whether the snapshot of a transaction contains the version that precedes each of its writes, as in levels
     * without lost updates.
     */
    boolean seesWhatIsOverwritten() {
        return options.level().compareTo(IsolationLevel.SNAPSHOT_ISOLATION) >= 0;
    }

    /** Fails if nothing can be archived any more. */
    void checkArchive() {
        if (archive != null && archive.failure() != null) {
            throw new MockException("53100", String.valueOf(archive.failure().getMessage()));
        }
    }

    /** Returns the failure of a history that is too large for later transactions to be checked against all of it. */
    public MockException exhausted() {
        String why = "no memory left for the history: transactions=" + txnCount
                + "; start anew, or with more for Java, such as -Xmx4g in NIGHTJAR_JAVA_OPTS";
        if (archive != null) {
            archive.abandon(new IOException(why));
        }
        return new MockException("53200", why);
    }

    /** Sets the observer of the order in which clients act. */
    public void keepOrder(StatementOrder by) {
        statementOrder = by;
    }

    public StatementOrder statementOrder() {
        return statementOrder;
    }

    /** Logs all that clients do from now on. */
    public void log(RunLog into) {
        log = into;
    }

    /**
     * Observes the order of transactions from now on.
     *
     * @param settleMs in serial mode, the time without actions of any session after which the next turn is a choice
     * @param mustBeCertain whether a single client also waits for others that may connect
     */
    public void order(CanonicalOrder into, long settleMs, boolean mustBeCertain) {
        order = into;
        turns.choose(chooser, settleMs, mustBeCertain);
    }

    /** Returns whether the order of transactions is observed. */
    public boolean isFollowed() {
        return order != null;
    }

    /**
     * Returns whether steps are predicted from earlier runs: an abort must not depend on earlier readers, and no faults
     * are injected.
     */
    boolean foretells() {
        return order != null
                && order.foretells()
                && options.level().compareTo(IsolationLevel.SNAPSHOT_ISOLATION) < 0
                && options.faults().equals(MockFaults.NONE);
    }

    /** Waits until no other session's transaction is open, where they run one after the other. */
    void takeTurn(MockSession session) {
        if (options.schedule().isSerial()) {
            turns.take(session);
            if (log != null) {
                log.resume(session.number());
            }
        }
    }

    /** Records a statement of a run. */
    void step(int session, String statement) {
        if (order != null) {
            order.step(session, statement);
        }
        if (log != null) {
            log.step(session, statement);
        }
    }

    /** Returns the log of all client statements, null if none is written. */
    @Nullable
    RunLog log() {
        return log;
    }

    /** Returns the observer of the order of transactions; only where it is observed. */
    CanonicalOrder order() {
        return Objects.requireNonNull(order);
    }

    TxnScheduler turns() {
        return turns;
    }

    Phase phase() {
        return phase;
    }

    NondeterministicStore store() {
        return store;
    }

    /** Returns the store with the timestamps of its answers, null if its versions have no snapshots. */
    @Nullable
    Snapshots snapshots() {
        return snapshots;
    }

    /** Returns whether a fault with this probability occurs now. */
    boolean strikes(double probability) {
        return probability > 0 && faultRandom.fraction() < probability;
    }

    /** Sets the phase, and with it the effect of writes. */
    public void enter(Phase next, MockSession asking) {
        if (next != phase) {
            checkIsAlone(asking, "nightjar.phase");
            phase = next;
        }
    }

    /** Sets the level; only before the first transaction. */
    public void keep(IsolationLevel level, MockSession asking) {
        if (level == options.level()) {
            return;
        }
        checkIsAlone(asking, "nightjar.level");
        if (txnCount > 0) {
            throw new MockException(
                    MockException.NOT_NOW,
                    "level can no longer be set: transactions=" + txnCount + "; set it before the first one");
        }
        options = options.at(level);
        openStore();
    }

    private void checkIsAlone(MockSession asking, String setting) {
        for (MockSession session : openSessions) {
            if (session.isBegun() || session != asking && session.isOpen()) {
                throw new MockException(
                        MockException.NOT_NOW,
                        setting + " cannot be set inside of transactions: session=" + session.number()
                                + "; end them first");
            }
        }
    }

    /** Aborts all open transactions and completes the archive. */
    public void finish() throws IOException {
        lock.lock();
        try {
            for (MockSession session : List.copyOf(openSessions)) {
                session.close();
            }
            if (archive != null) {
                archive.finish(snapshots == null ? null : snapshots.timestamps());
            }
        } finally {
            lock.unlock();
        }
    }

    // ---------------------------------------------------------------- sessions

    /** Opens a session for a new client. */
    public MockSession openSession() {
        MockSession session = new MockSession(this, arrivals++);
        openSessions.add(session);
        turns.event();
        return session;
    }

    /** Returns the archive number for a session that runs its first statement. */
    int newSessionNumber() {
        int number;
        if (sessionCount >= SESSIONS_BEFORE_REUSE && !closedSessions.isEmpty()) {
            number = closedSessions.poll();
        } else {
            number = sessionCount++;
            lastSeq.add(-1L);
            if (number >= sessionCapacity) {
                sessionCapacity *= 2;
                store.growSessions(sessionCapacity);
            }
        }
        return number;
    }

    /** Returns the number of connected clients. */
    public int openSessionCount() {
        lock.lock();
        try {
            return openSessions.size();
        } finally {
            lock.unlock();
        }
    }

    void closed(MockSession session) {
        if (openSessions.remove(session)) {
            if (session.hasNumber()) {
                closedSessions.add(session.number());
            }
            turns.event();
        }
    }

    ArchivedTxn nextTxn(int session) {
        long seq = lastSeq.get(session) + 1;
        lastSeq.set(session, seq);
        return new ArchivedTxn(++txnCount, session, seq);
    }

    // ---------------------------------------------------------------- objects

    /** Creates the objects of a new table. */
    public ObjectSpace newSpace(String table) {
        int incarnation = incarnations.merge(table, 1, Integer::sum);
        ObjectSpace space = new ObjectSpace(incarnation == 1 ? table : table + "#" + incarnation);
        spaces.add(space);
        return space;
    }

    /**
     * Creates an object of a table.
     *
     * @param handle the caller's
     */
    public RowObject newObject(ObjectSpace space, String key, @Nullable Object handle) {
        return new RowObject(
                space.name() + "/" + key,
                keyCount++,
                handle,
                options.rules().choiceOfTable().get(space.name()));
    }

    int nextKey() {
        return keyCount++;
    }

    long nextVersionId() {
        return ++versionCount;
    }

    void keepVersion(RowVersion version) {
        versions.put(version.id(), version);
    }

    void dropVersion(RowVersion version) {
        versions.remove(version.id());
    }

    /** Returns the version with this id, null for the initial state. */
    @Nullable
    RowVersion version(long id) {
        return versions.get(id);
    }

    void recordUnborn(int session, int position, RowObject object) {
        store.recordUnborn(session, position, object.number());
    }
}
