/**
 * Check stage, the search of Biswas and Enea: PC, SI and SER by a search of the frontiers of sessions.
 *
 * <p>A {@link io.nightjar.pipeline.infer.ClientHistory}, preferably a component of few sessions, is the input; a {@link
 * io.nightjar.pipeline.check.LevelAnswer} is the output, with a commit order or a few transactions that allow none.
 * Shares no code with the other theories, so that it can be a second opinion on them. Read {@link
 * io.nightjar.pipeline.check.frontier.AntichainSearch} first, then {@code Frontier}.
 */
@NullMarked
package io.nightjar.pipeline.check.frontier;

import org.jspecify.annotations.NullMarked;
