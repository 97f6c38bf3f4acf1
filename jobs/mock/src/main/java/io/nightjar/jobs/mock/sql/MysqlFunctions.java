package io.nightjar.jobs.mock.sql;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;

/** MySQL functions that H2 lacks or defines differently; they return NULL where MySQL does. */
public final class MysqlFunctions {

    /** Name prefix of each function, which hides it from PostgreSQL clients. */
    public static final String PREFIX = "nightjar_";

    /** Method by MySQL function name. */
    private static final Map<String, String> METHODS = Map.ofEntries(
            Map.entry("date_format", "dateFormat"),
            Map.entry("time_format", "timeFormat"),
            Map.entry("str_to_date", "stringToDate"),
            Map.entry("last_day", "lastDay"),
            Map.entry("timestampdiff", "timestampDiff"),
            Map.entry("microsecond", "microsecond"),
            Map.entry("field", "field"),
            Map.entry("find_in_set", "findInSet"),
            Map.entry("elt", "elt"),
            Map.entry("format", "format"),
            Map.entry("substring_index", "substringIndex"),
            Map.entry("hex", "hex"),
            Map.entry("strcmp", "compare"));

    private MysqlFunctions() {}

    /** Returns whether this class implements a MySQL function. */
    public static boolean has(String name) {
        return METHODS.containsKey(name)
                || MysqlJson.METHODS.containsKey(name)
                || AdvisoryLockFunctions.OF_MYSQL.containsKey(name);
    }

    /** Returns the statements that register the functions in a new database. */
    static List<String> aliases() {
        List<String> aliases = new ArrayList<>();
        METHODS.forEach((name, method) -> aliases.add(alias(name, MysqlFunctions.class, method)));
        MysqlJson.METHODS.forEach((name, method) -> aliases.add(alias(name, MysqlJson.class, method)));
        AdvisoryLockFunctions.OF_MYSQL.forEach(
                (name, method) -> aliases.add(alias(name, AdvisoryLockFunctions.class, method)));
        return aliases;
    }

    private static String alias(String name, Class<?> of, String method) {
        return "CREATE ALIAS IF NOT EXISTS " + PREFIX + name + " FOR '" + of.getName() + "." + method + "'";
    }

    private static boolean isNull(@Nullable Value value) {
        return value == null || value == ValueNull.INSTANCE;
    }

    // ---------------------------------------------------------------- dates and times

    /** Returns a date or time value as a timestamp; null for any other value. */
    private static @Nullable LocalDateTime time(Value value) {
        if (isNull(value)) {
            return null;
        }
        String text = value.getString().strip().replace('T', ' ');
        try {
            if (text.matches("\\d{8}")) {
                return LocalDate.of(
                                Integer.parseInt(text.substring(0, 4)),
                                Integer.parseInt(text.substring(4, 6)),
                                Integer.parseInt(text.substring(6)))
                        .atStartOfDay();
            }
            String[] fields = text.split(" ", 2);
            String[] date = fields[0].split("-");
            if (date.length != 3) {
                return null;
            }
            LocalDate day =
                    LocalDate.of(Integer.parseInt(date[0]), Integer.parseInt(date[1]), Integer.parseInt(date[2]));
            return day.atTime(fields.length == 1 ? LocalTime.MIDNIGHT : clock(fields[1]));
        } catch (NumberFormatException | DateTimeException none) {
            return null;
        }
    }

    /** Parses a time of day, including short forms such as {@code 9:5}. */
    private static LocalTime clock(String text) {
        String[] fields = text.split("[+-]")[0].split(":");
        if (fields.length > 3) {
            throw new DateTimeException("no time");
        }
        BigDecimal seconds = fields.length < 3 ? BigDecimal.ZERO : new BigDecimal(fields[2]);
        int whole = seconds.intValue();
        return LocalTime.of(
                Integer.parseInt(fields[0]),
                fields.length < 2 ? 0 : Integer.parseInt(fields[1]),
                whole,
                seconds.subtract(BigDecimal.valueOf(whole)).movePointRight(9).intValue());
    }

    /** Returns a value as a date and time; a time without a date has an arbitrary day. */
    private static @Nullable LocalDateTime timeOfDay(Value value) {
        if (isNull(value)) {
            return null;
        }
        if (value.getString().contains("-")) {
            return time(value);
        }
        try {
            return LocalDate.EPOCH.atTime(clock(value.getString().strip()));
        } catch (NumberFormatException | DateTimeException none) {
            return null;
        }
    }

    public static @Nullable String dateFormat(Value value, @Nullable String format) throws SQLException {
        LocalDateTime time = time(value);
        return time == null || format == null ? null : MysqlDates.format(time, format, true);
    }

    public static @Nullable String timeFormat(Value value, @Nullable String format) throws SQLException {
        LocalDateTime time = timeOfDay(value);
        return time == null || format == null ? null : MysqlDates.format(time, format, false);
    }

    /** Parses a time by a format, null if the text does not match; the day is arbitrary if the format has none. */
    public static @Nullable LocalDateTime stringToDate(@Nullable String text, @Nullable String format)
            throws SQLException {
        return text == null || format == null ? null : MysqlDates.parse(text, format);
    }

