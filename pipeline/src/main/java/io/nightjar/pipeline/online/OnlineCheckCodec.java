package io.nightjar.pipeline.online;

import io.nightjar.pipeline.partition.KeyHash;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.Mix;

/** What an {@link OnlineCheck} knows as bytes, lane by lane, so that another task can take lanes over. */
public final class OnlineCheckCodec {

    /*
     * A lane is a sequence of entries, each behind a byte that says what it is:
     *
     *   TYPES      of keys and values; first of all
     *   KEY        its name, what it is used as, and for each level its open rows or its list
     *   SESSION    its name and its open positions
     *   COUNTERS   of the whole check, in the first of its lanes
     *
     * Of rows that left nothing is part of it but the last version of a register, which SealedKeyPages have.
     */

    private static final int TYPES = 1;
    private static final int KEY = 2;
    private static final int SESSION = 3;
    private static final int COUNTERS = 4;
    private static final int END = 0;

    private static final int BYTES_OF_BLOCK = 1 << 16;

    private final OnlineCheck check;
    private final ByteWriter[] lanes;

    private OnlineCheckCodec(OnlineCheck check, int laneCount) {
        this.check = check;
        this.lanes = new ByteWriter[laneCount];
    }

    /** The lane of a session. */
    public static int laneOfSession(long session, int laneCount) {
        return (int) (Mix.hash(session) >>> Integer.SIZE) & laneCount - 1;
    }

    // ---------------------------------------------------------------- writing

    /**
     * Writes a check.
     *
     * @param check one whose operations are {@linkplain OnlineCheck#placeAll placed}
     * @param laneCount a power of two
     * @param firstLane one that the check has, for what belongs to all of them
     * @return for each lane its bytes, or null where nothing is known of it
     */
    public static ByteWriter[] write(OnlineCheck check, int laneCount, int firstLane) {
        if (!check.isAllPlaced()) {
            throw new AssertionError("bug: operations that wait would be lost");
        }
        OnlineCheckCodec state = new OnlineCheckCodec(check, laneCount);
        ByteWriter first = state.lane(firstLane);
        first.putByte(COUNTERS);
        check.writeCounters(first);
        state.writeKeys();
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
            if (!check.isOpen(key)) {
                continue;
            }
            ByteWriter to = lane(laneOf(keys.hash(key)));
            to.putByte(KEY);
            keys.writeKey(key, to);
            check.writeKey(key, to);
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

    /** Writes each lane's keys in blocks of their own. */
    public static <E extends Exception> void writeKeys(OnlineCheck check, int laneCount, LaneTaker<E> to) throws E {
        OnlineKeys keys = check.keys();
        ByteWriter[] blocks = new ByteWriter[laneCount];
        for (int key = 0; key < keys.count(); key++) {
            int lane = KeyHash.lane(keys.hash(key), laneCount);
            if (blocks[lane] == null) {
                blocks[lane] = new ByteWriter(1 << 8);
            }
            if (blocks[lane].size() == 0) {
                keys.writeTypes(blocks[lane]);
            }
            keys.writeKey(key, blocks[lane]);
            if (blocks[lane].size() >= BYTES_OF_BLOCK) {
                to.take(lane, blocks[lane]);
                blocks[lane].clear();
            }
        }
        for (int lane = 0; lane < laneCount; lane++) {
            if (blocks[lane] != null && blocks[lane].size() > 0) {
                to.take(lane, blocks[lane]);
            }
        }
    }

    /** Writes, as one block, keys of which became known what they held before their first version; nothing if there are none. */
    public static void writeNewInitials(OnlineCheck check, ByteWriter to) {
        OnlineKeys keys = check.keys();
        keys.initials().takeNews(key -> {
            if (to.size() == 0) {
                keys.writeTypes(to);
            }
            keys.writeKey(key, to);
        });
    }

    /** Takes a block of keys back. */
    public static void readKeys(ByteReader block, OnlineCheck into) {
        into.keys().readTypes(block);
        while (!block.isEmpty()) {
            into.keys().readKey(block);
        }
    }

    /**
     * Where blocks go.
     *
     * @param <E> what may fail there
     */
    @FunctionalInterface
    public interface BlockTaker<E extends Exception> {
        void take(ByteWriter block) throws E;
    }

    /**
     * Where blocks of lanes go.
     *
     * @param <E> what may fail there
     */
    @FunctionalInterface
    public interface LaneTaker<E extends Exception> {
        void take(int lane, ByteWriter block) throws E;
    }

    // ---------------------------------------------------------------- reading

    /** Adds what was known of a lane to a check that knows nothing of it but its {@link SealedKeyPages}. */
    public static void read(ByteReader lane, OnlineCheck into) {
        read(lane, into, into);
    }

    /** Adds the same to two checks, of which one has the sessions. */
    public static void read(ByteReader lane, OnlineCheck into, OnlineCheck ofSessions) {
        for (int entry = lane.getByte(); entry != END; entry = lane.getByte()) {
            switch (entry) {
                case TYPES -> into.keys().readTypes(lane);
                case KEY -> into.readKey(into.keys().readKey(lane), lane);
                case SESSION -> ofSessions.sessions().read(lane);
                case COUNTERS -> into.readCounters(lane);
                default -> throw new IllegalStateException("not a state of this version: entry=" + entry);
            }
        }
    }
}
