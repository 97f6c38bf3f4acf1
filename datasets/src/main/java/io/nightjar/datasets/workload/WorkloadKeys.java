package io.nightjar.datasets.workload;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a workload by number: plain numbers with plain numbers as values, or the rows of tables. A row contains
 * one amount, and a version that makes it different from every other row ever written.
 */
public final class WorkloadKeys {

    /**
     * A table of a workload.
     *
     * @param column the name of the amount
     * @param first the key of its first row
     * @param initial the amount of a row before its first write
     */
    public record Table(String name, @Nullable String column, int first, int rows, long initial) {}

    private final List<Table> tables = new ArrayList<>();
    /** The amount of a missing row, where rows are inserted and deleted. */
    public static final long ABSENT = -(1L << 23);

    private boolean areLists;
    private boolean comeAndGo;
    private volatile int count;

    /** Returns keys from 0 to {@code count - 1} that are numbers. */
    public static WorkloadKeys numbers(int count) {
        WorkloadKeys keys = new WorkloadKeys();
        keys.count = count;
        return keys;
    }

    /** Makes keys like {@link #numbers}, of lists; there will be more of them. */
    public static WorkloadKeys lists(int count) {
        WorkloadKeys keys = numbers(count);
        keys.areLists = true;
        return keys;
    }

    public static WorkloadKeys tables() {
        return new WorkloadKeys();
    }

    /** Returns keys of rows that are inserted and deleted; none is there at the beginning. */
    static WorkloadKeys rowsThatComeAndGo() {
        WorkloadKeys keys = new WorkloadKeys();
        keys.comeAndGo = true;
        return keys;
    }

    /**
     * Adds a table.
     *
     * @param column the name of the amount
     * @param initial the amount of a row before its first write
     * @return the key of its first row
     */
    public int table(String name, String column, int rows, long initial) {
        int first = count;
        tables.add(new Table(name, column, first, rows, initial));
        count = Math.addExact(count, rows);
        return first;
    }

    public int count() {
        return count;
    }

    /** Ensures that at least this many keys exist, if they are lists. */
    synchronized void grow(int minCount) {
        count = Math.max(count, minCount);
    }

    public boolean areLists() {
        return areLists;
    }

    /** Returns whether rows are inserted and deleted. */
    public boolean comeAndGo() {
        return comeAndGo;
    }

    /** Returns the tables in the order of their keys; none if keys are numbers. */
    public List<Table> inTables() {
        return List.copyOf(tables);
    }

    public boolean areNumbers() {
        return tables.isEmpty();
    }

    /** Returns the amount of a row before its first write. */
    public long initial(int key) {
        return areNumbers() ? 0 : tableOf(key).initial;
    }

    /** Returns the name of a key, such as {@code account/3}. */
    public String name(int key) {
        Table table = tableOf(key);
        return table.name + "/" + (key - table.first);
    }

    /** Returns the table of a row. */
    public String relation(int key) {
        return tableOf(key).name;
    }

    /** Returns the name of the amount of a row. */
    public @Nullable String column(int key) {
        return tableOf(key).column;
    }

    /**
     * Returns a row as JSON, members in their order.
     *
     * @param version {@code HistorySlice.NONE} to omit it
     */
    public String row(int key, long amount, long version) {
        String column = tableOf(key).column;
        String first = "\"" + column + "\":" + amount;
        if (version == HistorySlice.NONE) {
            return "{" + first + "}";
        }
        String second = "\"v\":" + version;
        return requireNonNull(column).compareTo("v") < 0
                ? "{" + first + "," + second + "}"
                : "{" + second + "," + first + "}";
    }

    private Table tableOf(int key) {
        int number = tables.size() - 1;
        while (tables.get(number).first > key) {
            number--;
        }
        return tables.get(number);
    }
}
