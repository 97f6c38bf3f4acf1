package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.mock.MockException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Conversion of values to and from MySQL's text and binary protocols. */
final class MysqlValues {

    private static final int NANOS_PER_MICRO = 1_000;
    private static final int MICRO_DIGITS = 6;
    private static final int UNSIGNED = 0x8000;

    private final ZoneId zone;

    /** @param zone time zone of the client, for times without a zone */
    MysqlValues(ZoneId zone) {
        this.zone = zone;
    }

    // ---------------------------------------------------------------- to clients

    /** @param decimals number of fraction digits of times */
    byte[] text(Object value, int decimals) {
        return value instanceof byte[] bytes ? bytes : string(value, decimals).getBytes(StandardCharsets.UTF_8);
    }

    private String string(Object value, int decimals) {
        if (value instanceof Boolean flag) {
            return flag ? "1" : "0";
        }
        if (value instanceof BigDecimal number) {
            return number.toPlainString();
        }
        if (value instanceof Double number) {
            return number(number);
        }
        Object local = local(value);
        if (local instanceof LocalTime time) {
            return time(time, decimals);
        }
        if (local instanceof LocalDateTime time) {
            return time.toLocalDate() + " " + time(time.toLocalTime(), decimals);
        }
        return local.toString();
    }

    private static String number(double number) {
        if (number == Math.rint(number) && Math.abs(number) < 1e15) {
            return Long.toString((long) number);
        }
        return Double.toString(number).replace('E', 'e');
    }

    /** Converts a time to the client's time zone, as MySQL's times have none. */
    private Object local(Object value) {
        if (value instanceof OffsetDateTime time) {
            return time.atZoneSameInstant(zone).toLocalDateTime();
        }
        return value instanceof OffsetTime time ? time.toLocalTime() : value;
    }

    private static String time(LocalTime time, int decimals) {
        String text = "%02d:%02d:%02d".formatted(time.getHour(), time.getMinute(), time.getSecond());
        String micros = "%06d".formatted(time.getNano() / NANOS_PER_MICRO);
        return decimals == 0 ? text : text + "." + micros.substring(0, Math.min(decimals, MICRO_DIGITS));
    }

    void putBinary(MysqlWire wire, Object value, int type, int decimals) {
        Object local = local(value);
        switch (type) {
            case MysqlType.TINY -> wire.putNumber(whole(local), Byte.BYTES);
            case MysqlType.SHORT -> wire.putNumber(whole(local), Short.BYTES);
            case MysqlType.LONG -> wire.putNumber(whole(local), Integer.BYTES);
            case MysqlType.LONGLONG -> wire.putNumber(whole(local), Long.BYTES);
            case MysqlType.FLOAT -> wire.putNumber(Float.floatToIntBits(((Number) local).floatValue()), Integer.BYTES);
            case MysqlType.DOUBLE ->
                wire.putNumber(Double.doubleToLongBits(((Number) local).doubleValue()), Long.BYTES);
            case MysqlType.DATE -> putDate(wire.putByte(4), (LocalDate) local);
            case MysqlType.TIME -> putTime(wire, (LocalTime) local);
            case MysqlType.DATETIME -> putDateTime(wire, (LocalDateTime) local);
            default -> wire.putCounted(text(local, decimals));
        }
    }

    private static long whole(Object value) {
        return value instanceof Boolean flag ? flag ? 1 : 0 : ((Number) value).longValue();
    }

    private static MysqlWire putDate(MysqlWire wire, LocalDate date) {
        return wire.putShort(date.getYear()).putByte(date.getMonthValue()).putByte(date.getDayOfMonth());
    }

    private static MysqlWire putClock(MysqlWire wire, LocalTime time) {
        return wire.putByte(time.getHour()).putByte(time.getMinute()).putByte(time.getSecond());
    }

    private static void putTime(MysqlWire wire, LocalTime time) {
        int micros = time.getNano() / NANOS_PER_MICRO;
        wire.putByte(micros == 0 ? 8 : 12).putByte(0).putInt(0);
        putClock(wire, time);
        if (micros != 0) {
            wire.putInt(micros);
        }
    }

