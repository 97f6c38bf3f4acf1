/**
 * Stations 4 and 5 together for evidence from values: which check answers for which level, in which order.
 *
 * <p>A {@link io.nightjar.pipeline.infer.ClientHistory} and the levels asked for come in; answers, contradictions and a
 * witness go out. Checkers do not know each other; this package knows them all, and it has no threads: the caller
 * decides what runs beside what. Read {@link io.nightjar.pipeline.decide.LevelDecision} first.
 */
@NullMarked
package io.nightjar.pipeline.decide;

import org.jspecify.annotations.NullMarked;
