package io.nightjar.jobs.sql;

import io.nightjar.formats.history.Contract;
import io.nightjar.jobs.JsonObjectText;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts cells, as {@link CellValue} returns them, to text for people and to JSON. */
public final class CellText {

    private CellText() {}

    /** Returns text without quotes; lists and structs are JSON, whose integers above 2^53 are strings. Null stays null. */
    @Contract("!null -> !null")
    public static @Nullable String text(@Nullable Object cell) {
        if (cell == null) {
            return null;
        }
        if (cell instanceof BigDecimal number) {
            return number.toPlainString();
        }
        return cell instanceof List || cell instanceof Map ? JsonObjectText.ofValue(cell) : cell.toString();
    }
}
