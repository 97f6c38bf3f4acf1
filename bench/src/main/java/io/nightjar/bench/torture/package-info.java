/** What {@code bench/torture.sh} needs beside a shell. Knows nothing of ours. */
package io.nightjar.bench.torture;
