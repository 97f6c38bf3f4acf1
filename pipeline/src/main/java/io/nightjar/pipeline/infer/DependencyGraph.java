package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.graph.Digraph;

/**
 * Dependencies between transactions, as edges of several kinds.
 *
 * @param txnCount vertices below are transactions of the log; a transaction that does not count has no edges
 * @param edges one for each reason, so that two vertices may be joined by several
 */
public record DependencyGraph(int txnCount, Digraph edges) {

    /*
     * Definitions. Vertices from txnCount on are helpers, each of which replaces many edges. A helper is entered by
     * edges of one kind from transactions, and left by edges of kind VIA, which have no length: the path T -RW-> helper
     * -VIA-> helper -VIA-> U  represents one edge  T -RW-> U. No cycle consists of helpers only.
     */

    /** The target overwrote the version written by the source. */
    public static final byte WW = 1;

    /** The target read the version written by the source. */
    public static final byte WR = 2;

    /** The target overwrote the version read by the source. */
    public static final byte RW = 4;

    /** One comes after the other in their session. */
    public static final byte SO = 8;

    /** One began after the other had ended. */
    public static final byte RT = 16;

    /** An edge from a helper. */
    public static final byte VIA = 32;
}
