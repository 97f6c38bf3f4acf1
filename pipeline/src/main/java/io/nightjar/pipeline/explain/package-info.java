/**
 * Explain stage: converts findings to sentences that are understandable without the paper, and to drawings.
 *
 * <p>Input: a finding and its transactions. Output: sentences, text in the form familiar to Elle's users, and SVG. The
 * package depends neither on the origin of a finding nor on files. Read {@link
 * io.nightjar.pipeline.explain.PictureMaker} first.
 */
@NullMarked
package io.nightjar.pipeline.explain;

import org.jspecify.annotations.NullMarked;
