/**
 * Checks histories from code.
 *
 * <pre>{@code
 * History.Builder builder = History.builder();
 * builder.begin(1).write("x", 1).commit();
 * builder.begin(2).read("x", 7).commit();
 *
 * Verdicts verdicts = Nightjar.check(builder.build(), "serializable");
 * if (verdicts.verdict() != Verdicts.Answer.HOLDS) {
 *     throw new AssertionError(verdicts.explanation());
 * }
 * }</pre>
 *
 * <p>A {@link io.nightjar.api.History} is built, or read from a file in any format; a {@link io.nightjar.api.Recorder}
 * records the transactions of threads. Levels are named as on the command line: {@code si}, {@code serializable},
 * {@code PL-2}.
 */
@NullMarked
package io.nightjar.api;

import org.jspecify.annotations.NullMarked;
