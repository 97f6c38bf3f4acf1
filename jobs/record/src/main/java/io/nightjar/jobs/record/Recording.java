package io.nightjar.jobs.record;

import io.nightjar.datasets.jdbc.JdbcAddress;
import io.nightjar.datasets.jdbc.JdbcTables;
import io.nightjar.datasets.jdbc.SqlDialect.Certificates;
import io.nightjar.datasets.jdbc.SqlFailure;
import io.nightjar.datasets.jdbc.SqlIsolation;
import io.nightjar.datasets.jdbc.TableExistsException;
import io.nightjar.datasets.jdbc.TableMaker;
import io.nightjar.datasets.workload.Assertion;
import io.nightjar.datasets.workload.ClientWorkload;
import io.nightjar.datasets.workload.RecordedTxn;
import io.nightjar.formats.file.AtomicFile;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Recording of a history: sessions run a workload against a database until an end condition, and the result becomes the
 * archive.
 */
public final class Recording {

    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long WAKE_UP_MS = 100;

    private static final long SLOWEST_END_MS = 8_000;

    private final JdbcAddress address;
    private final RecordOptions options;
    private final AtomicLong tickets = new AtomicLong();
    private final AtomicLong sessionIds = new AtomicLong();
    private final RecordingCounts counts = new RecordingCounts();
    private final CountDownLatch done = new CountDownLatch(1);
    private final RecordingManifest manifest;
    private final long epochNs = System.currentTimeMillis() * 1_000_000L - System.nanoTime();
    private volatile boolean isStopped;
    private volatile @Nullable Throwable failure;
    private volatile long endNs = Long.MAX_VALUE;
    private volatile boolean isWarmingUp;
    private boolean hasHung;
    private volatile boolean isComplete;
    private volatile CountDownLatch unready = new CountDownLatch(0);
    private VisibilityOrder snapshots = new VisibilityOrder((txnId, commitTs, firstOfGap) -> {});
    private AssertionEvaluator evaluator = new AssertionEvaluator();
    private ClientWorkload workload;
    private JdbcTables tables;

    @SuppressWarnings("NullAway.Init") // set first
    private KeptTables kept;

    private volatile @Nullable RecordingArchive archive;
    private @Nullable LatencyLog latencies;
    private LongConsumer progress = count -> {};
    private Consumer<String> teller = line -> {};
    private @Nullable ServerLog serverLog;
    private String database = "";
    private long startNs;
    private double seconds;

    public Recording(JdbcAddress address, RecordOptions options) {
        this.address = address;
        this.options = options;
        this.workload = options.programs().newWorkload();
        this.tables = new JdbcTables(address.dialect(), workload.keys(), certificates());
        this.manifest =
                new RecordingManifest(address.shown(), options, certificates().word());
    }

    private Certificates certificates() {
        return options.output().certificates() == Certificates.VERSIONS
                        && options.programs().workload().equals("list")
                ? Certificates.NONE // a list contains its version order
                : options.output().certificates();
    }

    /** Returns the statements that create the tables. */
    public List<String> ddl() {
        return tables.ddl();
    }

    /**
     * Records a history.
     *
     * @param watcher consumer of the number of transactions that have ended since its last call
     * @param adviser consumer of messages for the user, in lines
     * @throws UsageException if the database or the output path does not allow the request; nothing was changed then
     * @throws IOException if the database could not be reached or the disk not written; the recorded part remains
     */
    public RecordedHistory run(LongConsumer watcher, Consumer<String> adviser) throws IOException {
        progress = watcher;
        teller = adviser;
        try (TableMaker ofTables =
                new TableMaker("nightjar record " + options.programs().workload())) {
            RecordingArchive.requireFreeSpace(options.output().output());
            checkIsolation(address.dialect().offered());
            prepare(ofTables);
            try {
                return record();
            } finally {
                leave();
            }
        } catch (IOException failed) {
            if (isStopped && archive == null) {
                throw new RecordingFailedException("stopped before anything was recorded", failed);
            }
            throw failed;
        } finally {
            done.countDown();
        }
    }

