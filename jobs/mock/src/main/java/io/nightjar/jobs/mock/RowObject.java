package io.nightjar.jobs.mock;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Object that transactions read and write: a row of a table, existing, deleted, or only queried. */
public final class RowObject {

    private final String plainName;
    private final @Nullable Object handle;
    private final @Nullable ChoiceMode choice;
    private String name;
    private int number;
    private int generation;

    /** Content before the first write in a run; null if none. */
    private @Nullable InitialRow initial;

    /** Last version committed in a run; null if none. */
    private @Nullable RowVersion newest;

    private boolean isUsed;
    private boolean isShared;
    private boolean wasDeleted;

    /** @param choice choice mode of its versions, null for the default */
    RowObject(String name, int number, @Nullable Object handle, @Nullable ChoiceMode choice) {
        this.choice = choice;
        this.plainName = name;
        this.handle = handle;
        this.name = name;
        this.number = number;
    }

    /** Returns the name in archives. */
    public String name() {
        return name;
    }

    /** Returns the handle given at creation, null if none. */
    public @Nullable Object handle() {
        return handle;
    }

    /** Returns the choice mode of its versions, null for the default. */
    @Nullable
    ChoiceMode choice() {
        return choice;
    }

    /** Returns a supplier that checks later whether no version has been committed since now. */
    public BooleanSupplier unchangedSinceNow() {
        RowVersion now = newest;
        return () -> newest == now;
    }

    /** Returns the number of the object in the store. */
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

    /** Returns its current content as an initial state, null if it has none. */
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

    /** Returns whether it has ever had content visible to others. */
    boolean isBorn() {
        return initial != null || newest != null;
    }

    /** Returns whether its table lists it among the objects written in a run. */
    boolean isShared() {
        return isShared;
    }

    void share() {
        isShared = true;
    }

    /** Returns its current content for readers outside of the history; null if it has none. */
    public @Nullable Object newestContent() {
        return newest == null ? initial() : newest.content();
    }

    /**
     * Sets its initial content, null for none; an object already used in a run receives a new number.
     *
     * @param isLate whether a session has already scanned the table without this content
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
