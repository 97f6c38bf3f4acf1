package io.nightjar.pipeline.predicate;

/** A comparison of two values. */
enum SqlOperator {
    EQUAL,
    DIFFERENT,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL;

    /** @param comparison negative, 0 or positive, as the left value is less, equal or greater */
    boolean holds(int comparison) {
        return switch (this) {
            case EQUAL -> comparison == 0;
            case DIFFERENT -> comparison != 0;
            case LESS -> comparison < 0;
            case LESS_OR_EQUAL -> comparison <= 0;
            case GREATER -> comparison > 0;
            case GREATER_OR_EQUAL -> comparison >= 0;
        };
    }

    /** Returns the equivalent comparison with its operands exchanged. */
    SqlOperator turned() {
        return switch (this) {
            case EQUAL, DIFFERENT -> this;
            case LESS -> GREATER;
            case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
            case GREATER -> LESS;
            case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
        };
    }
}
