package io.nightjar.formats.parquet;

import io.nightjar.formats.history.StringPool;

/** Maps the words of a small vocabulary to their ordinals; other words to negative numbers that identify the word. */
final class CodeMap implements StringEncoder {

    /** A code that callers may use for null, since no word is mapped to it. */
    static final int NULL = -1;

    private static final int FIRST_UNKNOWN = -2;
    private static final int MAX_SHOWN_LENGTH = 60;

    private final StringPool words = new StringPool();
    private final int vocabulary;

    CodeMap(String... vocabulary) {
        for (String word : vocabulary) {
            words.intern(word);
        }
        this.vocabulary = vocabulary.length;
    }

    @Override
    public int map(byte[] bytes, int offset, int length) {
        int ordinal = words.intern(bytes, offset, length);
        return ordinal < vocabulary ? ordinal : FIRST_UNKNOWN - ordinal;
    }

    /** Returns the word of a code, truncated if it is long. */
    String word(long code) {
        if (code == NULL) {
            return "null";
        }
        String word = words.get((int) (code >= 0 ? code : FIRST_UNKNOWN - code));
        return word.length() > MAX_SHOWN_LENGTH ? word.substring(0, MAX_SHOWN_LENGTH) + "..." : word;
    }
}
