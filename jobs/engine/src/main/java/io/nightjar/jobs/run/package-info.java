/**
 * One run of a check, whichever engine does it: what was asked for, what follows from what was found, and how it is
 * reported and kept.
 *
 * <p>In come options and the outcomes of {@link io.nightjar.pipeline.decide}; a result goes out, and the tables of a run.
 * Knows no engine and no checker. Read {@link io.nightjar.jobs.run.Conclusion} first.
 */
@NullMarked
package io.nightjar.jobs.run;

import org.jspecify.annotations.NullMarked;
