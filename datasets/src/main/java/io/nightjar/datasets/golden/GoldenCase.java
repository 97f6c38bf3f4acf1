package io.nightjar.datasets.golden;

import io.nightjar.datasets.random.SmallHistory;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One case of the catalogue: a small history and what is expected of it.
 *
 * @param name folder and file, such as {@code ext/stale-read}
 * @param title what the case shows, in a sentence
 * @param expected the answer for each level that the case speaks of
 */
public record GoldenCase(
        String name, String title, Path file, SmallHistory history, Map<IsolationLevel, Answer> expected) {

    public GoldenCase {
        expected = Map.copyOf(expected);
    }

    /**
     * What is expected at one level.
     *
     * @param violations in short: {@code EXT(T2,x)}, {@code NOCONFLICT(T1,T2,x)} with the smaller id first, {@code
     *     SESSION(T2)}; sorted
     * @param details the same in full: {@code EXT(T2,x) expected 1 of T1 observed _ stale slack -1}
     */
    public record Answer(Verdict verdict, List<String> violations, List<String> details) {

        public Answer {
            violations = List.copyOf(violations);
            details = List.copyOf(details);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
