package io.nightjar.jobs.record;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.nightjar.datasets.jdbc.JdbcAddress;
import io.nightjar.datasets.jdbc.JdbcSession;
import io.nightjar.datasets.jdbc.JdbcSession.RowMissingException;
import io.nightjar.datasets.jdbc.SqlDialect.Certificates;
import io.nightjar.datasets.jdbc.SqlFailure;
import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.datasets.workload.Program;
import io.nightjar.datasets.workload.RecordedTxn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Client session on one thread: a connection, and one transaction after the other. */
final class ClientSession implements Runnable {

    /*
     * Definitions. Status of a transaction:
     *
     *   committed   commit returned
     *   aborted     the program or the database rolled it back, and the connection survived to report it; or commit
     *               failed with an error that rules out the commit
     *   unknown     the connection broke, the answer did not arrive in time, or commit failed in any other way
     *
     * Invariant. The session's number is not reused after an unknown transaction: that transaction may end at any time,
     * so the next one need not follow it.
     *
     * Layout. A value is the id of its transaction times VALUES_OF_A_TXN, plus the position of the write in it: unique
     * without coordination, and it identifies the writer.
     */

    static final long VALUES_OF_A_TXN = 1_000;

    private static final long FIRST_WAIT_MS = 20;
    private static final long MAX_WAIT_MS = 1_000;
    private static final int MAX_TEXT = 500;

    /** A SELECT with a statement snapshot, processed when the transaction ends. */
    private record PredicateRead(int op, String snapshot, long xid) {}

    private final List<PredicateRead> looks = new ArrayList<>();
    private final Recording recording;
    private final JdbcAddress address;
    private final RecordedTxn txn = new RecordedTxn();
    private final StringBuilder statements = new StringBuilder();
    private final Map<String, String> quotedSql = new HashMap<>();
    private final int number;
    private final String common;
    private long sessionId;
    private long nextSeq;
    private long nextDraw;

    @SuppressWarnings("NullAway.Init") // set when a transaction begins
    private VisibilityOrder.Beginning beginning;

    private long busyNs;
    private long ended;
    private @Nullable JdbcSession session;
    private @Nullable String error;
    private boolean isSpoilt; // the connection may not begin another transaction: DuckDB's does not

    ClientSession(Recording recording, int number) {
        this.recording = recording;
        this.address = recording.address();
        this.number = number;
        this.sessionId = number;
        this.common = "{\"isolation\":" + quoted(recording.options().isolation().word()) + ",\"node\":"
                + quoted(address.node());
    }

