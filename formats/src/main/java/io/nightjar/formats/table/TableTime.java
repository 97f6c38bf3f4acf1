package io.nightjar.formats.table;

import io.nightjar.formats.text.BadRowException;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Times of tables: integers unchanged, and dates with a time as nanoseconds since 1970 (UTC if no zone is given). */
final class TableTime {

    private TableTime() {}

    static long of(Cell cell, String column) {
        if (cell.isIntegerWhereNeeded() || cell.isOtherNumber()) {
            return cell.integer(column);
        }
        String text = cell.text().trim();
        String joined = text.replaceFirst("^(\\d{4}-\\d\\d-\\d\\d) ", "$1T").replaceFirst(" ?UTC$", "Z");
        String zoned = joined.replaceFirst("([+-]\\d\\d)$", "$1:00").replaceFirst("([+-]\\d\\d)(\\d\\d)$", "$1:$2");
        try {
            boolean hasZone = zoned.matches(".*T.*(Z|[+-]\\d\\d:\\d\\d)");
            OffsetDateTime time = hasZone
                    ? OffsetDateTime.parse(zoned)
                    : LocalDateTime.parse(joined).atOffset(ZoneOffset.UTC);
            return Math.addExact(Math.multiplyExact(time.toEpochSecond(), 1_000_000_000L), time.getNano());
        } catch (DateTimeException | ArithmeticException notOne) {
            throw BadRowException.of("not a time")
                    .with(column + "=" + cell.shown())
                    .advise("give an integer or a date such as 2026-11-20T09:15:28Z");
        }
    }
}
