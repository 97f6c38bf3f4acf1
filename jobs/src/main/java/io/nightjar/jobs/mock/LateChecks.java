package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** What a transaction has relied on that is looked at again when it commits, as nobody waits for anybody. */
final class LateChecks {

    /** That nobody else has put in what must be there once. */
    private record UniqueCheck(RowObject inserted, BooleanSupplier isStillUnique) {}

    private final Map<RowObject, RowVersion> locked = new IdentityHashMap<>();
    private final List<UniqueCheck> unique = new ArrayList<>();

    void locked(RowObject object, RowVersion version) {
        locked.put(object, version);
    }

    void inserted(RowObject object, BooleanSupplier isStillUnique) {
        unique.add(new UniqueCheck(object, isStillUnique));
    }

    /** How many objects were put in; what comes behind so many can be forgotten. */
    int insertedCount() {
        return unique.size();
    }

    void forgetInserted(int count) {
        unique.subList(count, unique.size()).clear();
    }

    /** An object that was read to be changed, and that somebody else has changed since; null if there is none. */
    RowObject changedMeanwhile() {
        for (Map.Entry<RowObject, RowVersion> entry : locked.entrySet()) {
            if (entry.getKey().newest() != entry.getValue()) {
                return entry.getKey();
            }
        }
        return null;
    }

    /** An object that was put in, is still there, and is there twice by now; null if there is none. */
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
        unique.clear();
    }
}