    @Override
    public void run() {
        try {
            try {
                isConnected();
            } finally {
                recording.isReady();
            }
            while (!recording.isOver()) {
                int attempts = 1 + recording.options().clients().retries();
                long draw = nextDraw++;
                byte status = TxnStatus.ABORTED;
                for (int i = 0; i < attempts && status == TxnStatus.ABORTED && !txnIsUnwanted(i); i++) {
                    long ticket = recording.nextTicket();
                    if (ticket < 0 || !waitUntil(recording.intendedNs(ticket)) || !isConnected()) {
                        return;
                    }
                    status = attempt(ticket, draw);
                }
            }
        } catch (IOException | RuntimeException | Error failure) {
            recording.fail(failure);
            disconnect(); // other sessions may wait for its locks
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether the program itself rolled back the last attempt. */
    private boolean txnIsUnwanted(int attempt) {
        return attempt > 0 && error == null;
    }

    private boolean waitUntil(long whenNs) throws InterruptedException {
        while (!recording.isOver()) {
            long leftNs = whenNs - System.nanoTime();
            if (leftNs <= 0) {
                return true;
            }
            Thread.sleep(Math.min(50, leftNs / 1_000_000), (int) (leftNs % 1_000_000));
        }
        return false;
    }

    // ---------------------------------------------------------------- the connection

    private boolean isConnected() throws IOException, InterruptedException {
        long sinceNs = System.nanoTime();
        long waitMs = FIRST_WAIT_MS;
        while (session == null) {
            if (recording.isOver()) {
                return false;
            }
            try {
                session = JdbcSession.open(
                        recording.connect(),
                        recording.tables(),
                        recording.options().isolation());
            } catch (SQLException failure) {
                if (System.nanoTime() - sinceNs
                        >= recording.options().clients().patience().toNanos()) {
                    throw recording.cannotConnect(failure);
                }
                Thread.sleep(waitMs);
                waitMs = Math.min(MAX_WAIT_MS, 2 * waitMs);
            }
        }
        return true;
    }

    /**
     * Closes the connection. Not while others run: HSQLDB sessions were observed to block forever after some had closed
     * theirs.
     */
    void disconnect() {
        if (session == null) {
            return;
        }
        try {
            session.close();
        } catch (SQLException alreadyGone) {
            recording.forget(alreadyGone);
        }
        session = null;
    }

    // ---------------------------------------------------------------- a transaction

    private byte attempt(long ticket, long draw) throws IOException {
        SeededRandom random = new SeededRandom(seedOf(draw));
        Program program = recording.workload().next(number, random);
        boolean goesOn = program.hasNext();
        recording.makeRows();
        txn.clear();
        statements.setLength(0);
        looks.clear();
        error = null;
        txn.id = ticket + 1;
        beginning = recording.begins(txn.id);
        long beginNs = System.nanoTime();
        txn.invokeNs = recording.clockOf(beginNs);
        byte status = run(program, goesOn);
        if (status == TxnStatus.COMMITTED) {
            recording.evaluator().committed(program);
        } else if (status == TxnStatus.UNKNOWN) {
            recording.evaluator().unknown(txn.id, program);
        }
        long endNs = System.nanoTime();
        txn.status = status;
        txn.session = sessionId;
        txn.seq = nextSeq++;
        txn.completeNs = status == TxnStatus.UNKNOWN ? HistorySlice.NONE : recording.clockOf(endNs);
        txn.extra = extra();
        busyNs += endNs - beginNs;
        ended++;
        recording.ended(txn, endNs - Math.max(recording.scheduledNs(ticket), 0), endNs - beginNs, busyNs / ended);
        if (status == TxnStatus.UNKNOWN) {
            recording.leftUnknown();
            disconnect();
            sessionId = recording.nextSessionId();
            nextSeq = 0;
        }
        if (isSpoilt) {
            disconnect();
            isSpoilt = false;
        }
        return status;
    }

    private long seedOf(long draw) {
        return new SeededRandom(recording.options().seed() * 0x9E3779B97F4A7C15L + number).next() + draw;
    }

    /** Returns the connection, which exists while a transaction runs. */
    private JdbcSession session() {
        return Objects.requireNonNull(session);
    }

    private byte run(Program program, boolean hasOperations) throws IOException {
        try {
            session().begin(program.mayWrite(), beginning.number(), beginning.oldest());
            boolean goesOn = hasOperations;
            while (goesOn) {
                operate(program);
                goesOn = program.hasNext();
            }
            session().lockRows();
        } catch (SQLException failure) {
            return abandoned(failure);
        } catch (StackOverflowError failure) { // HSQLDB's deadlock search sometimes recurses without end
            return abandoned(new SQLException("the driver's stack overflowed", failure));
        }
        recordCertificates();
        return program.isRolledBack() ? rollBack() : commit();
    }

    private byte abandoned(SQLException failure) throws IOException {
        error = text(failure);
        recordCertificates();
        return abandon(failure);
    }

    private void operate(Program program) throws SQLException {
        int key = program.key();
        if (program.selects()) {
            select(program, key);
            return;
        }
        if (program.reads()) {
            if (program.readsForUpdate() && recording.options().programs().locks()) {
                session().readForUpdate(key);
            } else {
                session().read(key);
            }
            recordRead(program, key);
            return;
        }
        if (program.deletes()) {
            txn.add(OpKind.DELETE, key, 0, 0);
            if (!session().delete(key)) {
                txn.last().kind = OpKind.READ_NOTHING;
            }
            recordStatement();
            program.done(0);
            return;
        }
        long value = txn.id * VALUES_OF_A_TXN + txn.opCount;
        byte kind = program.appends() ? OpKind.APPEND : OpKind.WRITE;
        txn.add(kind, key, program.amount(), value); // before it is sent: it may take effect without an answer
        session().write(key, program.amount(), value);
        recordStatement();
        txn.last().rowVersion = session().rowVersion();
        program.done(0);
    }

    private void select(Program program, int firstKey) throws SQLException {
        session().select(firstKey, program.amount(), program.greatest());
        recordStatement();
        int op = txn.beginSelect(firstKey, program.amount(), program.greatest());
        if (session().statementSnapshot() != null) {
            looks.add(new PredicateRead(
                    op, session().statementSnapshot(), session().statementXid()));
        }
        for (int row = 0; row < session().selected(); row++) {
            recordRow(session().take(row));
        }
        program.done(txn.endSelect(op));
    }

    private void recordRead(Program program, int key) {
        recordStatement();
        if (session().elements() != null) {
            txn.add(OpKind.READ_LIST, key, 0, 0);
            txn.last().elements = session().elements();
            if (recording.tables().certificates() != Certificates.NONE) {
                txn.last().rowVersion = session().elements().length; // each append creates one version
            }
            program.done(0);
            return;
        }
        recordRow(key);
        program.done(session().amount());
    }

    private void recordRow(int key) {
        boolean isInitial = session().value() == 0;
        txn.add(
                isInitial ? OpKind.READ_NOTHING : OpKind.READ,
                key,
                session().amount(),
                session().value());
        txn.last().rowVersion = isInitial ? HistorySlice.NONE : session().rowVersion();
        if (!isInitial && session().rowVersion() != HistorySlice.NONE) {
            txn.last().writer = session().value() / VALUES_OF_A_TXN;
        }
    }

    private void recordStatement() {
        statements
                .append(statements.length() == 0 ? "" : ",")
                .append(quotedSql.computeIfAbsent(session().sql(), ClientSession::quoted));
    }

    private void recordCertificates() {
        for (PredicateRead predicateRead : looks) {
            txn.op(predicateRead.op).readTs = recording
                    .snapshots()
                    .statement(predicateRead.snapshot, session().serverStart(), predicateRead.xid);
        }
        if (session().registered() != null) {
            txn.start = recording.snapshots().start(txn.id, beginning, session().registered());
        } else if (session().snapshot() != null) {
            txn.start = recording
                    .snapshots()
                    .start(txn.id, session().snapshot(), session().serverStart());
        } else if (recording.tables().certificates() == Certificates.SNAPSHOTS) {
            txn.start = session().startTs();
        }
    }

    private byte commit() {
        long sentNs = System.nanoTime();
        byte status;
        try {
            session().commit();
            status = TxnStatus.COMMITTED;
        } catch (SQLException failure) {
            error = text(failure);
            status = SqlFailure.isCommitRefused(failure, address.isEmbedded())
                            && !SqlFailure.isBroken(failure, session().connection(), address.dialect())
                    ? abort()
                    : TxnStatus.UNKNOWN;
        }
        if (status != TxnStatus.ABORTED) {
            txn.commit = session().commitTs();
            if (session().isRegistered() && status == TxnStatus.COMMITTED) {
                recording.snapshots().hasCommitted(txn.id, beginning.number(), sentNs);
            } else if (session().xid() != HistorySlice.NONE) {
                recording
                        .snapshots()
                        .mayHaveCommitted(
                                txn.id, session().xid(), sentNs, session().serverStart());
            }
        }
        return status;
    }

    private byte abandon(SQLException failure) {
        boolean isBroken = !(failure instanceof RowMissingException)
                && SqlFailure.isBroken(failure, session().connection(), address.dialect());
        if (!isBroken) {
            return rollBack();
        }
        if (session().xid() != HistorySlice.NONE) {
            recording
                    .snapshots()
                    .mayHaveCommitted(
                            txn.id,
                            session().xid(),
                            System.nanoTime(),
                            session().serverStart());
        }
        return TxnStatus.UNKNOWN;
    }

    /** Ends a transaction that did not commit; some databases have ended it already, others require a rollback. */
    private byte abort() {
        try {
            session().rollback();
        } catch (SQLException alreadyEnded) {
            recording.forget(alreadyEnded);
            isSpoilt = true;
        }
        return TxnStatus.ABORTED;
    }

    private byte rollBack() {
        try {
            session().rollback();
            return TxnStatus.ABORTED;
        } catch (SQLException failure) {
            error = error == null ? text(failure) : error;
            return TxnStatus.UNKNOWN;
        }
    }

    // ---------------------------------------------------------------- database information

    private String text(SQLException failure) {
        String text = address.redact(SqlFailure.text(failure));
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }

    private String extra() {
        StringBuilder object = new StringBuilder(common);
        if (statements.length() > 0) {
            object.append(",\"statements\":[").append(statements).append(']');
        }
        if (session().snapshot() != null) {
            object.append(",\"snapshot\":").append(quoted(session().snapshot()));
        }
        if (session().xid() != HistorySlice.NONE) {
            object.append(",\"xid\":").append(quoted(Long.toString(session().xid())));
        }
        if (error != null) {
            object.append(",\"error\":").append(quoted(error));
        }
        return object.append('}').toString();
    }

    private static String quoted(String text) {
        return "\"" + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }
}
