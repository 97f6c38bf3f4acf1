package io.nightjar.jobs.bench;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;

/**
 * The duration of a check by timestamps on cores and machines that were not measured: a simulation of its threads,
 * event by event.
 *
 * <p>Readers take slices as cores become free, as many at a time as the machine has cores, and not more than {@link
 * #AHEAD} for each core ahead of the single thread that relates rows to earlier rows, in their order. Operations that a
 * reader put into lanes of other machines cross its machine's link, one slice after the other. Sweeps take their share
 * of each slice in the order of the rows, each on a separate thread; with too few cores for that, the thread that
 * relates rows sweeps them too. The compilers are one thread more, until they are done. The start and the pauses of a
 * collector with one thread are added; the model assumes unlimited caches and memory, and code that is as fast at the
 * start as at the end.
 */
final class ScalingModel {

    /** Slices in flight for each core. */
    private static final int AHEAD = 2;

    private static final int SLICES = 240;

    /** Threads below which a single sweep runs on the thread that relates rows. */
    private static final int FEW = 4;

    private final Costs costs;
    private final int machines;
    private final int partitions;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Deque<Task> ready = new ArrayDeque<>();
    private final boolean[] isRead = new boolean[SLICES];
    private final boolean[] hasArrived = new boolean[SLICES];
    private final double[] linkFree;
    private final boolean[] isSweeping;
    private final int[] nextToSweep;
    private final int cores;
    private int freeCores;
    private int nextToRead;
    private int nextToRelate;
    private boolean isRelating;
    private double now;

    /**
     * Seconds of one core, of a whole history.
     *
     * @param start until the first slice is read
     * @param compile concurrent with all else
     * @param read decoding, scanning transactions, filling lanes
     * @param relate the work of the single thread that processes rows in order
     * @param sweep the state of the keys, which can be divided among keys
     * @param stopped pauses of the collector
     * @param bytes bytes of the lanes, for the wire
     * @param linkBytesPerSecond of each machine
     */
    record Costs(
            double start,
            double compile,
            double read,
            double relate,
            double sweep,
            double stopped,
            double bytes,
            double linkBytesPerSecond) {

        double total() {
            return start + compile + read + relate + sweep + stopped;
        }
    }

    private enum Activity {
        COMPILE,
        READ,
        RELATE,
        SEND,
        SWEEP
    }

    /**
     * A piece of work of one thread.
     *
     * @param number of the slice, or of the partition of the keys
     */
    private record Task(Activity activity, int number, double seconds) {}

    private record Event(double at, Activity activity, int number) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Double.compare(at, other.at) : Integer.compare(number, other.number);
        }
    }

    private ScalingModel(Costs costs, int machines, int coresEach) {
        this.cores = machines * coresEach;
        boolean isSweptAfter = cores < FEW;
        this.costs = isSweptAfter
                ? new Costs(
                        costs.start(),
                        costs.compile(),
                        costs.read(),
                        costs.relate() + costs.sweep(),
                        0,
                        costs.stopped(),
                        costs.bytes(),
                        costs.linkBytesPerSecond())
                : costs;
        this.machines = machines;
        this.partitions = isSweptAfter ? 0 : Integer.highestOneBit(cores / 2);
        this.freeCores = cores;
        this.linkFree = new double[machines];
        this.isSweeping = new boolean[partitions];
        this.nextToSweep = new int[partitions];
    }

    /** Returns the seconds by the clock. */
    static double wallSeconds(Costs costs, int machines, int coresEach) {
        return costs.start() + costs.stopped() + new ScalingModel(costs, machines, coresEach).run();
    }

    private double run() {
        ready.add(new Task(Activity.COMPILE, 0, costs.compile() / SLICES));
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
        while (nextToRead < SLICES && nextToRead - nextToRelate < AHEAD * cores) {
            ready.addLast(new Task(Activity.READ, nextToRead, costs.read() / SLICES));
            nextToRead++;
        }
    }

    /**
     * Starts tasks on free cores: first the thread that relates rows, since all wait for it; then sweeps, which must
     * keep up.
     */
    private void dispatch() {
        for (int partition = 0; partition < partitions; partition++) {
            int slice = nextToSweep[partition];
            if (!isSweeping[partition] && slice < nextToRelate && hasArrived[slice]) {
                isSweeping[partition] = true;
                ready.addFirst(new Task(Activity.SWEEP, partition, costs.sweep() / SLICES / partitions));
            }
        }
        if (!isRelating && nextToRelate < SLICES && isRead[nextToRelate]) {
            isRelating = true;
            ready.addFirst(new Task(Activity.RELATE, nextToRelate, costs.relate() / SLICES));
        }
        while (freeCores > 0 && !ready.isEmpty()) {
            Task task = ready.pollFirst();
            freeCores--;
            events.add(new Event(now + task.seconds(), task.activity(), task.number()));
        }
    }

    private void ended(Event event) {
        freeCores += event.activity() == Activity.SEND ? 0 : 1;
        switch (event.activity()) {
            case COMPILE -> {
                if (event.number() + 1 < SLICES) {
                    ready.addFirst(new Task(Activity.COMPILE, event.number() + 1, costs.compile() / SLICES));
                }
            }
            case READ -> {
                isRead[event.number()] = true;
                send(event.number());
            }
            case RELATE -> {
                isRelating = false;
                nextToRelate++;
                admitReaders();
            }
            case SEND -> hasArrived[event.number()] = true;
            case SWEEP -> {
                isSweeping[event.number()] = false;
                nextToSweep[event.number()]++;
            }
        }
    }

    private void send(int slice) {
        int machine = slice % machines;
        double bytes = costs.bytes() / SLICES * (machines - 1) / machines;
        linkFree[machine] = Math.max(now, linkFree[machine]) + bytes / costs.linkBytesPerSecond();
        events.add(new Event(linkFree[machine], Activity.SEND, slice));
    }
}
