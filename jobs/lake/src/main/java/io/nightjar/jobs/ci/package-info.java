/**
 * The output of a check for other machines: JUnit XML, SARIF, annotations of a build, a summary as JSON, and the set of
 * new anomalies.
 *
 * <p>Its input is results and the tables of a run; its output is texts within the limits of their receivers. Depends on
 * no checks and no engines. Read {@link io.nightjar.jobs.ci.CiHistory} first.
 */
@NullMarked
package io.nightjar.jobs.ci;

import org.jspecify.annotations.NullMarked;
