/**
 * Stage 1 for the histories of Jepsen and Elle: operation maps in EDN, and in the JSON of elle-cli.
 *
 * <p>Converts bytes of a file to {@link io.nightjar.formats.history.HistorySlice}s and back. Invocations are paired
 * with their completions; memory contains only pending operations and the slice being filled. Malformed operations are
 * passed to {@link io.nightjar.formats.history.BadRowHandler}. This package neither infers version orders nor checks
 * histories.
 *
 * <p>Read {@link io.nightjar.formats.jepsen.JepsenSource} first, then {@code JepsenReader}; {@code EdnScanner} scans
 * the bytes.
 */
@NullMarked
package io.nightjar.formats.jepsen;

import org.jspecify.annotations.NullMarked;
