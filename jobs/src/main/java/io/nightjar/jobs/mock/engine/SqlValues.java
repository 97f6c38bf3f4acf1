package io.nightjar.jobs.mock.engine;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.List;
import java.util.UUID;
import org.h2.engine.CastDataProvider;
import org.h2.util.JSR310Utils;
import org.h2.value.TypeInfo;
import org.h2.value.Value;
import org.h2.value.ValueArray;
import org.h2.value.ValueBigint;
import org.h2.value.ValueBoolean;
import org.h2.value.ValueDouble;
import org.h2.value.ValueInteger;
import org.h2.value.ValueNull;
import org.h2.value.ValueNumeric;
import org.h2.value.ValueUuid;
import org.h2.value.ValueVarbinary;
import org.h2.value.ValueVarchar;

/** Values of H2 as plain objects, and back. */
final class SqlValues {

    private static final int UNBOUNDED = 1_000_000;

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

    static Object object(Value value, CastDataProvider provider) {
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
            default -> value.getString();
        };
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

    static Value value(Object object) {
        if (object == null) {
            return ValueNull.INSTANCE;
        }
        if (object instanceof String text) {
            return ValueVarchar.get(text);
        }
        if (object instanceof Integer number) {
            return ValueInteger.get(number);
        }
        if (object instanceof Long number) {
            return ValueBigint.get(number);
        }
        if (object instanceof Boolean flag) {
            return ValueBoolean.get(flag);
        }
        if (object instanceof BigDecimal number) {
            return ValueNumeric.getAnyScale(number);
        }
        if (object instanceof Double number) {
            return ValueDouble.get(number);
        }
        if (object instanceof byte[] bytes) {
            return ValueVarbinary.get(bytes);
        }
        if (object instanceof UUID uuid) {
            return ValueUuid.get(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
        }
        if (object instanceof LocalDate date) {
            return JSR310Utils.localDateToValue(date);
        }
        if (object instanceof LocalTime time) {
            return JSR310Utils.localTimeToValue(time);
        }
        if (object instanceof OffsetTime time) {
            return JSR310Utils.offsetTimeToValue(time);
        }
        if (object instanceof LocalDateTime time) {
            return JSR310Utils.localDateTimeToValue(time);
        }
        if (object instanceof OffsetDateTime time) {
            return JSR310Utils.offsetDateTimeToValue(time);
        }
        if (object instanceof List<?> elements) {
            Value[] values = new Value[elements.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = value(elements.get(i));
            }
            return ValueArray.get(values, null);
        }
        throw new AssertionError("no value of SQL: class=" + object.getClass());
    }
}
