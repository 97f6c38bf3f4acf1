/**
 * Station 1 for the histories of Jepsen and Elle: operation maps in EDN, and in the JSON of elle-cli.
 *
 * <p>Bytes of a file come in, {@link io.nightjar.formats.history.HistorySlice}s go out, and the other way round. Invocations
 * are paired with their completions, and nothing is held but the operations that are open and the slice that is being
 * filled. Operations that cannot be understood are handed to {@link io.nightjar.formats.history.BadRowHandler}. Nothing here
 * infers an order of versions, and nothing here judges a history.
 *
 * <p>Read {@link io.nightjar.formats.jepsen.JepsenSource} first, then {@code JepsenReader}; {@code EdnScanner} is where
 * the bytes are walked over.
 */
@NullMarked
package io.nightjar.formats.jepsen;

import org.jspecify.annotations.NullMarked;
