/**
 * Check stage for histories of tables: conditions, the version of each row that a predicate read observed, its expected
 * answer, and the dependencies through predicates.
 *
 * <p>Input: whole slices. Output: findings and undecided reasons. The package uses no threads, no files and no
 * verifier.
 */
@NullMarked
package io.nightjar.pipeline.predicate;

import org.jspecify.annotations.NullMarked;
