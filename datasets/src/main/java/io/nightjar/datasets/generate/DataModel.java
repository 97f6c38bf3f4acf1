package io.nightjar.datasets.generate;

/** The kind of values of a key. */
public enum DataModel {
    /** One value, which a write replaces. */
    REGISTER("register"),
    /** A list of values, which an append extends. */
    LIST("list");

    private final String word;

    DataModel(String word) {
        this.word = word;
    }

    /** Returns the word on the command line. */
    public String word() {
        return word;
    }

    /** Returns the model with this word; an {@code IllegalArgumentException} lists the words. */
    public static DataModel byName(String name) {
        return EnumLookup.find(values(), DataModel::word, "model", name);
    }
}
