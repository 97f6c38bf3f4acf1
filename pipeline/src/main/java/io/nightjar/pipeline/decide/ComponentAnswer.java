package io.nightjar.pipeline.decide;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.partition.Component;
import java.util.Map;

/** Result for one component: the answers for the levels searched, and the row of the components table. */
public record ComponentAnswer(int id, Component component, Map<IsolationLevel, LevelAnswer> answers, double seconds) {

    /** Returns the answer for a level that was searched. */
    LevelAnswer of(IsolationLevel level) {
        return requireNonNull(answers.get(level), level::longName);
    }

    public Verdict verdict() {
        Verdict worst = Verdict.HOLDS;
        for (LevelAnswer answer : answers.values()) {
            worst = worst.worse(answer.verdict());
        }
        return worst;
    }

    public long searchStates() {
        long states = 0;
        for (LevelAnswer answer : answers.values()) {
            states = Math.max(states, answer.searchStates());
        }
        return states;
    }

    /** Returns the result without the component, to be transferred. */
    public Alone alone() {
        return new Alone(id, answers, seconds);
    }

    /** A result without its component, which the receiver has. */
    public record Alone(int id, Map<IsolationLevel, LevelAnswer> answers, double seconds) {

        public ComponentAnswer of(Component component) {
            return new ComponentAnswer(id, component, answers, seconds);
        }
    }
}
