/**
 * Stage 1 in one process: reads a source with threads, in the order of the rows, as often as is needed; the first pass
 * validates it.
 *
 * <p>Its input is the splits of a source; its output is slices, and the results of validation. Depends on no levels and
 * no lakes. Read {@link io.nightjar.jobs.read.ValidatingScanner} first.
 */
@NullMarked
package io.nightjar.jobs.read;

import org.jspecify.annotations.NullMarked;
