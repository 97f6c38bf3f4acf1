package io.nightjar.formats.history;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Says what is wrong with input, and what to do about it.
 *
 * <p>Messages follow one form: what is wrong, then {@code name=value} pairs, then after a semicolon what to do.
 *
 * @param kind what is wrong, in the same words wherever the same is wrong: no names, numbers or texts of the input
 * @param details where and with which values, as {@code name=value} pairs or a few words; may be empty
 * @param advice what to do about it; may be empty
 */
public record InputError(String kind, String details, String advice) implements Serializable {

    private static final long serialVersionUID = 1L;

    public InputError {
        assert isPlain(kind) : "a kind has no details and no advice: kind=" + kind;
    }

    public static InputError of(String kind) {
        return new InputError(kind, "", "");
    }

    /** Returns a copy with these details behind those that it has. */
    public InputError with(String more) {
        return new InputError(kind, join(details, " ", more), advice);
    }

    /** Returns a copy with these details, as {@link String#format} fills them in, behind those that it has. */
    public InputError with(String format, @Nullable Object... values) {
        return with(format.formatted(values));
    }

    /** Returns a copy with this advice behind that which it has. */
    public InputError advise(String more) {
        return new InputError(kind, details, join(advice, "; ", more));
    }

    /** Says what is wrong, without what to do. */
    public String complaint() {
        return join(kind, ": ", details);
    }

    /** Says all, in the form of messages. */
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
