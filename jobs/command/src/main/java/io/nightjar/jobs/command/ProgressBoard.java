package io.nightjar.jobs.command;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Display of progress: of all running tasks, the latest that began. */
public final class ProgressBoard {

    /*
     * Advancing only adds to a counter. One daemon thread, started with the first progress, wakes up and draws, so that
     * work which finishes before shows nothing at all. The time that is shown is the command's, independently of tasks
     * that begin or end. Other lines for stderr are written with aside(), which wipes the bar first. All methods hold
     * the board's lock.
     *
     * A task without an end has a text instead of the bar, in as many rows as it needs: show().
     */

    private static final long SECOND_NS = 1_000_000_000;
    private static final long FIRST_BAR_NS = SECOND_NS * 4 / 10;
    private static final long LINE_NS = 30 * SECOND_NS;
    private static final long WAKE_UP_MS = 200;
    private static final String WIPE_LINE = "\r\u001b[K";
    private static final String UP = "\u001b[1A";

    private static final ProgressBoard OF_PROCESS = new ProgressBoard(System::nanoTime);

    private final List<Progress> underWay = new ArrayList<>();
    private LongSupplier clock;
    private @Nullable Thread drawer;
    private int rowsVisible; // rows of the visible bar or text
    private boolean isOver;
    private boolean leavesAtEnd;
    private long commandNs;
    private long lastLineNs;

    /** @param clock nanoseconds, as {@link System#nanoTime} counts them */
    ProgressBoard(LongSupplier clock) {
        this.clock = clock;
        beginCommand();
    }

    /** Returns the board of this process; a thread draws it. */
    public static ProgressBoard ofProcess() {
        return OF_PROCESS;
    }

    /** Starts the clock anew. */
    public synchronized void beginCommand() {
        commandNs = clock.getAsLong();
        lastLineNs = commandNs;
    }

    /** Sets the clock, for tests that must not depend on time; returns the previous clock. */
    public synchronized LongSupplier setClock(LongSupplier newClock) {
        LongSupplier before = clock;
        clock = newClock;
        beginCommand();
        return before;
    }

    synchronized Progress begin(String what, String unit, long total) {
        Progress progress = new Progress(this, what, unit, total, clock.getAsLong());
        if (!Terminal.isQuiet()) {
            underWay.add(progress);
            if (this == OF_PROCESS && drawer == null) {
                startDrawing();
            }
        }
        return progress;
    }

    synchronized void end(Progress progress) {
        underWay.remove(progress);
        wipe();
    }

    /** Writes a whole line to stderr; wipes a visible bar first. */
    synchronized void aside(String line) {
        wipe();
        System.err.println(TextWrap.fit(line, Terminal.stderrIsTerminal() ? Terminal.width() : Integer.MAX_VALUE));
        System.err.flush();
    }

    /**
     * Shows a text instead of a bar, replacing the previous text; it is wiped before other output.
     *
     * @return false without a terminal to rewrite
     */
    public synchronized boolean show(String text) {
        if (!Terminal.stderrIsTerminal() || Terminal.isDumb()) {
            return false;
        }
        if (!isOver && !Terminal.isQuiet() && underWay.isEmpty()) {
            leaveAtEnd();
            wipe();
            String fitted = TextWrap.fit(text, Math.max(20, Terminal.width() - 1));
            System.err.print(fitted);
            System.err.flush();
            rowsVisible = (int) fitted.lines().count();
        }
        return true;
    }

    /** Wipes the visible text, if results go to the same terminal. */
    synchronized void clearLines() {
        wipe();
    }

    /** Draws the progress that is due now. */
    synchronized void draw() {
        if (underWay.isEmpty() || isOver) {
            return;
        }
        Progress latest = underWay.get(underWay.size() - 1);
        long nowNs = clock.getAsLong();
        long seconds = (nowNs - commandNs) / SECOND_NS;
        if (Terminal.stderrIsTerminal() && !Terminal.isDumb()) {
            if (nowNs - latest.startNs() >= FIRST_BAR_NS) {
                int width = Math.max(20, Terminal.width() - 1);
                if (rowsVisible > 1) {
                    wipe();
                }
                System.err.print(WIPE_LINE + latest.bar(width, nowNs, seconds));
                rowsVisible = 1;
            }
        } else if (nowNs - lastLineNs >= LINE_NS) {
            System.err.println("nightjar: " + latest.line(nowNs, seconds));
            lastLineNs = nowNs;
        }
        System.err.flush();
    }

    private void startDrawing() {
        drawer = new Thread(this::drawForever, "progress");
        drawer.setDaemon(true);
        drawer.start();
        leaveAtEnd();
    }

    private void leaveAtEnd() {
        if (!leavesAtEnd && this == OF_PROCESS) {
            leavesAtEnd = true;
            Runtime.getRuntime().addShutdownHook(new Thread(this::leave, "progress-end"));
        }
    }

    private void drawForever() {
        try {
            while (true) {
                Thread.sleep(WAKE_UP_MS);
                draw();
            }
        } catch (InterruptedException endOfProcess) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all progress: the process ends, and later output in the terminal belongs to other processes. */
    synchronized void leave() {
        wipe();
        isOver = true;
    }

    private void wipe() {
        if (rowsVisible > 0) {
            System.err.print(WIPE_LINE + (UP + WIPE_LINE).repeat(rowsVisible - 1));
            System.err.flush();
            rowsVisible = 0;
        }
    }
}
