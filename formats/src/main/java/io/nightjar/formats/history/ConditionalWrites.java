package io.nightjar.formats.history;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules for conditional writes, and the old values that compare-and-set operations name. */
public final class ConditionalWrites {

    /** The only parameter of a compare-and-set: an integer, a string, a row, or null for a missing value. */
    private static final Pattern OLD = Pattern.compile(
            "\\s*\\[\\s*(null|-?[0-9]{1,19}|\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"|\\{.*\\})\\s*\\]\\s*",
            Pattern.DOTALL);

    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|(.))", Pattern.DOTALL);
    private static final String MISSING = "null";

    private ConditionalWrites() {}

    /**
     * Returns the error in the conditional writes of a transaction, or null.
     *
     * @param texts table of the parameters; null if no operation has any
     * @param status the {@link TxnStatus} of the transaction
     */
    public static @Nullable InputError fault(
            byte[] kind,
            long @Nullable [] params,
            long @Nullable [] done,
            @Nullable StringPool texts,
            ValueType valueType,
            byte status,
            int first,
            int end) {
        for (int op = first; op < end; op++) {
            boolean isDoneGiven = done != null && done[op] != HistorySlice.NONE;
            if (!OpKind.isConditional(kind[op])) {
                if (isDoneGiven) {
                    return InputError.of("done of an operation that cannot have one")
                            .with("op=" + (op - first) + " kind=" + OpKind.name(kind[op]))
                            .advise("leave it null");
                }
                continue;
            }
            String param = params == null || params[op] == HistorySlice.NONE || texts == null
                    ? null
                    : texts.get((int) params[op]);
            InputError wrong = kind[op] == OpKind.CAS ? faultOfOld(param, valueType) : faultOfParams(param);
            if (wrong != null) {
                return wrong.with("op=" + (op - first) + " params=" + param);
            }
            if (!isDoneGiven
                    && kind[op] != OpKind.REMOVE
                    && (status == TxnStatus.COMMITTED || status == TxnStatus.UNKNOWN && end - first > 1)) {
                return InputError.of("conditional write without its outcome")
                        .with("op=" + (op - first) + " kind=" + OpKind.name(kind[op]))
                        .advise(
                                status == TxnStatus.COMMITTED
                                        ? "give done, true or false"
                                        : "give done, or make it the only operation of the transaction");
            }
        }
        return null;
    }

    private static @Nullable InputError faultOfParams(@Nullable String params) {
        return params == null
                ? null
                : InputError.of("conditional write with parameters").advise("leave params null");
    }

    private static @Nullable InputError faultOfOld(@Nullable String params, ValueType valueType) {
        Matcher old = params == null ? null : OLD.matcher(params);
        String text = old != null && old.matches() ? old.group(1) : null;
        boolean isNumber = text != null && text.charAt(0) != '"' && text.charAt(0) != '{';
        if (text == null || !text.equals(MISSING) && isNumber && !isLong(text)) {
            return InputError.of("cas without its old value").advise("give params an array of one value, or [null]");
        }
        return text.equals(MISSING) || isNumber == (valueType == ValueType.LONG)
                ? null
                : InputError.of("old value of a cas is not of the type of the values")
                        .advise("write all of them as strings or all as integers");
    }

    private static boolean isLong(String text) {
        try {
            Long.parseLong(text);
            return true;
        } catch (NumberFormatException tooLarge) {
            return false;
        }
    }

    /**
     * Returns the old value of a compare-and-set as JSON; null for a missing value.
     *
     * @param params text that the rules accept
     */
    static @Nullable String oldValue(String params) {
        Matcher old = OLD.matcher(params);
        if (!old.matches()) {
            throw new AssertionError("bug: params of a cas were not checked: params=" + params);
        }
        return old.group(1).equals(MISSING) ? null : old.group(1);
    }

    /** Returns the text that a JSON string, or a row, is in a column of strings. */
    static byte[] text(String json) {
        if (json.charAt(0) != '"') {
            return json.getBytes(StandardCharsets.UTF_8);
        }
        StringBuilder text = new StringBuilder();
        Matcher escape = ESCAPE.matcher(json.substring(1, json.length() - 1));
        while (escape.find()) {
            String replaced = escape.group(1) != null
                    ? String.valueOf((char) Integer.parseInt(escape.group(1), 16))
                    : unescaped(escape.group(2));
            escape.appendReplacement(text, Matcher.quoteReplacement(replaced));
        }
        escape.appendTail(text);
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String unescaped(String letter) {
        return switch (letter) {
            case "n" -> "\n";
            case "t" -> "\t";
            case "r" -> "\r";
            case "b" -> "\b";
            case "f" -> "\f";
            default -> letter;
        };
    }
}
