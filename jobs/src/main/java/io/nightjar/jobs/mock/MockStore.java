package io.nightjar.jobs.mock;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.datasets.store.ChoosingStore;
import io.nightjar.datasets.store.CommittedOrderStore;
import io.nightjar.datasets.store.FreeVersionsStore;
import io.nightjar.datasets.store.OrderedVersionsStore;
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

/** What all sessions of a mock share. Everything but the lock itself is used with the lock held. */
public final class MockStore {

    private static final int FIRST_SESSIONS = 16;
    private static final int SESSIONS_BEFORE_REUSE = 128;
    private static final int FIRST_KEYS = 256;

    /** The phases of a run, which decide what a write means. */
    public enum Phase {
        /** They become the initial state. */
        LOAD,
        /** They are transactions. */
        RUN
    }

    /** A store whose versions have snapshots, and what their timestamps are computed from. */
    record Snapshots(OrderedVersionsStore store, WitnessTimestamps witness) {

        private Long2ObjectOpenHashMap<long[]> timestamps() {
            return witness.compute(store);
        }
    }

    private final ReentrantLock lock = new ReentrantLock(true);
    private final @Nullable MockArchive archive;
    private final SeededRandom faultRandom;

    private MockOptions options;
    private AnswerChooser chooser;
    private ChoosingStore store;
    private @Nullable Snapshots snapshots; // null if the store's versions have none
    private Phase phase = Phase.RUN;

    private int keyCount;
    private int roomForSessions = FIRST_SESSIONS;
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
    private @Nullable RunOrder order;
    private final Turns turns;
    private long txnCount;
    private long versionCount;

    /** @param chooser draws the answers */
    public MockStore(MockOptions options, AnswerChooser chooser, @Nullable MockArchive archive) {
        this.options = options;
        this.chooser = chooser;
        this.archive = archive;
        this.turns = new Turns(lock, options.schedule().patienceMs(), () -> openSessions.size());
        this.faultRandom = new SeededRandom(new SeededRandom(~options.seed()).next());
        openStore();
    }

    /** A store that draws its answers as the options say. */
    public static MockStore of(MockOptions options, @Nullable MockArchive archive) {
        return new MockStore(options, new AnswerChooser(options.reads().choice(), options.seed(), false), archive);
    }

    private void openStore() {
        IsolationLevel level = options.level();
        snapshots = null;
        chooser.mayBeApart(level == IsolationLevel.CAUSAL || level == IsolationLevel.PREFIX);
        store = switch (level) {
            case READ_COMMITTED, READ_ATOMIC, CAUSAL -> free(level);
            case PREFIX -> ordered(OrderedVersionsStore.Level.PREFIX);
            case SNAPSHOT_ISOLATION -> ordered(OrderedVersionsStore.Level.SNAPSHOT_ISOLATION);
            case SERIALIZABLE -> ordered(OrderedVersionsStore.Level.SERIALIZABLE);
            default -> throw new IllegalArgumentException("no store keeps it: level=" + level);
        };
        if (archive != null) {
            archive.keepTables(judgesSearches() ? this : null);
        }
    }

    private ChoosingStore free(IsolationLevel level) {
        FreeVersionsStore.Level free =
                switch (level) {
                    case READ_COMMITTED -> FreeVersionsStore.Level.READ_COMMITTED;
                    case READ_ATOMIC -> FreeVersionsStore.Level.READ_ATOMIC;
                    default -> FreeVersionsStore.Level.CAUSAL;
                };
        return options.reads().updatesReadNewest()
                ? new CommittedOrderStore(
                        free, roomForSessions, FIRST_KEYS, options.reads().staleness(), chooser)
                : new FreeVersionsStore(
                        free, roomForSessions, FIRST_KEYS, options.reads().staleness(), chooser);
    }

    private ChoosingStore ordered(OrderedVersionsStore.Level level) {
        WitnessTimestamps witness = new WitnessTimestamps(level == OrderedVersionsStore.Level.SERIALIZABLE);
        OrderedVersionsStore ordered = new OrderedVersionsStore(
                level, roomForSessions, FIRST_KEYS, options.reads().staleness(), chooser, witness);
        snapshots = new Snapshots(ordered, witness);
        return ordered;
    }

    // ---------------------------------------------------------------- the whole

    /** Lets one statement run at a time. */
    public ReentrantLock lock() {
        return lock;
    }

    public MockOptions options() {
        return options;
    }

    public AnswerChooser chooser() {
        return chooser;
    }

    /** Returns the archive, null if nothing is kept. */
    public @Nullable MockArchive archive() {
        return archive;
    }

    /**
     * Whether archives keep what was searched for: at the levels of which checks can tell what should have been found, by
     * timestamps, and where rows are objects.
     */
    boolean archivesSearches() {
        return archive != null && !options.rules().isByCell();
    }

    /** Whether timestamps tell what a search should have found, so that archives keep deletions and initial contents too. */
    private boolean judgesSearches() {
        return archivesSearches() && options.level().compareTo(IsolationLevel.SNAPSHOT_ISOLATION) >= 0;
    }

