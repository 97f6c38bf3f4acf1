package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.MockException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Conversion of values to and from PostgreSQL's text and binary protocols. */
final class PostgresValues {

    private static final LocalDate EPOCH = LocalDate.of(2000, 1, 1);
    private static final LocalDateTime EPOCH_TIME = EPOCH.atStartOfDay();
    /** A date as written by the JDBC driver, whose zone is ignored. */
    private static final Pattern DATE_WITH_ZONE = Pattern.compile("\\d{4,}-\\d\\d-\\d\\d [+-]\\d\\d(:\\d\\d)*");

    private static final int NANOS_PER_MICRO = 1_000;
    private static final int BASE = 10_000;
    private static final int BASE_DIGITS = 4;
    private static final int NEGATIVE = 0x4000;
    private static final int NOT_A_NUMBER = 0xC000;

    private PostgresValues() {}

    // ---------------------------------------------------------------- to clients

    static byte[] text(Object value) {
        return string(value).getBytes(StandardCharsets.UTF_8);
    }

    static String string(Object value) {
        if (value instanceof Boolean flag) {
            return flag ? "t" : "f";
        }
        if (value instanceof BigDecimal number) {
            return number.toPlainString();
        }
        if (value instanceof Double number) {
            return number(number);
        }
        if (value instanceof byte[] bytes) {
            return "\\x" + HexFormat.of().formatHex(bytes);
        }
        if (value instanceof LocalTime time) {
            return time(time);
        }
        if (value instanceof OffsetTime time) {
            return time(time.toLocalTime()) + zone(time.getOffset());
        }
        if (value instanceof LocalDateTime time) {
            return time.toLocalDate() + " " + time(time.toLocalTime());
        }
        if (value instanceof OffsetDateTime time) {
            return time.toLocalDate() + " " + time(time.toLocalTime()) + zone(time.getOffset());
        }
        return value.toString();
    }

    private static String number(double number) {
        if (number == Math.rint(number) && Math.abs(number) < 1e15) {
            return Long.toString((long) number);
        }
        return Double.toString(number).replace('E', 'e');
    }

    private static String time(LocalTime time) {
        String text = "%02d:%02d:%02d".formatted(time.getHour(), time.getMinute(), time.getSecond());
        int micros = time.getNano() / NANOS_PER_MICRO;
        return micros == 0 ? text : text + ("." + "%06d".formatted(micros)).replaceAll("0+$", "");
    }

    private static String zone(ZoneOffset offset) {
        int seconds = offset.getTotalSeconds();
        String text = "%s%02d".formatted(seconds < 0 ? "-" : "+", Math.abs(seconds) / 3600);
        int minutes = Math.abs(seconds) / 60 % 60;
        return minutes == 0 ? text : text + ":%02d".formatted(minutes);
    }

    static byte[] binary(Object value, int type) {
        return switch (type) {
            case PostgresType.BOOL -> new byte[] {(byte) ((Boolean) value ? 1 : 0)};
            case PostgresType.INT2 ->
                ByteBuffer.allocate(2).putShort(((Number) value).shortValue()).array();
            case PostgresType.INT4, PostgresType.OID ->
                ByteBuffer.allocate(4).putInt(((Number) value).intValue()).array();
            case PostgresType.INT8 ->
                ByteBuffer.allocate(8).putLong(((Number) value).longValue()).array();
            case PostgresType.FLOAT4 ->
                ByteBuffer.allocate(4).putFloat(((Number) value).floatValue()).array();
            case PostgresType.FLOAT8 ->
                ByteBuffer.allocate(8).putDouble(((Number) value).doubleValue()).array();
            case PostgresType.NUMERIC -> numeric((BigDecimal) value);
            case PostgresType.BYTEA -> (byte[]) value;
            case PostgresType.DATE ->
                ByteBuffer.allocate(4)
                        .putInt((int) ChronoUnit.DAYS.between(EPOCH, (LocalDate) value))
                        .array();
            case PostgresType.TIME ->
                ByteBuffer.allocate(8).putLong(micros((LocalTime) value)).array();
            case PostgresType.TIMETZ ->
                ByteBuffer.allocate(12)
                        .putLong(micros(((OffsetTime) value).toLocalTime()))
                        .putInt(-((OffsetTime) value).getOffset().getTotalSeconds())
                        .array();
            case PostgresType.TIMESTAMP ->
                ByteBuffer.allocate(8).putLong(micros((LocalDateTime) value)).array();
            case PostgresType.TIMESTAMPTZ ->
                ByteBuffer.allocate(8)
                        .putLong(micros(((OffsetDateTime) value)
                                .withOffsetSameInstant(ZoneOffset.UTC)
                                .toLocalDateTime()))
                        .array();
            case PostgresType.UUID ->
                ByteBuffer.allocate(16)
                        .putLong(((UUID) value).getMostSignificantBits())
                        .putLong(((UUID) value).getLeastSignificantBits())
                        .array();
            default -> text(value);
        };
    }

