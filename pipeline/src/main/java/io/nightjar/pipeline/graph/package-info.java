/**
 * Graphs as arrays, with their algorithms: cycle detection, components and shortest paths.
 *
 * <p>Used in stages 3 to 5. In: edge columns, as a {@link io.nightjar.pipeline.graph.Digraph}. Out: vertices and edges.
 * The package depends only on the JDK and {@code pipeline.primitive}, not on transactions. Read
 * {@link io.nightjar.pipeline.graph.Digraph} first, then {@link io.nightjar.pipeline.graph.CyclicCore}.
 */
@NullMarked
package io.nightjar.pipeline.graph;

import org.jspecify.annotations.NullMarked;
