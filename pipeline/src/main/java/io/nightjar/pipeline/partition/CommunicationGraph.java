package io.nightjar.pipeline.partition;

import io.nightjar.pipeline.graph.Biconnected;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;

/**
 * Graph of the sessions that may have observed each other: sessions are neighbors if they touch a common key.
 *
 * <p>Its biconnected components partition the keys. Read atomic, causal, prefix, snapshot isolation and
 * serializability, each with session order, hold in the whole history exactly when they hold in each component; read
 * committed is not split, and neither are levels with real time. Levels without session order are split by the graph of
 * the history in which each transaction is a separate session.
 */
public final class CommunicationGraph {

    /*
     * The sessions that touch a key form a clique, so a key belongs to one component (Biswas and Enea [1], section 5):
     * componentOfKey. A session that touches keys of several components is a cut vertex; it appears in each of them
     * with its operations there. The initial transaction is in no graph and in every component: it has no predecessor,
     * so it lies on no cycle, and with it everything would be one component.
     *
     * A key that only one session touches adds no edge. It belongs to the component of that session's first shared key,
     * or, with the session's other keys, to a separate component.
     *
     * A read without a key (ClientHistory.NO_KEY) records that two sessions share some key. Two neighboring sessions
     * have only one component in common, so the read belongs to the component of any key that the writer wrote and the
     * reader's session shares a component with. If no such key exists, the history is not split.
     *
     * Components are numbered by size, the largest number of transactions first.
     *
     * [1] docs/papers.md#biswas-enea
     */

    /** No component: a key that is never touched, a transaction that does nothing. */
    public static final int NONE = -1;

    public final int componentCount;

    /** By key, or {@link #NONE}. */
    public final int[] componentOfKey;

    /** By component. */
    public final int[] sessionCountOf;

    /** By component; a transaction counts in each component in which it does something. */
    public final int[] txnCountOf;

    /** By component. */
    public final int[] keyCountOf;

    private final ClientHistory history;
    private final int[] firstComponentOf;
    private final int[] componentsOfSessions;

    private CommunicationGraph(ClientHistory history) {
        this.history = history;
        Touches touches = new Touches(history);
        componentOfKey = touches.componentOfKey();
        int count = touches.componentCount;
        firstComponentOf = new int[history.sessionCount + 1];
        componentsOfSessions = componentsOfSessions(touches, count);
        if (!everySightHasAComponent()) {
            meltIntoOne();
            count = 1;
        }
        componentCount = count;
        sessionCountOf = new int[count];
        txnCountOf = new int[count];
        keyCountOf = new int[count];
        numberBySize();
    }

    public static CommunicationGraph of(ClientHistory history) {
        return new CommunicationGraph(history);
    }

    /** Returns the component of a read; {@link #NONE} for a read without a key that relates no sessions. */
    public int componentOfRead(int txn, int read) {
        int key = history.keyOfRead[read];
        return key == ClientHistory.NO_KEY ? componentOfSight(txn, history.writerOf[read]) : componentOfKey[key];
    }

    public int largestSessionCount() {
        return largest(sessionCountOf);
    }

    public int largestTxnCount() {
        return largest(txnCountOf);
    }

    public int largestKeyCount() {
        return largest(keyCountOf);
    }

    /** Sessions that belong to more than one component. */
    public int cutSessionCount() {
        int count = 0;
        for (int session = 0; session < history.sessionCount; session++) {
            if (firstComponentOf[session + 1] - firstComponentOf[session] > 1) {
                count++;
            }
        }
        return count;
    }

    private static int largest(int[] counts) {
        int largest = 0;
        for (int count : counts) {
            largest = Math.max(largest, count);
        }
        return largest;
    }

    // ---------------------------------------------------------------- components of sessions

