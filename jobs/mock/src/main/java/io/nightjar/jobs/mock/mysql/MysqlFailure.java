package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.mock.MockException;
import java.util.Map;

/**
 * An error in MySQL's form.
 *
 * @param code MySQL's error number
 * @param state MySQL's SQLSTATE, which often differs from PostgreSQL's
 */
record MysqlFailure(int code, String state, String message) {

    private record Known(int code, String state) {}

    private static final Map<String, Known> BY_STATE = Map.ofEntries(
            Map.entry("40001", new Known(1213, "40001")),
            Map.entry("23505", new Known(1062, "23000")),
            Map.entry("23502", new Known(1048, "23000")),
            Map.entry("23503", new Known(1452, "23000")),
            Map.entry("23514", new Known(3819, "HY000")),
            Map.entry("42601", new Known(1064, "42000")),
            Map.entry("42P01", new Known(1146, "42S02")),
            Map.entry("42P07", new Known(1050, "42S01")),
            Map.entry("42703", new Known(1054, "42S22")),
            Map.entry("42701", new Known(1060, "42S21")),
            Map.entry("42702", new Known(1052, "23000")),
            Map.entry("42710", new Known(1061, "42000")),
            Map.entry("42704", new Known(1193, "HY000")),
            Map.entry("42883", new Known(1305, "42000")),
            Map.entry("42803", new Known(1055, "42000")),
            Map.entry("42P06", new Known(1007, "HY000")),
            Map.entry("3F000", new Known(1049, "42000")),
            Map.entry("3B001", new Known(1305, "42000")),
            Map.entry("2BP01", new Known(3730, "HY000")),
            Map.entry("21S01", new Known(1136, "21S01")),
            Map.entry("2BP00", new Known(1701, "42000")),
            Map.entry("22032", new Known(3141, "22032")),
            Map.entry("42S12", new Known(1091, "42000")),
            Map.entry("0A000", new Known(1235, "42000")),
            Map.entry("22001", new Known(1406, "22001")),
            Map.entry("22003", new Known(1264, "22003")),
            Map.entry("22007", new Known(1292, "22007")),
            Map.entry("22P02", new Known(1366, "HY000")),
            Map.entry("22023", new Known(1231, "42000")),
            Map.entry("22012", new Known(1365, "22012")),
            Map.entry("25P03", new Known(1317, "70100")),
            Map.entry("57014", new Known(1317, "70100")),
            Map.entry("25006", new Known(1792, "25006")),
            Map.entry("57P01", new Known(1053, "08S01")),
            Map.entry("53200", new Known(1037, "HY001")),
            Map.entry("53100", new Known(1021, "HY000")),
            Map.entry("08P01", new Known(1047, "08S01")),
            Map.entry("55000", new Known(1568, "25001")));

    /** Error for a row that other rows refer to. */
    private static final Known PARENT = new Known(1451, "23000");

    private static final Known UNKNOWN = new Known(1105, "HY000");

    static MysqlFailure of(MockException failed) {
        boolean isParent = failed.violation() != null && failed.violation().isOfParent();
        Known known = isParent ? PARENT : BY_STATE.getOrDefault(failed.sqlState(), UNKNOWN);
        return new MysqlFailure(known.code(), known.state(), failed.getMessage());
    }
}
