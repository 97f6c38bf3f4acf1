/**
 * What other machines want to know of a check: JUnit XML, SARIF, annotations of a build, a summary as JSON, and which anomalies
 * are new.
 *
 * <p>In come results and the tables of a run, out go texts within the limits of those who receive them. Knows nothing of how
 * anything was found, nor of engines. Read {@link io.nightjar.jobs.ci.CiHistory} first.
 */
@NullMarked
package io.nightjar.jobs.ci;

import org.jspecify.annotations.NullMarked;
