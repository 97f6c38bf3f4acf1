package io.nightjar.pipeline.partition;

import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.IntColumn;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cuts a history into the components of its {@link CommunicationGraph}, the largest first. */
public final class ComponentSplitter {

    /*
     * A transaction that touches keys of several components has a projection in each: its reads and writes on the keys
     * there. The history is processed twice, for any number of components: to number the projections, since a read may
     * name a writer that is still to come, and to fill all components at once.
     *
     *   projection   firstProjectionOf[txn] .. firstProjectionOf[txn + 1], mostly one
     *                componentOf[projection], componentTxnOf[projection]
     */

    private static final int NONE = CommunicationGraph.NONE;

    private final ClientHistory whole;
    private final CommunicationGraph graph;
    private final int componentCount;

    private final int[] firstProjectionOf;
    private final IntColumn componentOf = new IntColumn();
    private final IntColumn componentTxnOf = new IntColumn();

    private final int[][] wholeTxnOf;
    private final int[] txnCountOf;
    private final int[] readCountOf;
    private final int[] writeCountOf;
    private final int[] lastTxnIn;

    private ComponentSplitter(ClientHistory whole, CommunicationGraph graph) {
        this.whole = whole;
        this.graph = graph;
        componentCount = graph.componentCount;
        firstProjectionOf = new int[whole.txnCount + 1];
        wholeTxnOf = new int[componentCount][];
        for (int component = 0; component < componentCount; component++) {
            wholeTxnOf[component] = new int[graph.txnCountOf[component]];
        }
        txnCountOf = new int[componentCount];
        readCountOf = new int[componentCount];
        writeCountOf = new int[componentCount];
        lastTxnIn = new int[componentCount];
    }

    public static List<Component> split(ClientHistory whole) {
        return split(whole, CommunicationGraph.of(whole));
    }

    /** @param graph that of this history */
    public static List<Component> split(ClientHistory whole, CommunicationGraph graph) {
        if (graph.componentCount == 1 && graph.txnCountOf[0] == whole.txnCount) {
            return List.of(Component.whole(whole));
        }
        return new ComponentSplitter(whole, graph).split();
    }

    private List<Component> split() {
        numberProjections();
        Component[] components = new Component[componentCount];
        ClientHistory.Builder[] builders = fill();
        int[][][] versions = versions();
        int[][] logKeys = logKeys();
        for (int component = 0; component < componentCount; component++) {
            ClientHistory componentHistory = builders[component]
                    .logKeys(logKeys[component])
                    .versions(versions == null ? null : versions[component])
                    .hints(hints(component))
                    .build();
            components[component] = new Component(componentHistory, wholeTxnOf[component]);
            builders[component] = null;
        }
        return List.of(components);
    }

    // ---------------------------------------------------------------- first walk

    private void numberProjections() {
        Arrays.fill(lastTxnIn, NONE);
        for (int txn = 0; txn < whole.txnCount; txn++) {
            firstProjectionOf[txn] = componentOf.size();
            for (int read = whole.firstReadOf[txn]; read < whole.firstReadOf[txn + 1]; read++) {
                int component = graph.componentOfRead(txn, read);
                if (component != NONE) {
                    readCountOf[component]++;
                    project(txn, component);
                }
            }
            for (int write = whole.firstWriteOf[txn]; write < whole.firstWriteOf[txn + 1]; write++) {
                int component = graph.componentOfKey[whole.keyOfWrite[write]];
                writeCountOf[component]++;
                project(txn, component);
            }
        }
        firstProjectionOf[whole.txnCount] = componentOf.size();
    }

    private void project(int txn, int component) {
        if (lastTxnIn[component] != txn) {
            lastTxnIn[component] = txn;
            wholeTxnOf[component][txnCountOf[component]] = txn;
            componentOf.add(component);
            componentTxnOf.add(txnCountOf[component]++);
        }
    }

    private int componentTxn(int txn, int component) {
        for (int projection = firstProjectionOf[txn]; projection < firstProjectionOf[txn + 1]; projection++) {
            if (componentOf.get(projection) == component) {
                return componentTxnOf.get(projection);
            }
        }
        throw new AssertionError("bug: a writer is not where its key is: txn=" + txn + " component=" + component);
    }