    private int[] componentsOfSessions(Touches touches, int count) {
        IntColumn components = new IntColumn();
        int[] seenBy = new int[count];
        Arrays.fill(seenBy, NONE);
        for (int session = 0; session < history.sessionCount; session++) {
            firstComponentOf[session] = components.size();
            for (int touch = touches.firstKeyOf[session]; touch < touches.firstKeyOf[session + 1]; touch++) {
                int component = componentOfKey[touches.keys.get(touch)];
                if (seenBy[component] != session) {
                    seenBy[component] = session;
                    components.add(component);
                }
            }
        }
        firstComponentOf[history.sessionCount] = components.size();
        int[] flat = new int[components.size()];
        for (int i = 0; i < flat.length; i++) {
            flat[i] = components.get(i);
        }
        for (int session = 0; session < history.sessionCount; session++) {
            Arrays.sort(flat, firstComponentOf[session], firstComponentOf[session + 1]);
        }
        return flat;
    }

    private boolean isIn(int session, int component) {
        int first = firstComponentOf[session];
        return Arrays.binarySearch(componentsOfSessions, first, firstComponentOf[session + 1], component) >= 0;
    }

    // ---------------------------------------------------------------- reads without a key

    private int componentOfSight(int txn, int writer) {
        if (writer == ClientHistory.INITIAL) {
            return NONE;
        }
        for (int write = history.firstWriteOf[writer]; write < history.firstWriteOf[writer + 1]; write++) {
            int component = componentOfKey[history.keyOfWrite[write]];
            if (isIn(history.sessionOf[txn], component)) {
                return component;
            }
        }
        return NONE;
    }

