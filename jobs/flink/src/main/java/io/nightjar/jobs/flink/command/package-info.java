/** The command {@code cluster}. */
@NullMarked
package io.nightjar.jobs.flink.command;

import org.jspecify.annotations.NullMarked;
