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

/** The tables of a recording and the connection that looks after them, from when they are made until they are left. */
final class KeptTables {

    private final JdbcAddress address;
    private final TableMaker maker;
    private final Consumer<Exception> forgetting; // of what went wrong and does not matter
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

    /** Connects; nothing is made yet. */
    static KeptTables of(JdbcAddress address, TableMaker maker, JdbcTables tables, Consumer<Exception> forgetting)
            throws SQLException {
        return new KeptTables(address, maker, tables, forgetting, address.connect());
    }

    /** Returns what the database says of itself. */
    DatabaseMetaData about() throws SQLException {
        return admin.getMetaData();
    }

    /**
     * Makes the tables with their rows.
     *
     * @throws TableExistsException if a table of that name is not the recording's, or in use; nothing was changed then
     */
    void create() throws SQLException {
        tables.create(admin, maker);
    }

    /** Makes others in their place. */
    void createAgain(JdbcTables others) throws SQLException {
        tables = others;
        prunedBelow = 0;
        prunedWhenBegun = 0;
        create();
    }

    /** Makes the rows of lists that will be needed soon. */
    void makeRows() {
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
            reconnect(failed);
        }
    }

    /**
     * Takes numbers out of the register of commits that no open transaction asks for: when all have ended that had begun at the last call, the
     * others have asked for those from the one on that was the oldest then.
     */
    void prune(VisibilityOrder snapshots) {
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
            reconnect(failed);
        }
        prunedBelow = snapshots.oldest();
        prunedWhenBegun = snapshots.begun();
    }

    private synchronized void reconnect(SQLException failed) {
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
            forgetting.accept(notYet); // the broken connection may still hold it; the end looks whose the tables are
        } catch (SQLException stillAway) {
            forgetting.accept(stillAway);
        }
    }

    /** Whether they still are those of this recording: locks go with the connection, and another may have taken them meanwhile. */
    boolean areOurs() throws SQLException {
        return address.answer(() -> {
            renew();
            return tables.areOf(admin, maker);
        });
    }

    /** The assertions that do not hold of what is in the tables; null if unknown. */
    @Nullable
    List<Assertion> broken(AssertionJudge judge, ClientWorkload workload) {
        try {
            return address.answer(() -> judge.broken(workload, tables, admin));
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
     * Takes the tables away, or leaves them to the next recording.
     *
     * @return why they are still there though they should not be, null if they are not; the next recording makes them anew
     */
    @Nullable
    String leave(boolean keep) {
        try {
            address.answer(() -> {
                renew();
                if (keep) {
                    tables.leave(admin, maker);
                } else {
                    tables.drop(admin, maker);
                }
                return null;
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
