/** The commands {@code mock} and {@code explore}. */
@NullMarked
package io.nightjar.jobs.mock.command;

import org.jspecify.annotations.NullMarked;
