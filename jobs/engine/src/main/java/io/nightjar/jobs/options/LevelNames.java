package io.nightjar.jobs.options;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.UsageException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** Parses a list of level names. */
public final class LevelNames {

    private static final int NEAREST_LEVELS = 3;

    private LevelNames() {}

    public static List<IsolationLevel> parse(String text) {
        EnumSet<IsolationLevel> levels = EnumSet.noneOf(IsolationLevel.class);
        for (String name : text.split(",", -1)) {
            if (name.strip().equalsIgnoreCase("all")) {
                levels.addAll(IsolationLevel.all());
                continue;
            }
            IsolationLevel level = IsolationLevel.byName(name);
            if (level == null) {
                throw new UsageException("unknown level: level=" + name.strip() + " nearest="
                        + String.join("|", IsolationLevel.namesLike(name, NEAREST_LEVELS))
                        + "; all is " + sixLevels() + ", docs/levels.md names the others");
            }
            levels.add(level);
        }
        return new ArrayList<>(levels);
    }

    private static String sixLevels() {
        List<String> names = new ArrayList<>();
        for (IsolationLevel level : IsolationLevel.all()) {
            names.add(level.shortName());
        }
        return String.join(",", names);
    }
}
