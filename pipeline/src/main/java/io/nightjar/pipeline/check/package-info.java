/** Station 5, check: one theory in each package below; they never import each other. */
package io.nightjar.pipeline.check;
