package io.nightjar.jobs.mock.sql;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.h2.api.IntervalQualifier;
import org.h2.engine.CastDataProvider;
import org.h2.util.IntervalUtils;
import org.h2.util.JSR310Utils;
import org.h2.value.TypeInfo;
import org.h2.value.Value;
import org.h2.value.ValueArray;
import org.h2.value.ValueBigint;
import org.h2.value.ValueBoolean;
import org.h2.value.ValueDouble;
import org.h2.value.ValueInteger;
import org.h2.value.ValueInterval;
import org.h2.value.ValueNull;
import org.h2.value.ValueNumeric;
import org.h2.value.ValueUuid;
import org.h2.value.ValueVarbinary;
import org.h2.value.ValueVarchar;
import org.jspecify.annotations.Nullable;

/** Converts between H2 values and plain objects. */
final class SqlValues {

    /** Length of unbounded text, H2's maximum. */
    private static final int UNBOUNDED = 1_000_000_000;

    private static final long NANOS = 1_000_000_000;

    private SqlValues() {}

    static SqlType type(TypeInfo type) {
        return switch (type.getValueType()) {
            case Value.BOOLEAN -> SqlType.BOOLEAN;
            case Value.TINYINT, Value.SMALLINT -> SqlType.SMALLINT;
            case Value.INTEGER -> SqlType.INTEGER;
            case Value.BIGINT -> SqlType.BIGINT;
            case Value.NUMERIC, Value.DECFLOAT -> SqlType.NUMERIC;
            case Value.REAL -> SqlType.REAL;
            case Value.DOUBLE -> SqlType.DOUBLE;
            case Value.CHAR -> SqlType.CHAR;
            case Value.VARCHAR, Value.VARCHAR_IGNORECASE ->
                type.getPrecision() >= UNBOUNDED ? SqlType.TEXT : SqlType.VARCHAR;
            case Value.CLOB, Value.ENUM, Value.GEOMETRY -> SqlType.TEXT;
            case Value.BINARY, Value.VARBINARY, Value.BLOB, Value.JAVA_OBJECT -> SqlType.BYTES;
            case Value.DATE -> SqlType.DATE;
            case Value.TIME -> SqlType.TIME;
            case Value.TIME_TZ -> SqlType.TIME_TZ;
            case Value.TIMESTAMP -> SqlType.TIMESTAMP;
            case Value.TIMESTAMP_TZ -> SqlType.TIMESTAMP_TZ;
            case Value.JSON -> SqlType.JSON;
            case Value.UUID -> SqlType.UUID;
            case Value.ARRAY, Value.ROW -> SqlType.ARRAY;
            case Value.UNKNOWN, Value.NULL -> SqlType.UNKNOWN;
            default -> SqlType.INTERVAL;
        };
    }

    /** Returns the client representation of a value, null for NULL. */
    static @Nullable Object object(Value value, CastDataProvider provider) {
        return switch (value.getValueType()) {
            case Value.NULL -> null;
            case Value.BOOLEAN -> value.getBoolean();
            case Value.TINYINT, Value.SMALLINT, Value.INTEGER, Value.BIGINT -> value.getLong();
            case Value.NUMERIC, Value.DECFLOAT -> value.getBigDecimal();
            case Value.REAL, Value.DOUBLE -> value.getDouble();
            case Value.BINARY, Value.VARBINARY, Value.BLOB, Value.JAVA_OBJECT -> value.getBytes();
            case Value.DATE -> JSR310Utils.valueToLocalDate(value, provider);
            case Value.TIME -> JSR310Utils.valueToLocalTime(value, provider);
            case Value.TIME_TZ -> JSR310Utils.valueToOffsetTime(value, provider);
            case Value.TIMESTAMP -> JSR310Utils.valueToLocalDateTime(value, provider);
            case Value.TIMESTAMP_TZ -> JSR310Utils.valueToOffsetDateTime(value, provider);
            case Value.UUID -> ((ValueUuid) value).getUuid();
            case Value.ARRAY -> array((ValueArray) value);
            default -> value instanceof ValueInterval interval ? interval(interval) : value.getString();
        };
    }

