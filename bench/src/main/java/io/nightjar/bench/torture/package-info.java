/** The Java programs that {@code bench/torture.sh} runs. Depends on none of our classes. */
@NullMarked
package io.nightjar.bench.torture;

import org.jspecify.annotations.NullMarked;
