/** Growable columns, a radix sort, bytes of ints, longs and texts, and work in pieces. Knows the JDK only, and nothing of transactions. */
@NullMarked
package io.nightjar.pipeline.primitive;

import org.jspecify.annotations.NullMarked;
