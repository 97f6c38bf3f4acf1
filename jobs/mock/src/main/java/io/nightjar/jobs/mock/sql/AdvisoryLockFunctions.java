package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.MockException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** SQL functions for PostgreSQL's advisory locks and MySQL's named locks; H2 finds the methods by their names. */
public final class AdvisoryLockFunctions {

    /** Method by PostgreSQL function name. */
    static final Map<String, String> METHODS = Map.ofEntries(
            Map.entry("pg_advisory_lock", "lock"),
            Map.entry("pg_advisory_xact_lock", "lockInTransaction"),
            Map.entry("pg_try_advisory_lock", "tryLock"),
            Map.entry("pg_try_advisory_xact_lock", "tryLockInTransaction"),
            Map.entry("pg_advisory_unlock", "unlock"),
            Map.entry("pg_advisory_unlock_all", "unlockAll"));

    /** Method by MySQL function name. */
    static final Map<String, String> OF_MYSQL = Map.ofEntries(
            Map.entry("get_lock", "tryNamed"),
            Map.entry("release_lock", "releaseNamed"),
            Map.entry("is_free_lock", "isFree"),
            Map.entry("release_all_locks", "releaseAll"));

    private AdvisoryLockFunctions() {}

    public static String lock(Connection connection, long number) throws SQLException {
        return taken(take(connection, one(number), false));
    }

    public static String lock(Connection connection, int high, int low) throws SQLException {
        return taken(take(connection, pair(high, low), false));
    }

    public static String lockInTransaction(Connection connection, long number) throws SQLException {
        return taken(take(connection, one(number), true));
    }

    public static String lockInTransaction(Connection connection, int high, int low) throws SQLException {
        return taken(take(connection, pair(high, low), true));
    }

    public static boolean tryLock(Connection connection, long number) {
        return take(connection, one(number), false);
    }

    public static boolean tryLock(Connection connection, int high, int low) {
        return take(connection, pair(high, low), false);
    }

    public static boolean tryLockInTransaction(Connection connection, long number) {
        return take(connection, one(number), true);
    }

    public static boolean tryLockInTransaction(Connection connection, int high, int low) {
        return take(connection, pair(high, low), true);
    }

    public static boolean unlock(Connection connection, long number) {
        return release(connection, one(number));
    }

    public static boolean unlock(Connection connection, int high, int low) {
        return release(connection, pair(high, low));
    }

    public static String unlockAll(Connection connection) {
        releaseAll(connection);
        return "";
    }

    /** Returns 1 if the session now holds the lock, else 0 without waiting, regardless of the timeout. */
    public static int tryNamed(Connection connection, String name, double seconds) {
        return take(connection, named(name), false) ? 1 : 0;
    }

    /** Releases a lock: returns 1 if the session held it, 0 if another session holds it, NULL if it is free. */
    public static @Nullable Integer releaseNamed(Connection connection, String name) {
        SqlContext context = SqlEngine.contextOf(connection);
        boolean isFree = locks(context).isFree(named(name));
        return isFree ? null : Integer.valueOf(release(connection, named(name)) ? 1 : 0);
    }

    public static int isFree(Connection connection, String name) {
        SqlContext context = SqlEngine.contextOf(connection);
        context.mock().standOut();
        return locks(context).isFree(named(name)) ? 1 : 0;
    }

    public static int releaseAll(Connection connection) {
        SqlContext context = SqlEngine.contextOf(connection);
        context.mock().standOut();
        return locks(context).releaseAll(context.mock());
    }

    private static String one(long number) {
        return Long.toString(number);
    }

    private static String pair(int high, int low) {
        return high + "," + low;
    }

    private static String named(String name) {
        return "name " + name.toLowerCase(Locale.ROOT);
    }

    private static boolean take(Connection connection, String key, boolean isOfTransaction) {
        SqlContext context = SqlEngine.contextOf(connection);
        context.mock().standOut();
        return locks(context).take(key, context.mock(), isOfTransaction);
    }

    private static boolean release(Connection connection, String key) {
        SqlContext context = SqlEngine.contextOf(connection);
        context.mock().standOut();
        return locks(context).release(key, context.mock());
    }

    private static String taken(boolean isTaken) throws SQLException {
        if (!isTaken) {
            throw new SQLException(
                    "could not obtain the advisory lock: another session has it, and this server never waits; try again",
                    MockException.SERIALIZATION_FAILURE);
        }
        return "";
    }

    private static AdvisoryLocks locks(SqlContext context) {
        return SqlEngine.of(context.h2().getDatabase()).locks();
    }
}
