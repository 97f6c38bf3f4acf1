/**
 * Stage 7, write, for people: one folder of texts and drawings for each history, next to the tables.
 *
 * <p>Its input is findings with their explanations; its output is files. Depends neither on the checks nor on the
 * drawing. Read {@link io.nightjar.jobs.artifact.ArtifactWriter} first.
 */
@NullMarked
package io.nightjar.jobs.artifact;

import org.jspecify.annotations.NullMarked;
