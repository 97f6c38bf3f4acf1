package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.MockSession;
import io.nightjar.jobs.mock.ObjectSpace;
import io.nightjar.jobs.mock.RowObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.h2.engine.SessionLocal;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;

/** State of the statement that runs in an H2 session, as used by the tables. */
final class SqlContext {

    private final SessionLocal h2;
    private final MockSession mock;
    private StatementEffects kind = StatementEffects.OTHER;
    private UnaryOperator<String> settings = name -> null;
    private final List<AskedSetting> asked = new ArrayList<>();
    private int constraints;
    private @Nullable Value inserted;
    private long loaded;

    SqlContext(SessionLocal h2, MockSession mock) {
        this.h2 = h2;
        this.mock = mock;
    }

    SessionLocal h2() {
        return h2;
    }

    MockSession mock() {
        return mock;
    }

    /** Returns the source of client settings. */
    UnaryOperator<String> settings() {
        return settings;
    }

    void settings(UnaryOperator<String> by) {
        settings = by;
    }

    /** Settings that the statement changed by calling a function, which take effect after it. */
    List<AskedSetting> asked() {
        return asked;
    }

    /** Starts a statement with these effects. */
    void begin(StatementEffects next) {
        kind = next;
        asked.clear();
        constraints = 0;
        inserted = null;
        loaded = 0;
    }

    /** Returns the number of rows that a statement loaded into the tables that it creates or alters. */
    long loaded() {
        return loaded;
    }

    /** Records an inserted row of a table that generates keys. */
    void inserted(Value key) {
        inserted = inserted == null ? key : inserted;
    }

    /**
     * Returns the key of the first row that the statement inserted, or the key that it set explicitly; 0 if none.
     *
     * @param before the last explicitly set key before the statement
     */
    long insertedKey(Value before) {
        Value given = h2.getLastIdentity() == before ? ValueNull.INSTANCE : h2.getLastIdentity();
        Value key = inserted == null ? given : inserted;
        return key == ValueNull.INSTANCE ? 0 : key.getLong();
    }

    void beginConstraint() {
        constraints++;
    }

    void endConstraint() {
        constraints--;
    }

    /**
     * Returns the mode in which the statement reads a table.
     *
     * @param isOfKey whether it reads the row of a key
     */
    MockSession.Manner manner(MockTable table, boolean isOfKey) {
        if (kind.changesTables()) {
            return MockSession.Manner.OUTSIDE;
        }
        if (constraints > 0) {
            return ofConstraints();
        }
        if (kind.isTarget(table.getName())) {
            if (isOfKey && !table.isByCell() && kind.blindKey() != null && table.hasPrimaryKey(kind.blindKey())) {
                return MockSession.Manner.EXISTENCE;
            }
            return mock.shared().options().reads().updatesReadNewest()
                    ? MockSession.Manner.LOCKED
                    : MockSession.Manner.WEAK;
        }
        return MockSession.Manner.WEAK;
    }

    /**
     * Returns the mode in which the statement reads a column of a table; columns that it only copies are outside of the
     * history.
     */
    MockSession.Manner mannerOfCell(MockTable table, String column, MockSession.Manner manner) {
        boolean isCopied = kind.named() != null
                && kind.isTarget(table.getName())
                && !kind.named().contains(column);
        return isCopied ? MockSession.Manner.OUTSIDE : manner;
    }

    /** Returns the columns that the statement assigns, null if only the values determine them. */
    @Nullable
    Set<String> assigned() {
        return kind.assigned();
    }

    private MockSession.Manner ofConstraints() {
        return mock.shared().options().reads().constraintsReadNewest()
                ? MockSession.Manner.OUTSIDE
                : MockSession.Manner.WEAK;
    }

    /** Returns the mode of reads that check a constraint. */
    MockSession.Manner mannerOfConstraints() {
        return kind.changesTables() ? MockSession.Manner.OUTSIDE : ofConstraints();
    }

    /** Returns the mode in which an insert reads the row of its key: success reveals its absence. */
    MockSession.Manner mannerOfInsertion() {
        MockSession.Manner manner = mannerOfConstraints();
        return manner == MockSession.Manner.OUTSIDE && !kind.changesTables() ? MockSession.Manner.EXISTENCE : manner;
    }

    void checkAtCommit(RowObject object, BooleanSupplier isStillUnique) {
        if (!kind.changesTables()) {
            mock.checkAtCommit(object, isStillUnique);
        }
    }

    /** @param content null to delete it */
    void write(ObjectSpace space, RowObject object, @Nullable Object content, LongFunction<String> text) {
        if (kind.changesTables()) {
            mock.load(space, object, content, text);
            loaded++;
        } else {
            mock.write(space, object, content, text);
        }
    }
}
