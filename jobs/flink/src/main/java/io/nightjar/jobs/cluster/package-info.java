/**
 * Flink clusters: a cluster of processes on this machine, and remote clusters with a REST address.
 *
 * <p>The stages of a check run on these clusters. In: a job, or options of a cluster. Out: the result of a job, or the
 * cause of its failure. The package does not depend on histories.
 *
 * <p>Read {@link io.nightjar.jobs.cluster.LocalCluster} first, then {@link io.nightjar.jobs.cluster.RemoteCluster}.
 */
@NullMarked
package io.nightjar.jobs.cluster;

import org.jspecify.annotations.NullMarked;
