/** Check stage: one theory in each package below; they never import each other. */
@NullMarked
package io.nightjar.pipeline.check;

import org.jspecify.annotations.NullMarked;
