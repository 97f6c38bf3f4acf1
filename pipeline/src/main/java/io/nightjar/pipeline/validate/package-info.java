/**
 * Validate stage: rejects malformed histories and determines the evidence of valid ones.
 *
 * <p>Input: slices of the read stage, in row order. Output: a {@link
 * io.nightjar.formats.history.MalformedHistoryException} that names both rows of a contradiction, or facts and lint
 * findings. Some rules need the rows again: after every pass the caller calls {@code needsAnotherPass} of such a class,
 * and reads the source again if it returns true. The package opens no file, depends on no format and decides no level.
 *
 * <p>Read {@link io.nightjar.pipeline.validate.Validation} first, then {@link
 * io.nightjar.pipeline.validate.HistoryFacts}.
 */
@NullMarked
package io.nightjar.pipeline.validate;

import org.jspecify.annotations.NullMarked;
