package io.nightjar.jobs.mock;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** An object that transactions read and write: a row of a table that is there, was there, or was asked for. */
public final class RowObject {

    private final String plainName;
    private final @Nullable Object handle;
    private final @Nullable ChoiceMode choice;
    private String name;
    private int number;
    private int generation;

    /** Its content before its first write in a run; null if none. */
    private @Nullable InitialRow initial;

    /** The version that was committed last in a run; null if none. */
    private @Nullable RowVersion newest;

    private boolean isUsed;
    private boolean isShared;
    private boolean wasDeleted;

    /** @param choice how its versions are chosen, null for as those of others */
    RowObject(String name, int number, @Nullable Object handle, @Nullable ChoiceMode choice) {
        this.choice = choice;
        this.plainName = name;
        this.handle = handle;
        this.name = name;
        this.number = number;
    }

    /** The name in archives. */
    public String name() {
        return name;
    }

    /** Returns what its maker gave it, null if nothing. */
    public @Nullable Object handle() {
        return handle;
    }

    /** How its versions are chosen, null for as those of others. */
    @Nullable
    ChoiceMode choice() {
        return choice;
    }

    /** Returns a question to be asked later: whether it has not been committed since now. */
    public BooleanSupplier unchangedSinceNow() {
        RowVersion now = newest;
        return () -> newest == now;
    }

    /** The store's number of it. */
    int number() {
        return number;
    }

    void use() {
        isUsed = true;
    }

    @Nullable
    Object initial() {
        return initial == null ? null : initial.content();
    }

    @Nullable
    InitialRow initialRow() {
        return initial;
    }

    /** Returns its present content as an initial state, null if there is none. */
    @Nullable
    InitialRow newestRow() {
        if (newest == null) {
            return initial;
        }
        RowVersion now = newest;
        return now.content() == null ? null : new InitialRow(now.content(), id -> now.text());
    }

    @Nullable
    RowVersion newest() {
        return newest;
    }

    void commit(RowVersion version) {
        newest = version;
        wasDeleted |= version.content() == null;
    }

    /** Returns whether a committed transaction has deleted the object. */
    boolean wasDeleted() {
        return wasDeleted;
    }

    /** Returns whether all committed versions and the initial state agree on whether the object is there. */
    boolean hasOneExistence() {
        return initial == null ? newest == null : !wasDeleted;
    }

    /** Whether it has ever had a content that others may see. */
    boolean isBorn() {
        return initial != null || newest != null;
    }

    /** Whether it is among the objects of its table that have been written in a run. */
    boolean isShared() {
        return isShared;
    }

    void share() {
        isShared = true;
    }

    /** Returns its present content, for readers outside of the history; null if there is none. */
    public @Nullable Object newestContent() {
        return newest == null ? initial() : newest.content();
    }

    /**
     * Gives it an initial content, null for none; one that a run has used becomes another object of the same place.
     *
     * @param isLate whether somebody has looked through its table already, and not seen this content
     */
    void load(@Nullable InitialRow content, boolean isLate, IntSupplier freshNumber) {
        if (isUsed) {
            number = freshNumber.getAsInt();
            newest = null;
            isUsed = false;
            isShared = false;
            wasDeleted = false;
            name = plainName + "#" + ++generation;
        }
        if (isLate) {
            int slash = plainName.indexOf('/');
            name = plainName.substring(0, slash) + "#late" + ++generation + plainName.substring(slash);
        }
        initial = content;
    }
}
