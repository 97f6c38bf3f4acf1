/**
 * Live report: an HTTP server over one lake, for the local machine.
 *
 * <p>It answers requests with pages of {@link io.nightjar.jobs.report.ReportPage} and with query results, and checks
 * files that clients of this machine send; nothing else is written to the lake. Read {@link
 * io.nightjar.jobs.serve.LakeServer} first.
 */
@NullMarked
package io.nightjar.jobs.serve;

import org.jspecify.annotations.NullMarked;
