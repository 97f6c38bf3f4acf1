/**
 * Detection of formats, and entry point of stage 1 and of the writers.
 *
 * <p>A path and an optional format name determine a {@link io.nightjar.formats.history.HistorySource} or {@link
 * io.nightjar.formats.history.HistoryWriter}. This package depends on every format's name and first bytes, but not on
 * its implementation. Read {@link io.nightjar.formats.registry.Histories} first.
 */
@NullMarked
package io.nightjar.formats.registry;

import org.jspecify.annotations.NullMarked;
