package io.nightjar.jobs.mock;

import java.util.Locale;

/**
 * Faults that a mock injects, each with a probability.
 *
 * @param abort a commit fails as a serialization failure
 * @param unknownCommit a commit is never answered; it may or may not have taken effect
 * @param disconnect a statement is never answered, and the connection is closed
 */
public record MockFaults(double abort, double unknownCommit, double disconnect) {

    public static final MockFaults NONE = new MockFaults(0, 0, 0);

    /**
     * Parses {@code abort=p,unknown-commit=p,disconnect=p}, each optional.
     *
     * @throws IllegalArgumentException with the cause
     */
    public static MockFaults parse(String text) {
        double abort = 0;
        double unknownCommit = 0;
        double disconnect = 0;
        for (String item : text.split(",", -1)) {
            int equals = item.indexOf('=');
            String name = item.substring(0, Math.max(equals, 0)).trim().toLowerCase(Locale.ROOT);
            double probability =
                    equals < 0 ? Double.NaN : number(item.substring(equals + 1).trim());
            if (!(probability >= 0 && probability <= 1)) {
                throw new IllegalArgumentException(
                        "not a fault with its probability: fault=" + item + "; give NAME=P with P from 0 to 1");
            }
            switch (name) {
                case "abort" -> abort = probability;
                case "unknown-commit" -> unknownCommit = probability;
                case "disconnect" -> disconnect = probability;
                default ->
                    throw new IllegalArgumentException(
                            "unknown fault: name=" + name + "; known: abort, unknown-commit and disconnect");
            }
        }
        return new MockFaults(abort, unknownCommit, disconnect);
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException noNumber) {
            return Double.NaN;
        }
    }
}
