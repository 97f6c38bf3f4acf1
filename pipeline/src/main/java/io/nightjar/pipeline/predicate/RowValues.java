package io.nightjar.pipeline.predicate;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Operations on the values of rows. */
final class RowValues {

    private static final int SCALE = 20;

    private RowValues() {}

    static @Nullable Boolean truth(@Nullable Object value) {
        if (value == null || value instanceof Boolean) {
            return (Boolean) value;
        }
        throw new ConditionException("value is no truth value: value=" + value);
    }

    static BigDecimal decimal(Object value) {
        if (value instanceof Long number) {
            return BigDecimal.valueOf(number);
        }
        if (value instanceof BigDecimal number) {
            return number;
        }
        throw new ConditionException("value is no number: value=" + value);
    }

    /** Returns a whole number as a Long if it fits. */
    static Object narrow(BigDecimal number) {
        boolean isWhole = number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
        if (isWhole && number.precision() - number.scale() < 19) {
            return number.longValueExact();
        }
        return number;
    }

    static Object compute(char operator, long a, long b) {
        try {
            return switch (operator) {
                case '+' -> Math.addExact(a, b);
                case '-' -> Math.subtractExact(a, b);
                case '*' -> Math.multiplyExact(a, b);
                case '/' -> a / divisor(b);
                default -> a % divisor(b);
            };
        } catch (ArithmeticException overflow) {
            throw new ConditionException("number out of range: " + a + " " + operator + " " + b);
        }
    }

    private static long divisor(long b) {
        if (b == 0) {
            throw new ConditionException("division by zero");
        }
        return b;
    }

    static Object compute(char operator, BigDecimal a, BigDecimal b) {
        if (b.signum() == 0 && (operator == '/' || operator == '%')) {
            throw new ConditionException("division by zero");
        }
        return switch (operator) {
            case '+' -> a.add(b);
            case '-' -> a.subtract(b);
            case '*' -> a.multiply(b);
            case '/' -> a.divide(b, SCALE, RoundingMode.HALF_EVEN);
            default -> a.remainder(b);
        };
    }

    /** Compares two values: negative, 0 or positive; text by code points. */
    static int compare(Object one, Object other) {
        if (one instanceof Long a && other instanceof Long b) {
            return Long.compare(a, b);
        }
        if (one instanceof String a && other instanceof String b) {
            return compareText(a, b);
        }
        if (one instanceof Boolean a && other instanceof Boolean b) {
            return a.compareTo(b);
        }
        boolean areNumbers = (one instanceof Long || one instanceof BigDecimal)
                && (other instanceof Long || other instanceof BigDecimal);
        if (!areNumbers) {
            throw new ConditionException("values of two types compared: one=" + one + " other=" + other);
        }
        return decimal(one).compareTo(decimal(other));
    }

    private static int compareText(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char one = a.charAt(i);
            char other = b.charAt(i);
            if (one != other) {
                boolean areHalves = Character.isSurrogate(one) != Character.isSurrogate(other);
                return areHalves ? (Character.isSurrogate(one) ? 1 : -1) : Character.compare(one, other);
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    /**
     * Returns whether a text matches a pattern: {@code %} any text, {@code _} one character, a backslash escapes the
     * next character.
     */
    static boolean isLike(String text, String pattern) {
        int at = 0;
        int p = 0;
        int lastPercent = -1;
        int retryFrom = 0;
        while (at < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '%') {
                lastPercent = p++;
                retryFrom = at;
                continue;
            }
            boolean isEscape = p + 1 < pattern.length() && pattern.charAt(p) == '\\';
            int wanted = isEscape ? p + 1 : p;
            if (wanted < pattern.length() && !isEscape && pattern.charAt(wanted) == '_') {
                at = text.offsetByCodePoints(at, 1);
                p = wanted + 1;
            } else if (wanted < pattern.length() && pattern.charAt(wanted) == text.charAt(at)) {
                at++;
                p = wanted + 1;
            } else if (lastPercent >= 0) {
                p = lastPercent + 1;
                at = ++retryFrom;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '%') {
            p++;
        }
        return p == pattern.length();
    }
}
