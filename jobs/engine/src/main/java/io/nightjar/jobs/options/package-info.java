/** Options and output of commands that check. */
@NullMarked
package io.nightjar.jobs.options;

import org.jspecify.annotations.NullMarked;