    /** Formats an interval as PostgreSQL does: {@code 1 year 2 mons 3 days 04:05:06}. */
    private static String interval(ValueInterval interval) {
        IntervalQualifier qualifier = interval.getQualifier();
        boolean isNegative = interval.isNegative();
        String sign = isNegative ? "-" : "";
        StringBuilder text = new StringBuilder();
        long years =
                IntervalUtils.yearsFromInterval(qualifier, isNegative, interval.getLeading(), interval.getRemaining());
        long months =
                IntervalUtils.monthsFromInterval(qualifier, isNegative, interval.getLeading(), interval.getRemaining());
        long days =
                IntervalUtils.daysFromInterval(qualifier, isNegative, interval.getLeading(), interval.getRemaining());
        long hours =
                IntervalUtils.hoursFromInterval(qualifier, isNegative, interval.getLeading(), interval.getRemaining());
        long minutes = IntervalUtils.minutesFromInterval(
                qualifier, isNegative, interval.getLeading(), interval.getRemaining());
        long nanos =
                IntervalUtils.nanosFromInterval(qualifier, isNegative, interval.getLeading(), interval.getRemaining());
        unit(text, years, Math.abs(years) == 1 ? "year" : "years");
        unit(text, months, Math.abs(months) == 1 ? "mon" : "mons");
        unit(text, days, Math.abs(days) == 1 ? "day" : "days");
        if (hours != 0 || minutes != 0 || nanos != 0 || text.length() == 0) {
            String time = "%02d:%02d:%02d".formatted(Math.abs(hours), Math.abs(minutes), Math.abs(nanos) / NANOS);
            long micros = Math.abs(nanos) % NANOS / 1_000;
            String fraction = micros == 0 ? "" : ("." + "%06d".formatted(micros)).replaceAll("0+$", "");
            text.append(text.length() == 0 ? "" : " ").append(hours < 0 || minutes < 0 || nanos < 0 ? sign : "");
            text.append(time).append(fraction);
        }
        return text.toString();
    }

    private static void unit(StringBuilder text, long number, String name) {
        if (number != 0) {
            text.append(text.length() == 0 ? "" : " ")
                    .append(number)
                    .append(' ')
                    .append(name);
        }
    }

    private static String array(ValueArray array) {
        StringBuilder text = new StringBuilder("{");
        for (Value element : array.getList()) {
            text.append(text.length() == 1 ? "" : ",");
            if (element == ValueNull.INSTANCE) {
                text.append("NULL");
            } else if (element instanceof ValueArray inner) {
                text.append(array(inner));
            } else {
                String plain = element.getValueType() == Value.BOOLEAN
                        ? element.getBoolean() ? "t" : "f"
                        : element.getString();
                boolean isPlain =
                        !plain.isEmpty() && plain.matches("[A-Za-z0-9_.+-]+") && !plain.equalsIgnoreCase("null");
                text.append(isPlain ? plain : '"' + plain.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
            }
        }
        return text.append('}').toString();
    }

    /** Conversion of objects of a class to values. */
    private record Maker<T>(Class<T> type, Function<T, Value> make) {

        Value of(Object object) {
            return make.apply(type.cast(object));
        }
    }

    private static final List<Maker<?>> MAKERS = List.of(
            new Maker<>(String.class, ValueVarchar::get),
            new Maker<>(Integer.class, ValueInteger::get),
            new Maker<>(Long.class, ValueBigint::get),
            new Maker<>(Boolean.class, ValueBoolean::get),
            new Maker<>(BigDecimal.class, ValueNumeric::getAnyScale),
            new Maker<>(Double.class, ValueDouble::get),
            new Maker<>(byte[].class, ValueVarbinary::get),
            new Maker<>(
                    UUID.class, uuid -> ValueUuid.get(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits())),
            new Maker<>(LocalDate.class, JSR310Utils::localDateToValue),
            new Maker<>(LocalTime.class, JSR310Utils::localTimeToValue),
            new Maker<>(OffsetTime.class, JSR310Utils::offsetTimeToValue),
            new Maker<>(LocalDateTime.class, JSR310Utils::localDateTimeToValue),
            new Maker<>(OffsetDateTime.class, JSR310Utils::offsetDateTimeToValue),
            new Maker<>(List.class, SqlValues::arrayOf));

    private static Value arrayOf(List<?> elements) {
        return ValueArray.get(elements.stream().map(SqlValues::value).toArray(Value[]::new), null);
    }

    static Value value(@Nullable Object object) {
        if (object == null) {
            return ValueNull.INSTANCE;
        }
        for (Maker<?> maker : MAKERS) {
            if (maker.type().isInstance(object)) {
                return maker.of(object);
            }
        }
        throw new AssertionError("no value of SQL: class=" + object.getClass());
    }
}
