package io.nightjar.jobs.bench;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;

/**
 * How long a check by timestamps takes on cores and machines that were not measured: a simulation of its parts, event by event.
 *
 * <p>Readers take slices as cores come free, so many at a time as there are cores, and not more than {@link #AHEAD} for each core ahead of the one thread that relates rows
 * to rows before them, in their order. What a reader put into lanes of other machines crosses its machine's link, one slice after the other. When all is there, lanes are swept
 * as cores come free. The start and the pauses of a collector with one thread are added; caches and memory are taken to be without limit.
 */
final class ScalingModel {

    /** Slices in flight for each core. */
    private static final int AHEAD = 2;

    private static final int SLICES = 240;
    private static final int LANES = 64;

    private final Costs costs;
    private final int machines;
    private final int coresEach;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Deque<Task> ready = new ArrayDeque<>();
    private final boolean[] isRead = new boolean[SLICES];
    private final double[] linkFree;
    private int freeCores;
    private int nextToRead;
    private int nextToRelate;
    private boolean isRelating;
    private int lanesLeft = LANES;
    private int sent;
    private double now;

    /**
     * Seconds of one core, of a whole history.
     *
     * @param start until the first slice is read
     * @param read decoding, looking at transactions, filling lanes
     * @param relate what one thread does in the order of the rows
     * @param sweep lanes, together
     * @param stopped pauses of the collector
     * @param bytes what goes into lanes, for the wire
     * @param linkBytesPerSecond of each machine
     */
    record Costs(
            double start,
            double read,
            double relate,
            double sweep,
            double stopped,
            double bytes,
            double linkBytesPerSecond) {

        double total() {
            return start + read + relate + sweep + stopped;
        }
    }

    private enum Part {
        READ,
        RELATE,
        SEND,
        SWEEP
    }

    private record Task(Part part, int slice, double seconds) {}

    private record Event(double at, Part part, int slice) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Double.compare(at, other.at) : Integer.compare(slice, other.slice);
        }
    }

    private ScalingModel(Costs costs, int machines, int coresEach) {
        this.costs = costs;
        this.machines = machines;
        this.coresEach = coresEach;
        this.freeCores = machines * coresEach;
        this.linkFree = new double[machines];
    }

    /** Returns the seconds by the clock. */
    static double wallSeconds(Costs costs, int machines, int coresEach) {
        return costs.start() + costs.stopped() + new ScalingModel(costs, machines, coresEach).run();
    }

    private double run() {
        admitReaders();
        dispatch();
        while (!events.isEmpty()) {
            Event event = events.poll();
            now = event.at();
            ended(event);
            dispatch();
        }
        return now;
    }

    private void admitReaders() {
        int cores = machines * coresEach;
        while (nextToRead < SLICES && nextToRead - nextToRelate < AHEAD * cores) {
            ready.addLast(new Task(Part.READ, nextToRead, costs.read() / SLICES));
            nextToRead++;
        }
    }

    /** The thread that relates rows goes first: all wait for it. */
    private void dispatch() {
        if (!isRelating && nextToRelate < SLICES && isRead[nextToRelate]) {
            isRelating = true;
            ready.addFirst(new Task(Part.RELATE, nextToRelate, costs.relate() / SLICES));
        }
        while (freeCores > 0 && !ready.isEmpty()) {
            Task task = ready.pollFirst();
            freeCores--;
            events.add(new Event(now + task.seconds(), task.part(), task.slice()));
        }
    }

    private void ended(Event event) {
        switch (event.part()) {
            case READ -> {
                freeCores++;
                isRead[event.slice()] = true;
                send(event.slice());
            }
            case RELATE -> {
                freeCores++;
                isRelating = false;
                nextToRelate++;
                admitReaders();
                sweepIfAllIsThere();
            }
            case SEND -> {
                sent++;
                sweepIfAllIsThere();
            }
            case SWEEP -> {
                freeCores++;
                lanesLeft--;
            }
        }
    }

    private void send(int slice) {
        int machine = slice % machines;
        double bytes = costs.bytes() / SLICES * (machines - 1) / machines;
        linkFree[machine] = Math.max(now, linkFree[machine]) + bytes / costs.linkBytesPerSecond();
        events.add(new Event(linkFree[machine], Part.SEND, slice));
    }

    private void sweepIfAllIsThere() {
        if (sent == SLICES && nextToRelate == SLICES && lanesLeft == LANES && ready.isEmpty()) {
            for (int lane = 0; lane < LANES; lane++) {
                ready.addLast(new Task(Part.SWEEP, lane, costs.sweep() / LANES));
            }
        }
    }
}
