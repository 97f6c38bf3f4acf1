/**
 * Histories as users name them: files, directories, pipes and standard input.
 *
 * <p>Before station 1. An argument of a command comes in, a {@link io.nightjar.formats.history.HistorySource} that can be
 * read again and again goes out. Knows no format and no engine. Read {@link io.nightjar.jobs.input.HistoryArgument} first.
 */
@NullMarked
package io.nightjar.jobs.input;

import org.jspecify.annotations.NullMarked;
