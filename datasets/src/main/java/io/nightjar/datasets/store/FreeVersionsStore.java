package io.nightjar.datasets.store;

import java.util.Arrays;

/** Answers reads with any version that read committed, read atomic or causal consistency allows, which a chooser draws; commits everything. */
public final class FreeVersionsStore implements ChoosingStore {

    /*
     * No order of versions is assumed. A read of x by t3 from t1 forces some transactions to commit before others:
     *
     *   (a) every writer of x that is already related to t3 before t1.   Related are
     *         rc: those that t3 has read from so far;   ra: these and the session's earlier ones;
     *         cc: everything in the past of t3 by sessions and reads
     *   (b) at ra and cc, whoever becomes related through t1 and wrote a key that t3 has read already, before the
     *         transaction that t3 read that key from
     *
     * The level holds as long as what is forced, together with sessions and reads, has no cycle. The initial state is
     * before everybody, so nobody can be forced before it. An open transaction is before nobody; hence the edges of one read
     * concern committed transactions only, and reads of others need not be asked again.
     *
     * Committed transactions are kept by session. before[s][i][r] tells how many transactions of session r are forced
     * before the i-th of session s: as sessions are in order, that is all of them. causes holds the same for sessions
     * and reads alone (cc). A new edge a -> b joins the row of a into that of b, and into those of whoever b is before:
     * in each session these are the last ones, and where one is left unchanged, so are all behind it.
     *
     * Of many candidates one is drawn until one passes; of few, all are tried and one of those that pass is drawn. Either way
     * each allowed version has the same probability. In each session writers before one that the reader must see are left
     * out beforehand.
     *
     * A transaction that aborts takes its edges back: the rows are made again from those that are left. So each notes all
     * of its own, also what another one has forced already.
     */

    /** What transactions that wrote a key before are related to a reader. */
    public enum Level {
        READ_COMMITTED,
        READ_ATOMIC,
        CAUSAL
    }

    private static final int NOBODY = -1;
    private static final int FEW = 16;
    private static final int DRAWS = 16;

    private final Level level;
    private final Chooser chooser;
    private int sessionCount;

    // committed transactions, by ordinal
    private int txnCount;
    private int[] sessionOf = new int[64];
    private int[] placeOf = new int[64];
    private int[][] keysOf = new int[64][];
    private long[][] valuesOf = new long[64][];

    // and by session and place
    private int[] committed;
    private int[][] ordinal;
    private int[][][] before;
    private int[][][] causes;

    /** {@code writers[key][session]}: places of the session's transactions that wrote it, ascending; null for none. */
    private Places[][] writers;

    // open transactions, by session
    private TxnBuffer[] open;
    private int[][] openCauses;

    /** Forced edges of each open transaction: pairs of ordinals. */
    private Places[] openEdges;

    /** Forced edges that stay. */
    private final Places edges = new Places();

    private final Places trial = new Places();
    private int[] floor;
    private int[] seen;
    private boolean[] readsNewest = new boolean[0];

    public FreeVersionsStore(Level level, int sessions, int keys, Chooser chooser) {
        this.level = level;
        this.chooser = chooser;
        this.committed = new int[0];
        this.ordinal = new int[0][];
        this.before = new int[0][][];
        this.causes = new int[0][][];
        this.writers = new Places[keys][];
        this.open = new TxnBuffer[0];
        this.openCauses = new int[0][];
        this.openEdges = new Places[0];
        growSessions(sessions);
    }