    private static long micros(LocalTime time) {
        return time.toNanoOfDay() / NANOS_PER_MICRO;
    }

    private static long micros(LocalDateTime time) {
        return ChronoUnit.MICROS.between(EPOCH_TIME, time);
    }

    private static byte[] numeric(BigDecimal value) {
        int scale = Math.max(0, value.scale());
        // digits of base 10,000: the scale is rounded up to whole digits
        int positions = (scale + BASE_DIGITS - 1) / BASE_DIGITS * BASE_DIGITS;
        BigInteger left = value.setScale(positions).unscaledValue().abs();
        short[] digits = new short[left.bitLength() / 13 + 2];
        int count = 0;
        while (left.signum() != 0) {
            BigInteger[] quotientAndRemainder = left.divideAndRemainder(BigInteger.valueOf(BASE));
            digits[count++] = quotientAndRemainder[1].shortValue();
            left = quotientAndRemainder[0];
        }
        int weight = count - 1 - positions / BASE_DIGITS;
        int trailing = 0;
        while (trailing < count && digits[trailing] == 0) {
            trailing++;
        }
        ByteBuffer bytes = ByteBuffer.allocate(8 + 2 * (count - trailing));
        bytes.putShort((short) (count - trailing)).putShort((short) (count == 0 ? 0 : weight));
        bytes.putShort((short) (value.signum() < 0 ? NEGATIVE : 0)).putShort((short) scale);
        for (int digit = count - 1; digit >= trailing; digit--) {
            bytes.putShort(digits[digit]);
        }
        return bytes.array();
    }

    // ---------------------------------------------------------------- from clients

    /**
     * Returns a parameter as a plain object; a string where no type is given.
     *
     * @throws MockException if it is no value of the type
     */
    static @Nullable Object parameter(byte @Nullable [] bytes, boolean isBinary, int type) {
        if (bytes == null) {
            return null;
        }
        try {
            return isBinary ? ofBinary(bytes, type) : ofText(new String(bytes, StandardCharsets.UTF_8), type);
        } catch (NumberFormatException | DateTimeException | BufferUnderflowException wrong) {
            throw new MockException(
                    isBinary ? "22P03" : "22P02",
                    "invalid input for type " + type
                            + (isBinary ? "" : ": \"" + new String(bytes, StandardCharsets.UTF_8) + "\""));
        }
    }

    private static Object ofText(String text, int type) {
        int element = PostgresType.elementOf(type);
        if (element != 0) {
            return ofArray(text, element);
        }
        return switch (type) {
            case PostgresType.BOOL ->
                switch (text.trim().toLowerCase(Locale.ROOT)) {
                    case "t", "true", "1", "on", "yes", "y" -> true;
                    case "f", "false", "0", "off", "no", "n" -> false;
                    default -> throw new NumberFormatException(text);
                };
            case PostgresType.INT2, PostgresType.INT4 -> Integer.parseInt(text.trim());
            case PostgresType.INT8, PostgresType.OID -> Long.parseLong(text.trim());
            case PostgresType.FLOAT4, PostgresType.FLOAT8 -> Double.parseDouble(text.trim());
            case PostgresType.NUMERIC -> new BigDecimal(text.trim());
            case PostgresType.BYTEA ->
                text.startsWith("\\x")
                        ? HexFormat.of().parseHex(text.substring(2))
                        : text.getBytes(StandardCharsets.ISO_8859_1);
            case PostgresType.UUID -> uuid(text);
            default -> DATE_WITH_ZONE.matcher(text).matches() ? text.substring(0, text.indexOf(' ')) : text;
        };
    }

    private static UUID uuid(String text) {
        try {
            return UUID.fromString(text.trim());
        } catch (IllegalArgumentException none) {
            throw new NumberFormatException(text);
        }
    }

