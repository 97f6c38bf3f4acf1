/** Growable columns, a radix sort and a byte codec of ints and longs. Knows the JDK only, and nothing of transactions. */
package io.nightjar.pipeline.primitive;
