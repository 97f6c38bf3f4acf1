/** Random numbers that are the same on every machine and in every release of the JDK. */
@NullMarked
package io.nightjar.datasets.random;

import org.jspecify.annotations.NullMarked;
