package io.nightjar.formats.history;

/** Outcome of a transaction, as the byte stored in {@link HistorySlice#status}. */
public final class TxnStatus {

    public static final byte COMMITTED = 0;
    public static final byte ABORTED = 1;

    /** The client never learned the outcome. */
    public static final byte UNKNOWN = 2;

    private static final String[] NAMES = {"committed", "aborted", "unknown"};

    private TxnStatus() {}

    public static String name(byte status) {
        return NAMES[status];
    }

    /** Returns the code of a status word, or -1 if it is not a status word. */
    public static int code(String name) {
        return switch (name) {
            case "committed" -> COMMITTED;
            case "aborted" -> ABORTED;
            case "unknown" -> UNKNOWN;
            default -> -1;
        };
    }
}
