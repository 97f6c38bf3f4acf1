package io.nightjar.jobs.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** Where progress is shown: of all that is under way, the latest that began. */
final class ProgressBoard {

    /*
     * Advancing only adds to a counter. One daemon thread, begun with the first progress, wakes up and draws, so that work
     * which finishes before shows nothing at all. The time that is shown is the command's, whatever begins or ends meanwhile.
     * Whoever writes another line to stderr goes through aside(), which wipes the bar first. Everything holds the board's lock.
     */

    private static final long SECOND_NS = 1_000_000_000;
    private static final long FIRST_BAR_NS = SECOND_NS * 4 / 10;
    private static final long LINE_NS = 30 * SECOND_NS;
    private static final long WAKE_UP_MS = 200;
    private static final String WIPE_LINE = "\r\u001b[K";

    private static final ProgressBoard OF_PROCESS = new ProgressBoard(System::nanoTime);

    private final List<Progress> underWay = new ArrayList<>();
    private LongSupplier clock;
    private Thread drawer;
    private boolean isBarVisible;
    private boolean isOver;
    private long commandNs;
    private long lastLineNs;

    /** @param clock nanoseconds, as {@link System#nanoTime} counts them */
    ProgressBoard(LongSupplier clock) {
        this.clock = clock;
        beginCommand();
    }

    /** That of this process; a thread draws it. */
    static ProgressBoard ofProcess() {
        return OF_PROCESS;
    }

    /** From here on time counts anew. */
    synchronized void beginCommand() {
        commandNs = clock.getAsLong();
        lastLineNs = commandNs;
    }

    /** Lets somebody else say what time it is, such as a test that must not depend on it; returns who said so before. */
    synchronized LongSupplier tellTimeBy(LongSupplier newClock) {
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

    /** Writes a whole line to stderr beside a bar that may be there. */
    synchronized void aside(String line) {
        wipe();
        System.err.println(TextWrap.fit(line, Terminal.stderrIsTerminal() ? Terminal.width() : Integer.MAX_VALUE));
        System.err.flush();
    }

    /** Shows what is due now. */
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
                System.err.print(WIPE_LINE + latest.bar(width, nowNs, seconds));
                isBarVisible = true;
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
        Runtime.getRuntime().addShutdownHook(new Thread(this::leave, "progress-end"));
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

    /** The process ends, by itself or by Ctrl-C: what comes next in the terminal is somebody else's. */
    synchronized void leave() {
        wipe();
        isOver = true;
    }

    private void wipe() {
        if (isBarVisible) {
            System.err.print(WIPE_LINE);
            System.err.flush();
            isBarVisible = false;
        }
    }
}
