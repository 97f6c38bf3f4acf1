package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Objects of one table for scans: the scans of each session and the written objects. */
public final class ObjectSpace {

    private static final int MANY_SCANS = 512;
    private static final int NONE = -1;

    private final String name;
    private final List<Scan> scans = new ArrayList<>();
    private final List<RowObject> written = new ArrayList<>();
    private boolean isSearched;
    private boolean isLoadedLate;
    private @Nullable MockSession removedBy;

    /** Last scans of a range by a session, which observed that objects absent at the time are missing. */
    private static final class Scan {

        private final int session;
        private final Object range;
        private final Predicate<RowObject> covers;
        private int position;
        private int positionBefore = NONE;

        private Scan(int session, int position, Object range, Predicate<RowObject> covers) {
            this.session = session;
            this.position = position;
            this.range = range;
            this.covers = covers;
        }
    }

    ObjectSpace(String name) {
        this.name = name;
    }

    /** Returns the name, unique among all tables ever created. */
    public String name() {
        return name;
    }

    /** Records that the table was dropped, or replaced by an altered table with the rows visible to this session. */
    public void remove(MockSession by) {
        removedBy = by;
    }

    /** Returns whether another session has removed the table, so that writes of this session would be lost. */
    boolean isLostFor(MockSession writer) {
        return removedBy != null && removedBy != writer;
    }

    /**
     * Returns whether searches are archived: not once contents were loaded that earlier searches should have found, nor
     * if its name contains a slash, as the first slash of an object's name ends the name of its table.
     */
    boolean keepsSearches() {
        return !isLoadedLate && name.indexOf('/') < 0;
    }

    /** Records that a search of the table has been archived. */
    void searched() {
        isSearched = true;
    }

    /** Starts loading contents; returns whether they are late, as a search of the table has already been archived. */
    boolean beginLoad() {
        isLoadedLate |= isSearched;
        return isLoadedLate;
    }

    /** Returns the objects written in the run, in the order of their first commits. */
    List<RowObject> written() {
        return written;
    }

    void addWritten(RowObject object) {
        if (!object.isShared()) {
            object.share();
            written.add(object);
        }
    }

    /**
     * Records a scan.
     *
     * @param range equal for scans of the same objects
     */
    void scanned(int session, int position, Object range, Predicate<RowObject> covers) {
        int last = NONE;
        for (int i = scans.size() - 1; i >= 0; i--) {
            Scan scan = scans.get(i);
            if (scan.session == session && scan.range.equals(range)) {
                if (scan.position != position) {
                    scan.positionBefore = scan.position == NONE ? scan.positionBefore : scan.position;
                    scan.position = position;
                }
                return;
            }
            if (scan.session == session) {
                last = Math.max(last, scan.position == position ? scan.positionBefore : scan.position);
            }
        }
        if (scans.size() < MANY_SCANS) {
            scans.add(new Scan(session, position, range, covers));
            return;
        }
        scans.removeIf(scan -> scan.session == session);
        Scan all = new Scan(session, position, Boolean.TRUE, object -> true);
        all.positionBefore = last;
        scans.add(all);
    }

    /** Records in the store which sessions have scanned an object before its first write. */
    void recordUnborn(RowObject object, MockStore store) {
        for (Scan scan : scans) {
            if (scan.covers.test(object)) {
                if (scan.positionBefore != NONE) {
                    store.recordUnborn(scan.session, scan.positionBefore, object);
                }
                if (scan.position != NONE) {
                    store.recordUnborn(scan.session, scan.position, object);
                }
            }
        }
    }

    /** Removes the scans of a discarded transaction. */
    void forget(int session, int position) {
        for (Scan scan : scans) {
            if (scan.session == session && scan.position == position) {
                scan.position = NONE;
            }
        }
    }
}
