/**
 * Station 7, write, for people: one folder of texts and drawings for each history, beside the tables.
 *
 * <p>In come findings with their sentences, out go files. Knows nothing of how anything was found or drawn. Read
 * {@link io.nightjar.jobs.artifact.ArtifactWriter} first.
 */
@NullMarked
package io.nightjar.jobs.artifact;

import org.jspecify.annotations.NullMarked;
