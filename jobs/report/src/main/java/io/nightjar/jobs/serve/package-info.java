/**
 * The report, live: an HTTP server over one lake, for the machine that it runs on.
 *
 * <p>Requests come in, pages of {@link io.nightjar.jobs.report.ReportPage} and answers to queries go out. Nothing here writes to
 * a lake. Read {@link io.nightjar.jobs.serve.LakeServer} first.
 */
@NullMarked
package io.nightjar.jobs.serve;

import org.jspecify.annotations.NullMarked;
