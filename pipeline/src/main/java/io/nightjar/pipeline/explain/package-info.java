/**
 * Station 6, explain: turns findings into sentences that a person follows without the paper at hand, and into drawings.
 *
 * <p>In comes a finding and its transactions, out goes text: sentences, the form that Elle's users know, SVG and DOT. Knows
 * nothing of how the finding was made, and nothing of files. Read {@link io.nightjar.pipeline.explain.PictureMaker} first.
 */
@NullMarked
package io.nightjar.pipeline.explain;

import org.jspecify.annotations.NullMarked;
