/**
 * Histories as users name them: files, directories, pipes and standard input.
 *
 * <p>Runs before stage 1. Its input is an argument of a command; its output is a {@link
 * io.nightjar.formats.history.HistorySource} that can be read repeatedly. Depends on no format and no engine. Read
 * {@link io.nightjar.jobs.input.HistoryArgument} first.
 */
@NullMarked
package io.nightjar.jobs.input;

import org.jspecify.annotations.NullMarked;
