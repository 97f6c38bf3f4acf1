/**
 * Finds out which format a history has: the entrance to station 1, and to the writers.
 *
 * <p>A path and perhaps a format's name come in, a {@link io.nightjar.formats.history.HistorySource} or
 * {@link io.nightjar.formats.history.HistoryWriter} goes out. This package knows every format by name and by its first
 * bytes, and none of them from within. Read {@link io.nightjar.formats.registry.Histories} first.
 */
@NullMarked
package io.nightjar.formats.registry;

import org.jspecify.annotations.NullMarked;
