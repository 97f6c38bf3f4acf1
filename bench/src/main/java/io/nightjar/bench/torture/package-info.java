/** What {@code bench/torture.sh} needs beside a shell. Knows nothing of ours. */
@NullMarked
package io.nightjar.bench.torture;

import org.jspecify.annotations.NullMarked;
