package io.nightjar.jobs.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/**
 * How far something got, told on stderr: a bar that moves when that is a terminal, a line every 30 seconds otherwise,
 * nothing with {@code --quiet}.
 *
 * <p>Any thread may advance it, as often as it likes.
 */
public final class Progress implements AutoCloseable {

    /*
     * Advancing only adds to a striped counter. One daemon thread for all of them, begun with the first, wakes up to draw
     * the latest that is under way, so that work which finishes before shows nothing at all. Lines are told 30 seconds
     * apart, whatever has begun or ended between them. Whoever writes another line to stderr goes through aside(), which
     * wipes the bar first; all hold the class's lock.
     */

    private static final long FIRST_BAR_MS = 400;
    private static final long NEXT_BAR_MS = 200;
    private static final long LINE_MS = 30_000;
    private static final int BAR_WIDTH = 24;
    private static final String WIPE_LINE = "\r\u001b[K";

    private static final List<Progress> UNDER_WAY = new ArrayList<>();
    private static Thread drawer;
    private static boolean barIsVisible;
    private static long lastLineNs;

    private final String what;
    private final long total;
    private final boolean asBar;
    private final long startNs = System.nanoTime();
    private final LongAdder done = new LongAdder();
    private long nextBarMs = FIRST_BAR_MS;

    private Progress(String what, long total) {
        this.what = what;
        this.total = total;
        this.asBar = Terminal.stderrIsTerminal() && !Terminal.isDumb();
    }

    /**
     * @param what is being done, as a word or two: {@code reading}
     * @param totalOrMinusOne how much there is to do, -1 if nobody knows
     */
    public static Progress start(String what, long totalOrMinusOne) {
        Progress progress = new Progress(what, totalOrMinusOne);
        if (!Terminal.isQuiet()) {
            synchronized (Progress.class) {
                UNDER_WAY.add(progress);
                if (drawer == null) {
                    lastLineNs = System.nanoTime();
                    drawer = new Thread(Progress::drawForever, "progress");
                    drawer.setDaemon(true);
                    drawer.start();
                }
            }
        }
        return progress;
    }

    public void advance(long amount) {
        done.add(amount);
    }

    @Override
    public void close() {
        synchronized (Progress.class) {
            UNDER_WAY.remove(this);
            wipe();
        }
    }

    /** Writes a whole line to stderr beside a bar that may be there. */
    static void aside(String line) {
        synchronized (Progress.class) {
            wipe();
            System.err.println(line);
            System.err.flush();
        }
    }

    private static void drawForever() {
        try {
            while (true) {
                Thread.sleep(NEXT_BAR_MS);
                synchronized (Progress.class) {
                    if (!UNDER_WAY.isEmpty()) {
                        UNDER_WAY.get(UNDER_WAY.size() - 1).drawIfDue();
                    }
                }
            }
        } catch (InterruptedException endOfProcess) {
            Thread.currentThread().interrupt();
        }
    }

    private void drawIfDue() {
        long nowNs = System.nanoTime();
        long elapsedMs = (nowNs - startNs) / 1_000_000;
        PrintStream err = System.err;
        if (asBar && elapsedMs >= nextBarMs) {
            err.print(WIPE_LINE + fit(text(true)));
            barIsVisible = true;
            nextBarMs = elapsedMs + NEXT_BAR_MS / 2;
        } else if (!asBar && nowNs - lastLineNs >= LINE_MS * 1_000_000) {
            err.println("nightjar: " + text(false));
            lastLineNs = nowNs;
        }
        err.flush();
    }

    private String text(boolean withBar) {
        return text(what, done.sum(), total, (System.nanoTime() - startNs) / 1_000_000_000L, withBar);
    }

    static String text(String what, long done, long total, long seconds, boolean withBar) {
        StringBuilder text = new StringBuilder(what);
        if (total > 0) {
            double share = Math.min(1.0, (double) done / total);
            if (withBar) {
                int filled = (int) (share * BAR_WIDTH);
                text.append(" [")
                        .append("#".repeat(filled))
                        .append(".".repeat(BAR_WIDTH - filled))
                        .append(']');
            }
            text.append(String.format(Locale.ROOT, " %3.0f%%", Math.floor(share * 100)));
            text.append("  ").append(count(done)).append(" of ").append(count(total));
            if (done > 0 && done < total) {
                long left = (long) (seconds / share - seconds);
                text.append("  ").append(duration(left)).append(" left");
            }
        } else {
            text.append("  ").append(count(done));
        }
        return text.append("  ").append(duration(seconds)).toString();
    }

    private static String fit(String text) {
        int width = Math.max(20, Terminal.width() - 1);
        return text.length() <= width ? text : text.substring(0, width);
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String duration(long seconds) {
        return seconds < 60
                ? seconds + "s"
                : seconds / 60 + "m" + String.format(Locale.ROOT, "%02d", seconds % 60) + "s";
    }

    private static void wipe() {
        if (barIsVisible) {
            System.err.print(WIPE_LINE);
            System.err.flush();
            barIsVisible = false;
        }
    }
}
