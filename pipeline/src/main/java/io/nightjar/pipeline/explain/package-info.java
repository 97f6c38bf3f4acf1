/**
 * Station 6, explain: turns findings into sentences that a person follows without the paper at hand.
 *
 * <p>In comes a finding, out goes text. Knows nothing of how the finding was made.
 */
package io.nightjar.pipeline.explain;
