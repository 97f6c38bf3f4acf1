/**
 * Graphs as arrays, and what to ask of them: is there a cycle, where, and the shortest one.
 *
 * <p>Serves stations 3 to 5. Edge columns come in, a {@link io.nightjar.pipeline.graph.Digraph} goes out; the algorithms
 * take one and answer in vertices and edges. Knows the JDK and {@code pipeline.primitive} only, and nothing of
 * transactions. Read {@link io.nightjar.pipeline.graph.Digraph} first, then {@link io.nightjar.pipeline.graph.CyclicCore}.
 */
@NullMarked
package io.nightjar.pipeline.graph;

import org.jspecify.annotations.NullMarked;
