/**
 * Benchmarks as plans: histories from seeds, every point a process of its own, results as lines of JSON, charts of them.
 *
 * <p>Takes a plan and commands to measure; gives {@code results.jsonl}, charts and comparisons. It may not know what a check does:
 * it calls the command that users call, and other checkers by their commands.
 *
 * <p>Read first: {@link io.nightjar.jobs.bench.BenchPlan}, then {@link io.nightjar.jobs.bench.BenchRun}.
 */
@NullMarked
package io.nightjar.jobs.bench;

import org.jspecify.annotations.NullMarked;
