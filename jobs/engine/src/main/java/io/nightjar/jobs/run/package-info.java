/**
 * One run of a check, for every engine: the request, the conclusion from the outcomes, the report and its storage.
 *
 * <p>Its input is options and the outcomes of {@link io.nightjar.pipeline.decide}; its output is a result and the
 * tables of a run. Depends on no engine and no checker. Read {@link io.nightjar.jobs.run.Conclusion} first.
 */
@NullMarked
package io.nightjar.jobs.run;

import org.jspecify.annotations.NullMarked;