    @Override
    public void growSessions(int count) {
        int from = sessionCount;
        if (count <= from) {
            return;
        }
        sessionCount = count;
        committed = Arrays.copyOf(committed, count);
        ordinal = Arrays.copyOf(ordinal, count);
        before = Arrays.copyOf(before, count);
        causes = Arrays.copyOf(causes, count);
        open = Arrays.copyOf(open, count);
        openCauses = Arrays.copyOf(openCauses, count);
        openEdges = Arrays.copyOf(openEdges, count);
        readsNewest = Arrays.copyOf(readsNewest, count);
        floor = new int[count];
        seen = new int[count];
        for (int session = 0; session < from; session++) {
            if (openCauses[session] != null) {
                openCauses[session] = Arrays.copyOf(openCauses[session], count);
            }
            for (int place = 0; place < committed[session]; place++) {
                before[session][place] = Arrays.copyOf(before[session][place], count);
                causes[session][place] = Arrays.copyOf(causes[session][place], count);
            }
        }
        for (int key = 0; key < writers.length; key++) {
            if (writers[key] != null) {
                writers[key] = Arrays.copyOf(writers[key], count);
            }
        }
        for (int session = from; session < count; session++) {
            ordinal[session] = new int[8];
            before[session] = new int[8][];
            causes[session] = new int[8][];
            open[session] = new TxnBuffer();
            openEdges[session] = new Places();
        }
    }

    /** Numbers in a row. */
    private static final class Places {

        int count;
        int[] number = new int[4];

        void add(int place) {
            if (count == number.length) {
                number = Arrays.copyOf(number, 2 * count);
            }
            number[count++] = place;
        }

        /** How many are smaller. */
        int below(int bound) {
            int low = 0;
            int high = count;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (number[middle] < bound) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }

    @Override
    public void begin(int session) {
        open[session].clear();
        openEdges[session].count = 0;
        int[] past = new int[sessionCount];
        int last = committed[session] - 1;
        if (last >= 0) {
            System.arraycopy(causes[session][last], 0, past, 0, sessionCount);
            past[session] = last + 1;
        }
        openCauses[session] = past;
    }

    // ---------------------------------------------------------------- reads

    @Override
    public long read(int session, int key) {
        TxnBuffer txn = open[session];
        int own = txn.writeOf(key);
        if (own >= 0) {
            return txn.written[own];
        }
        int version = choose(session, key);
        accept(session, key, version);
        return version == NOBODY ? INITIAL : valueOf(version, key);
    }

    @Override
    public long readNewest(int session, int key) {
        TxnBuffer txn = open[session];
        int own = txn.writeOf(key);
        if (own >= 0) {
            return txn.written[own];
        }
        findRelatedWriters(session, key);
        int newest = NOBODY;
        Places[] ofKey = writersOf(key);
        for (int other = 0; ofKey != null && other < sessionCount; other++) {
            if (ofKey[other] != null) {
                newest = Math.max(newest, ordinal[other][ofKey[other].number[ofKey[other].count - 1]]);
            }
        }
        if (!isAllowed(session, key, newest)) {
            readsNewest[session] = true;
            abort(session);
            return ABORTED;
        }
        accept(session, key, newest);
        return newest == NOBODY ? INITIAL : valueOf(newest, key);
    }

    /** Anything in the past that is allowed brings nothing new; without an order of versions the choice is free. */
    @Override
    public void readOwnPast(int session, int key) {
        // what a scan passes over is no read of an item, and these levels know items only
    }

    private int choose(int session, int key) {
        boolean mustSee = findRelatedWriters(session, key);
        Places[] ofKey = writersOf(key);
        int initial = mustSee ? 0 : 1;
        int candidates = initial;
        for (int other = 0; ofKey != null && other < sessionCount; other++) {
            candidates += ofKey[other] == null ? 0 : ofKey[other].count - ofKey[other].below(floor[other]);
        }
        for (int draw = 0; isDrawn(session) && candidates > FEW && draw < DRAWS; draw++) {
            int version = candidate(ofKey, chooser.below(candidates), initial);
            if (isAllowed(session, key, version)) {
                return version;
            }
        }
        int[] allowed = new int[candidates];
        int count = 0;
        for (int i = 0; i < candidates; i++) {
            int version = candidate(ofKey, i, initial);
            if (isAllowed(session, key, version)) {
                allowed[count++] = version;
            }
        }
        if (count == 0) {
            throw new AssertionError("a read without an answer: session=" + session + " key=" + key);
        }
        if (!isDrawn(session)) {
            Arrays.sort(allowed, 0, count); // as they were committed
        }
        int chosen = allowed[readsNewest[session] ? count - 1 : chooser.below(count)];
        isAllowed(session, key, chosen); // leaves its edges in the trial
        return chosen;
    }

