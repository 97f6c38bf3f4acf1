package io.nightjar.datasets.jdbc;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process that made tables, as a name in the list of tables by which other processes detect whether it still runs.
 */
public final class TableMaker implements AutoCloseable {

    private static final Set<String> LIVING = ConcurrentHashMap.newKeySet();
    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final Pattern MARK = Pattern.compile(" by ([0-9a-f]+)\\.(\\d+)\\.(-?\\d+)\\.\\d+$");

    private final String word;
    private final String mark;

    /** @param word its name in the list after its end */
    public TableMaker(String word) {
        this.word = word;
        this.mark = word + " by " + host() + "." + ProcessHandle.current().pid() + "."
                + startOf(ProcessHandle.current()) + "." + NUMBERS.incrementAndGet();
        LIVING.add(mark);
    }

    private static String host() {
        String name = ManagementFactory.getRuntimeMXBean().getName();
        return Integer.toHexString(name.substring(name.indexOf('@') + 1).hashCode());
    }

    private static long startOf(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(-1L);
    }

    /** Returns the text in the list for a table that is no longer in use. */
    String word() {
        return word;
    }

    /** Returns the text in the list for a table in use. */
    String mark() {
        return mark;
    }

    /**
     * Returns whether another maker is using a table.
     *
     * @param other the text in the list
     * @param ifElsewhere the result for a maker on another machine
     */
    boolean isAnotherAtWork(String other, boolean ifElsewhere) {
        Matcher found = MARK.matcher(other);
        if (other.equals(mark) || !found.find()) {
            return false;
        }
        if (!found.group(1).equals(host())) {
            return ifElsewhere;
        }
        long pid = Long.parseLong(found.group(2));
        if (pid == ProcessHandle.current().pid()) {
            return LIVING.contains(other);
        }
        long start = Long.parseLong(found.group(3));
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(process -> startOf(process) == start)
                .isPresent();
    }

    /** Removes the mark: the maker is done. */
    @Override
    public void close() {
        LIVING.remove(mark);
    }
}
