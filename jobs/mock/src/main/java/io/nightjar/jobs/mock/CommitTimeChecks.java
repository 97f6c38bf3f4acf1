package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Conditions that a transaction relied on and that are checked again at commit, since transactions do not wait for each
 * other.
 */
final class CommitTimeChecks {

    /** Check that no other transaction has inserted a row with the same unique value. */
    private record UniqueCheck(RowObject inserted, BooleanSupplier isStillUnique) {}

    private final Map<RowObject, RowVersion> locked = new IdentityHashMap<>();
    private final List<UniqueCheck> unique = new ArrayList<>();
    private final Map<RowObject, Boolean> existence = new IdentityHashMap<>();

    void locked(RowObject object, @Nullable RowVersion version) {
        locked.put(object, version);
    }

    void inserted(RowObject object, BooleanSupplier isStillUnique) {
        unique.add(new UniqueCheck(object, isStillUnique));
    }

    /** Returns the number of inserted objects, to which {@link #forgetInserted} can return. */
    int insertedCount() {
        return unique.size();
    }

    void forgetInserted(int count) {
        unique.subList(count, unique.size()).clear();
    }

    /** Records that the transaction, which writes the object, reported to its client whether it exists. */
    void recordExistence(RowObject object, boolean isThere) {
        existence.putIfAbsent(object, isThere);
    }

    /** Returns the objects whose existence or absence was reported to the client. */
    List<RowObject> withReportedExistence() {
        return List.copyOf(existence.keySet());
    }

    /** Returns whether an object is absent although its existence was reported, or the reverse. */
    boolean contradictsReportedExistence(RowObject object) {
        Boolean isThere = existence.get(object);
        return isThere != null && isThere != (object.newestContent() != null);
    }

    /** Returns an object that was read for update and that another transaction has since changed; null if none. */
    @Nullable
    RowObject changedMeanwhile() {
        for (Map.Entry<RowObject, RowVersion> entry : locked.entrySet()) {
            if (entry.getKey().newest() != entry.getValue()) {
                return entry.getKey();
            }
        }
        return null;
    }

    /** Returns an inserted object that still exists and now violates uniqueness; null if none. */
    @Nullable
    RowObject insertedMeanwhile(Predicate<RowObject> isStillThere) {
        for (UniqueCheck check : unique) {
            if (isStillThere.test(check.inserted()) && !check.isStillUnique().getAsBoolean()) {
                return check.inserted();
            }
        }
        return null;
    }

    void clear() {
        locked.clear();
        existence.clear();
        unique.clear();
    }
}
