package io.nightjar.jobs;

/** Text of a history on its way to a terminal: keys and values may hold anything, a terminal obeys some of it. */
public final class PlainText {

    private PlainText() {}

    /** The text on one line, a space for every control character. */
    public static String flat(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return replaced(text);
            }
        }
        return text;
    }

    private static String replaced(String text) {
        StringBuilder flat = new StringBuilder(text);
        for (int i = 0; i < flat.length(); i++) {
            if (Character.isISOControl(flat.charAt(i))) {
                flat.setCharAt(i, ' ');
            }
        }
        return flat.toString();
    }
}
