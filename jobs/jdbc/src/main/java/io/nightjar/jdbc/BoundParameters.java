package io.nightjar.jdbc;

import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The values set for the parameters of a prepared statement, with the setter used. */
final class BoundParameters {

    /** One call that set a parameter. */
    private record Setting(Method method, Object[] args) {}

    private final TreeMap<Integer, Setting> settings = new TreeMap<>();

    void set(Method method, Object[] args) {
        settings.put((Integer) args[0], new Setting(method, args));
    }

    void clear() {
        settings.clear();
    }

    BoundParameters copy() {
        BoundParameters copy = new BoundParameters();
        copy.settings.putAll(settings);
        return copy;
    }

    /** Sets them again. */
    void setAll(PreparedStatement statement) throws Throwable {
        for (Setting each : settings.values()) {
            ProxyCalls.on(statement, each.method, each.args);
        }
    }

    /** Sets some of them on another statement, which counts them from 1. */
    void setSome(int first, int count, PreparedStatement other) throws SQLException {
        for (Setting each : settings.subMap(first, first + count).values()) {
            Object[] args = each.args.clone();
            args[0] = (Integer) args[0] - first + 1;
            ProxyCalls.ask(() -> ProxyCalls.on(other, each.method, args));
        }
    }

    /** Returns whether parameters can be set again; values consumed while they are set cannot. */
    boolean canBeSetAgain(int first, int count) {
        return settings.subMap(first, first + count).values().stream()
                .noneMatch(each -> each.args[1] instanceof InputStream || each.args[1] instanceof Reader);
    }

    /** Returns the value of a parameter; null for null, and for a parameter not set. */
    @Nullable
    Object value(int parameter) {
        Setting setting = settings.get(parameter);
        return setting == null || setting.method.getName().equals("setNull") ? null : setting.args[1];
    }

    List<@Nullable Object> values(int first, int count) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(value(first + i));
        }
        return values;
    }
}
