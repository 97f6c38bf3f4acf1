/**
 * Bytes that memory does not hold, put aside on disk until they are needed again.
 *
 * <p>In come frames of bytes; the same come out. Knows nothing of what they mean. Read {@link io.nightjar.jobs.spill.SpillFile}
 * first.
 */
@NullMarked
package io.nightjar.jobs.spill;

import org.jspecify.annotations.NullMarked;