    /** Parses an array of one dimension in PostgreSQL's format. */
    static List<Object> ofArray(String text, int element) {
        List<Object> elements = new ArrayList<>();
        if (!text.startsWith("{") || !text.endsWith("}") || text.startsWith("{{")) {
            throw new NumberFormatException(text);
        }
        int at = 1;
        while (at < text.length() - 1) {
            StringBuilder one = new StringBuilder();
            boolean isQuoted = text.charAt(at) == '"';
            at += isQuoted ? 1 : 0;
            while (isQuoted ? text.charAt(at) != '"' : text.charAt(at) != ',' && at < text.length() - 1) {
                at += text.charAt(at) == '\\' ? 1 : 0;
                one.append(text.charAt(at++));
            }
            at += isQuoted ? 2 : 1;
            boolean isNull = !isQuoted && one.toString().equalsIgnoreCase("null");
            elements.add(isNull ? null : ofText(one.toString(), element));
        }
        return elements;
    }

    private static List<Object> ofBinaryArray(ByteBuffer buffer, int element) {
        int dimensions = buffer.getInt();
        buffer.getInt();
        buffer.getInt();
        List<Object> elements = new ArrayList<>();
        if (dimensions > 1) {
            throw MockException.notSupported("arrays of several dimensions are not supported by this server");
        }
        int count = dimensions == 0 ? 0 : buffer.getInt();
        if (dimensions > 0) {
            buffer.getInt();
        }
        for (int i = 0; i < count; i++) {
            int length = buffer.getInt();
            if (length < 0) {
                elements.add(null);
                continue;
            }
            byte[] bytes = new byte[length];
            buffer.get(bytes);
            elements.add(ofBinary(bytes, element));
        }
        return elements;
    }

    private static Object ofBinary(byte[] bytes, int type) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        int element = PostgresType.elementOf(type);
        if (element != 0) {
            return ofBinaryArray(buffer, element);
        }
        return switch (type) {
            case PostgresType.BOOL -> buffer.get() != 0;
            case PostgresType.INT2 -> (int) buffer.getShort();
            case PostgresType.INT4 -> buffer.getInt();
            case PostgresType.OID -> buffer.getInt() & 0xFFFFFFFFL;
            case PostgresType.INT8 -> buffer.getLong();
            case PostgresType.FLOAT4 -> (double) buffer.getFloat();
            case PostgresType.FLOAT8 -> buffer.getDouble();
            case PostgresType.NUMERIC -> ofNumeric(buffer);
            case PostgresType.BYTEA -> bytes;
            case PostgresType.DATE -> EPOCH.plusDays(buffer.getInt());
            case PostgresType.TIME -> LocalTime.ofNanoOfDay(buffer.getLong() * NANOS_PER_MICRO);
            case PostgresType.TIMETZ ->
                OffsetTime.of(
                        LocalTime.ofNanoOfDay(buffer.getLong() * NANOS_PER_MICRO),
                        ZoneOffset.ofTotalSeconds(-buffer.getInt()));
            case PostgresType.TIMESTAMP -> EPOCH_TIME.plus(buffer.getLong(), ChronoUnit.MICROS);
            case PostgresType.TIMESTAMPTZ ->
                EPOCH_TIME.plus(buffer.getLong(), ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
            case PostgresType.UUID -> new UUID(buffer.getLong(), buffer.getLong());
            case PostgresType.TEXT, PostgresType.VARCHAR, PostgresType.BPCHAR, PostgresType.JSON, 0, 705, 19 ->
                new String(bytes, StandardCharsets.UTF_8);
            default ->
                throw MockException.notSupported("binary values of type " + type + " are not supported by this server");
        };
    }

    private static BigDecimal ofNumeric(ByteBuffer buffer) {
        int count = buffer.getShort();
        int weight = buffer.getShort();
        int sign = buffer.getShort() & 0xFFFF;
        int scale = buffer.getShort();
        if (sign == NOT_A_NUMBER) {
            throw new NumberFormatException("NaN");
        }
        BigDecimal value = BigDecimal.ZERO;
        for (int i = 0; i < count; i++) {
            value = value.add(BigDecimal.valueOf(buffer.getShort()).scaleByPowerOfTen(BASE_DIGITS * (weight - i)));
        }
        return (sign == NEGATIVE ? value.negate() : value).setScale(scale);
    }
}
