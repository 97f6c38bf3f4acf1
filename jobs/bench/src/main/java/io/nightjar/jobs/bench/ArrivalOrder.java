package io.nightjar.jobs.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines of a history as a checker may meet them: in the order of commits, each delayed by chance. */
final class ArrivalOrder {

    private static final Pattern COMMIT = Pattern.compile("\"commit_ts\":\"?(-?\\d+)");
    private static final long SEED = 11;

    private ArrivalOrder() {}

    private record Line(String text, double at) {}

    /** Writes JSON Lines again; with a deviation of no transactions in the order of commits. */
    static Path disorder(Path jsonLines, Path to, double deviation) throws IOException {
        List<Line> byCommit = new ArrayList<>();
        double last = Double.NEGATIVE_INFINITY;
        for (String text : Files.readAllLines(jsonLines)) {
            Matcher commit = COMMIT.matcher(text);
            last = commit.find()
                    ? Long.parseLong(commit.group(1))
                    : last; // a transaction that did not commit arrives with its predecessor
            byCommit.add(new Line(text, last));
        }
        byCommit.sort(Comparator.comparingDouble(Line::at));
        Random random = new Random(SEED);
        List<Line> arriving = new ArrayList<>(byCommit.size());
        for (int i = 0; i < byCommit.size(); i++) {
            arriving.add(new Line(byCommit.get(i).text(), i + random.nextGaussian() * deviation));
        }
        arriving.sort(Comparator.comparingDouble(Line::at));
        try (BufferedWriter out = Files.newBufferedWriter(to)) {
            for (Line line : arriving) {
                out.write(line.text());
                out.write('\n');
            }
        }
        return to;
    }
}
