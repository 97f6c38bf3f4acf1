package io.nightjar.pipeline.online;

import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;

/** What was sealed of every register for one level: its last version, and rows in the attic for what comes late. */
final class SealedRegisters {

    /*
     *   bases     of each key the last sealed version; none in the initial state
     *   sealedTo  no row in the attic is behind this time
     *   floors    of each key the last version that the attic has forgotten
     *
     * What is placed at or before sealedTo brings back the rows of the key from the last version before it, with their marks.
     */

    private static final byte NO_BASE = -1;
    private static final int NONE = SortedRows.NONE;

    private final WindowTxns txns;
    private final OnlineKeys keys;
    private final SealedRowStore attic;
    private final int versionRoom;
    private final int readRoom;
    private final SortedRows versions;
    private final SortedRows reads;
    private final LastVersions bases;
    private final LastVersions floors;
    private final SealedRow row = new SealedRow();
    private boolean keepsNothing;

    SealedRegisters(
            WindowTxns txns,
            OnlineKeys keys,
            SealedRowStore attic,
            KeyPageCache capacity,
            int firstRoom,
            SortedRows versions,
            SortedRows reads) {
        this.txns = txns;
        this.keys = keys;
        this.attic = attic;
        this.versionRoom = firstRoom;
        this.readRoom = firstRoom + 1;
        this.versions = versions;
        this.reads = reads;
        this.bases = new LastVersions(capacity);
        this.floors = new LastVersions(capacity);
    }

    /** The last sealed version of each key. */
    LastVersions bases() {
        return bases;
    }

    /** Stops putting away what is sealed: it is not asked for again. */
    void keepNothing() {
        keepsNothing = true;
    }

    void letGo() {
        bases.letGo();
        floors.letGo();
    }

    long byteSize() {
        return bases.byteSize() + floors.byteSize();
    }

    /** Looks at where the attic has keys, all at a time, so that their misses of the cache overlap. */
    long touch(int[] some, int count) {
        return keepsNothing ? 0 : attic.prefetch(versionRoom, some, count); // reads are beside them
    }

    // ---------------------------------------------------------------- sealing

    /** Takes the reads of a key before a place, all of them for NONE; there is one. */
    void sealReads(int key, int end) {
        if (!keepsNothing) {
            putAway(reads, readRoom, key, end);
        }
        reads.removeBefore(key, end);
    }

    /** Takes the versions of a key before a place, all of them for NONE; there is one. */
    void sealVersions(int key, int end) {
        if (keepsNothing) {
            setRow(versions, key, end == NONE ? versions.last(key) : versions.previous(key, end));
        } else {
            putAway(versions, versionRoom, key, end);
        }
        if (!bases.has(key) || bases.isBefore(key, row.at, RowMeta.rowClass(row.meta), row.id)) {
            takeBase(key, true);
        }
        versions.removeBefore(key, end);
    }

    private void putAway(SortedRows rows, int capacity, int key, int end) {
        for (int place = rows.first(key); place != end; place = rows.next(key, place)) {
            setRow(rows, key, place);
            attic.append(capacity, key, row);
        }
        bases.setSealedTo(key, Math.max(bases.sealedTo(key), row.at)); // the latest of them came last
    }

    private void setRow(SortedRows rows, int key, int place) {
        long meta = rows.meta(key, place);
        row.set(rows.at(key, place), meta, rows.value(key, place));
        row.setTxn(txns, RowMeta.slot(meta));
    }

    /** Lets the attic forget what it has no room for. */
    void ensureCapacity() {
        attic.evict();
    }

    /** The row becomes the base, or there is none. */
    private void takeBase(int key, boolean isThere) {
        keys.noteChanged(key);
        if (isThere) {
            bases.set(key, row);
        } else {
            bases.clear(key);
        }
    }

    // ---------------------------------------------------------------- what comes late

    /** Whether what is placed at a time stands behind all that was put away of a key. */
    boolean isBehind(int key, long at) {
        return at > bases.sealedTo(key);
    }

    /** Brings the rows of a key back from the attic, from the last version before a time on, as far as they are kept. */
    void bringBack(int key, long at) {
        boolean isThere = attic.lastBefore(versionRoom, key, at, row) && !isFloorBehind(key, row.at);
        long from = isThere ? row.at : floors.has(key) ? floors.at(key) + 1 : Long.MIN_VALUE;
        attic.removeFrom(versionRoom, key, from, old -> bringBack(versions, key, old));
        attic.removeFrom(readRoom, key, from, old -> bringBack(reads, key, old));
        bases.setSealedTo(key, from > Long.MIN_VALUE ? from - 1 : Long.MIN_VALUE);
        boolean hasOlder = isThere && attic.lastBefore(versionRoom, key, from, row) && !isFloorBehind(key, row.at);
        takeBase(key, hasOlder);
        if (!hasOlder && floors.has(key)) {
            bases.set(key, floors);
        }
    }

    private void bringBack(SortedRows rows, int key, SealedRow sealed) {
        int slot = txns.open(sealed.id, sealed.start, sealed.commit, sealed.arrived);
        rows.add(key, sealed.at, sealed.meta(slot), sealed.value, sealed.start);
        txns.release(slot);
    }

    private boolean isFloorBehind(int key, long at) {
        return floors.has(key) && floors.at(key) > at;
    }

    /** The attic has no room for a version any more. */
    void forgot(int key, SealedRow version) {
        if (!floors.has(key) || !version.isBefore(floors.at(key), floors.rowClass(key), floors.id(key))) {
            floors.set(key, version);
        }
    }

    /** Whether versions of a key were forgotten. */
    boolean hasForgotten(int key) {
        return floors.has(key);
    }

    /** Gives up all that is known of a key. */
    void drop(int key) {
        attic.removeFrom(readRoom, key, Long.MIN_VALUE, old -> {});
        attic.removeFrom(versionRoom, key, Long.MIN_VALUE, old -> {});
        takeBase(key, false);
        bases.setSealedTo(key, Long.MIN_VALUE);
        floors.clear(key);
    }

    // ---------------------------------------------------------------- looking without bringing back

    /** Shows the sealed versions of a key from a time on, in order. */
    void scanVersions(int key, long from, SealedRowStore.Visitor to) {
        attic.forEachFrom(versionRoom, key, from, to);
    }

    /** Shows the latest sealed versions of a key, the last one first, until enough has been seen. */
    void lookBack(int key, SealedRowStore.Seeker to) {
        attic.forEachBefore(versionRoom, key, Long.MAX_VALUE, to);
    }

    // ---------------------------------------------------------------- state

    void writeBase(int key, ByteWriter to) {
        to.putByte(bases.has(key) ? bases.rowClass(key) : NO_BASE);
        if (bases.has(key)) {
            to.putSigned(bases.at(key));
            to.putSigned(bases.id(key));
            keys.writeValue(bases.value(key), to);
        }
    }

    void readBase(int key, ByteReader from) {
        int rowClass = from.getByte();
        if (rowClass != NO_BASE) {
            row.readVersion(from, rowClass, keys);
            takeBase(key, true);
            attic.append(versionRoom, key, row); // where something late looks for it
            bases.setSealedTo(key, row.at);
        }
    }
}
