package io.nightjar.jobs.mock.sql;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
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
    private static final Map<String, String> METHODS =
            Map.of("date_format", "dateFormat", "last_day", "lastDay", "timestampdiff", "timestampDiff");

    private MysqlFunctions() {}

    /** Returns whether this class implements a MySQL function. */
    public static boolean has(String name) {
        return METHODS.containsKey(name) || AdvisoryLockFunctions.OF_MYSQL.containsKey(name);
    }

    /** Returns the statements that register the functions in a new database. */
    static List<String> aliases() {
        List<String> aliases = new ArrayList<>();
        METHODS.forEach((name, method) -> aliases.add(alias(name, MysqlFunctions.class, method)));
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

    public static @Nullable String dateFormat(Value value, @Nullable String format) throws SQLException {
        LocalDateTime time = time(value);
        return time == null || format == null ? null : MysqlDates.format(time, format);
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
}
