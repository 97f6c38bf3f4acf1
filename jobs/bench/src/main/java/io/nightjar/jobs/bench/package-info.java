/**
 * Benchmarks as plans: histories from seeds, every point a separate process, results as lines of JSON, charts of them.
 *
 * <p>Its input is a plan and commands to measure; its output is {@code results.jsonl}, charts and comparisons. It may
 * not depend on the implementation of a check: it calls the command that users call, and other checkers by their
 * commands.
 *
 * <p>Read first: {@link io.nightjar.jobs.bench.BenchPlan}, then {@link io.nightjar.jobs.bench.BenchRun}.
 */
@NullMarked
package io.nightjar.jobs.bench;

import org.jspecify.annotations.NullMarked;
