package io.nightjar.jobs.mock.sql;

import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats and parses times by MySQL's formats. */
final class MysqlDates {

    /** Index of the half of the day among parsed fields, after the date and time fields down to the fraction. */
    private static final int HALF = 7;

    private MysqlDates() {}

    /** @param hasDate whether the value has a date; otherwise its date fields are zero */
    static String format(LocalDateTime time, String format, boolean hasDate) throws SQLException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < format.length(); i++) {
            char letter = format.charAt(i);
            if (letter != '%' || i + 1 == format.length()) {
                text.append(letter);
            } else {
                String formatted = ofTime(time, format.charAt(++i));
                formatted = formatted == null && hasDate ? ofDate(time.toLocalDate(), format.charAt(i)) : formatted;
                text.append(formatted == null ? String.valueOf(format.charAt(i)) : formatted);
            }
        }
        return text.toString();
    }

    /** Returns a field of a time, null if the letter denotes none. */
    private static @Nullable String ofTime(LocalDateTime time, char letter) {
        int hour = time.getHour();
        int half = hour % 12 == 0 ? 12 : hour % 12;
        return switch (letter) {
            case 'f' -> "%06d".formatted(time.getNano() / 1_000);
            case 'H' -> two(hour);
            case 'h', 'I' -> two(half);
            case 'i' -> two(time.getMinute());
            case 'k' -> Integer.toString(hour);
            case 'l' -> Integer.toString(half);
            case 'p' -> hour < 12 ? "AM" : "PM";
            case 'r' ->
                two(half) + ":" + two(time.getMinute()) + ":" + two(time.getSecond()) + (hour < 12 ? " AM" : " PM");
            case 'S', 's' -> two(time.getSecond());
            case 'T' -> two(hour) + ":" + two(time.getMinute()) + ":" + two(time.getSecond());
            default -> null;
        };
    }

    /** Returns a field of a date, null if the letter denotes none. */
    private static @Nullable String ofDate(LocalDate date, char letter) throws SQLException {
        int day = date.getDayOfMonth();
        return switch (letter) {
            case 'a' -> date.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
            case 'b' -> date.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
            case 'c' -> Integer.toString(date.getMonthValue());
            case 'D' -> day + ending(day);
            case 'd' -> two(day);
            case 'e' -> Integer.toString(day);
            case 'j' -> "%03d".formatted(date.getDayOfYear());
            case 'M' -> date.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case 'm' -> two(date.getMonthValue());
            case 'U', 'u', 'V', 'v', 'X', 'x' ->
                throw new SQLException(
                        "a format with weeks, %" + letter + ", is not supported by this server", "0A000");
            case 'W' -> date.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case 'w' -> Integer.toString(date.getDayOfWeek().getValue() % 7);
            case 'Y' -> "%04d".formatted(date.getYear());
            case 'y' -> two(date.getYear() % 100);
            default -> null;
        };
    }

    private static String two(int number) {
        return "%02d".formatted(number);
    }

    private static String ending(int day) {
        if (day / 10 == 1) {
            return "th";
        }
        return switch (day % 10) {
            case 1 -> "st";
            case 2 -> "nd";
            case 3 -> "rd";
            default -> "th";
        };
    }

    /**
     * Parses a time by a format; null if the text does not match.
     *
     * @throws SQLException if the format has an unsupported field
     */
    static @Nullable LocalDateTime parse(String text, String format) throws SQLException {
        int[] fields = {1970, 1, 1, 0, 0, 0, 0, -1};
        int at = 0;
        for (int i = 0; i < format.length(); i++) {
            char letter = format.charAt(i);
            while (at < text.length() && text.charAt(at) == ' ' && letter != ' ') {
                at++;
            }
            if (letter == ' ') {
                continue;
            }
            if (letter != '%' || i + 1 == format.length()) {
                if (at >= text.length() || text.charAt(at) != letter) {
                    return null;
                }
                at++;
            } else {
                at = read(text, at, format.charAt(++i), fields);
                if (at < 0) {
                    return null;
                }
            }
        }
        try {
            int hour = fields[HALF] < 0 ? fields[3] : fields[3] % 12 + 12 * fields[HALF];
            return LocalDateTime.of(fields[0], fields[1], fields[2], hour, fields[4], fields[5], fields[6]);
        } catch (DateTimeException none) {
            return null;
        }
    }

    /** Parses a field and returns the position after it, -1 if it is missing. */
    private static int read(String text, int at, char letter, int[] fields) throws SQLException {
        return switch (letter) {
            case 'Y' -> number(text, at, 4, 0, fields);
            case 'y' -> {
                int end = number(text, at, 2, 0, fields);
                fields[0] += fields[0] < 70 ? 2000 : 1900;
                yield end;
            }
            case 'c', 'm' -> number(text, at, 2, 1, fields);
            case 'd', 'e' -> number(text, at, 2, 2, fields);
            case 'H', 'k', 'h', 'I', 'l' -> number(text, at, 2, 3, fields);
            case 'i' -> number(text, at, 2, 4, fields);
            case 'S', 's' -> number(text, at, 2, 5, fields);
            case 'f' -> {
                int end = number(text, at, 6, 6, fields);
                fields[6] *= end < 0 ? 0 : (int) Math.pow(10, 9 - (end - at));
                yield end;
            }
            case 'M', 'b' -> named(text, at, letter == 'M' ? TextStyle.FULL : TextStyle.SHORT, fields);
            case 'p' -> {
                boolean isHalf = text.regionMatches(true, at, "PM", 0, 2);
                fields[HALF] = isHalf ? 1 : 0;
                yield isHalf || text.regionMatches(true, at, "AM", 0, 2) ? at + 2 : -1;
            }
            case 'T' -> {
                int minutes = expect(text, number(text, at, 2, 3, fields), ':');
                int seconds = minutes < 0 ? -1 : expect(text, number(text, minutes, 2, 4, fields), ':');
                yield seconds < 0 ? -1 : number(text, seconds, 2, 5, fields);
            }
            case '%' -> expect(text, at, '%');
            default ->
                throw new SQLException("STR_TO_DATE with %" + letter + " is not supported by this server", "0A000");
        };
    }

    private static int expect(String text, int at, char letter) {
        return at >= 0 && at < text.length() && text.charAt(at) == letter ? at + 1 : -1;
    }

    private static int number(String text, int at, int digits, int field, int[] fields) {
        int end = at;
        int number = 0;
        while (end < text.length() && end < at + digits && Character.isDigit(text.charAt(end))) {
            number = number * 10 + text.charAt(end++) - '0';
        }
        fields[field] = number;
        return end == at ? -1 : end;
    }

    private static int named(String text, int at, TextStyle style, int[] fields) {
        for (Month month : Month.values()) {
            String name = month.getDisplayName(style, Locale.ENGLISH);
            if (text.regionMatches(true, at, name, 0, name.length())) {
                fields[1] = month.getValue();
                return at + name.length();
            }
        }
        return -1;
    }
}
