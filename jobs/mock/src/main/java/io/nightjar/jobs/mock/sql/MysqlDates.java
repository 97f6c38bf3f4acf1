package io.nightjar.jobs.mock.sql;

import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.TextStyle;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats times by MySQL's formats. */
final class MysqlDates {

    private MysqlDates() {}

    static String format(LocalDateTime time, String format) throws SQLException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < format.length(); i++) {
            char letter = format.charAt(i);
            if (letter != '%' || i + 1 == format.length()) {
                text.append(letter);
            } else {
                String formatted = ofTime(time, format.charAt(++i));
                formatted = formatted == null ? ofDate(time.toLocalDate(), format.charAt(i)) : formatted;
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
}
