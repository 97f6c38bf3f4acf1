/** The common classes of commands: exit codes, the terminal, progress, failures. */
@NullMarked
package io.nightjar.jobs.command;

import org.jspecify.annotations.NullMarked;