    /** Ends the recording early, from another thread, and waits until its archive is complete. */
    public void stop() {
        isStopped = true;
        try {
            if (!done.await(SLOWEST_END_MS, TimeUnit.MILLISECONDS) && archive != null) {
                archive.end(); // sessions wait for a database that does not answer
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException notWritten) {
            forget(notWritten);
        }
    }

    // ---------------------------------------------------------------- before

    private void checkIsolation(@Nullable Set<SqlIsolation> offered) {
        if (offered != null && !offered.contains(options.isolation())) {
            throw new UsageException("isolation level not offered: isolation="
                    + options.isolation().word() + " database="
                    + (database.isEmpty() ? address.dialect().name().toLowerCase(Locale.ROOT) : database)
                    + " offered="
                    + String.join("|", offered.stream().map(SqlIsolation::word).toList()));
        }
    }

    private void prepare(TableMaker maker) throws IOException {
        try {
            kept = KeptTables.of(address, maker, tables, this::forget);
        } catch (SQLException refused) {
            throw cannotConnect(refused);
        }
        try {
            DatabaseMetaData about = kept.about();
            database = DatabaseFacts.name(about);
            if (address.dialect().offered() == null) {
                checkIsolation(DatabaseFacts.offeredBy(about));
            }
            kept.create();
            if (!options.length().warmUp().isZero()) {
                warmUp();
            }
        } catch (SQLException failed) {
            leave();
            throw failed(failed);
        } catch (TableExistsException notOurs) {
            kept.close();
            throw new UsageException("[" + address.shown() + "] " + notOurs.getMessage(), notOurs);
        } catch (RuntimeException e) {
            kept.close();
            throw e;
        }
    }

    private void warmUp() throws IOException, SQLException {
        isWarmingUp = true;
        latencies = new LatencyLog(null);
        begin(options.length().warmUp().toNanos());
        runSessions();
        isWarmingUp = false;
        evaluator = new AssertionEvaluator();
        workload = options.programs().newWorkload();
        tables = new JdbcTables(address.dialect(), workload.keys(), certificates());
        kept.createAgain(tables);
    }

    private void begin(long maxNs) {
        tickets.set(0);
        sessionIds.set(options.clients().sessions());
        startNs = System.nanoTime();
        endNs = maxNs == Long.MAX_VALUE ? Long.MAX_VALUE : startNs + maxNs;
    }

    // ---------------------------------------------------------------- while it runs

    private RecordedHistory record() throws IOException {
        if (isStopped) {
            throw new RecordingFailedException("stopped before anything was recorded", null);
        }
        Path log = AtomicFile.isStream(options.output().output())
                ? null
                : options.output()
                        .output()
                        .toAbsolutePath()
                        .normalize()
                        .resolveSibling(options.output().output().getFileName() + ".hlog");
        try (ServerLog ofServer =
                        ServerLog.begin(address, tables, options.clients().patience(), tickets::get, teller);
                RecordingArchive parts = new RecordingArchive(
                        options.output().output(),
                        options.output().formatName(),
                        workload.keys(),
                        (names, held) -> manifest(names, held, false));
                LatencyLog times = new LatencyLog(log);
                CommitTimestamps commits = new CommitTimestamps(ofServer != null)) {
            serverLog = ofServer;
            snapshots = new VisibilityOrder(commits);
            archive = parts;
            latencies = times;
            return record(parts, commits);
        } finally {
            if (archive != null && archive.earlier() != null) {
                teller.accept("the recording is incomplete; the earlier file is retained: path=" + archive.earlier());
            }
        }
    }

    private RecordedHistory record(RecordingArchive parts, CommitTimestamps commits) throws IOException {
        begin(
                options.length().duration() == null
                        ? Long.MAX_VALUE
                        : options.length().duration().toNanos());
        runSessions();
        seconds = (System.nanoTime() - startNs) / 1e9;
        if (serverLog != null && !isStopped && failure == null) {
            serverLog.finish();
        }
        parts.end();
        throwFailure();
        if (isStopped) {
            throw new RecordingFailedException(
                    "stopped: path=" + options.output().output() + " transactions="
                            + parts.held().totals().transactions()
                            + "; earlier transactions are retained",
                    null);
        }
        requireRecordingTables();
        return publish(parts, commits);
    }

    /**
     * Fails if the tables are no longer ours: locks end with the connection, and another recording may have acquired
     * them.
     */
    private void requireRecordingTables() throws IOException {
        boolean areOurs;
        try {
            areOurs = areTablesOurs();
        } catch (SQLException failed) {
            throw failed(failed);
        }
        if (!areOurs) {
            throw new RecordingFailedException(
                    "[" + address.shown() + "] another recording has taken the tables: path="
                            + options.output().output() + "; discard this recording, record again",
                    null);
        }
    }

    /** Checks ownership for as long as sessions would try to reconnect: a killed server may still be restarting. */
    private boolean areTablesOurs() throws SQLException {
        long untilNs = System.nanoTime() + options.clients().patience().toNanos();
        while (true) {
            try {
                return kept.areOurs();
            } catch (SQLException away) {
                if (isStopped || System.nanoTime() >= untilNs) {
                    throw away;
                }
            }
            try {
                Thread.sleep(WAKE_UP_MS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new SQLException("interrupted", interrupted);
            }
        }
    }

    private RecordedHistory publish(RecordingArchive parts, CommitTimestamps commits) throws IOException {
        snapshots.finish();
        OutcomeProof proof = new OutcomeProof(serverLog, clockOf(System.nanoTime()));
        counts.correctedBy(proof);
        if (serverLog != null && serverLog.isComplete() && !serverLog.hasComeBack()) {
            commits.arrange(serverLog.commits());
        }
        String doubt = snapshots.isNested() ? null : "snapshots are not nested, or are unknown: timestamps omitted";
        boolean isOrdered = tables.hasNestedSnapshots();
        parts.publish(
                slice -> isOrdered ? withCommits(proof.of(slice), commits, doubt == null) : slice,
                serverLog == null || serverLog.isComplete()
                        ? null
                        : "the server's log of changes is incomplete, so its facts remain undecided: "
                                + serverLog.lost(),
                () -> manifest(List.of(), counts, true));
        isComplete = true;
        proof.remarks().forEach(teller);
        evaluator.resolve(proof);
        return recordedHistory(
                counts.totals(),
                doubt == null ? certificates() : Certificates.VERSIONS,
                kept.broken(evaluator, workload),
                doubt,
                null);
    }

    private RecordedHistory recordedHistory(
            RecordedHistory.Totals totals,
            Certificates certificates,
            @Nullable List<Assertion> broken,
            @Nullable String doubt,
            @Nullable String failed) {
        return new RecordedHistory(
                options.output().output().toString(),
                new RecordedHistory.Origin(
                        database, options.isolation().word(), options.programs().workload()),
                totals,
                new RecordedHistory.Proof(certificates.word(), logWord(), doubt),
                seconds,
                broken,
                failed);
    }

    /**
     * Returns the partial result of an interrupted recording.
     *
     * @param reason the reason shown to the user
     * @return null if it is complete
     */
    public @Nullable RecordedHistory incomplete(String reason) {
        if (isComplete) {
            return null;
        }
        RecordingCounts left =
                archive == null || AtomicFile.isStream(options.output().output())
                        ? new RecordingCounts()
                        : archive.held();
        seconds = startNs == 0 ? 0 : (System.nanoTime() - startNs) / 1e9;
        return recordedHistory(left.totals(), certificates(), null, null, reason);
    }

    /** Returns the word for the state of the server's log of changes. */
    private String logWord() {
        return serverLog == null ? "none" : serverLog.isComplete() ? "complete" : "incomplete";
    }

    AssertionEvaluator evaluator() {
        return evaluator;
    }

    private static HistorySlice withCommits(HistorySlice slice, CommitTimestamps commits, boolean areTrue)
            throws IOException {
        long[] starts = new long[slice.txnCount];
        long[] ends = new long[slice.txnCount];
        for (int txn = 0; txn < slice.txnCount; txn++) {
            starts[txn] = areTrue ? slice.startTs[txn] : HistorySlice.NONE;
            boolean mayCount = slice.status[txn] != TxnStatus.ABORTED && areTrue;
            ends[txn] = mayCount ? commits.of(slice.txnId[txn]) : HistorySlice.NONE;
        }
        return slice.withTimestamps(starts, ends);
    }

    private void runSessions() throws IOException {
        unready = new CountDownLatch(options.clients().sessions());
        ClientSession[] sessions = new ClientSession[options.clients().sessions()];
        Thread[] threads = new Thread[options.clients().sessions()];
        for (int number = 0; number < threads.length; number++) {
            sessions[number] = new ClientSession(this, number);
            threads[number] = new Thread(sessions[number], "session-" + number);
            threads[number].setDaemon(true);
            threads[number].start();
        }
        long reported = 0;
        long nextLogNs = startNs + NS_PER_SECOND;
        long silenceNs = maxSilenceNs();
        long answers = -1;
        long answeredNs = System.nanoTime();
        try {
            for (Thread thread : threads) {
                while (thread.isAlive()) {
                    thread.join(WAKE_UP_MS);
                    long now = tickets.get() + counts.transactions() + unready.getCount();
                    if (now != answers) {
                        answers = now;
                        answeredNs = System.nanoTime();
                    } else if (System.nanoTime() - answeredNs > silenceNs) {
                        fail(new RecordingFailedException(
                                "the database has not answered any session: seconds=" + silenceNs / NS_PER_SECOND
                                        + "; earlier transactions are retained",
                                null));
                        hasHung = true;
                        return; // a blocked connection cannot be closed
                    }
                    if (!isWarmingUp) {
                        progress.accept(counts.transactions() - reported);
                        reported = counts.transactions();
                    }
                    if (System.nanoTime() >= nextLogNs) {
                        latencies().writeInterval();
                        nextLogNs += NS_PER_SECOND;
                        kept.prune(snapshots);
                    }
                }
            }
            for (ClientSession session : sessions) {
                session.disconnect();
            }
        } catch (InterruptedException interrupted) {
            isStopped = true;
            Thread.currentThread().interrupt();
        }
        if (isWarmingUp) {
            throwFailure();
        }
    }

    /**
     * Returns the time without answers after which the database counts as blocked; an embedded database has no timeout.
     */
    private long maxSilenceNs() {
        long betweenTwoNs = options.clients().rate() > 0
                ? (long) (NS_PER_SECOND / options.clients().rate())
                : 0;
        return 2 * address.timeout().toNanos() + options.clients().patience().toNanos() + betweenTwoNs;
    }

    private void throwFailure() throws IOException {
        if (failure instanceof IOException storage) {
            throw storage;
        }
        if (failure instanceof RuntimeException wrong) {
            throw wrong;
        }
        if (failure instanceof Error fatal) {
            throw fatal;
        }
    }

    // ---------------------------------------------------------------- for sessions

    JdbcAddress address() {
        return address;
    }

    RecordOptions options() {
        return options;
    }

    ClientWorkload workload() {
        return workload;
    }

    JdbcTables tables() {
        return tables;
    }

    VisibilityOrder snapshots() {
        return snapshots;
    }

    /** Waits until each session is connected or has failed, so that all begin together. */
    void isReady() throws InterruptedException {
        unready.countDown();
        while (!unready.await(WAKE_UP_MS, TimeUnit.MILLISECONDS) && !isOver()) {
            continue;
        }
    }

    boolean isOver() {
        return isStopped || failure != null || System.nanoTime() >= endNs;
    }

    /** Returns the number of the next transaction, from 0; -1 if the limit is reached. */
    long nextTicket() {
        if (isWarmingUp) {
            return tickets.getAndIncrement();
        }
        long ticket = tickets.getAndUpdate(count -> count < options.length().transactions() ? count + 1 : count);
        return ticket < options.length().transactions() ? ticket : -1;
    }

    long nextSessionId() {
        return sessionIds.getAndIncrement();
    }

    /** Returns the planned start of a transaction; the current time without a schedule. */
    long intendedNs(long ticket) {
        long scheduled = scheduledNs(ticket);
        return scheduled < 0 ? System.nanoTime() : scheduled;
    }

    /** Returns the scheduled start of a transaction; -1 without a schedule. */
    long scheduledNs(long ticket) {
        return options.clients().rate() == 0
                ? -1
                : startNs + (long) (ticket * (NS_PER_SECOND / options.clients().rate()));
    }

    /** Returns a time of the shared clock, as nanoseconds of the epoch. */
    long clockOf(long nanoTime) {
        return epochNs + nanoTime;
    }

    /** Creates the list rows that will be needed soon. */
    void makeRows() {
        kept.makeRows();
    }

    /** Records a transaction that may commit later, at a time that a register of commits cannot show. */
    void leftUnknown() {
        if (tables.hasRegister()) {
            snapshots.disable();
        }
    }

    /** Returns the archive for transactions after the warm-up. */
    private RecordingArchive archive() {
        return Objects.requireNonNull(archive);
    }

    /** Returns the latency log, which exists while sessions run. */
    private LatencyLog latencies() {
        return Objects.requireNonNull(latencies);
    }

    VisibilityOrder.Beginning begins(long txnId) {
        if (!isWarmingUp) {
            archive().begin(txnId);
        }
        return snapshots.begin(txnId);
    }

    /** Opens a connection for a session. */
    Connection connect() throws SQLException {
        Connection connection = address.connect();
        if (serverLog != null) {
            try {
                connection.setClientInfo("ApplicationName", serverLog.sessionName());
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        }
        return connection;
    }

    void ended(RecordedTxn txn, long sinceScheduleNs, long tookNs, long expectedNs) throws IOException {
        boolean hasSchedule = options.clients().rate() > 0;
        latencies().add(hasSchedule ? sinceScheduleNs : tookNs, hasSchedule ? 0 : expectedNs);
        snapshots.end(txn.id);
        if (isWarmingUp) {
            return;
        }
        if (serverLog != null) {
            serverLog.commits().recordAcknowledged(txn);
        }
        archive().record(txn);
        counts.add(txn);
    }

    void fail(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        }
    }

    /** Adds the failure of a discarded resource to the failure that ended the recording. */
    void forget(Exception ofNoMatter) {
        if (failure != null && ofNoMatter != failure) {
            failure.addSuppressed(ofNoMatter);
        }
    }

    RecordingFailedException cannotConnect(SQLException reason) {
        return new RecordingFailedException(
                "[" + address.shown() + "] cannot connect: reason=" + address.redact(SqlFailure.text(reason))
                        + address.advice(),
                reason);
    }

    private RecordingFailedException failed(SQLException reason) {
        return new RecordingFailedException(
                "[" + address.shown() + "] database failed: reason=" + address.redact(SqlFailure.text(reason)), reason);
    }

    // ---------------------------------------------------------------- progress

    /** Returns the throughput, outcomes and latencies in one line. */
    public String liveLine() {
        if (isWarmingUp || startNs == 0) {
            return "warming up";
        }
        String times = latencies == null ? "" : latencies.latest();
        return counts.liveText((System.nanoTime() - startNs) / 1e9) + (times.isEmpty() ? "" : ", " + times);
    }

    private byte[] manifest(List<String> parts, RecordingCounts of, boolean isComplete) {
        return manifest.of(database, logWord(), of, isComplete ? List.of("part-00000.parquet") : parts, isComplete);
    }

    // ---------------------------------------------------------------- after

    /** Drops the tables; if blocked sessions still hold locks on them, the tables remain. */
    private void leave() {
        if (hasHung) {
            return;
        }
        String stillThere = kept.leave(options.output().keep());
        if (stillThere != null) {
            teller.accept(
                    "tables of the recording are still there, the next one makes them anew: reason=" + stillThere);
        }
    }
}
