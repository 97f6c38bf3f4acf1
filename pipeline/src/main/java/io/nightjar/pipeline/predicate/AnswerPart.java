package io.nightjar.pipeline.predicate;

import io.nightjar.pipeline.predicate.RowCondition.Aggregate;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Contribution of a value to a computed answer: a number, whose sum decides whether the answer is right. */
final class AnswerPart {

    /*
     *   count      1
     *   sum        the value, in thousandths
     *   min, max   1 if it is the answer, BEYOND if it is less, or greater: at least one 1, and no more than that
     */

    /** More than the number of rows. */
    static final long BEYOND = 1L << 32;

    private static final int DECIMALS = 3;
    private static final BigDecimal MAX_NUMBER = BigDecimal.valueOf(1_000_000_000);

    private AnswerPart() {}

    /** Returns the least sum of the parts if the answer is right; null if it is not known. */
    static @Nullable Long ofAnswer(Aggregate function, String answer) {
        BigDecimal number = number(answer);
        return switch (function) {
            case COUNT -> number == null ? null : whole(number, 0);
            case SUM -> number == null ? null : whole(number, DECIMALS);
            case MIN, MAX -> 1L;
        };
    }

    /** Returns the part of a value; null if it is not known. */
    static @Nullable Long of(@Nullable Aggregate function, Object value, String answer) {
        if (function == null) {
            return null;
        }
        return switch (function) {
            case COUNT -> 1L;
            case SUM -> whole(RowValues.decimal(value), DECIMALS);
            case MIN, MAX -> {
                boolean isText = value instanceof String;
                Object sought = isText ? RowCondition.plainText(answer) : number(answer);
                if (sought == null) {
                    yield null;
                }
                int difference = RowValues.compare(value, sought);
                yield difference == 0 ? 1L : (difference < 0) == (function == Aggregate.MIN) ? BEYOND : 0L;
            }
        };
    }

    private static @Nullable BigDecimal number(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException noNumber) {
            return null;
        }
    }

    private static @Nullable Long whole(BigDecimal number, int decimals) {
        boolean isSmall = number.abs().compareTo(MAX_NUMBER) <= 0;
        boolean isExact = isSmall && number.stripTrailingZeros().scale() <= decimals;
        return isExact ? number.movePointRight(decimals).longValueExact() : null;
    }
}
