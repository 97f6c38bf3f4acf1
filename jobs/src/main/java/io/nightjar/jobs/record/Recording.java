package io.nightjar.jobs.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
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
import io.nightjar.formats.file.HiddenFile;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.jobs.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One recording: sessions run a workload against a database until enough has been seen, and the archive is made of that. */
public final class Recording {

    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long WAKE_UP_MS = 100;

    private static final long SLOWEST_END_MS = 8_000;
    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)*");

    private final JdbcAddress address;
    private final RecordOptions options;
    private final AtomicLong tickets = new AtomicLong();
    private final AtomicLong sessionIds = new AtomicLong();
    private final LongAdder committed = new LongAdder();
    private final LongAdder aborted = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder operations = new LongAdder();
    private final CountDownLatch done = new CountDownLatch(1);
    private final String startedAt = Instant.now().toString();
    private final long epochNs = System.currentTimeMillis() * 1_000_000L - System.nanoTime();
    private volatile boolean isStopped;
    private volatile Throwable failure;
    private volatile long endNs = Long.MAX_VALUE;
    private volatile boolean isWarmingUp;
    private boolean hasHung;
    private volatile CountDownLatch unready;
    private NestedSnapshots snapshots = new NestedSnapshots((txnId, commitTs, firstOfGap) -> {});
    private AssertionJudge judge = new AssertionJudge();
    private long prunedBelow;
    private long prunedWhenBegun;
    private ClientWorkload workload;
    private JdbcTables tables;
    private TableMaker maker;
    private Connection admin;
    private RecordingArchive archive;
    private LatencyLog latencies;
    private LongConsumer progress = count -> {};
    private Consumer<String> teller = line -> {};
    private ServerLog serverLog;
    private LogProof proof = new LogProof(null, 0);
    private String database = "";
    private long startNs;
    private double seconds;

    public Recording(JdbcAddress address, RecordOptions options) {
        this.address = address;
        this.options = options;
        this.workload = options.newWorkload();
        this.tables = new JdbcTables(address.dialect(), workload.keys(), certificates());
    }

    private Certificates certificates() {
        return options.certificates() == Certificates.VERSIONS
                        && options.workload().equals("list")
                ? Certificates.NONE // a list is its own order of versions
                : options.certificates();
    }

    /** The statements that make the tables. */
    public List<String> ddl() {
        return tables.ddl();
    }

    /**
     * Records.
     *
     * @param watcher told how many transactions have ended since it was told before
     * @param adviser told what a person should know, in lines
     * @throws UsageException if the database or the place does not allow what was asked for; nothing was changed then
     * @throws IOException if the database could not be reached or the disk not written; what was recorded stays
     */
    public RecordedHistory run(LongConsumer watcher, Consumer<String> adviser) throws IOException {
        progress = watcher;
        teller = adviser;
        try (TableMaker ofTables = new TableMaker("nightjar record " + options.workload())) {
            maker = ofTables;
            checkPlace();
            checkIsolation(address.dialect().offered());
            prepare();
            try {
                return record();
            } finally {
                leave();
            }
        } finally {
            done.countDown();
        }
    }

    /** Ends the recording early and waits until its archive is in order, from another thread. */
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

    private void checkPlace() throws IOException {
        Path out = options.out();
        if (HiddenFile.isStream(out)) {
            return;
        }
        Path parent = out.toAbsolutePath().normalize().getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            throw new UsageException("no such directory: path=" + parent + "; make it first");
        }
        Path earlier = RecordingArchive.earlierOf(out);
        if (Files.isRegularFile(out) && Files.exists(earlier)) {
            throw new UsageException("output exists: path=" + earlier
                    + " holds=what was there before a recording that did not end; remove it or move it elsewhere");
        }
        if (!Files.isDirectory(out)) {
            return;
        }
        try (java.util.stream.Stream<Path> files = Files.list(out)) {
            if (files.findAny().isEmpty()) {
                return;
            }
        }
        String what = Files.exists(out.resolve(RecordingArchive.MANIFEST)) ? "a recording" : "something";
        throw new UsageException(
                "output exists: path=" + out + " holds=" + what + "; remove it or choose another place");
    }

    private void checkIsolation(Set<SqlIsolation> offered) {
        if (offered != null && !offered.contains(options.isolation())) {
            throw new UsageException("isolation level not offered: isolation="
                    + options.isolation().word() + " database="
                    + (database.isEmpty() ? address.dialect().name().toLowerCase(Locale.ROOT) : database)
                    + " offered="
                    + String.join("|", offered.stream().map(SqlIsolation::word).toList()));
        }
    }

    private void prepare() throws IOException {
        try {
            admin = address.connect();
        } catch (SQLException refused) {
            throw cannotConnect(refused);
        }
        try {
            DatabaseMetaData about = admin.getMetaData();
            database = name(about);
            if (address.dialect().offered() == null) {
                checkIsolation(offeredBy(about));
            }
            tables.create(admin, maker);
            if (!options.warmUp().isZero()) {
                warmUp();
            }
        } catch (SQLException failed) {
            leave();
            throw failed(failed);
        } catch (TableExistsException notOurs) {
            close(admin);
            throw new UsageException("[" + address.shown() + "] " + notOurs.getMessage(), notOurs);
        } catch (RuntimeException e) {
            close(admin);
            throw e;
        }
    }

    private static String name(DatabaseMetaData about) throws SQLException {
        Matcher version = VERSION.matcher(about.getDatabaseProductVersion());
        return about.getDatabaseProductName() + (version.find() ? " " + version.group() : "");
    }

    private static Set<SqlIsolation> offeredBy(DatabaseMetaData about) throws SQLException {
        Set<SqlIsolation> offered = EnumSet.noneOf(SqlIsolation.class);
        int[] levels = {
            Connection.TRANSACTION_READ_UNCOMMITTED,
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE
        };
        SqlIsolation[] words = {
            SqlIsolation.READ_UNCOMMITTED,
            SqlIsolation.READ_COMMITTED,
            SqlIsolation.REPEATABLE_READ,
            SqlIsolation.SERIALIZABLE
        };
        for (int i = 0; i < levels.length; i++) {
            if (about.supportsTransactionIsolationLevel(levels[i])) {
                offered.add(words[i]);
            }
        }
        return offered;
    }

    private void warmUp() throws IOException, SQLException {
        isWarmingUp = true;
        latencies = new LatencyLog(null);
        begin(options.warmUp().toNanos());
        runSessions();
        isWarmingUp = false;
        judge = new AssertionJudge();
        workload = options.newWorkload();
        tables = new JdbcTables(address.dialect(), workload.keys(), certificates());
        tables.create(admin, maker);
    }

    private void begin(long longestNs) {
        tickets.set(0);
        prunedBelow = 0;
        prunedWhenBegun = 0;
        sessionIds.set(options.sessions());
        startNs = System.nanoTime();
        endNs = longestNs == Long.MAX_VALUE ? Long.MAX_VALUE : startNs + longestNs;
    }

    // ---------------------------------------------------------------- while it runs

    private RecordedHistory record() throws IOException {
        if (isStopped) {
            throw new RecordingFailedException("stopped before anything was recorded", null);
        }
        Path log = HiddenFile.isStream(options.out())
                ? null
                : options.out()
                        .toAbsolutePath()
                        .normalize()
                        .resolveSibling(options.out().getFileName() + ".hlog");
        try (ServerLog ofServer = ServerLog.begin(address, tables, options.patience(), tickets::get, teller);
                RecordingArchive parts = new RecordingArchive(
                        options.out(), options.formatName(), workload.keys(), names -> manifest(names, false));
                LatencyLog times = new LatencyLog(log);
                CommitPlaces commits = new CommitPlaces(ofServer != null)) {
            serverLog = ofServer;
            snapshots = new NestedSnapshots(commits);
            archive = parts;
            latencies = times;
            return record(parts, commits);
        } finally {
            if (archive != null && archive.earlier() != null) {
                teller.accept(
                        "the recording is not complete; what was there before is kept: path=" + archive.earlier());
            }
        }
    }

    private RecordedHistory record(RecordingArchive parts, CommitPlaces commits) throws IOException {
        begin(options.duration() == null ? Long.MAX_VALUE : options.duration().toNanos());
        runSessions();
        seconds = (System.nanoTime() - startNs) / 1e9;
        if (serverLog != null && !isStopped && failure == null) {
            serverLog.finish();
        }
        parts.end();
        throwFailure();
        if (isStopped) {
            throw new RecordingFailedException(
                    "stopped: path=" + options.out() + " transactions=" + transactions()
                            + "; what was recorded until then is there",
                    null);
        }
        requireOwnTables();
        return publish(parts, commits);
    }

    /** Locks go with the connection, and a database that went away may have given the tables to another recording. */
    private void requireOwnTables() throws IOException {
        boolean areOurs;
        try {
            areOurs = address.answer(() -> {
                renewAdmin();
                return tables.areOf(admin, maker);
            });
        } catch (SQLException failed) {
            throw failed(failed);
        }
        if (!areOurs) {
            throw new RecordingFailedException(
                    "[" + address.shown() + "] another recording has taken the tables meanwhile: path=" + options.out()
                            + "; do not trust what is there, record again",
                    null);
        }
    }

    private void renewAdmin() throws SQLException {
        if (admin.isClosed() || !admin.isValid(1)) {
            admin = address.connect();
        }
    }

    private RecordedHistory publish(RecordingArchive parts, CommitPlaces commits) throws IOException {
        snapshots.finish();
        proof = new LogProof(serverLog, clockOf(System.nanoTime()));
        if (serverLog != null && serverLog.isComplete() && !serverLog.hasComeBack()) {
            commits.arrange(serverLog.commits());
        }
        String doubt = snapshots.isNested()
                ? null
                : "snapshots are not nested in each other, or cannot be told: timestamps left out";
        boolean isOrdered = tables.hasNestedSnapshots();
        parts.publish(
                slice -> isOrdered ? withCommits(proof.of(slice), commits, doubt == null) : slice,
                () -> manifest(List.of(), true));
        proof.remarks().forEach(teller);
        List<Assertion> broken = brokenAssertions();
        return new RecordedHistory(
                options.out().toString(),
                database,
                options.isolation().word(),
                options.workload(),
                transactions(),
                committed(),
                aborted(),
                unknown(),
                operations.sum(),
                (doubt == null ? certificates() : Certificates.VERSIONS).word(),
                logWord(),
                seconds,
                broken == null ? List.of() : broken,
                broken != null,
                doubt);
    }

    /** What is known of the server's log of changes. */
    private String logWord() {
        return serverLog == null ? "none" : serverLog.isComplete() ? "complete" : "incomplete";
    }

    private List<Assertion> brokenAssertions() {
        try {
            return address.answer(() -> judge.broken(workload, tables, admin));
        } catch (SQLException cannotBeRead) {
            forget(cannotBeRead);
            return null;
        }
    }

    AssertionJudge judge() {
        return judge;
    }

    private static HistorySlice withCommits(HistorySlice slice, CommitPlaces commits, boolean areTrue)
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
        unready = new CountDownLatch(options.sessions());
        ClientSession[] sessions = new ClientSession[options.sessions()];
        Thread[] threads = new Thread[options.sessions()];
        for (int number = 0; number < threads.length; number++) {
            sessions[number] = new ClientSession(this, number);
            threads[number] = new Thread(sessions[number], "session-" + number);
            threads[number].setDaemon(true);
            threads[number].start();
        }
        long told = 0;
        long nextLogNs = startNs + NS_PER_SECOND;
        long silenceNs = longestSilenceNs();
        long answers = -1;
        long answeredNs = System.nanoTime();
        try {
            for (Thread thread : threads) {
                while (thread.isAlive()) {
                    thread.join(WAKE_UP_MS);
                    long now = transactions() + operations.sum() + unready.getCount();
                    if (now != answers) {
                        answers = now;
                        answeredNs = System.nanoTime();
                    } else if (System.nanoTime() - answeredNs > silenceNs) {
                        fail(new RecordingFailedException(
                                "the database has not answered any session: seconds=" + silenceNs / NS_PER_SECOND
                                        + "; what was recorded until then is there",
                                null));
                        hasHung = true;
                        return; // a connection that hangs cannot be closed
                    }
                    if (!isWarmingUp) {
                        progress.accept(transactions() - told);
                        told = transactions();
                    }
                    if (System.nanoTime() >= nextLogNs) {
                        latencies.writeInterval();
                        nextLogNs += NS_PER_SECOND;
                        pruneRegister();
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

    /** How long no session may get an answer before the database counts as hanging; an embedded one knows no time-out. */
    private long longestSilenceNs() {
        long betweenTwoNs = options.rate() > 0 ? (long) (NS_PER_SECOND / options.rate()) : 0;
        return 2 * address.timeout().toNanos() + options.patience().toNanos() + betweenTwoNs;
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

    NestedSnapshots snapshots() {
        return snapshots;
    }

    /** A session has its connection, or never will: all begin together. */
    void isReady() throws InterruptedException {
        unready.countDown();
        while (!unready.await(WAKE_UP_MS, TimeUnit.MILLISECONDS) && !isOver()) {
            continue;
        }
    }

    boolean isOver() {
        return isStopped || failure != null || System.nanoTime() >= endNs;
    }

    /** The number of the next transaction, from 0; -1 if there have been enough. */
    long nextTicket() {
        if (isWarmingUp) {
            return tickets.getAndIncrement();
        }
        long ticket = tickets.getAndUpdate(count -> count < options.transactions() ? count + 1 : count);
        return ticket < options.transactions() ? ticket : -1;
    }

    long nextSessionId() {
        return sessionIds.getAndIncrement();
    }

    /** When a transaction is to begin; now if there is no schedule. */
    long intendedNs(long ticket) {
        long scheduled = scheduledNs(ticket);
        return scheduled < 0 ? System.nanoTime() : scheduled;
    }

    /** When a transaction is to begin by the schedule; -1 if there is none. */
    long scheduledNs(long ticket) {
        return options.rate() == 0 ? -1 : startNs + (long) (ticket * (NS_PER_SECOND / options.rate()));
    }

    /** The clock of all sessions, as nanoseconds of the epoch. */
    long clockOf(long nanoTime) {
        return epochNs + nanoTime;
    }

    /** Makes the rows of lists that will be needed soon. */
    void makeRows() throws IOException {
        if (!tables.needsLists()) {
            return;
        }
        try {
            synchronized (this) {
                address.answer(() -> {
                    tables.growLists(admin);
                    return null;
                });
            }
        } catch (SQLException failed) {
            reconnectAdmin(failed);
        }
    }

    /**
     * Takes numbers out of the register of commits that no open transaction asks for: when all have ended that had begun at the last call, the
     * others have asked for those from the one on that was the oldest then.
     */
    private void pruneRegister() throws IOException {
        if (!tables.hasRegister() || snapshots.oldest() < prunedWhenBegun) {
            return;
        }
        try {
            synchronized (this) {
                address.answer(() -> {
                    tables.prune(admin, prunedBelow);
                    return null;
                });
            }
        } catch (SQLException failed) {
            reconnectAdmin(failed);
        }
        prunedBelow = snapshots.oldest();
        prunedWhenBegun = snapshots.begun();
    }

    /** A transaction may commit later than anybody knows; a register of commits cannot tell when. */
    void leftUnknown() {
        if (tables.hasRegister()) {
            snapshots.giveUp();
        }
    }

    private synchronized void reconnectAdmin(SQLException failed) throws IOException {
        if (!SqlFailure.isBroken(failed, admin, address.dialect())) {
            return; // busy: the next transaction tries again
        }
        try {
            Connection broken = admin;
            admin = address.connect();
            address.answer(() -> {
                broken.close();
                return null;
            });
            address.answer(() -> tables.lock(admin));
        } catch (TableExistsException notYet) {
            forget(notYet); // the broken connection may still hold it; the end looks whose the tables are
        } catch (SQLException stillAway) {
            forget(stillAway);
        }
    }

    NestedSnapshots.Beginning begins(long txnId) {
        if (!isWarmingUp) {
            archive.begin(txnId);
        }
        return snapshots.begin(txnId);
    }

    /** A connection for a session. */
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
        boolean hasSchedule = options.rate() > 0;
        latencies.add(hasSchedule ? sinceScheduleNs : tookNs, hasSchedule ? 0 : expectedNs);
        snapshots.end(txn.id);
        if (isWarmingUp) {
            return;
        }
        if (serverLog != null) {
            serverLog.commits().tell(txn);
        }
        archive.record(txn);
        switch (txn.status) {
            case TxnStatus.COMMITTED -> committed.increment();
            case TxnStatus.ABORTED -> aborted.increment();
            default -> unknown.increment();
        }
        operations.add(txn.opCount);
    }

    void fail(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        }
    }

    /** What went wrong while something was given up anyway. */
    void forget(Exception ofNoMatter) {
        if (failure != null && ofNoMatter != failure) {
            failure.addSuppressed(ofNoMatter);
        }
    }

    RecordingFailedException cannotConnect(SQLException reason) {
        return new RecordingFailedException(
                "[" + address.shown() + "] cannot connect: reason=" + address.redact(SqlFailure.text(reason)), reason);
    }

    private RecordingFailedException failed(SQLException reason) {
        return new RecordingFailedException(
                "[" + address.shown() + "] database failed: reason=" + address.redact(SqlFailure.text(reason)), reason);
    }

    // ---------------------------------------------------------------- what is known meanwhile

    private long transactions() {
        return committed.sum() + aborted.sum() + unknown.sum();
    }

    /** Transactions a second, outcomes and latencies, in one line. */
    public String liveLine() {
        double since = Math.max(1e-3, (System.nanoTime() - startNs) / 1e9);
        String times = latencies == null ? "" : latencies.latest();
        if (isWarmingUp || startNs == 0) {
            return "warming up";
        }
        long inDoubt = unknown.sum();
        return String.format(
                Locale.ROOT,
                "%,.0f/s, %,d aborted%s%s",
                transactions() / since,
                aborted.sum(),
                inDoubt == 0 ? "" : String.format(Locale.ROOT, ", %,d unknown", inDoubt),
                times.isEmpty() ? "" : ", " + times);
    }

    private long committed() {
        return committed.sum() + proof.committed();
    }

    private long aborted() {
        return aborted.sum() + proof.aborted();
    }

    private long unknown() {
        return unknown.sum() - proof.committed() - proof.aborted();
    }

    private byte[] manifest(List<String> parts, boolean isComplete) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeNumberField("schema", 1);
            json.writeBooleanField("complete", isComplete);
            json.writeStringField("made_by", "nightjar record");
            json.writeStringField("database", database);
            json.writeStringField("url", address.shown());
            json.writeStringField("isolation", options.isolation().word());
            json.writeStringField("workload", options.workload());
            json.writeNumberField("sessions", options.sessions());
            json.writeNumberField("seed", options.seed());
            json.writeStringField("certificates", certificates().word());
            json.writeStringField("log", logWord());
            json.writeStringField("started_at", startedAt);
            json.writeStringField("written_at", Instant.now().toString());
            json.writeNumberField("transactions", transactions());
            json.writeNumberField("committed", committed());
            json.writeNumberField("aborted", aborted());
            json.writeNumberField("unknown", unknown());
            json.writeNumberField("operations", operations.sum());
            json.writeArrayFieldStart("parts");
            for (String part : isComplete ? List.of("part-00000.parquet") : parts) {
                json.writeString(part);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] text = bytes.toByteArray();
        byte[] line = Arrays.copyOf(text, text.length + 1);
        line[text.length] = '\n';
        return line;
    }

    // ---------------------------------------------------------------- after

    /** Takes the tables away; where sessions hang for ever they hold locks on them, and so they stay. */
    private void leave() {
        if (hasHung) {
            return;
        }
        try {
            address.answer(() -> {
                renewAdmin();
                if (options.keep()) {
                    tables.leave(admin, maker);
                } else {
                    tables.drop(admin, maker);
                }
                return null;
            });
        } catch (SQLException stillThere) {
            forget(stillThere); // they are listed as ours, and the next recording makes them again
            return;
        }
        close(admin);
    }

    private void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException alreadyGone) {
            forget(alreadyGone);
        }
    }
}
