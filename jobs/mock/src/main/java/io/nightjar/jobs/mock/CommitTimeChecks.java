package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a transaction has relied on that is looked at again when it commits, since transactions do not wait for each other. */
final class CommitTimeChecks {

    /** A check that no other transaction has put in what must be there once. */
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

    /** How many objects were put in; what comes behind a given number can be forgotten. */
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

    /** An object that was read to be changed, and that another transaction has changed since; null if there is none. */
    @Nullable
    RowObject changedMeanwhile() {
        for (Map.Entry<RowObject, RowVersion> entry : locked.entrySet()) {
            if (entry.getKey().newest() != entry.getValue()) {
                return entry.getKey();
            }
        }
        return null;
    }

    /** An object that was put in, is still there, and is there twice by now; null if there is none. */
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
