/**
 * The commands: what a person types, and what is printed for it.
 *
 * <p>In front of station 1 and behind station 7. Command lines come in; results go to stdout, everything else to stderr, and
 * the answer to the exit code ({@link io.nightjar.jobs.command.ExitCode}). Nothing here decides anything about a history, and
 * nothing outside prints.
 *
 * <p>Read {@link io.nightjar.jobs.cli.Main} first, then any one command.
 */
@NullMarked
package io.nightjar.jobs.cli;

import org.jspecify.annotations.NullMarked;
