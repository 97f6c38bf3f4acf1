package io.nightjar.jobs.record;

import io.nightjar.datasets.jdbc.JdbcAddress;
import io.nightjar.datasets.jdbc.JdbcTables;
import io.nightjar.datasets.jdbc.SqlDialect;
import io.nightjar.datasets.jdbc.SqlFailure;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationConnection;
import org.postgresql.replication.PGReplicationStream;

/** PostgreSQL's log of changes during a recording, read through a dedicated logical slot. */
final class ServerLog implements Closeable {

    /*
     * Algorithm. The slot is created before the first session begins; a thread reads it until a marker written after
     * the last transaction, and the slot is dropped. Entries are stored on disk; after each commit the position is
     * confirmed, so that the server can discard its log up to it.
     *
     * Invariant. The log is complete if everything up to the marker was read. After a broken connection the server
     * resumes at the confirmed position, and entries already read are recognized by their position. The log is
     * incomplete
     *
     *   if the slot is gone, or the server has discarded entries that it had not sent (max_slot_wal_keep_size)
     *   if the server restarted without entries that it had sent: its log ended before them
     *   if the server stays unreachable, or the marker does not arrive
     *
     * Then nothing is derived from it. An unknown transaction is aborted if it is missing from a complete log and can
     * no longer be committed: so remaining server sessions are ended before the marker is written.
     */

    private static final long IDLE_MS = 10;
    private static final long AGAIN_MS = 50;
    private static final long MAX_JOIN_MS = 5_000;
    private static final Duration MIN_WAIT = Duration.ofSeconds(10);
    private static final String MARKER_PREFIX = "nightjar";
    private static final String NO_SUCH_SLOT = "42704";
    private static final String SLOT_UNUSABLE = "55000";

    private final JdbcAddress address;
    private final ReplicationSlot slot;
    private final LoggedCommits commits = new LoggedCommits();
    private final DecodedText text;
    private final long patienceNs;
    private final long waitNs;
    private final LongSupplier begun;
    private final Consumer<String> teller;
    private final Thread thread = new Thread(this::readAll, "server-log");
    private volatile boolean isOver;
    private volatile boolean isComplete;
    private volatile @Nullable String lost;
    private volatile long contacts;
    private volatile boolean hasComeBack;
    private boolean isFenced;
    private LogSequenceNumber reached = LogSequenceNumber.INVALID_LSN;
    private long serverStart;
    private long writer;
    private long writes;
    private boolean hasRows;
    private boolean isForeign;

    private ServerLog(
            JdbcAddress address,
            ReplicationSlot slot,
            DecodedText text,
            Duration patience,
            LongSupplier begun,
            Consumer<String> teller)
            throws IOException {
        this.begun = begun;
        this.address = address;
        this.slot = slot;
        this.text = text;
        this.patienceNs = patience.toNanos();
        this.waitNs = Math.max(MIN_WAIT.toNanos(), address.timeout().toNanos());
        this.teller = teller;
    }

    /**
     * Starts reading the log, if the database has one and permits it; otherwise reports the reason.
     *
     * @param begun number of transactions started; their ids count from 1
     * @param teller consumer of messages for the user
     * @return null without a log
     */
    static @Nullable ServerLog begin(
            JdbcAddress address, JdbcTables tables, Duration patience, LongSupplier begun, Consumer<String> teller)
            throws IOException {
        if (address.dialect() != SqlDialect.POSTGRESQL || tables.certificates() != SqlDialect.Certificates.SNAPSHOTS) {
            return null;
        }
        if (tables.comeAndGo()) {
            teller.accept("the log of the server is not read: it does not identify the transaction that deleted a row");
            return null;
        }
        ReplicationSlot slot = new ReplicationSlot(address, teller);
        String schema = slot.create();
        if (schema == null) {
            return null;
        }
        ServerLog log = null;
        try {
            log = new ServerLog(address, slot, new DecodedText(tables, schema), patience, begun, teller);
            log.serverStart = slot.serverStart();
            log.thread.setDaemon(true);
            log.thread.start();
            return log;
        } catch (SQLException failed) {
            teller.accept("no log of the server: reason=" + address.redact(SqlFailure.text(failed)));
            log.close();
            return null;
        }
    }

    /** Returns the session name of this recording, by which its remaining server sessions are found. */
    String sessionName() {
        return slot.name();
    }

    LoggedCommits commits() {
        return commits;
    }

    /** Returns whether all commits are known. */
    boolean isComplete() {
        return isComplete;
    }

    /**
     * Returns whether the server restarted during the recording, so that it may have lost commits missing from its log.
     */
    boolean hasComeBack() {
        return hasComeBack;
    }

    /** Returns whether a transaction missing from a complete log can no longer commit. */
    boolean isFenced() {
        return isFenced;
    }

    /** Returns the reason why the log is incomplete; null if it is complete. */
    @Nullable
    String lost() {
        return lost;
    }

    // ---------------------------------------------------------------- reading