    // ---------------------------------------------------------------- second walk

    private ClientHistory.Builder[] fill() {
        ClientHistory.Builder[] builders = new ClientHistory.Builder[componentCount];
        for (int component = 0; component < componentCount; component++) {
            builders[component] = new ClientHistory.Builder()
                    .expect(txnCountOf[component], readCountOf[component], writeCountOf[component]);
        }
        int[] lastSessionIn = new int[componentCount];
        Arrays.fill(lastSessionIn, NONE);
        int[] componentKeyOf = componentKeys();
        for (int txn = 0; txn < whole.txnCount; txn++) {
            int session = whole.sessionOf[txn];
            for (int projection = firstProjectionOf[txn]; projection < firstProjectionOf[txn + 1]; projection++) {
                int component = componentOf.get(projection);
                if (lastSessionIn[component] != session) {
                    lastSessionIn[component] = session;
                    builders[component].beginSession();
                }
                builders[component].beginTxn(whole.txnIdOf[txn]);
            }
            for (int read = whole.firstReadOf[txn]; read < whole.firstReadOf[txn + 1]; read++) {
                int component = graph.componentOfRead(txn, read);
                if (component != NONE) {
                    int key = whole.keyOfRead[read];
                    int writer = whole.writerOf[read];
                    builders[component].read(
                            key == ClientHistory.NO_KEY ? ClientHistory.NO_KEY : componentKeyOf[key],
                            writer == ClientHistory.INITIAL ? ClientHistory.INITIAL : componentTxn(writer, component));
                }
            }
            for (int write = whole.firstWriteOf[txn]; write < whole.firstWriteOf[txn + 1]; write++) {
                int key = whole.keyOfWrite[write];
                builders[graph.componentOfKey[key]].write(componentKeyOf[key]);
            }
        }
        return builders;
    }

    private int[] componentKeys() {
        int[] componentKeyOf = new int[whole.keyCount];
        int[] keyCountOf = new int[componentCount];
        for (int key = 0; key < whole.keyCount; key++) {
            int component = graph.componentOfKey[key];
            componentKeyOf[key] = component == NONE ? NONE : keyCountOf[component]++;
        }
        return componentKeyOf;
    }

    private int[][] logKeys() {
        int[][] logKeys = new int[componentCount][];
        for (int component = 0; component < componentCount; component++) {
            logKeys[component] = new int[graph.keyCountOf[component]];
        }
        int[] keyCountOf = new int[componentCount];
        for (int key = 0; key < whole.keyCount; key++) {
            int component = graph.componentOfKey[key];
            if (component != NONE) {
                logKeys[component][keyCountOf[component]++] = whole.logKeyOf[key];
            }
        }
        return logKeys;
    }

    /** Returns versions by component and key; null if the order of versions is unknown in the whole history. */
    private int @Nullable [][][] versions() {
        if (!whole.knowsVersionOrders()) {
            return null;
        }
        int[][][] versions = new int[componentCount][][];
        for (int component = 0; component < componentCount; component++) {
            versions[component] = new int[graph.keyCountOf[component]][];
        }
        int[] keyCountOf = new int[componentCount];
        for (int key = 0; key < whole.keyCount; key++) {
            int component = graph.componentOfKey[key];
            if (component == NONE) {
                continue;
            }
            int first = whole.firstVersionOf[key];
            int[] ofKey = new int[whole.firstVersionOf[key + 1] - first];
            for (int version = 0; version < ofKey.length; version++) {
                ofKey[version] = componentTxn(whole.txnOfVersion[first + version], component);
            }
            versions[component][keyCountOf[component]++] = ofKey;
        }
        return versions;
    }

    private long[][] hints(int component) {
        int[] txns = wholeTxnOf[component];
        long[][] hints = new long[whole.hints.length][txns.length];
        for (int hint = 0; hint < hints.length; hint++) {
            for (int txn = 0; txn < txns.length; txn++) {
                hints[hint][txn] = whole.hints[hint][txns[txn]];
            }
        }
        return hints;
    }
}
