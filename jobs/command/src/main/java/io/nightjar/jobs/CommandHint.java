package io.nightjar.jobs;

import java.util.regex.Pattern;

/** A command that a message recommends: called as this process was, and quoted for a shell. */
public final class CommandHint {

    /** System property in which the launcher passes the name by which it was called. */
    static final String PROPERTY = "nightjar.command";

    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

    private CommandHint() {}

    /** Returns the command with these arguments. */
    public static String of(Object... arguments) {
        StringBuilder line = new StringBuilder(quote(System.getProperty(PROPERTY, "nightjar")));
        for (Object argument : arguments) {
            line.append(' ').append(quote(argument.toString()));
        }
        return line.toString();
    }

    /** Returns an argument quoted as a shell needs it. */
    public static String quote(String argument) {
        if (PLAIN.matcher(argument).matches()) {
            return argument;
        }
        boolean isFreeOfSpecials = argument.chars().noneMatch(c -> "\"$`\\!".indexOf(c) >= 0 || c < ' ');
        return isFreeOfSpecials ? '"' + argument + '"' : "'" + argument.replace("'", "'\\''") + "'";
    }
}
