/**
 * What clients saw and what the database's log says, put together into one history.
 *
 * <p>Before station 1: two {@link io.nightjar.formats.history.HistorySource}s come in, transactions go to a writer. Knows no
 * format and no engine. Read {@link io.nightjar.jobs.join.CommitJoin} first.
 */
@NullMarked
package io.nightjar.jobs.join;

import org.jspecify.annotations.NullMarked;
