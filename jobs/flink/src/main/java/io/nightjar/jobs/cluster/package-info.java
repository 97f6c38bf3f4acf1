/**
 * Flink clusters: one of processes on this machine, and any other that is reached through its REST address.
 *
 * <p>Beside the path from file to table: it is what the stations run on. In comes a job, or the wish for a cluster; out goes
 * the result of a job, or what failed. Knows nothing of histories.
 *
 * <p>Read {@link io.nightjar.jobs.cluster.LocalCluster} first, then {@link io.nightjar.jobs.cluster.RemoteCluster}.
 */
@NullMarked
package io.nightjar.jobs.cluster;

import org.jspecify.annotations.NullMarked;