    private boolean isDrawn(int session) {
        return chooser.isUniform() && !readsNewest[session];
    }

    private int candidate(Places[] ofKey, int number, int initial) {
        if (number < initial) {
            return NOBODY;
        }
        int left = number - initial;
        for (int other = 0; ; other++) {
            if (ofKey[other] != null) {
                int first = ofKey[other].below(floor[other]);
                int count = ofKey[other].count - first;
                if (left < count) {
                    return ordinal[other][ofKey[other].number[first + left]];
                }
                left -= count;
            }
        }
    }

    /**
     * Fills {@code seen} with the place behind the last writer of a key in each session that is related to the reader, and
     * {@code floor} with the first place in each session that is not before one of these. True if there is one.
     */
    private boolean findRelatedWriters(int session, int key) {
        Arrays.fill(seen, 0);
        Arrays.fill(floor, 0);
        Places[] ofKey = writersOf(key);
        if (ofKey == null) {
            return false;
        }
        boolean any = false;
        if (level == Level.CAUSAL) {
            for (int other = 0; other < sessionCount; other++) {
                any |= see(ofKey, other, openCauses[session][other]);
            }
        } else {
            TxnBuffer txn = open[session];
            for (int read = 0; read < txn.readCount; read++) {
                int source = txn.readVersion[read];
                if (source != NOBODY && writes(source, key)) {
                    seen[sessionOf[source]] = Math.max(seen[sessionOf[source]], placeOf[source] + 1);
                    any = true;
                }
            }
            if (level == Level.READ_ATOMIC) {
                any |= see(ofKey, session, committed[session]);
            }
        }
        for (int other = 0; any && other < sessionCount; other++) {
            if (seen[other] > 0) {
                int[] row = before[other][seen[other] - 1];
                for (int each = 0; each < sessionCount; each++) {
                    floor[each] = Math.max(floor[each], row[each]);
                }
            }
        }
        return any;
    }

    /** The last writer among a session's first transactions. */
    private boolean see(Places[] ofKey, int other, int bound) {
        int count = ofKey[other] == null ? 0 : ofKey[other].below(bound);
        if (count > 0) {
            seen[other] = Math.max(seen[other], ofKey[other].number[count - 1] + 1);
        }
        return count > 0;
    }

    /** Whether the edges that a read forces leave what is forced without a cycle; they are in {@code trial} then. */
    private boolean isAllowed(int session, int key, int version) {
        trial.count = 0;
        for (int other = 0; other < sessionCount; other++) {
            if (seen[other] > 0 && !force(ordinal[other][seen[other] - 1], version)) {
                return false;
            }
        }
        if (level != Level.READ_COMMITTED && version != NOBODY && !forceThroughSource(session, version)) {
            return false;
        }
        return !isCyclic();
    }

