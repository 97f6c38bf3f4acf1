package io.nightjar.pipeline.online;

import io.nightjar.pipeline.partition.KeyHash;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.Mix;

/** Encodes the state of an {@link OnlineCheck} lane by lane, so that another task can resume lanes. */
public final class OnlineCheckCodec {

    /*
     * Layout. A lane is a sequence of entries, each preceded by a byte with its kind:
     *
     *   TYPES      of keys and values; first entry of a lane
     *   KEY        its name, its use, its versions, and its list or findings that wait
     *   OPERATION  the key of a waiting operation, value, access and transaction
     *   SESSION    its name and its open positions
     *   COUNTERS   of the whole check, in the first of its lanes
     */

    private static final int TYPES = 1;
    private static final int KEY = 2;
    private static final int SESSION = 3;
    private static final int COUNTERS = 4;
    private static final int OPERATION = 5;
    private static final int END = 0;

    private final OnlineCheck check;
    private final ByteWriter[] lanes;

    private OnlineCheckCodec(OnlineCheck check, int laneCount) {
        this.check = check;
        this.lanes = new ByteWriter[laneCount];
    }

    /** Returns the lane of a session. */
    public static int laneOfSession(long session, int laneCount) {
        return (int) (Mix.hash(session) >>> Integer.SIZE) & laneCount - 1;
    }

    // ---------------------------------------------------------------- writing

    /**
     * Writes a check.
     *
     * @param laneCount a power of two
     * @param firstLane a lane of the check, for the counters of all its lanes
     * @return for each lane its bytes, or null if it is empty
     */
    public static ByteWriter[] write(OnlineCheck check, int laneCount, int firstLane) {
        OnlineCheckCodec state = new OnlineCheckCodec(check, laneCount);
        ByteWriter first = state.lane(firstLane);
        first.putByte(COUNTERS);
        check.writeCounters(first);
        state.writeKeys();
        check.placing().forEachOpen(state::writeOps);
        state.writeSessions();
        for (ByteWriter lane : state.lanes) {
            if (lane != null) {
                lane.putByte(END);
            }
        }
        return state.lanes;
    }

    private ByteWriter lane(int lane) {
        if (lanes[lane] == null) {
            lanes[lane] = new ByteWriter(1 << 10);
            lanes[lane].putByte(TYPES);
            check.keys().writeTypes(lanes[lane]);
        }
        return lanes[lane];
    }

    private int laneOf(long hash) {
        return KeyHash.lane(hash, lanes.length);
    }

    private void writeKeys() {
        OnlineKeys keys = check.keys();
        for (int key = 0; key < keys.count(); key++) {
            ByteWriter to = lane(laneOf(keys.hash(key)));
            to.putByte(KEY);
            keys.writeKey(key, to);
            check.writeKey(key, to);
        }
    }

    private void writeOps(OperationBatch batch, int txn) {
        OnlineKeys keys = check.keys();
        for (int op = batch.firstOpOf(txn); op < batch.firstOpOf(txn + 1); op++) {
            ByteWriter to = lane(laneOf(keys.hash(batch.key(op))));
            to.putByte(OPERATION);
            keys.writeKey(batch.key(op), to);
            to.putVarint(batch.access(op));
            if (batch.isOfList(op)) {
                keys.writeElements(batch.elements(op), to);
            } else {
                keys.writeValue(batch.value(op), to);
            }
            batch.participant(txn).write(to);
            to.putSigned(batch.arrived(txn));
        }
    }

    private void writeSessions() {
        SessionTimelines sessions = check.sessions();
        for (int session = 0; session < sessions.sessionCount(); session++) {
            int lane = laneOfSession(sessions.name(session), lanes.length);
            ByteWriter to = lane(lane);
            to.putByte(SESSION);
            sessions.write(session, to);
        }
    }

    // ---------------------------------------------------------------- keys alone

    /** Writes, as one block, keys whose initial states became known since the last call; nothing if none did. */
    public static void writeNewInitials(OnlineCheck check, ByteWriter to) {
        OnlineKeys keys = check.keys();
        keys.initials().takeNews(key -> {
            if (to.size() == 0) {
                keys.writeTypes(to);
            }
            keys.writeKey(key, to);
        });
    }

    /**
     * Writes, for each lane, a block of keys whose initial states are the last versions of a history, which must not be
     * used afterwards.
     *
     * @param history sealed to its end
     */
    public static ByteWriter[] writeEnd(OnlineCheck history, int laneCount) {
        OnlineKeys keys = history.keys();
        ByteWriter[] lanes = new ByteWriter[laneCount];
        for (int lane = 0; lane < laneCount; lane++) {
            lanes[lane] = new ByteWriter(1 << 8);
            keys.writeTypes(lanes[lane]);
        }
        for (int key = 0; key < keys.count(); key++) {
            history.endAsInitial(key);
            keys.writeKey(key, lanes[KeyHash.lane(keys.hash(key), laneCount)]);
        }
        return lanes;
    }

    /** Reads a block of keys. */
    public static void readKeys(ByteReader block, OnlineCheck into) {
        into.keys().readTypes(block);
        while (!block.isEmpty()) {
            into.keys().readKey(block);
        }
    }

    // ---------------------------------------------------------------- reading

    /** Adds the state of a lane to a check. */
    public static void read(ByteReader lane, OnlineCheck into) {
        for (int entry = lane.getByte(); entry != END; entry = lane.getByte()) {
            switch (entry) {
                case TYPES -> into.keys().readTypes(lane);
                case KEY -> into.readKey(into.keys().readKey(lane), lane);
                case OPERATION -> into.placing().restore(into.keys().readKey(lane), lane.getCount(), lane);
                case SESSION -> into.sessions().read(lane);
                case COUNTERS -> into.readCounters(lane);
                default -> throw new IllegalStateException("not a state of this version: entry=" + entry);
            }
        }
    }
}
