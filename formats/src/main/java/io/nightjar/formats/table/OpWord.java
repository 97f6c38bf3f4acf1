package io.nightjar.formats.table;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** Meaning of the words for operations and outcomes that occur in tables, in any case. */
final class OpWord {

    static final int UNKNOWN_WORD = -1;

    /** Code of a row that states the outcome of its transaction; the {@link TxnStatus} is added to this code. */
    static final int OUTCOME = 64;

    /** Code of a row that only marks the start of its transaction. */
    static final int BEGIN = 32;

    private static final int MAX_KNOWN = 16;
    private static final int NOT_MET = -2;

    // Spellings in the order of occurrence, so that each costs one lookup.
    private final byte[][] spellings = new byte[MAX_KNOWN][];
    private final int[] codes = new int[MAX_KNOWN];
    private int known;
    private final int[] ofLetter = new int[128];

    private final ToIntFunction<String> meaning;

    private OpWord(ToIntFunction<String> meaning) {
        this.meaning = meaning;
        Arrays.fill(ofLetter, NOT_MET);
    }

    /**
     * Returns the words for operations: their code is that of an {@link OpKind}, {@link #BEGIN} or an {@link #OUTCOME}.
     */
    static OpWord ofOps() {
        return new OpWord(OpWord::codeOf);
    }

    /** Returns the words for outcomes: their code is a {@link TxnStatus}. */
    static OpWord ofOutcomes() {
        return new OpWord(OpWord::statusOf);
    }

    /** Returns the code of a word; {@link #UNKNOWN_WORD} if it has no meaning. */
    int code(Cell cell) {
        byte[] bytes = cell.bytes();
        int from = cell.from();
        int end = from + cell.length();
        boolean isLetter = cell.length() == 1 && bytes[from] >= 0;
        if (isLetter && ofLetter[bytes[from]] != NOT_MET) {
            return ofLetter[bytes[from]];
        }
        for (int i = 0; i < known; i++) {
            if (Arrays.equals(spellings[i], 0, spellings[i].length, bytes, from, end)) {
                return codes[i];
            }
        }
        byte[] spelling = Arrays.copyOfRange(bytes, from, end);
        int code = meaning.applyAsInt(new String(spelling, StandardCharsets.UTF_8));
        if (isLetter) {
            ofLetter[bytes[from]] = code;
        } else if (known < MAX_KNOWN) {
            spellings[known] = spelling;
            codes[known++] = code;
        }
        return code;
    }

    private static int codeOf(String spelled) {
        String word = spelled.trim().toLowerCase(Locale.ROOT);
        return switch (word) {
            case "r", "read", "get", "select", "load" -> OpKind.READ;
            case "w", "write", "put", "set", "update", "insert", "upsert", "u", "i", "store" -> OpKind.WRITE;
            case "a", "append" -> OpKind.APPEND;
            case "add" -> OpKind.ADD;
            case "inc", "increment", "incr" -> OpKind.INCREMENT;
            case "d", "delete", "del", "remove" -> OpKind.DELETE;
            case "b", "begin", "start", "begin transaction" -> BEGIN;
            case "c", "commit" -> OUTCOME | TxnStatus.COMMITTED;
            case "abort", "rollback" -> OUTCOME | TxnStatus.ABORTED;
            default -> UNKNOWN_WORD;
        };
    }

    private static int statusOf(String spelled) {
        String word = spelled.trim()
                .toLowerCase(Locale.ROOT)
                .replace("_", "")
                .replace("-", "")
                .replace(" ", "");
        return switch (word) {
            case "committed", "commit", "c", "ok", "success", "succeeded", "done", "true", "1", "yes" ->
                TxnStatus.COMMITTED;
            case "aborted", "abort", "rolledback", "rollback", "fail", "failed", "false", "0", "no", "cancelled" ->
                TxnStatus.ABORTED;
            case "unknown", "info", "indeterminate", "timeout", "timedout", "maybe" -> TxnStatus.UNKNOWN;
            default -> UNKNOWN_WORD;
        };
    }
}
