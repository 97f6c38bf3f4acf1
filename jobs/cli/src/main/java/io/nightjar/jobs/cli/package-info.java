/**
 * The commands: the command line and its output.
 *
 * <p>Before stage 1 and after stage 7. Its input is command lines; results go to stdout, everything else to stderr, and
 * the verdict to the exit code ({@link io.nightjar.jobs.command.ExitCode}). This package decides nothing about a
 * history, and no other package prints.
 *
 * <p>Read {@link io.nightjar.jobs.cli.Main} first, then any one command.
 */
@NullMarked
package io.nightjar.jobs.cli;

import org.jspecify.annotations.NullMarked;
