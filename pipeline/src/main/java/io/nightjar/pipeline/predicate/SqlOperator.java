package io.nightjar.pipeline.predicate;

/** A comparison of two values. */
enum SqlOperator {
    EQUAL,
    DIFFERENT,
    LESS,
    AT_MOST,
    GREATER,
    AT_LEAST;

    /** @param comparison negative, 0 or positive, as the left value is less, equal or greater */
    boolean holds(int comparison) {
        return switch (this) {
            case EQUAL -> comparison == 0;
            case DIFFERENT -> comparison != 0;
            case LESS -> comparison < 0;
            case AT_MOST -> comparison <= 0;
            case GREATER -> comparison > 0;
            case AT_LEAST -> comparison >= 0;
        };
    }

    /** Returns the equivalent comparison with its operands exchanged. */
    SqlOperator turned() {
        return switch (this) {
            case EQUAL, DIFFERENT -> this;
            case LESS -> GREATER;
            case AT_MOST -> AT_LEAST;
            case GREATER -> LESS;
            case AT_LEAST -> AT_MOST;
        };
    }
}
