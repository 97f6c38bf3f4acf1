/**
 * Station 5 for histories of tables: conditions, which version of each row a predicate read saw, what it should have
 * returned, and the dependencies through predicates.
 *
 * <p>In: whole slices. Out: findings and doubts. Knows no threads, no files and no verifier.
 */
@NullMarked
package io.nightjar.pipeline.predicate;

import org.jspecify.annotations.NullMarked;
