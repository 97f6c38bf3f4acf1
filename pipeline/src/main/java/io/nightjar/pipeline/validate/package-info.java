/**
 * Station 2: is this a history at all, and what can be decided from it.
 *
 * <p>Slices of station 1 come in, in row order; out comes a {@link
 * io.nightjar.formats.history.MalformedHistoryException} that names both rows of a contradiction, or facts and lint
 * findings. Some questions need the rows again: such a class is asked after every pass whether it {@code
 * needsAnotherPass}, and the caller reads the source anew. Nothing here opens a file, knows a format or decides a level.
 *
 * <p>Read {@link io.nightjar.pipeline.validate.Validation} first, then {@link
 * io.nightjar.pipeline.validate.HistoryFacts}.
 */
@NullMarked
package io.nightjar.pipeline.validate;

import org.jspecify.annotations.NullMarked;
