package io.nightjar.api;

import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The result of a check.
 *
 * @param verdict the worst of all levels
 * @param levels by their long names, from weak to strong
 * @param stories anomalies, the most readable first, up to the requested number
 * @param anomalyCount the number of anomalies, listed or not, each once however many levels it rules out; a lower bound
 *     where a level is not exact
 */
public record Verdicts(Answer verdict, Map<String, Level> levels, List<Story> stories, long anomalyCount) {

    private static final int EXPLAINED = 3;

    /** The verdict for a level. */
    public enum Answer {
        /** Proven. */
        HOLDS,
        /** The history has an anomaly that the level rules out. */
        VIOLATED,
        /** Neither; see the reason. */
        UNDECIDED
    }

    /**
     * One level.
     *
     * @param evidence the deciding evidence: timestamps, values or versions
     * @param reason the undecided reason, or why the count may be incomplete; null otherwise
     * @param types anomalies that rule it out, by type
     * @param isExact whether these are all; false for an undecided level too
     */
    public record Level(
            Answer verdict, String evidence, @Nullable String reason, Map<String, Long> types, boolean isExact) {}

    /**
     * One anomaly.
     *
     * @param type as the tables spell it, such as G-single or EXT
     * @param pattern its classic name, such as write-skew; null if none fits
     * @param level the long name of the weakest requested level that it rules out; null if it rules out none
     * @param key the key that it is about; null if it has none
     * @param explanation the reason why it is an anomaly, in sentences
     */
    public record Story(
            String id,
            String type,
            @Nullable String pattern,
            @Nullable String level,
            List<Long> transactions,
            @Nullable String key,
            String explanation) {}

    /** Returns whether every level holds. */
    public boolean hold() {
        return verdict == Answer.HOLDS;
    }

    /** Returns the whole result for a person: a line for each level, and the first anomalies. */
    public String explanation() {
        StringJoiner text = new StringJoiner("\n");
        levels.forEach((name, level) -> text.add(name + " "
                + level.verdict().name().toLowerCase(java.util.Locale.ROOT)
                + (level.types().isEmpty() ? "" : (level.isExact() ? " " : " at least ") + level.types())
                + (level.reason() == null ? "" : ": " + level.reason())));
        for (Story story : stories.subList(0, Math.min(EXPLAINED, stories.size()))) {
            text.add("");
            text.add(story.type() + (story.pattern() == null ? "" : " (" + story.pattern() + ")"));
            text.add(story.explanation());
        }
        long more = anomalyCount - Math.min(EXPLAINED, stories.size());
        if (more > 0) {
            text.add("");
            text.add("and " + more + " more");
        }
        return text.toString();
    }
}
