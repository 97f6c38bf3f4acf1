package io.nightjar.jobs.bench;

import io.nightjar.jobs.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The command line that measures a point of Nightjar, and the parser of its output. */
enum MeasuredCommand {
    CHECK {
        @Override
        List<String> line(Map<String, String> settings, List<Path> histories, @Nullable Path lake, Path scratch) {
            List<String> line = new ArrayList<>(List.of("check", "--json", "--lake", named(lake)));
            line.addAll(PointSettings.ofCheck(settings));
            histories.forEach(history -> line.add(history.toString()));
            return line;
        }
    },
    WATCH {
        @Override
        List<String> line(Map<String, String> settings, List<Path> histories, @Nullable Path lake, Path scratch) {
            List<String> line = new ArrayList<>(List.of("watch", "--json", "--until-end", "--lake", named(lake)));
            line.addAll(PointSettings.ofCheck(settings));
            histories.forEach(history -> line.add(history.toString()));
            return line;
        }
    },
    GENERATE {
        @Override
        List<String> line(Map<String, String> settings, List<Path> histories, @Nullable Path lake, Path scratch) {
            List<String> line = new ArrayList<>(
                    List.of("generate", scratch.resolve("made.parquet").toString()));
            line.addAll(PointSettings.ofGenerate(settings));
            return line;
        }

        @Override
        @Nullable
        String verdict(ProcessMeter.Reading reading, int histories) {
            return reading.exitCode() == 0 ? "made" : null;
        }
    },
    VERSION {
        @Override
        List<String> line(Map<String, String> settings, List<Path> histories, @Nullable Path lake, Path scratch) {
            return List.of("--version");
        }

        @Override
        @Nullable
        String verdict(ProcessMeter.Reading reading, int histories) {
            return reading.exitCode() == 0 ? "printed" : null;
        }
    };

    private static final Pattern VERDICT =
            Pattern.compile("^\\{\"schema\":1,.*?\"verdict\":\"([a-z]+)\"", Pattern.MULTILINE);

    static List<String> known() {
        return List.of("check", "watch", "generate", "version");
    }

    static MeasuredCommand of(Map<String, String> settings) {
        String named = settings.getOrDefault(PointSettings.COMMAND, "check");
        for (MeasuredCommand command : values()) {
            if (command.name().equalsIgnoreCase(named)) {
                return command;
            }
        }
        throw new UsageException("unknown command: command=" + named + " known=" + String.join(",", known()));
    }

    /** Returns whether it checks histories. */
    boolean isOfHistories() {
        return this == CHECK || this == WATCH;
    }

    /**
     * Returns the arguments of the command.
     *
     * @param lake null for no tables
     * @param scratch a folder that is removed at the end
     */
    abstract List<String> line(Map<String, String> settings, List<Path> histories, @Nullable Path lake, Path scratch);

    /** Returns one word if all histories agree, else the number of each; null if some have no verdict. */
    @Nullable
    String verdict(ProcessMeter.Reading reading, int histories) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        int answers = 0;
        Matcher found = VERDICT.matcher(reading.out());
        while (found.find()) {
            counts.merge(found.group(1), 1, Integer::sum);
            answers++;
        }
        if (answers != histories) {
            return null;
        }
        if (counts.size() == 1) {
            return counts.keySet().iterator().next();
        }
        List<String> words = new ArrayList<>();
        counts.forEach((verdict, count) -> words.add(count + " " + verdict));
        return String.join(", ", words);
    }

    private static String named(@Nullable Path lake) {
        return lake == null ? "none" : lake.toString();
    }
}
