/** The command {@code record}. */
@NullMarked
package io.nightjar.jobs.record.command;

import org.jspecify.annotations.NullMarked;
