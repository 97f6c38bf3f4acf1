/**
 * JMH benchmarks, one class for each kernel, on generated histories.
 *
 * <p>Beside the path from file to table: each benchmark runs one station, or a part of one, on what the stations before it
 * gave. In goes a {@link io.nightjar.bench.micro.Workload}, out come times, and an error when a result is wrong: a fast
 * wrong answer is not a time. Nothing depends on this package, and it knows no command line.
 *
 * <p>Read {@link io.nightjar.bench.micro.GeneratedSlices} first, then any benchmark.
 */
@NullMarked
package io.nightjar.bench.micro;

import org.jspecify.annotations.NullMarked;