    private boolean everySightHasAComponent() {
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                boolean isSight = history.keyOfRead[read] == ClientHistory.NO_KEY
                        && history.writerOf[read] != ClientHistory.INITIAL;
                if (isSight && componentOfSight(txn, history.writerOf[read]) == NONE) {
                    return false;
                }
            }
        }
        return true;
    }

    private void meltIntoOne() {
        for (int key = 0; key < componentOfKey.length; key++) {
            componentOfKey[key] = Math.min(componentOfKey[key], 0);
        }
        int kept = 0;
        for (int session = 0; session < history.sessionCount; session++) {
            boolean touchesAnything = firstComponentOf[session + 1] > firstComponentOf[session];
            firstComponentOf[session] = kept;
            kept += touchesAnything ? 1 : 0;
        }
        firstComponentOf[history.sessionCount] = kept;
        Arrays.fill(componentsOfSessions, 0);
    }

    // ---------------------------------------------------------------- sizes

    private void numberBySize() {
        int[] txnCounts = countTxns();
        long[] sizes = new long[componentCount];
        int[] bySize = new int[componentCount];
        for (int component = 0; component < componentCount; component++) {
            sizes[component] = -txnCounts[component];
            bySize[component] = component;
        }
        RadixSort.sort(sizes, bySize, componentCount);
        int[] numberOf = new int[componentCount];
        for (int number = 0; number < componentCount; number++) {
            numberOf[bySize[number]] = number;
            txnCountOf[number] = txnCounts[bySize[number]];
        }
        for (int key = 0; key < componentOfKey.length; key++) {
            if (componentOfKey[key] != NONE) {
                componentOfKey[key] = numberOf[componentOfKey[key]];
                keyCountOf[componentOfKey[key]]++;
            }
        }
        for (int session = 0; session < history.sessionCount; session++) {
            for (int i = firstComponentOf[session]; i < firstComponentOf[session + 1]; i++) {
                componentsOfSessions[i] = numberOf[componentsOfSessions[i]];
                sessionCountOf[componentsOfSessions[i]]++;
            }
            Arrays.sort(componentsOfSessions, firstComponentOf[session], firstComponentOf[session + 1]);
        }
    }

    private int[] countTxns() {
        int[] counts = new int[componentCount];
        int[] seenBy = new int[componentCount];
        Arrays.fill(seenBy, NONE);
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                count(componentOfRead(txn, read), txn, seenBy, counts);
            }
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                count(componentOfKey[history.keyOfWrite[write]], txn, seenBy, counts);
            }
        }
        return counts;
    }

    private static void count(int component, int txn, int[] seenBy, int[] counts) {
        if (component != NONE && seenBy[component] != txn) {
            seenBy[component] = txn;
            counts[component]++;
        }
    }

    /** Bipartite graph of sessions and the keys they touch. */
    private static final class Touches {

        private final ClientHistory history;

        /** The keys of session {@code s}, each once: {@code keys[firstKeyOf[s] .. firstKeyOf[s + 1]]}. */
        final int[] firstKeyOf;

        final IntColumn keys = new IntColumn();

        /** By key. */
        private final int[] sessionCountOf;

        private final int[] lastSessionOf;

        int componentCount;

        Touches(ClientHistory history) {
            this.history = history;
            firstKeyOf = new int[history.sessionCount + 1];
            sessionCountOf = new int[history.keyCount];
            lastSessionOf = new int[history.keyCount];
            Arrays.fill(lastSessionOf, NONE);
            for (int session = 0; session < history.sessionCount; session++) {
                firstKeyOf[session] = keys.size();
                int firstTxn = history.firstTxnOf[session];
                int lastTxn = history.firstTxnOf[session + 1];
                for (int read = history.firstReadOf[firstTxn]; read < history.firstReadOf[lastTxn]; read++) {
                    if (history.keyOfRead[read] != ClientHistory.NO_KEY) {
                        touch(session, history.keyOfRead[read]);
                    }
                }
                for (int write = history.firstWriteOf[firstTxn]; write < history.firstWriteOf[lastTxn]; write++) {
                    touch(session, history.keyOfWrite[write]);
                }
            }
            firstKeyOf[history.sessionCount] = keys.size();
        }

        private void touch(int session, int key) {
            if (lastSessionOf[key] != session) {
                lastSessionOf[key] = session;
                sessionCountOf[key]++;
                keys.add(key);
            }
        }

        /** Parts the keys, in numbers of no meaning. */
        int[] componentOfKey() {
            int[] sharedOf = new int[history.keyCount];
            int sharedCount = 0;
            for (int key = 0; key < history.keyCount; key++) {
                sharedOf[key] = sessionCountOf[key] > 1 ? sharedCount++ : NONE;
            }
            Biconnected blocks = blocks(sharedOf, sharedCount);
            int[] componentOf = new int[history.keyCount];
            for (int key = 0; key < history.keyCount; key++) {
                componentOf[key] = sharedOf[key] == NONE ? NONE : blocks.componentOf[sharedOf[key]];
            }
            componentCount = blocks.componentCount;
            placePrivateKeys(componentOf);
            return componentOf;
        }

        private Biconnected blocks(int[] sharedOf, int sharedCount) {
            int[] firstSessionOf = new int[sharedCount + 1];
            for (int key = 0; key < history.keyCount; key++) {
                if (sharedOf[key] != NONE) {
                    firstSessionOf[sharedOf[key] + 1] = firstSessionOf[sharedOf[key]] + sessionCountOf[key];
                }
            }
            int[] sessions = new int[firstSessionOf[sharedCount]];
            int[] next = firstSessionOf.clone();
            for (int session = 0; session < history.sessionCount; session++) {
                for (int touch = firstKeyOf[session]; touch < firstKeyOf[session + 1]; touch++) {
                    int shared = sharedOf[keys.get(touch)];
                    if (shared != NONE) {
                        sessions[next[shared]++] = session;
                    }
                }
            }
            return Biconnected.ofCliques(history.sessionCount, sharedCount, firstSessionOf, sessions);
        }

        private void placePrivateKeys(int[] componentOf) {
            for (int session = 0; session < history.sessionCount; session++) {
                int component = NONE;
                for (int touch = firstKeyOf[session]; touch < firstKeyOf[session + 1] && component == NONE; touch++) {
                    component = componentOf[keys.get(touch)];
                }
                for (int touch = firstKeyOf[session]; touch < firstKeyOf[session + 1]; touch++) {
                    if (componentOf[keys.get(touch)] == NONE) {
                        component = component == NONE ? componentCount++ : component;
                        componentOf[keys.get(touch)] = component;
                    }
                }
            }
        }
    }
}
