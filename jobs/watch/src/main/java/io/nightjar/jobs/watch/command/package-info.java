/** The command {@code watch}. */
@NullMarked
package io.nightjar.jobs.watch.command;

import org.jspecify.annotations.NullMarked;
