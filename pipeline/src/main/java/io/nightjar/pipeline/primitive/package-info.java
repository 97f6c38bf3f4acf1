/** Growable columns, a radix sort, and bytes of ints, longs and texts. Knows the JDK only, and nothing of transactions. */
@NullMarked
package io.nightjar.pipeline.primitive;

import org.jspecify.annotations.NullMarked;
