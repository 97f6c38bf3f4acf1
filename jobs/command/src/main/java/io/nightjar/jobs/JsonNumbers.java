package io.nightjar.jobs;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Numbers in JSON that survive readers which support only doubles: above 2^53 they are strings. */
public final class JsonNumbers {

    /** The greatest number up to which a double represents every integer. */
    public static final long MAX_EXACT = 1L << 53;

    private static final BigInteger MAX_EXACT_BIG = BigInteger.valueOf(MAX_EXACT);

    private JsonNumbers() {}

    public static boolean isExact(long number) {
        return -MAX_EXACT <= number && number <= MAX_EXACT;
    }

    public static void write(JsonGenerator json, long number) throws IOException {
        if (isExact(number)) {
            json.writeNumber(number);
        } else {
            json.writeString(Long.toString(number));
        }
    }

    public static void write(JsonGenerator json, String name, long number) throws IOException {
        json.writeFieldName(name);
        write(json, number);
    }

    public static void write(JsonGenerator json, BigInteger number) throws IOException {
        if (number.abs().compareTo(MAX_EXACT_BIG) <= 0) {
            json.writeNumber(number);
        } else {
            json.writeString(number.toString());
        }
    }

    /** Seconds to the millisecond, never in scientific notation. */
    public static void writeSeconds(JsonGenerator json, String name, double seconds) throws IOException {
        json.writeFieldName(name);
        json.writeNumber(seconds(seconds).toPlainString());
    }

    /** Returns seconds to the millisecond. */
    public static BigDecimal seconds(double seconds) {
        BigDecimal rounded = BigDecimal.valueOf(seconds).setScale(3, RoundingMode.HALF_UP);
        return rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
    }

    /** Returns the integer at the parser, written as a number or as a string. */
    public static long readLong(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            return Long.parseLong(json.getText());
        }
        return json.getLongValue();
    }
}