    public static @Nullable LocalDate lastDay(Value value) {
        LocalDateTime time = time(value);
        return time == null
                ? null
                : time.toLocalDate().withDayOfMonth(time.toLocalDate().lengthOfMonth());
    }

    /** Returns the number of whole units between two times. */
    public static @Nullable Long timestampDiff(String unit, Value from, Value to) throws SQLException {
        LocalDateTime first = time(from);
        LocalDateTime second = time(to);
        if (first == null || second == null) {
            return null;
        }
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "microsecond" -> ChronoUnit.MICROS.between(first, second);
            case "second" -> ChronoUnit.SECONDS.between(first, second);
            case "minute" -> ChronoUnit.MINUTES.between(first, second);
            case "hour" -> ChronoUnit.HOURS.between(first, second);
            case "day" -> ChronoUnit.DAYS.between(first, second);
            case "week" -> ChronoUnit.WEEKS.between(first, second);
            case "month" -> ChronoUnit.MONTHS.between(first, second);
            case "quarter" -> ChronoUnit.MONTHS.between(first, second) / 3;
            case "year" -> ChronoUnit.YEARS.between(first, second);
            default -> throw new SQLException("syntax error: TIMESTAMPDIFF has no unit " + unit, "42601");
        };
    }

    public static @Nullable Integer microsecond(Value value) {
        LocalDateTime time = timeOfDay(value);
        return time == null ? null : time.getNano() / 1_000;
    }

    // ---------------------------------------------------------------- text

    /** Returns the position of the first argument among the others, from 1; 0 if absent. */
    public static int field(Value wanted, Value... among) {
        if (isNull(wanted)) {
            return 0;
        }
        for (int i = 0; i < among.length; i++) {
            if (!isNull(among[i]) && isEqual(wanted, among[i])) {
                return i + 1;
            }
        }
        return 0;
    }

    private static boolean isEqual(Value one, Value other) {
        return isNumber(one) && isNumber(other)
                ? one.getBigDecimal().compareTo(other.getBigDecimal()) == 0
                : one.getString().equalsIgnoreCase(other.getString());
    }

    private static boolean isNumber(Value value) {
        return switch (value.getValueType()) {
            case Value.TINYINT,
                    Value.SMALLINT,
                    Value.INTEGER,
                    Value.BIGINT,
                    Value.NUMERIC,
                    Value.DECFLOAT,
                    Value.REAL,
                    Value.DOUBLE -> true;
            default -> false;
        };
    }

    public static @Nullable Integer findInSet(@Nullable String wanted, @Nullable String set) {
        if (wanted == null || set == null) {
            return null;
        }
        String[] members = set.isEmpty() ? new String[0] : set.split(",", -1);
        for (int i = 0; i < members.length; i++) {
            if (members[i].equalsIgnoreCase(wanted)) {
                return i + 1;
            }
        }
        return 0;
    }

    public static @Nullable String elt(@Nullable Integer number, String... texts) {
        return number == null || number < 1 || number > texts.length ? null : texts[number - 1];
    }

    public static @Nullable String format(@Nullable BigDecimal number, @Nullable Integer digits) {
        if (number == null || digits == null) {
            return null;
        }
        int decimals = Math.min(Math.max(digits, 0), 30);
        DecimalFormat format = new DecimalFormat(
                "#,##0" + (decimals == 0 ? "" : "." + "0".repeat(decimals)),
                DecimalFormatSymbols.getInstance(Locale.ROOT));
        return format.format(number.setScale(decimals, RoundingMode.HALF_UP));
    }

    /** Returns the text before the n-th delimiter, or after it if counted from the end. */
    public static @Nullable String substringIndex(
            @Nullable String text, @Nullable String delimiter, @Nullable Integer count) {
        if (text == null || delimiter == null || count == null) {
            return null;
        }
        if (delimiter.isEmpty() || count == 0) {
            return "";
        }
        int at = count > 0 ? -delimiter.length() : text.length();
        for (int i = 0; i < Math.abs(count); i++) {
            at = count > 0 ? text.indexOf(delimiter, at + delimiter.length()) : text.lastIndexOf(delimiter, at - 1);
            if (at < 0) {
                return text;
            }
        }
        return count > 0 ? text.substring(0, at) : text.substring(at + delimiter.length());
    }

    public static @Nullable String hex(Value value) {
        if (isNull(value)) {
            return null;
        }
        if (isNumber(value)) {
            long whole = value.getBigDecimal().setScale(0, RoundingMode.HALF_UP).longValue();
            return Long.toHexString(whole).toUpperCase(Locale.ROOT);
        }
        boolean isBytes = value.getValueType() == Value.VARBINARY || value.getValueType() == Value.BINARY;
        byte[] bytes = isBytes ? value.getBytes() : value.getString().getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().withUpperCase().formatHex(bytes);
    }

    public static @Nullable Integer compare(@Nullable String one, @Nullable String other) {
        return one == null || other == null ? null : Integer.signum(one.compareToIgnoreCase(other));
    }
}
