/**
 * The join of client observations and the database's log into one history.
 *
 * <p>Runs before stage 1: its input is two {@link io.nightjar.formats.history.HistorySource}s, its output transactions
 * for a writer. Depends on no format and no engine. Read {@link io.nightjar.jobs.join.CommitJoin} first.
 */
@NullMarked
package io.nightjar.jobs.join;

import org.jspecify.annotations.NullMarked;
