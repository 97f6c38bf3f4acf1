package io.nightjar.pipeline.online;

import io.nightjar.formats.history.StringTable;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import io.nightjar.pipeline.primitive.Mix;
import io.nightjar.pipeline.split.KeyHash;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.nio.charset.StandardCharsets;

/** What an {@link OnlineCheck} knows as bytes, lane by lane, so that another task can take lanes over. */
public final class OnlineState {

    /*
     * A lane is a sequence of entries, each behind a byte that says what it is:
     *
     *   TYPES      of keys and values; first of all
     *   KEY        its name, what it is used as, and for each level its open rows or its list
     *   SESSION    its name and its open positions
     *   FINDING    a final one, which something late may still turn
     *   COUNTERS   of the whole check, in the first of its lanes
     *
     * Rows that were sealed are not part of it: of a register stays the last version, which BasePages have, of a session the
     * last position. What
     * belongs before the watermark of the state cannot be judged by a check that goes on with it.
     */

    private static final int TYPES = 1;
    private static final int KEY = 2;
    private static final int SESSION = 3;
    private static final int FINDING = 4;
    private static final int COUNTERS = 5;
    private static final int END = 0;

    private static final int BYTES_OF_BLOCK = 1 << 16;

    private final OnlineCheck check;
    private final ByteSink[] lanes;
    private final int firstLane;
    private final Long2IntOpenHashMap laneOfOpen = new Long2IntOpenHashMap(); // by transaction, of open positions

    private OnlineState(OnlineCheck check, int laneCount, int firstLane) {
        this.check = check;
        this.firstLane = firstLane;
        this.lanes = new ByteSink[laneCount];
    }

    /** The lane of a session. */
    public static int laneOfSession(long session, int laneCount) {
        return (int) (Mix.hash(session) >>> Integer.SIZE) & laneCount - 1;
    }

    // ---------------------------------------------------------------- writing

    /**
     * Writes a check.
     *
     * @param laneCount a power of two
     * @param firstLane one that the check has, for what belongs to all of them
     * @return for each lane its bytes, or null where nothing is known of it
     */
    public static ByteSink[] write(OnlineCheck check, int laneCount, int firstLane) {
        OnlineState state = new OnlineState(check, laneCount, firstLane);
        ByteSink first = state.lane(firstLane);
        first.putByte(COUNTERS);
        check.writeCounters(first);
        state.writeKeys();
        state.writeSessions();
        check.findings().forEachFinal(state::writeFinding);
        for (ByteSink lane : state.lanes) {
            if (lane != null) {
                lane.putByte(END);
            }
        }
        return state.lanes;
    }

    private ByteSink lane(int lane) {
        if (lanes[lane] == null) {
            lanes[lane] = new ByteSink(1 << 10);
            lanes[lane].putByte(TYPES);
            check.keys().writeTypes(lanes[lane]);
        }
        return lanes[lane];
    }

    private int laneOf(long hash) {
        return KeyHash.lane(hash, lanes.length);
    }

    private void writeKeys() {
        WindowKeys keys = check.keys();
        for (int key = 0; key < keys.count(); key++) {
            if (!check.isOpen(key)) {
                continue;
            }
            ByteSink to = lane(laneOf(keys.hash(key)));
            to.putByte(KEY);
            keys.writeKey(key, to);
            check.writeKey(key, to);
        }
    }

    private void writeSessions() {
        SessionTimelines sessions = check.sessions();
        for (int session = 0; session < sessions.sessionCount(); session++) {
            int lane = laneOfSession(sessions.name(session), lanes.length);
            ByteSink to = lane(lane);
            to.putByte(SESSION);
            sessions.write(session, to);
            sessions.forEachTxn(session, txn -> laneOfOpen.put(txn, lane));
        }
    }

    private void writeFinding(OnlineFinding finding) {
        ByteSink to = lane(laneOf(finding));
        to.putByte(FINDING);
        FindingCodec.encode(finding, to);
    }

    private int laneOf(OnlineFinding finding) {
        if (finding.key() == null) {
            return laneOfOpen.getOrDefault(finding.subject().txnId(), firstLane); // others are not turned any more
        }
        if (!check.keys().areNames()) {
            return laneOf(KeyHash.of(Long.parseLong(finding.key())));
        }
        StringTable name = new StringTable();
        byte[] utf8 = finding.key().getBytes(StandardCharsets.UTF_8);
        return laneOf(KeyHash.of(name, name.intern(utf8, 0, utf8.length)));
    }

    // ---------------------------------------------------------------- keys alone

    /** Writes each lane's keys in blocks of their own. */
    public static <E extends Exception> void writeKeys(OnlineCheck check, int laneCount, LaneTaker<E> to) throws E {
        WindowKeys keys = check.keys();
        ByteSink[] blocks = new ByteSink[laneCount];
        for (int key = 0; key < keys.count(); key++) {
            int lane = KeyHash.lane(keys.hash(key), laneCount);
            if (blocks[lane] == null) {
                blocks[lane] = new ByteSink(1 << 8);
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
    public static void writeNewInitials(OnlineCheck check, ByteSink to) {
        WindowKeys keys = check.keys();
        keys.initials().takeNews(key -> {
            if (to.size() == 0) {
                keys.writeTypes(to);
            }
            keys.writeKey(key, to);
        });
    }

    /** Takes a block of keys back. */
    public static void readKeys(ByteFeed block, OnlineCheck into) {
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
        void take(ByteSink block) throws E;
    }

    /**
     * Where blocks of lanes go.
     *
     * @param <E> what may fail there
     */
    @FunctionalInterface
    public interface LaneTaker<E extends Exception> {
        void take(int lane, ByteSink block) throws E;
    }

    // ---------------------------------------------------------------- reading

    /** Adds what was known of a lane to a check that knows nothing of it but its {@link BasePages}. */
    public static void read(ByteFeed lane, OnlineCheck into) {
        for (int entry = lane.getByte(); entry != END; entry = lane.getByte()) {
            switch (entry) {
                case TYPES -> into.keys().readTypes(lane);
                case KEY -> into.readKey(into.keys().readKey(lane), lane);
                case SESSION -> into.sessions().read(lane);
                case FINDING -> into.findings().restore(FindingCodec.decode(lane));
                case COUNTERS -> into.readCounters(lane);
                default -> throw new IllegalStateException("not a state of this version: entry=" + entry);
            }
        }
    }
}
