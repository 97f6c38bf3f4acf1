/**
 * JMH benchmarks, one class for each kernel, on generated histories.
 *
 * <p>Outside of the path from file to table: each benchmark runs one stage, or a part of one, on the output of the
 * stages before it. Its input is a {@link io.nightjar.bench.micro.Workload}; its output is times, and an error when a
 * result is wrong: a fast wrong result is not a time. Nothing depends on this package, and it depends on no command
 * line.
 *
 * <p>Read {@link io.nightjar.bench.micro.GeneratedSlices} first, then any benchmark.
 */
@NullMarked
package io.nightjar.bench.micro;

import org.jspecify.annotations.NullMarked;
