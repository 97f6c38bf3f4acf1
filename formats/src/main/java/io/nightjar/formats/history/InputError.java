package io.nightjar.formats.history;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Description of a problem with input, and its remedy.
 *
 * <p>Messages have one form: the problem, then {@code name=value} pairs, then the remedy after a semicolon.
 *
 * @param kind the problem, in the same words for all its occurrences: no names, numbers or texts of the input
 * @param details location and values, as {@code name=value} pairs or a few words; may be empty
 * @param advice the remedy; may be empty
 */
public record InputError(String kind, String details, String advice) implements Serializable {

    private static final long serialVersionUID = 1L;

    public InputError {
        assert isPlain(kind) : "a kind has no details and no advice: kind=" + kind;
    }

    public static InputError of(String kind) {
        return new InputError(kind, "", "");
    }

    /** Returns a copy with these details appended. */
    public InputError with(String more) {
        return new InputError(kind, join(details, " ", more), advice);
    }

    /** Returns a copy with these details, formatted by {@link String#format}, appended. */
    public InputError with(String format, @Nullable Object... values) {
        return with(format.formatted(values));
    }

    /** Returns a copy with this advice appended. */
    public InputError advise(String more) {
        return new InputError(kind, details, join(advice, "; ", more));
    }

    /** Returns the problem and details without the remedy. */
    public String complaint() {
        return join(kind, ": ", details);
    }

    /** Returns the complete text, in the form of messages. */
    public String text() {
        return join(complaint(), "; ", advice);
    }

    /** Returns {@link #text}. */
    @Override
    public String toString() {
        return text();
    }

    private static boolean isPlain(String kind) {
        return !kind.isEmpty() && !kind.contains("=") && !kind.contains(": ") && !kind.contains("; ");
    }

    private static String join(String front, String between, String back) {
        return front.isEmpty() || back.isEmpty() ? front + back : front + between + back;
    }
}
