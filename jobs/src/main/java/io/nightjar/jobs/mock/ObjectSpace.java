package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The objects of one table, as far as scans have to know them: who scanned what, and what has been written. */
public final class ObjectSpace {

    private static final int MANY_SCANS = 512;
    private static final int NONE = -1;

    private final String name;
    private final List<Scan> scans = new ArrayList<>();
    private final List<RowObject> written = new ArrayList<>();
    private boolean isSearched;
    private boolean isLoadedLate;
    private @Nullable MockSession removedBy;

    /** The last scans of a range by a session: objects that are in the range and not there yet have been seen to be missing. */
    private static final class Scan {

        private final int session;
        private final Object range;
        private final Predicate<RowObject> covers;
        private int place;
        private int placeBefore = NONE;

        private Scan(int session, int place, Object range, Predicate<RowObject> covers) {
            this.session = session;
            this.place = place;
            this.range = range;
            this.covers = covers;
        }
    }

    ObjectSpace(String name) {
        this.name = name;
    }

    /** Returns the name, unique among all tables there ever were. */
    public String name() {
        return name;
    }

    /** Notes that its table is gone: dropped, or replaced by an altered one with the rows that this session saw. */
    public void remove(MockSession by) {
        removedBy = by;
    }

    /** Whether what a session has written to it would be lost, as another session has removed the table. */
    boolean isLostFor(MockSession writer) {
        return removedBy != null && removedBy != writer;
    }

    /**
     * Whether searches of it are archived: not once contents came that earlier ones should have seen, nor where its name is not
     * all that stands before the first slash of its objects'.
     */
    boolean keepsSearches() {
        return !isLoadedLate && name.indexOf('/') < 0;
    }

    /** A search of it has been archived. */
    void searched() {
        isSearched = true;
    }

    /** Adds contents; returns whether they come late, after a transaction has looked through the table. */
    boolean beginLoad() {
        isLoadedLate |= isSearched;
        return isLoadedLate;
    }

    /** Objects that a run has written, in the order of their first commits. */
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
     * Remembers a scan.
     *
     * @param range equal for scans of the same objects
     */
    void scanned(int session, int place, Object range, Predicate<RowObject> covers) {
        int last = NONE;
        for (int i = scans.size() - 1; i >= 0; i--) {
            Scan scan = scans.get(i);
            if (scan.session == session && scan.range.equals(range)) {
                if (scan.place != place) {
                    scan.placeBefore = scan.place == NONE ? scan.placeBefore : scan.place;
                    scan.place = place;
                }
                return;
            }
            if (scan.session == session) {
                last = Math.max(last, scan.place == place ? scan.placeBefore : scan.place);
            }
        }
        if (scans.size() < MANY_SCANS) {
            scans.add(new Scan(session, place, range, covers));
            return;
        }
        scans.removeIf(scan -> scan.session == session);
        Scan all = new Scan(session, place, Boolean.TRUE, object -> true);
        all.placeBefore = last;
        scans.add(all);
    }

    /** Notes in the store which sessions have scanned an object that has not been written yet. */
    void noteUnborn(RowObject object, MockStore store) {
        for (Scan scan : scans) {
            if (scan.covers.test(object)) {
                if (scan.placeBefore != NONE) {
                    store.noteUnborn(scan.session, scan.placeBefore, object);
                }
                if (scan.place != NONE) {
                    store.noteUnborn(scan.session, scan.place, object);
                }
            }
        }
    }

    /** Forgets the scans of a transaction that is gone. */
    void forget(int session, int place) {
        for (Scan scan : scans) {
            if (scan.session == session && scan.place == place) {
                scan.place = NONE;
            }
        }
    }
}
