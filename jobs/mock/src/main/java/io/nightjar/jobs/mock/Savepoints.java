package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.List;

/** Savepoints of a transaction with the progress at each. */
final class Savepoints {

    /** Numbers of operations, loaded rows and checks at a savepoint. */
    record Savepoint(String name, int ops, int loads, int checks) {}

    private final List<Savepoint> all = new ArrayList<>();

    void add(Savepoint savepoint) {
        all.add(savepoint);
    }

    /** Removes a savepoint and all later ones. */
    void release(String name) {
        cut(find(name));
    }

    /** Removes the savepoints after the named savepoint, and returns it. */
    Savepoint backTo(String name) {
        int position = find(name);
        cut(position + 1);
        return all.get(position);
    }

    void clear() {
        all.clear();
    }

    private int find(String name) {
        for (int position = all.size() - 1; position >= 0; position--) {
            if (all.get(position).name().equals(name)) {
                return position;
            }
        }
        throw new MockException(MockException.NO_SAVEPOINT, "savepoint \"" + name + "\" does not exist");
    }

    private void cut(int count) {
        while (all.size() > count) {
            all.remove(all.size() - 1);
        }
    }
}