    /** A transaction that is to be before all others, of a session of its own. */
    ArchivedTxn newLoader() {
        if (loader < 0) {
            loader = sessionCount++;
            lastSeq.add(-1L);
        }
        return nextTxn(loader);
    }

    /** Whether the store's versions have an order, that of their commits. */
    public boolean ordersVersions() {
        return !(store instanceof FreeVersionsStore);
    }

    /** Returns whether a transaction that has seen one version of an object may not see another one later. */
    boolean keepsSnapshots() {
        return options.level() != IsolationLevel.READ_COMMITTED;
    }

    /**
     * Returns whether the snapshot of a transaction contains the version before its own of each object that it writes, as the level
     * has no lost updates.
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

    /** Returns the failure of a history that has grown too large: what comes now would not be judged by all of it. */
    public MockException exhausted() {
        String why = "no memory left for the history: transactions=" + txnCount
                + "; start anew, or with more for Java, such as -Xmx4g in NIGHTJAR_JAVA_OPTS";
        if (archive != null) {
            archive.giveUp(new IOException(why));
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
     * @param settleMs where transactions run one after the other, whose turn is next is a choice once no session has done anything
     *     for the given time
     * @param mustBeCertain whether also a client that is alone waits for others that may come
     */
    public void order(RunOrder into, long settleMs, boolean mustBeCertain) {
        order = into;
        turns.choose(chooser, settleMs, mustBeCertain);
    }

    /** Whether the order of transactions is observed. */
    public boolean isFollowed() {
        return order != null;
    }

    /**
     * Whether runs before tell what sessions do next: where whether a transaction is aborted does not depend on who has read
     * before it, and nothing goes wrong on purpose.
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

    /** Notes a statement of a run. */
    void step(int session, String statement) {
        if (order != null) {
            order.step(session, statement);
        }
        if (log != null) {
            log.step(session, statement);
        }
    }

    /** Returns the log of all that clients do, null if there is none. */
    @Nullable
    RunLog log() {
        return log;
    }

    /** Returns the observer of the order of transactions; only where it is observed. */
    RunOrder order() {
        return Objects.requireNonNull(order);
    }

    Turns turns() {
        return turns;
    }

    Phase phase() {
        return phase;
    }

    ChoosingStore store() {
        return store;
    }

    /** Returns the store with the timestamps of what it answers, null if its versions have no snapshots. */
    @Nullable
    Snapshots snapshots() {
        return snapshots;
    }

    /** Whether a fault with this probability happens now. */
    boolean strikes(double probability) {
        return probability > 0 && faultRandom.fraction() < probability;
    }

    /** Says what writes mean from now on. */
    public void enter(Phase next, MockSession asking) {
        if (next != phase) {
            checkNobodyElse(asking, "nightjar.phase");
            phase = next;
        }
    }

    /** Keeps another level from now on, as long as there is no transaction yet. */
    public void keep(IsolationLevel level, MockSession asking) {
        if (level == options.level()) {
            return;
        }
        checkNobodyElse(asking, "nightjar.level");
        if (txnCount > 0) {
            throw new MockException(
                    MockException.NOT_NOW,
                    "level can no longer be set: transactions=" + txnCount + "; set it before the first one");
        }
        options = options.at(level);
        openStore();
    }

    private void checkNobodyElse(MockSession asking, String setting) {
        for (MockSession session : openSessions) {
            if (session.isBegun() || session != asking && session.isOpen()) {
                throw new MockException(
                        MockException.NOT_NOW,
                        setting + " cannot be set inside of transactions: session=" + session.number()
                                + "; end them first");
            }
        }
    }

    /** Ends what is open as aborted and makes the archive whole. */
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

    /** A session for a client that has come. */
    public MockSession openSession() {
        MockSession session = new MockSession(this, arrivals++);
        openSessions.add(session);
        turns.event();
        return session;
    }

    /** A number for a session that does something for the first time, as the archive has it. */
    int newSessionNumber() {
        int number;
        if (sessionCount >= SESSIONS_BEFORE_REUSE && !closedSessions.isEmpty()) {
            number = closedSessions.poll();
        } else {
            number = sessionCount++;
            lastSeq.add(-1L);
            if (number >= roomForSessions) {
                roomForSessions *= 2;
                store.growSessions(roomForSessions);
            }
        }
        return number;
    }

    /** How many clients are there. */
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

    /** The objects of a new table. */
    public ObjectSpace newSpace(String table) {
        int incarnation = incarnations.merge(table, 1, Integer::sum);
        ObjectSpace space = new ObjectSpace(incarnation == 1 ? table : table + "#" + incarnation);
        spaces.add(space);
        return space;
    }

    /**
     * A new object of a table.
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

    /** The version with this id, null for the initial state. */
    @Nullable
    RowVersion version(long id) {
        return versions.get(id);
    }

    void noteUnborn(int session, int place, RowObject object) {
        store.noteUnborn(session, place, object.number());
    }
}
