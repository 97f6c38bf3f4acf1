package io.nightjar.jobs.record;

import io.nightjar.datasets.generate.KeyDistribution;
import io.nightjar.datasets.jdbc.SqlDialect.Certificates;
import io.nightjar.datasets.jdbc.SqlIsolation;
import io.nightjar.datasets.workload.ClientWorkload;
import io.nightjar.datasets.workload.Workloads;
import io.nightjar.formats.registry.Histories;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of a recording: subject, output, and length.
 *
 * @param isolation isolation level of every session
 * @param seed seed of the programs
 */
public record RecordOptions(
        Output output, Programs programs, Clients clients, Length length, SqlIsolation isolation, long seed) {

    /**
     * Output of a recording.
     *
     * @param out null if nothing is recorded and only the table definitions are printed
     * @param formatName format of {@code out}; null to choose by extension, or to leave a directory without an
     *     extension
     * @param certificates additional data requested from the database that proves an order
     * @param keep whether the tables remain in the database
     */
    public record Output(@Nullable Path out, @Nullable String formatName, Certificates certificates, boolean keep) {

        public Output {
            if (formatName != null && !Histories.writableFormatNames().contains(formatName)) {
                String fault = Histories.formatNames().contains(formatName) ? "format is only read" : "unknown format";
                throw new IllegalArgumentException(fault + ": format=" + formatName + " expected="
                        + String.join("|", Histories.writableFormatNames()));
            }
        }

        /** Returns the path of the output. */
        Path output() {
            return Objects.requireNonNull(out);
        }
    }

    /**
     * Options of the transaction programs.
     *
     * @param ops number of operations of each transaction
     * @param reads the share of operations that read, 0 to 1
     * @param locks whether rows read for update are locked
     */
    public record Programs(
            String workload, int ops, double reads, int keys, KeyDistribution distribution, boolean locks) {

        public Programs {
            if (workload.equals(DEFAULT_WORKLOAD)) {
                workload = Workloads.REGISTER.word();
            }
            if (!workloadNames().contains(workload)) {
                throw new IllegalArgumentException(
                        "unknown workload: workload=" + workload + " expected=" + String.join("|", workloadNames()));
            }
            requireRange("ops", ops, 1, MAX_OPS);
            if (!(reads >= 0 && reads <= 1)) {
                throw new IllegalArgumentException(
                        "out of range: reads=" + reads + " min=0 max=1; it is a share, not percent");
            }
            requireRange("keys", keys, 1, MAX_KEYS);
        }

        /** Creates the workload in its configured size, in its initial state. */
        public ClientWorkload newWorkload() {
            Workloads.Scale scale = new Workloads.Scale(keys, ops, reads, distribution.sampler(keys));
            return workload.equals(LIST_WORKLOAD)
                    ? Workloads.lists(scale, APPENDS_PER_KEY)
                    : Objects.requireNonNull(Workloads.byName(workload)).of(scale); // a name in workloadNames
        }
    }

    /**
     * Options of the clients.
     *
     * @param rate transactions started per second by all sessions together; 0 for unlimited
     * @param retries maximum number of retries of an aborted transaction, each a new transaction
     * @param patience maximum time for which a session tries to reconnect
     */
    public record Clients(int sessions, double rate, int retries, Duration patience) {

        public Clients {
            requireRange("sessions", sessions, 1, MAX_SESSIONS);
            if (!(rate >= 0 && rate <= 1e9)) {
                throw new IllegalArgumentException("out of range: rate=" + rate + " min=0 max=1000000000");
            }
            requireRange("retries", retries, 0, 1_000);
        }
    }

    /**
     * End of a recording.
     *
     * @param transactions number of attempts, or {@link #UNBOUNDED}
     * @param duration null if only the number of transactions ends it
     * @param warmUp time for which the workload runs beforehand on the same tables, which are then recreated
     */
    public record Length(long transactions, @Nullable Duration duration, Duration warmUp) {

        public Length {
            if (transactions != UNBOUNDED) {
                requireRange("transactions", transactions, 1, MAX_TRANSACTIONS);
            }
            if (duration != null && (duration.isZero() || duration.isNegative())) {
                throw new IllegalArgumentException("out of range: duration=" + duration.toMillis() + "ms min=1ms");
            }
        }
    }

    /** As many transactions as fit into the {@link Length#duration}. */
    public static final long UNBOUNDED = Long.MAX_VALUE;

    private static final String LIST_WORKLOAD = "list";
    private static final String DEFAULT_WORKLOAD = "default";
    private static final int APPENDS_PER_KEY = 32;
    private static final int MAX_SESSIONS = 10_000;
    private static final int MAX_OPS = 900;
    private static final int MAX_KEYS = 10_000_000;
    private static final long MAX_TRANSACTIONS = 1_000_000_000_000L;

    /** Returns the accepted workload names. */
    public static List<String> workloadNames() {
        List<String> names = new ArrayList<>(List.of(Workloads.REGISTER.word(), LIST_WORKLOAD));
        for (Workloads one : Workloads.values()) {
            if (one != Workloads.REGISTER) {
                names.add(one.word());
            }
        }
        return names;
    }

    private static void requireRange(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("out of range: " + name + "=" + value + " min=" + min + " max=" + max);
        }
    }
}
