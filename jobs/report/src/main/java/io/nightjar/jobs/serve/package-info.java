/**
 * Live report: an HTTP server over one lake, for the local machine.
 *
 * <p>It answers requests with pages of {@link io.nightjar.jobs.report.ReportPage} and with query results. The package
 * never writes to a lake. Read {@link io.nightjar.jobs.serve.LakeServer} first.
 */
@NullMarked
package io.nightjar.jobs.serve;

import org.jspecify.annotations.NullMarked;
