/**
 * Growable columns, a radix sort, bytes of ints, longs and texts, and work in pieces. The package depends only on the
 * JDK, and not on transactions.
 */
@NullMarked
package io.nightjar.pipeline.primitive;

import org.jspecify.annotations.NullMarked;
