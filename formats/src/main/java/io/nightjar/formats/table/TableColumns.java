package io.nightjar.formats.table;

import io.nightjar.formats.text.BadRowException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Mapping of the columns of one file to roles: by the names that the user gave, otherwise by the usual names. */
final class TableColumns {

    private static final Cell NOTHING = new Cell();
    private static final ColumnRole[] ROLES = ColumnRole.values();

    private final TableRows rows;
    private final Map<ColumnRole, String> given;
    private final Cell[] cellOf = new Cell[ROLES.length];
    private int roles; // roles of existing columns, as bits
    private int known = -1;
    private int[] others = new int[0];
    private boolean[] isRole = new boolean[0];

    TableColumns(TableRows rows, Map<ColumnRole, String> given) {
        this.rows = rows;
        this.given = given;
        update();
    }

    /** Adds new columns; called for each row, since a file that names columns in each row may contain a new one. */
    void update() {
        if (rows.columns().size() == known) {
            return;
        }
        known = rows.columns().size();
        Arrays.fill(cellOf, NOTHING);
        roles = 0;
        Map<ColumnRole, Integer> found = new EnumMap<>(ColumnRole.class);
        List<Integer> rest = new ArrayList<>();
        for (int column = 0; column < known; column++) {
            String name = rows.columns().get(column);
            ColumnRole role = roleOf(name);
            if (role == null || found.putIfAbsent(role, column) != null) {
                rest.add(column);
            }
        }
        isRole = new boolean[known];
        found.forEach((role, column) -> {
            cellOf[role.ordinal()] = rows.cell(column);
            roles |= bits(role);
            isRole[column] = true;
        });
        others = rest.stream()
                .filter(column -> !isIndex(rows.columns().get(column)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private @Nullable ColumnRole roleOf(String name) {
        for (Map.Entry<ColumnRole, String> entry : given.entrySet()) {
            if (entry.getValue().equals(name)) {
                return entry.getKey();
            }
        }
        ColumnRole role = ColumnRole.named(name);
        return role != null && given.containsKey(role) ? null : role;
    }

    /** Returns whether a column is the unnamed index of a data frame, which is ignored. */
    private static boolean isIndex(String name) {
        return name.isEmpty() || name.startsWith("Unnamed: ") || name.startsWith("__index_level_");
    }

    /**
     * Fails if a required column is missing.
     *
     * @param areAllKnown whether later rows cannot have further columns
     */
    void check(boolean areAllKnown) {
        for (Map.Entry<ColumnRole, String> entry : given.entrySet()) {
            if (areAllKnown && !has(entry.getKey())) {
                throw BadRowException.of("column missing").with("column=" + entry.getValue() + " present=" + present());
            }
        }
        for (ColumnRole role : List.of(ColumnRole.TXN, ColumnRole.OP, ColumnRole.KEY)) {
            if (!has(role)) {
                throw BadRowException.of("no column contains the " + role.spelling() + " of an operation")
                        .with("present=" + present())
                        .advise("name it with --map " + role.spelling() + "=COLUMN");
            }
        }
        if (areAllKnown && !has(ColumnRole.VALUE) && !has(ColumnRole.ELEMENTS)) {
            throw BadRowException.of("no column contains the value of an operation")
                    .with("present=" + present())
                    .advise("name it with --map value=COLUMN");
        }
    }

    private String present() {
        List<String> names = new ArrayList<>();
        for (int column = 0; column < known; column++) {
            names.add(rows.columns().get(column));
        }
        return String.join(",", names);
    }

    boolean has(ColumnRole role) {
        return hasAny(1 << role.ordinal());
    }

    /** Returns roles as bits, for {@link #hasAny}. */
    static int bits(ColumnRole... of) {
        int bits = 0;
        for (ColumnRole role : of) {
            bits |= 1 << role.ordinal();
        }
        return bits;
    }

    /**
     * Returns whether one of the roles has a column; a single test for all roles, because most tables have few columns.
     */
    boolean hasAny(int bits) {
        return (roles & bits) != 0;
    }

    /** Returns the cell of the current row; a null cell if the role has no column. */
    Cell cell(ColumnRole role) {
        return cellOf[role.ordinal()];
    }

    boolean hasRole(int column) {
        return isRole[column];
    }

    /** Returns the columns without a role. */
    int[] others() {
        return others;
    }
}
