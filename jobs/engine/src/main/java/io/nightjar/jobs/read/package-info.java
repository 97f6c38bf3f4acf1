/**
 * Station 1 in one process: reads a source with threads, in the order of the rows, as often as is needed; the first pass
 * validates it.
 *
 * <p>In come the splits of a source; slices go out, and what validation found out. Knows nothing of levels and lakes. Read
 * {@link io.nightjar.jobs.read.ValidatingScanner} first.
 */
@NullMarked
package io.nightjar.jobs.read;

import org.jspecify.annotations.NullMarked;