    private void readAll() {
        long lastNs = System.nanoTime();
        long known = -1;
        while (!isOver && lost == null && !isComplete) {
            try (Connection connection = connect()) {
                checkServer();
                read(connection);
            } catch (SQLException broken) {
                String state = String.valueOf(broken.getSQLState());
                if (state.equals(NO_SUCH_SLOT) || state.equals(SLOT_UNUSABLE)) {
                    lose("the slot has lost changes that it had not sent: reason="
                            + address.redact(SqlFailure.text(broken)));
                }
                if (contacts != known) {
                    known = contacts;
                    lastNs = System.nanoTime();
                }
                if (System.nanoTime() - lastNs > patienceNs) {
                    lose("the server does not send its log: reason=" + address.redact(SqlFailure.text(broken)));
                }
                pause(AGAIN_MS);
            } catch (IOException | RuntimeException failed) {
                lose("it cannot be kept: reason=" + failed);
            }
        }
    }

    private void lose(String why) {
        if (!isOver && !isComplete && lost == null) {
            lost = why;
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("replication", "database");
        properties.setProperty("assumeMinServerVersion", "12");
        properties.setProperty("preferQueryMode", "simple");
        properties.setProperty("ApplicationName", slot.name() + "_log");
        return address.connect(properties);
    }

    /** Checks that a restarted server still has everything it had sent. */
    private void checkServer() throws SQLException {
        long started = slot.serverStart();
        if (started == serverStart) {
            return;
        }
        hasComeBack = true;
        if (LogSequenceNumber.valueOf(slot.recoveredUpTo()).asLong() < reached.asLong()) {
            lose("the server came back without the end of its log: had sent=" + reached.asString());
        }
        serverStart = started;
    }

    private void read(Connection connection) throws SQLException, IOException {
        if (!connection.isWrapperFor(PGConnection.class)) {
            lose("another driver is used, which is not known to send it: class="
                    + connection.getClass().getName());
            return;
        }
        PGReplicationStream stream = replication(connection)
                .replicationStream()
                .logical()
                .withSlotName(slot.name())
                .withStartPosition(reached)
                .withSlotOption("skip-empty-xacts", true)
                .withStatusInterval(1, TimeUnit.SECONDS)
                .start();
        contacts++;
        try (stream) {
            while (!isOver && lost == null && !isComplete) {
                ByteBuffer message = stream.readPending();
                if (message == null) {
                    pause(IDLE_MS);
                    continue;
                }
                contacts++;
                String one = new String(
                        message.array(),
                        message.arrayOffset() + message.position(),
                        message.remaining(),
                        StandardCharsets.UTF_8);
                take(one, stream);
            }
        }
    }

    @SuppressWarnings("NullAway") // the driver annotates this package with a class it does not include: javac warns
    private static PGReplicationConnection replication(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getReplicationAPI();
    }

    private void take(String message, PGReplicationStream stream) throws IOException {
        switch (text.read(message)) {
            case BEGIN -> clear();
            case WRITE -> {
                boolean isOurs = text.writer() > 0 && text.writer() <= begun.getAsLong();
                isForeign |= !isOurs || hasRows && text.writer() != writer;
                writer = text.writer();
                writes += text.write();
                hasRows = true;
            }
            case FOREIGN -> isForeign = true;
            case COMMIT -> {
                LogSequenceNumber position = stream.getLastReceiveLSN();
                if (position.asLong() > reached.asLong()) {
                    commit();
                    reached = position;
                }
                stream.setFlushedLSN(reached);
                stream.setAppliedLSN(reached);
                clear();
            }
            case MESSAGE -> isComplete |= text.content().equals(slot.name());
            default -> {
                return;
            }
        }
    }

    private void clear() {
        writes = 0;
        hasRows = false;
        isForeign = false;
    }

    private void commit() throws IOException {
        if (isForeign) {
            commits.addForeign();
        } else if (hasRows) {
            commits.add(writer, writes);
        }
    }

    // ---------------------------------------------------------------- the end

    /** Reads the remaining log up to a marker; requires that no session begins a transaction any more. */
    void finish() throws IOException {
        mark();
        long known = contacts;
        long sinceNs = System.nanoTime();
        while (!isComplete && lost == null) {
            if (contacts != known) {
                known = contacts;
                sinceNs = System.nanoTime();
            } else if (System.nanoTime() - sinceNs > waitNs) {
                lose("its end did not come: seconds=" + TimeUnit.NANOSECONDS.toSeconds(waitNs));
            }
            pause(IDLE_MS);
            if (Thread.currentThread().isInterrupted()) {
                lose("interrupted");
            }
        }
        if (lost != null) {
            teller.accept("the server's log is incomplete, so its facts remain undecided: " + lost);
        }
    }

    /** Writes the marker, after a restart of the server if necessary. */
    private void mark() {
        long untilNs = System.nanoTime() + patienceNs;
        while (lost == null) {
            try {
                isFenced = slot.endSessions(waitNs);
                slot.mark(MARKER_PREFIX);
                return;
            } catch (SQLException failed) {
                if (System.nanoTime() > untilNs || Thread.currentThread().isInterrupted()) {
                    lose("its end cannot be marked: reason=" + address.redact(SqlFailure.text(failed)));
                }
                pause(AGAIN_MS);
            }
        }
    }

    /** Drops the slot. */
    @Override
    public void close() throws IOException {
        isOver = true;
        try {
            thread.join(MAX_JOIN_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        slot.drop();
        commits.close();
    }
}
