package io.nightjar.jobs.record;

import io.nightjar.datasets.jdbc.JdbcAddress;
import io.nightjar.datasets.jdbc.JdbcTables;
import io.nightjar.datasets.jdbc.SqlFailure;
import io.nightjar.datasets.jdbc.TableExistsException;
import io.nightjar.datasets.jdbc.TableMaker;
import io.nightjar.datasets.workload.Assertion;
import io.nightjar.datasets.workload.ClientWorkload;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tables of a recording and their administrative connection, from creation to removal. */
final class KeptTables {

    private final JdbcAddress address;
    private final TableMaker maker;
    private final Consumer<Exception> forgetting; // receives failures that have no consequence
    private JdbcTables tables;
    private Connection admin;
    private long prunedBelow;
    private long prunedWhenBegun;

    private KeptTables(
            JdbcAddress address,
            TableMaker maker,
            JdbcTables tables,
            Consumer<Exception> forgetting,
            Connection admin) {
        this.address = address;
        this.maker = maker;
        this.tables = tables;
        this.forgetting = forgetting;
        this.admin = admin;
    }

    /** Connects without creating the tables. */
    static KeptTables of(JdbcAddress address, TableMaker maker, JdbcTables tables, Consumer<Exception> forgetting)
            throws SQLException {
        return new KeptTables(address, maker, tables, forgetting, address.connect());
    }

    /** Returns the database's metadata. */
    DatabaseMetaData about() throws SQLException {
        return admin.getMetaData();
    }

    /**
     * Creates the tables with their rows.
     *
     * @throws TableExistsException if a table of that name belongs to others, or is in use; nothing was changed then
     */
    void create() throws SQLException {
        tables.create(admin, maker);
    }

    /** Replaces the tables by others. */
    void createAgain(JdbcTables others) throws SQLException {
        tables = others;
        prunedBelow = 0;
        prunedWhenBegun = 0;
        create();
    }

    /** Creates the list rows that will be needed soon. */
    void makeRows() {
        if (!tables.needsLists()) {
            return;
        }
        try {
            synchronized (this) {
                run(() -> tables.growLists(admin));
            }
        } catch (SQLException failed) {
            reconnect(failed);
        }
    }

    /**
     * Deletes numbers from the register of commits that no open transaction reads. When all transactions have ended
     * that had started by the last call, the open ones read only numbers from the then oldest transaction on.
     */
    void prune(VisibilityOrder snapshots) {
        if (!tables.hasRegister() || snapshots.oldest() < prunedWhenBegun) {
            return;
        }
        try {
            synchronized (this) {
                run(() -> tables.prune(admin, prunedBelow));
            }
        } catch (SQLException failed) {
            reconnect(failed);
        }
        prunedBelow = snapshots.oldest();
        prunedWhenBegun = snapshots.begun();
    }

    /** A statement to the database. */
    @FunctionalInterface
    private interface Task {
        void run() throws SQLException;
    }

    private void run(Task task) throws SQLException {
        address.answer(() -> {
            task.run();
            return null;
        });
    }

    private synchronized void reconnect(SQLException failed) {
        if (!SqlFailure.isBroken(failed, admin, address.dialect())) {
            return; // busy: the next transaction tries again
        }
        try {
            Connection broken = admin;
            admin = address.connect();
            run(broken::close);
            run(() -> tables.lock(admin));
        } catch (TableExistsException notYet) {
            forgetting.accept(notYet); // the broken connection may still hold the lock; ownership is checked at the end
        } catch (SQLException stillAway) {
            forgetting.accept(stillAway);
        }
    }

    /**
     * Returns whether the tables still belong to this recording: the locks end with the connection, and another may
     * have acquired them.
     */
    boolean areOurs() throws SQLException {
        return address.answer(() -> {
            renew();
            return tables.areOf(admin, maker);
        });
    }

    /** Returns the assertions that do not hold for the content of the tables; null if unknown. */
    @Nullable
    List<Assertion> broken(AssertionEvaluator evaluator, ClientWorkload workload) {
        try {
            return address.answer(() -> evaluator.broken(workload, tables, admin));
        } catch (SQLException cannotBeRead) {
            forgetting.accept(cannotBeRead);
            return null;
        }
    }

    private void renew() throws SQLException {
        if (admin.isClosed() || !admin.isValid(1)) {
            admin = address.connect();
        }
    }

    /**
     * Drops the tables, or leaves them to the next recording.
     *
     * @return the reason why the tables could not be dropped, null if they were or should remain; the next recording
     *     recreates them
     */
    @Nullable
    String leave(boolean keep) {
        try {
            run(() -> {
                renew();
                if (keep) {
                    tables.leave(admin, maker);
                } else {
                    tables.drop(admin, maker);
                }
            });
        } catch (SQLException stillThere) {
            forgetting.accept(stillThere);
            return address.redact(SqlFailure.text(stillThere));
        }
        close();
        return null;
    }

    void close() {
        try {
            admin.close();
        } catch (SQLException alreadyGone) {
            forgetting.accept(alreadyGone);
        }
    }
}
