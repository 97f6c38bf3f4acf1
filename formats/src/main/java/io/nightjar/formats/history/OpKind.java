package io.nightjar.formats.history;

/**
 * What an operation does, as the byte that stands in {@link HistorySlice#kind}.
 *
 * <p>Bytes and not an enum, because one is stored for each operation and compared in every hot loop. A read has three
 * codes, since what it returned (a value, a list, nothing) decides how its value column is to be understood.
 */
public final class OpKind {

    /** A read that returned a value; the value column holds it. */
    public static final byte READ = 0;

    /** A read that returned null: the initial state of its key. The value column holds nothing. */
    public static final byte READ_NOTHING = 1;

    /** A read that returned elements, in order; the value column holds a {@link ListRef}. */
    public static final byte READ_LIST = 2;

    /** A write of a register. */
    public static final byte WRITE = 3;

    /** An append to a list. */
    public static final byte APPEND = 4;

    /** An addition to a set. */
    public static final byte ADD = 5;

    /** An increment of a counter. */
    public static final byte INCREMENT = 6;

    private static final String[] NAMES = {"r", "r", "r", "w", "append", "add", "inc"};

    private OpKind() {}

    public static boolean isRead(byte kind) {
        return kind <= READ_LIST;
    }

    public static boolean isWrite(byte kind) {
        return kind >= WRITE;
    }

    /** Whether the value column holds what is there afterwards, in full or as an element. */
    public static boolean isWriteOfValue(byte kind) {
        return kind >= WRITE && kind <= ADD;
    }

    /** The word that files use: r, w, append, add or inc. */
    public static String name(byte kind) {
        return NAMES[kind];
    }

    /** The code of a word that changes its key, or -1; a read's code depends on what it returned. */
    public static int writeCode(String name) {
        return switch (name) {
            case "w" -> WRITE;
            case "append" -> APPEND;
            case "add" -> ADD;
            case "inc" -> INCREMENT;
            default -> -1;
        };
    }
}