    private boolean forceThroughSource(int session, int source) {
        TxnBuffer txn = open[session];
        int[] past = level == Level.CAUSAL ? causes[sessionOf[source]][placeOf[source]] : null;
        for (int read = 0; read < txn.readCount; read++) {
            int readKey = txn.readKey[read];
            int from = txn.readVersion[read];
            if (past == null) {
                if (writes(source, readKey) && !force(source, from)) {
                    return false;
                }
                continue;
            }
            for (int other = 0; writersOf(readKey) != null && other < sessionCount; other++) {
                int bound = other == sessionOf[source] ? placeOf[source] + 1 : past[other];
                Places places = writersOf(readKey)[other];
                if (places != null && bound > openCauses[session][other]) {
                    int count = places.below(bound);
                    if (count > 0
                            && places.number[count - 1] >= openCauses[session][other]
                            && !force(ordinal[other][places.number[count - 1]], from)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** Notes that one is forced before another; false if that cannot be. */
    private boolean force(int first, int second) {
        if (first == second) {
            return true;
        }
        if (second == NOBODY || isBefore(second, first)) {
            return false;
        }
        if (causes[sessionOf[second]][placeOf[second]][sessionOf[first]] <= placeOf[first]) {
            trial.add(first);
            trial.add(second);
        }
        return true;
    }

    private boolean isBefore(int first, int second) {
        return before[sessionOf[second]][placeOf[second]][sessionOf[first]] > placeOf[first];
    }

    /** Whether several edges of the trial make a cycle together; none does alone. */
    private boolean isCyclic() {
        int count = trial.count / 2;
        if (count < 2) {
            return false;
        }
        boolean[] isGone = new boolean[count];
        for (boolean goesOn = true; goesOn; ) {
            goesOn = false;
            for (int edge = 0; edge < count; edge++) {
                if (!isGone[edge] && !isFollowed(edge, isGone, count)) {
                    isGone[edge] = true;
                    goesOn = true;
                }
            }
        }
        for (boolean gone : isGone) {
            if (!gone) {
                return true;
            }
        }
        return false;
    }

    private boolean isFollowed(int edge, boolean[] isGone, int count) {
        int end = trial.number[2 * edge + 1];
        for (int next = 0; next < count; next++) {
            int start = trial.number[2 * next];
            if (!isGone[next] && (start == end || isBefore(end, start))) {
                return true;
            }
        }
        return false;
    }

    private void accept(int session, int key, int version) {
        for (int edge = 0; edge < trial.count; edge += 2) {
            openEdges[session].add(trial.number[edge]);
            openEdges[session].add(trial.number[edge + 1]);
            insert(trial.number[edge], trial.number[edge + 1]);
        }
        open[session].read(key, version);
        if (version != NOBODY) {
            int[] past = openCauses[session];
            int source = sessionOf[version];
            join(past, causes[source][placeOf[version]]);
            past[source] = Math.max(past[source], placeOf[version] + 1);
        }
    }

    // ---------------------------------------------------------------- rows

    private void insert(int first, int second) {
        if (isBefore(first, second)) {
            return;
        }
        int[] addition = before[sessionOf[first]][placeOf[first]].clone();
        addition[sessionOf[first]] = Math.max(addition[sessionOf[first]], placeOf[first] + 1);
        int session = sessionOf[second];
        int place = placeOf[second];
        for (int other = 0; other < sessionCount; other++) {
            int next = other == session ? place : firstBehind(other, session, place);
            while (next < committed[other] && join(before[other][next], addition)) {
                next++;
            }
        }
    }

    /** The first transaction of a session that another one is before. */
    private int firstBehind(int other, int session, int place) {
        int low = 0;
        int high = committed[other];
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (before[other][middle][session] > place) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** True if the row has grown. */
    private static boolean join(int[] row, int[] addition) {
        boolean grows = false;
        for (int i = 0; i < row.length; i++) {
            if (addition[i] > row[i]) {
                row[i] = addition[i];
                grows = true;
            }
        }
        return grows;
    }

    private void makeRowsAgain() {
        for (int session = 0; session < sessionCount; session++) {
            for (int place = 0; place < committed[session]; place++) {
                System.arraycopy(causes[session][place], 0, before[session][place], 0, sessionCount);
            }
        }
        insertAll(edges);
        for (Places some : openEdges) {
            insertAll(some);
        }
    }

    private void insertAll(Places some) {
        for (int edge = 0; edge < some.count; edge += 2) {
            insert(some.number[edge], some.number[edge + 1]);
        }
    }

    // ---------------------------------------------------------------- writes and ends

    @Override
    public boolean write(int session, int key, long value) {
        open[session].write(key, value);
        return true;
    }

    @Override
    public boolean commit(int session) {
        TxnBuffer txn = open[session];
        int place = committed[session];
        if (place == ordinal[session].length) {
            ordinal[session] = Arrays.copyOf(ordinal[session], 2 * place);
            before[session] = Arrays.copyOf(before[session], 2 * place);
            causes[session] = Arrays.copyOf(causes[session], 2 * place);
        }
        if (txnCount == sessionOf.length) {
            sessionOf = Arrays.copyOf(sessionOf, 2 * txnCount);
            placeOf = Arrays.copyOf(placeOf, 2 * txnCount);
            keysOf = Arrays.copyOf(keysOf, 2 * txnCount);
            valuesOf = Arrays.copyOf(valuesOf, 2 * txnCount);
        }
        sessionOf[txnCount] = session;
        placeOf[txnCount] = place;
        keysOf[txnCount] = Arrays.copyOf(txn.writtenKey, txn.writeCount);
        valuesOf[txnCount] = Arrays.copyOf(txn.written, txn.writeCount);
        ordinal[session][place] = txnCount;
        causes[session][place] = openCauses[session];
        int[] row = openCauses[session].clone();
        if (place > 0) {
            join(row, before[session][place - 1]);
        }
        for (int read = 0; read < txn.readCount; read++) {
            int source = txn.readVersion[read];
            if (source != NOBODY) {
                join(row, before[sessionOf[source]][placeOf[source]]);
            }
        }
        before[session][place] = row;
        committed[session]++;
        txnCount++;
        for (int key : keysOf[txnCount - 1]) {
            addWriter(key, session, place);
        }
        Places own = openEdges[session];
        for (int i = 0; i < own.count; i++) {
            edges.add(own.number[i]);
        }
        own.count = 0;
        readsNewest[session] = false;
        return true;
    }

    private void addWriter(int key, int session, int place) {
        if (key >= writers.length) {
            writers = Arrays.copyOf(writers, Math.max(key + 1, 2 * writers.length));
        }
        if (writers[key] == null) {
            writers[key] = new Places[sessionCount];
        }
        if (writers[key][session] == null) {
            writers[key][session] = new Places();
        }
        writers[key][session].add(place);
    }

    @Override
    public void abort(int session) {
        boolean hasEdges = openEdges[session].count > 0;
        openEdges[session].count = 0;
        if (hasEdges) {
            makeRowsAgain();
        }
    }

    // ---------------------------------------------------------------- what a database asks

    @Override
    public int committedCount(int session) {
        return committed[session];
    }

    @Override
    public int versionCount(int key) {
        int count = 0;
        Places[] ofKey = writersOf(key);
        for (int session = 0; ofKey != null && session < sessionCount; session++) {
            count += ofKey[session] == null ? 0 : ofKey[session].count;
        }
        return count;
    }

    @Override
    public void noteUnborn(int session, int place, int key) {
        boolean isOpen = place == committed[session] && openCauses[session] != null;
        if (isOpen && versionCount(key) == 0 && open[session].writeOf(key) < 0) {
            open[session].read(key, NOBODY);
        }
    }

    @Override
    public void unwrite(int session, int key) {
        open[session].unwrite(key);
    }

    @Override
    public void readNewestUntilCommit(int session) {
        readsNewest[session] = true;
    }

    private Places[] writersOf(int key) {
        return key < writers.length ? writers[key] : null;
    }

    private boolean writes(int txn, int key) {
        for (int written : keysOf[txn]) {
            if (written == key) {
                return true;
            }
        }
        return false;
    }

    private long valueOf(int txn, int key) {
        int write = 0;
        while (keysOf[txn][write] != key) {
            write++;
        }
        return valuesOf[txn][write];
    }
}
