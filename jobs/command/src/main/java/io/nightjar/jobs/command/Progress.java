package io.nightjar.jobs.command;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Progress of a task, reported on stderr: a moving bar if that is a terminal, a line every 30 seconds otherwise,
 * nothing with {@code --quiet}. Any thread may advance it, as often as it likes.
 */
public final class Progress implements AutoCloseable {

    private static final int BAR_WIDTH = 24;

    private final ProgressBoard board;
    private final String task;
    private final String unit;
    private final long total;
    private final long startNs;
    private final LongAdder done = new LongAdder();
    private volatile Supplier<String> detail = () -> "";

    Progress(ProgressBoard board, String task, String unit, long total, long startNs) {
        this.board = board;
        this.task = task;
        this.unit = unit;
        this.total = total;
        this.startNs = startNs;
    }

    /**
     * @param task name of the task, a word or two: {@code reading}
     * @param unit name of the counted objects, in the plural: {@code transactions}
     * @param totalOrMinusOne the total number, -1 if unknown
     */
    public static Progress start(String task, String unit, long totalOrMinusOne) {
        return ProgressBoard.ofProcess().begin(task, unit, totalOrMinusOne);
    }

    public void advance(long amount) {
        done.add(amount);
    }

    /** Sets the text after the counts, requested at each update. */
    public Progress telling(Supplier<String> words) {
        detail = words;
        return this;
    }

    public long startNs() {
        return startNs;
    }

    @Override
    public void close() {
        board.end(this);
    }

    /** Returns the line for a log. */
    public String line(long nowNs, long seconds) {
        return text(false, true, nowNs, seconds);
    }

    /** Returns as much of the bar as fits into a line of the terminal; the least important parts are omitted first. */
    String bar(int width, long nowNs, long seconds) {
        String words = detail.get();
        String brief = words.isEmpty() ? "" : brief(seconds) + "  " + words;
        for (String text : List.of(text(true, true, nowNs, seconds), text(false, true, nowNs, seconds), brief)) {
            if (!text.isEmpty() && text.length() <= width) {
                return text;
            }
        }
        String text = text(false, false, nowNs, seconds);
        return text.length() <= width ? text : text.substring(0, width);
    }

    /** Returns the progress as numbers alone, as a prefix of the text that follows. */
    private String brief(long seconds) {
        long count = done.sum();
        String share = total > 0 ? " " + (long) (Math.min(1.0, (double) count / total) * 100) + "%" : "";
        return task + share + "  " + number(count) + "  " + duration(seconds);
    }

    private String text(boolean withBar, boolean withLeft, long nowNs, long seconds) {
        long count = done.sum();
        StringBuilder text = new StringBuilder(task);
        if (total > 0) {
            double share = Math.min(1.0, (double) count / total);
            if (withBar) {
                int filled = (int) (share * BAR_WIDTH);
                text.append(" [" + "#".repeat(filled) + ".".repeat(BAR_WIDTH - filled) + "]");
            }
            text.append(String.format(Locale.ROOT, " %d%%", (long) (share * 100)));
            text.append("  ").append(number(Math.min(count, total))).append(" of ");
            text.append(number(total)).append(' ').append(unit);
            text.append("  ").append(duration(seconds));
            if (withLeft && count > 0 && count < total) {
                double spent = (nowNs - startNs) / 1e9;
                text.append(", about " + duration((long) (spent / share - spent)) + " left");
            }
            return withLeft ? withDetail(text) : text.toString();
        }
        if (count > 0) {
            text.append("  ").append(number(count)).append(' ').append(unit);
        }
        text.append("  ").append(duration(seconds));
        return withLeft ? withDetail(text) : text.toString();
    }

    private String withDetail(StringBuilder text) {
        String words = detail.get();
        return words.isEmpty()
                ? text.toString()
                : text.append("  ").append(words).toString();
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String duration(long seconds) {
        return seconds < 60
                ? seconds + "s"
                : seconds / 60 + "m" + String.format(Locale.ROOT, "%02d", seconds % 60) + "s";
    }
}