    private static void putDateTime(MysqlWire wire, LocalDateTime time) {
        int micros = time.getNano() / NANOS_PER_MICRO;
        putDate(wire.putByte(micros == 0 ? 7 : 11), time.toLocalDate());
        putClock(wire, time.toLocalTime());
        if (micros != 0) {
            wire.putInt(micros);
        }
    }

    // ---------------------------------------------------------------- from clients

    /**
     * Reads a parameter as a plain object, null for NULL.
     *
     * @throws MockException if it is no value of the type
     */
    @Nullable
    Object parameter(MysqlWire wire, int typeAndFlag) throws IOException {
        int type = typeAndFlag & 0xFF;
        boolean isUnsigned = (typeAndFlag & UNSIGNED) != 0;
        try {
            return switch (type) {
                case MysqlType.TINY -> isUnsigned ? wire.readByte() : (byte) wire.readByte() + 0;
                case MysqlType.SHORT, MysqlType.YEAR -> isUnsigned ? wire.readShort() : (short) wire.readShort() + 0;
                case MysqlType.LONG, MysqlType.INT24 -> integer(wire.readInt(), isUnsigned);
                case MysqlType.LONGLONG -> big(wire.readLong(), isUnsigned);
                case MysqlType.FLOAT -> (double) Float.intBitsToFloat(wire.readInt());
                case MysqlType.DOUBLE -> Double.longBitsToDouble(wire.readLong());
                case MysqlType.DATE, MysqlType.DATETIME, MysqlType.TIMESTAMP -> dateTime(wire, type);
                case MysqlType.TIME -> time(wire);
                case MysqlType.NULL -> null;
                case MysqlType.NEWDECIMAL, 0 -> new BigDecimal(text(wire.readCounted()));
                case MysqlType.BLOB, MysqlType.BIT, 249, 250, 251 -> wire.readCounted();
                case MysqlType.VARCHAR, MysqlType.VAR_STRING, MysqlType.STRING, MysqlType.ENUM, MysqlType.JSON ->
                    textOrBytes(wire.readCounted());
                default ->
                    throw MockException.notSupported(
                            "parameters of type " + type + " are not supported by this server");
            };
        } catch (DateTimeException | NumberFormatException wrong) {
            throw new MockException("22007", "invalid value of a parameter: " + wrong.getMessage());
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns a parameter that was sent in fragments. */
    static Object sent(byte[] bytes, int typeAndFlag) {
        int type = typeAndFlag & 0xFF;
        return type >= 249 && type <= MysqlType.BLOB ? bytes : textOrBytes(bytes);
    }

    /** Returns text or bytes, since some drivers send bytes as strings. */
    private static Object textOrBytes(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException none) {
            return bytes;
        }
    }

    private static Object integer(int value, boolean isUnsigned) {
        return isUnsigned ? (Object) Integer.toUnsignedLong(value) : (Object) value;
    }

    private static Object big(long value, boolean isUnsigned) {
        return isUnsigned && value < 0 ? (Object) new BigDecimal(Long.toUnsignedString(value)) : (Object) value;
    }

    private static Object dateTime(MysqlWire wire, int type) throws IOException {
        int length = wire.readByte();
        if (length == 0) {
            throw new DateTimeException("a date of zeros");
        }
        LocalDate date = LocalDate.of(wire.readShort(), wire.readByte(), wire.readByte());
        if (length == 4) {
            return type == MysqlType.DATE ? (Object) date : (Object) date.atStartOfDay();
        }
        return date.atTime(clock(wire, length > 7));
    }

    private static LocalTime clock(MysqlWire wire, boolean hasMicros) throws IOException {
        LocalTime time = LocalTime.of(wire.readByte(), wire.readByte(), wire.readByte());
        return hasMicros ? time.withNano(wire.readInt() * NANOS_PER_MICRO) : time;
    }

    private static Object time(MysqlWire wire) throws IOException {
        int length = wire.readByte();
        if (length == 0) {
            return LocalTime.MIDNIGHT;
        }
        boolean isNegative = wire.readByte() != 0;
        int days = wire.readInt();
        LocalTime time = clock(wire, length > 8);
        if (isNegative || days != 0) {
            throw new DateTimeException("a time that is not within a day");
        }
        return time;
    }
}
