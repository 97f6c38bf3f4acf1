/**
 * Bytes that do not fit into memory, spilled to disk until they are needed again.
 *
 * <p>Its input is frames of bytes; its output is the same frames. Does not depend on their meaning. Read {@link
 * io.nightjar.jobs.spill.SpillFile} first.
 */
@NullMarked
package io.nightjar.jobs.spill;

import org.jspecify.annotations.NullMarked;
