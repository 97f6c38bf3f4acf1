/** Growable columns, a radix sort, and bytes of ints, longs and texts. Knows the JDK only, and nothing of transactions. */
package io.nightjar.pipeline.primitive;
