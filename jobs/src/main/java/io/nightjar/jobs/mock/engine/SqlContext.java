package io.nightjar.jobs.mock.engine;

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

/** What the tables have to know of the statement that runs in a session of H2. */
final class SqlContext {

    private final SessionLocal h2;
    private final MockSession mock;
    private StatementKind kind = StatementKind.OTHER;
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

    /** Returns what each setting of the client is. */
    UnaryOperator<String> settings() {
        return settings;
    }

    void settings(UnaryOperator<String> by) {
        settings = by;
    }

    /** Settings that the statement has changed by a function, which take effect behind it. */
    List<AskedSetting> asked() {
        return asked;
    }

    /** A statement of this kind runs from now on. */
    void begin(StatementKind next) {
        kind = next;
        asked.clear();
        constraints = 0;
        inserted = null;
        loaded = 0;
    }

    /** How many rows a statement has put into the tables that it makes or alters. */
    long loaded() {
        return loaded;
    }

    /** A row was inserted whose table makes keys. */
    void inserted(Value key) {
        inserted = inserted == null ? key : inserted;
    }

    /**
     * The key of the first row that the statement has inserted, or what it has given as such; 0 if there is none.
     *
     * @param before what was given last before it
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
     * How the statement reads a table.
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

    /** How the statement reads a column of a table that it reads so: what it merely copies is outside of the history. */
    MockSession.Manner mannerOfCell(MockTable table, String column, MockSession.Manner manner) {
        boolean isCopied = kind.named() != null
                && kind.isTarget(table.getName())
                && !kind.named().contains(column);
        return isCopied ? MockSession.Manner.OUTSIDE : manner;
    }

    /** The columns that the statement gives values, null if only the values tell. */
    @Nullable
    Set<String> assigned() {
        return kind.assigned();
    }

    private MockSession.Manner ofConstraints() {
        return mock.shared().options().reads().constraintsReadNewest()
                ? MockSession.Manner.OUTSIDE
                : MockSession.Manner.WEAK;
    }

    /** How rows are read to judge a constraint. */
    MockSession.Manner mannerOfConstraints() {
        return kind.changesTables() ? MockSession.Manner.OUTSIDE : ofConstraints();
    }

    /** How an insertion reads the row of its key: that it succeeds reveals that there was none. */
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
