package io.nightjar.jobs.cli;

import io.nightjar.jobs.RunResult.Faults;
import io.nightjar.jobs.command.AnsiStyle;
import io.nightjar.jobs.command.ExitCode;
import java.util.StringJoiner;

/** The number of histories per verdict, in one line. */
final class BatchSummary {

    private int total;
    private int violated;
    private int undecided;
    private int held;
    private int rejected;
    private Faults faults = Faults.NONE;

    /** Counts the result of one history, an {@link ExitCode}, and its faults. */
    void add(int answer, Faults found) {
        total++;
        faults = faults.plus(found);
        switch (answer) {
            case ExitCode.HOLDS -> held++;
            case ExitCode.VIOLATED -> violated++;
            case ExitCode.UNDECIDED -> undecided++;
            case ExitCode.REJECTED -> rejected++;
            default -> {} // could not be checked
        }
    }

    /** Returns a line such as {@code 4 histories: 1 violated by 3 anomalies, 2 hold, 1 rejected}. */
    String line() {
        StringJoiner counts = new StringJoiner(", ", total + " histories: ", "");
        add(counts, violated, AnsiStyle.RED, "violated" + faults.suffix());
        add(counts, undecided, AnsiStyle.YELLOW, "undecided");
        add(counts, held, AnsiStyle.GREEN, held == 1 ? "holds" : "hold");
        add(counts, rejected, AnsiStyle.RED, "rejected");
        add(counts, total - violated - undecided - held - rejected, AnsiStyle.RED, "not checked");
        return counts.toString();
    }

    private static void add(StringJoiner counts, int count, AnsiStyle ink, String what) {
        if (count > 0) {
            counts.add(ink.on(count + " " + what));
        }
    }
}
