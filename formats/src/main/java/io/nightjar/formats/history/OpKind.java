package io.nightjar.formats.history;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Kind of an operation, as the byte stored in {@link HistorySlice#kind}.
 *
 * <p>Kinds are bytes and not an enum, because each operation stores one and every hot loop compares it. A read has
 * three codes, since its result (a value, a list, none) determines the interpretation of its value column. The
 * properties of a kind are flags; the order of the codes has no meaning.
 */
public final class OpKind {

    /** A read that returned a value; the value column contains it. */
    public static final byte READ = 0;

    /** A read that returned null: the initial state of its key. The value column is unused. */
    public static final byte READ_NOTHING = 1;

    /** A read that returned elements, in order; the value column contains a {@link ListRef}. */
    public static final byte READ_LIST = 2;

    /** A write of a register. */
    public static final byte WRITE = 3;

    /** An append to a list. */
    public static final byte APPEND = 4;

    /** An addition to a set. */
    public static final byte ADD = 5;

    /** An increment of a counter. */
    public static final byte INCREMENT = 6;

    /** A guard: the key had none, or another value than the value column contains. Not in files. */
    public static final byte UNEQUAL = 7;

    /** A guard: the key had a value. The value column is unused. Not in files. */
    public static final byte PRESENT = 8;

    /** A guard: the key had no value. The value column is unused. Not in files. */
    public static final byte ABSENT = 9;

    /** A guard that the own writes of its transaction contradict. The value column is unused. Not in files. */
    public static final byte NEVER = 10;

    /** A write that leaves its key without a value. The value column is unused. Not in files. */
    public static final byte ERASE = 11;

    /** Number of the codes that begin at 0 and occur among the {@link HistorySlice#items}; others follow the rest. */
    public static final int ITEM_COUNT = 12;

    /** A read of all rows that match a condition; the following operations are these rows. */
    public static final byte PREDICATE = 12;

    /** A predicate read with an aggregate of the rows (a count, a sum) in the value column. */
    public static final byte PREDICATE_ANSWER = 13;

    /** A row that was inspected and does not match; the value column is unused. */
    public static final byte UNMATCHED = 14;

    /** A row that was inspected and does not match, with the row in the value column. */
    public static final byte UNMATCHED_ROW = 15;

    /** A deletion of a row. The value column is unused. */
    public static final byte DELETE = 16;

    /** A write on condition that the key has the value in {@link HistoryColumn#PARAMS}. */
    public static final byte CAS = 17;

    /** A write on condition that the key has no value. */
    public static final byte INSERT = 18;

    /** A write on condition that the key has a value. */
    public static final byte UPDATE = 19;

    /** A deletion on condition that the key has a value. The value column is unused. */
    public static final byte DELETE_PRESENT = 20;

    /** A test whether a set contains an element; its outcome is the answer. */
    public static final byte HAS = 21;

    /** A removal of an element of a set; its outcome, if known, is whether the set contained it. */
    public static final byte REMOVE = 22;

    /** An addition to a set with an outcome: whether the set did not contain the element. */
    public static final byte ADD_ABSENT = 23;

    /** A guard: a set contained the element in the value column. Not in files. */
    public static final byte CONTAINS = 24;

    /** A guard: a set did not contain the element in the value column. Not in files. */
    public static final byte LACKS = 25;

    /** A removal of an element of a set. Not in files. */
    public static final byte TAKE = 26;

    /** A write of an element as a separate key, whose value no read returns. In operation logs only. */
    public static final byte PLACE = 27;

    /** A guard: a key that is an element is in its set. The value column is unused. In operation logs only. */
    public static final byte PLACED = 28;

    /** A guard: a key did not have a row that matches the condition in the value column. Not in files. */
    public static final byte UNLIKE = 29;

    /** A guard: the row of a key was part of the computed answer in the value column. Not in files. */
    public static final byte COMPUTED = 30;

    /** Number of codes, which begin at 0. */
    public static final int COUNT = 31;

    /*
     * Definitions. Flags of a kind:
     *
     *   READS    returns the current value of its key
     *   WRITES   changes its key
     *   STORES   the value column contains the new value of the key, in full or as an element
     *   HAS_VALUE  HAS_LIST  the value column contains a scalar, a ListRef; unused if neither is set
     *   RELATIONAL   requires a history of tables: predicates, inspected rows, deletions
     *   PREDICATES   reads by a condition, and its key is a relation or missing
     *   CONDITIONAL  writes on a condition, and HistoryColumn.DONE is the outcome
     *   GUARDS       states which values a key did not have
     *   DERIVED      occurs among items only, not in files
     *
     * Layout. Each flag is one number with a bit per code, so that a query is a shift without a memory access.
     */
    private static final int READS = 1;
    private static final int WRITES = 2;
    private static final int STORES = 4;
    private static final int HAS_VALUE = 8;
    private static final int HAS_LIST = 16;
    private static final int RELATIONAL = 32;
    private static final int PREDICATES = 64;
    private static final int CONDITIONAL = 128;
    private static final int GUARDS = 256;
    private static final int DERIVED = 512;

    private static final Kind[] KINDS = new Kind[COUNT];

    static {
        declare(READ, "r", READS | HAS_VALUE);
        declare(READ_NOTHING, "r", READS);
        declare(READ_LIST, "r", READS | HAS_LIST);
        declare(WRITE, "w", WRITES | STORES | HAS_VALUE);
        declare(APPEND, "append", WRITES | STORES | HAS_VALUE);
        declare(ADD, "add", WRITES | STORES | HAS_VALUE);
        declare(INCREMENT, "inc", WRITES | HAS_VALUE);
        declare(UNEQUAL, "unequal", GUARDS | DERIVED | HAS_VALUE);
        declare(PRESENT, "present", GUARDS | DERIVED);
        declare(ABSENT, "absent", GUARDS | DERIVED);
        declare(NEVER, "never", GUARDS | DERIVED);
        declare(ERASE, "d", WRITES | DERIVED);
        declare(PREDICATE, "p", RELATIONAL | PREDICATES);
        declare(PREDICATE_ANSWER, "p", RELATIONAL | PREDICATES | HAS_VALUE);
        declare(UNMATCHED, "v", RELATIONAL);
        declare(UNMATCHED_ROW, "v", RELATIONAL | HAS_VALUE);
        declare(DELETE, "d", RELATIONAL | WRITES);
        declare(CAS, "cas", CONDITIONAL | WRITES | HAS_VALUE);
        declare(INSERT, "ins", CONDITIONAL | WRITES | HAS_VALUE);
        declare(UPDATE, "w", CONDITIONAL | WRITES | HAS_VALUE);
        declare(DELETE_PRESENT, "d", CONDITIONAL | WRITES);
        declare(HAS, "has", CONDITIONAL | HAS_VALUE);
        declare(REMOVE, "rem", CONDITIONAL | WRITES | HAS_VALUE);
        declare(ADD_ABSENT, "add", CONDITIONAL | WRITES | HAS_VALUE);
        declare(CONTAINS, "contains", GUARDS | DERIVED | HAS_VALUE);
        declare(LACKS, "lacks", GUARDS | DERIVED | HAS_VALUE);
        declare(TAKE, "rem", WRITES | DERIVED | HAS_VALUE);
        declare(PLACE, "add", WRITES | DERIVED | HAS_VALUE);
        declare(PLACED, "contains", GUARDS | DERIVED);
        declare(UNLIKE, "unlike", GUARDS | DERIVED | HAS_VALUE);
        declare(COMPUTED, "computed", GUARDS | DERIVED | HAS_VALUE);
    }

    private static final int READING = codesWith(READS);
    private static final int WRITING = codesWith(WRITES);
    private static final int STORING = codesWith(STORES);
    private static final int HOLDING_VALUE = codesWith(HAS_VALUE);
    private static final int HOLDING_LIST = codesWith(HAS_LIST);
    private static final int BEING_RELATIONAL = codesWith(RELATIONAL);
    private static final int READING_BY_PREDICATE = codesWith(PREDICATES);
    private static final int BEING_CONDITIONAL = codesWith(CONDITIONAL);
    private static final int GUARDING = codesWith(GUARDS);

    private static final int ITEMS = codesWith(DERIVED) | (1 << ITEM_COUNT) - 1;

    private static final List<String> WORDS = distinctWords();

    private record Kind(String word, int flags) {}

    private OpKind() {}

    private static void declare(byte code, String word, int flags) {
        KINDS[code] = new Kind(word, flags);
    }

    private static int codesWith(int flag) {
        int codes = 0;
        for (int code = 0; code < COUNT; code++) {
            codes |= (KINDS[code].flags & flag) != 0 ? 1 << code : 0;
        }
        return codes;
    }

    private static List<String> distinctWords() {
        Set<String> words = new LinkedHashSet<>();
        for (Kind kind : KINDS) {
            if ((kind.flags & DERIVED) == 0) {
                words.add(kind.word);
            }
        }
        return List.copyOf(words);
    }

    /** Returns whether the operation returns the current value of its key. */
    public static boolean isRead(byte kind) {
        return (READING >>> kind & 1) != 0;
    }

    /** Returns whether the operation changes its key. */
    public static boolean isWrite(byte kind) {
        return (WRITING >>> kind & 1) != 0;
    }

    /** Returns whether the value column contains the new value of the key, in full or as an element. */
    public static boolean isWriteOfValue(byte kind) {
        return (STORING >>> kind & 1) != 0;
    }

    /** Returns whether the value column contains a number or a name. */
    public static boolean hasValue(byte kind) {
        return (HOLDING_VALUE >>> kind & 1) != 0;
    }

    /** Returns whether the value column contains a {@link ListRef}. */
    public static boolean hasList(byte kind) {
        return (HOLDING_LIST >>> kind & 1) != 0;
    }

    /**
     * Returns whether the operation occurs only in histories of tables: a predicate read, an inspected row, a deletion.
     */
    public static boolean isRelational(byte kind) {
        return (BEING_RELATIONAL >>> kind & 1) != 0;
    }

    /** Returns whether one of the kinds in a bit set is relational. */
    static boolean isAnyRelational(int kinds) {
        return (BEING_RELATIONAL & kinds) != 0;
    }

    /** Returns whether the operation writes on a condition that does not depend on other keys. */
    public static boolean isConditional(byte kind) {
        return (BEING_CONDITIONAL >>> kind & 1) != 0;
    }

    /** Returns whether one of the kinds in a bit set is conditional. */
    static boolean isAnyConditional(int kinds) {
        return (BEING_CONDITIONAL & kinds) != 0;
    }

    /** Returns whether the operation states which values its key did not have. */
    public static boolean isGuard(byte kind) {
        return (GUARDING >>> kind & 1) != 0;
    }

    /** Returns whether the operation requires its set to be checked element by element. */
    public static boolean isOfElement(byte kind) {
        return kind == CONTAINS || kind == LACKS || kind == TAKE;
    }

    /** Returns whether the operation writes a version that no read identifies by a value. */
    public static boolean isUnreadWrite(byte kind) {
        return kind == ERASE || kind == PLACE;
    }

    /** Returns whether the operation occurs in the {@link HistorySlice#items} of a slice. */
    public static boolean isItem(byte kind) {
        return (ITEMS >>> kind & 1) != 0;
    }

    /** Returns whether the operation reads by a condition; its key is a relation or missing. */
    public static boolean isPredicate(byte kind) {
        return (READING_BY_PREDICATE >>> kind & 1) != 0;
    }

    /** Returns the code of the same word for an operation with a value; -1 if it cannot have one. */
    public static int withValue(byte kind) {
        return switch (kind) {
            case PREDICATE -> PREDICATE_ANSWER;
            case UNMATCHED -> UNMATCHED_ROW;
            default -> hasValue(kind) ? kind : -1;
        };
    }

    /** Returns the code of the same word for an operation without a value; -1 if it must have one. */
    public static int withoutValue(byte kind) {
        return switch (kind) {
            case READ -> READ_NOTHING;
            default -> hasValue(kind) ? -1 : kind;
        };
    }

    /** Returns whether the operation may have an outcome in {@link HistoryColumn#DONE}. */
    public static boolean mayHaveOutcome(byte kind) {
        return isConditional(withOutcome(kind));
    }

    /** Returns the code of the same word for an operation with an outcome: a write or deletion becomes conditional. */
    public static byte withOutcome(byte kind) {
        return switch (kind) {
            case WRITE -> UPDATE;
            case DELETE -> DELETE_PRESENT;
            case ADD -> ADD_ABSENT;
            default -> kind;
        };
    }

    /** Returns the word used in files. */
    public static String name(byte kind) {
        return KINDS[kind].word;
    }

    /** Returns all words used in files, without repetition. */
    public static List<String> words() {
        return WORDS;
    }

    /** Returns the words as messages list them. */
    public static String expected() {
        return String.join("|", WORDS);
    }

    /** Returns the code of a word, or -1; for a read, whose code depends on its result, {@link #READ}. */
    public static int code(String word) {
        for (int code = 0; code < COUNT; code++) {
            if (KINDS[code].word.equals(word) && (KINDS[code].flags & DERIVED) == 0) {
                return code;
            }
        }
        return -1;
    }

    /** Returns the code of a word that changes its key, or -1. */
    public static int writeCode(String word) {
        int code = code(word);
        return code >= 0 && isWrite((byte) code) ? code : -1;
    }
}
