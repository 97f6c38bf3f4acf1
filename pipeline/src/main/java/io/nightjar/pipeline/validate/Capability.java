package io.nightjar.pipeline.validate;

import io.nightjar.formats.level.IsolationLevel;
import java.util.List;
import java.util.Locale;

/**
 * Ability of one kind of evidence in a history to decide some levels.
 *
 * @param isChecked whether {@code check} decides them from this evidence
 * @param why one sentence that describes the evidence, or the missing data
 */
public record Capability(Evidence evidence, List<IsolationLevel> levels, Extent extent, boolean isChecked, String why) {

    /** Kinds of evidence, from the most to the least informative. */
    public enum Evidence {
        TIMESTAMPS,
        VERSIONS,
        VALUES,
        REALTIME;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Extent of the evidence. */
    public enum Extent {
        YES,
        /** It can show some violations, or decides some keys, but leaves others open. */
        PARTLY,
        NO;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Capability {
        levels = List.copyOf(levels);
    }
}
