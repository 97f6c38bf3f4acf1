/** The command {@code bench}. */
@NullMarked
package io.nightjar.jobs.bench.command;

import org.jspecify.annotations.NullMarked;
