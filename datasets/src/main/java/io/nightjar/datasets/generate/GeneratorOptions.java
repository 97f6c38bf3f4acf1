package io.nightjar.datasets.generate;

import static java.util.Objects.requireNonNull;

import io.nightjar.datasets.inject.Fault;
import io.nightjar.datasets.workload.ClientWorkload;
import io.nightjar.datasets.workload.Workloads;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All options that determine the bytes of a generated history. Made by {@link #builder}, which has the defaults of the
 * command line and checks every range.
 *
 * @param transactions rows in all, aborted ones included
 * @param concurrency transactions open at once, or {@link #AUTOMATIC}; never more than sessions
 * @param recordAborted whether aborted transactions get a row; if not, {@code transactions} counts committed ones
 */
public record GeneratorOptions(
        Programs programs,
        StoreKind store,
        long transactions,
        int sessions,
        int concurrency,
        long seed,
        boolean recordAborted,
        Map<Fault, Integer> faults) {

    /**
     * The transactions that sessions execute.
     *
     * @param ops operations of each transaction
     * @param reads the share of operations that read, 0 to 1
     * @param keys keys in use at any time; lists retire and are replaced, see {@code appendsPerKey}
     * @param appendsPerKey appends after which a list retires and a new key replaces it
     * @param values distinct values that writes draw from, or {@link #UNIQUE}
     */
    public record Programs(
            String workload,
            DataModel model,
            int ops,
            double reads,
            int keys,
            KeyDistribution distribution,
            int appendsPerKey,
            int values) {

        public Programs {
            if (workload.equals(LIST_WORKLOAD)) {
                model = DataModel.LIST;
            }
            if (workload.equals(LIST_WORKLOAD) || workload.equals(Workloads.REGISTER.word())) {
                workload = DEFAULT_WORKLOAD;
            }
        }

        private boolean isColumnar() {
            return workload.equals(DEFAULT_WORKLOAD) || workload.equals(TENANTS_WORKLOAD) || isOfCells();
        }

        /** Returns whether operations have outcomes. */
        private boolean isOfCells() {
            return CellOperations.WORKLOADS.contains(workload);
        }
    }

    /**
     * Selects the highest concurrency at which most transactions are free of conflicts, see {@link
     * HistoryGenerator#concurrencyOf}.
     */
    public static final int AUTOMATIC = 0;

    /** Each write has another value. */
    public static final int UNIQUE = 0;

    /** Independent operations on keys drawn one by one. */
    public static final String DEFAULT_WORKLOAD = "default";

    /** The default workload on lists. */
    public static final String LIST_WORKLOAD = "list";

    /** Options for many tenants of one store, each with its sessions and keys. */
    public static final String TENANTS_WORKLOAD = "tenants";

    private static final int SESSIONS_PER_TENANT = 4;

    private static final long MAX_TRANSACTIONS = 1_000_000_000_000L;
    private static final int MAX_SESSIONS = 1_000_000;
    private static final int MAX_OPS = 100_000;
    private static final int MAX_KEYS = 100_000_000;
    private static final int MAX_APPENDS_PER_KEY = 1_000_000;

    public GeneratorOptions {
        String workload = programs.workload();
        if (!programs.isColumnar() && Workloads.byName(workload) == null) {
            throw new IllegalArgumentException(
                    "unknown workload: workload=" + workload + " expected=" + String.join("|", workloadNames()));
        }
        if ((workload.equals(TENANTS_WORKLOAD) || programs.isOfCells()) && !store.hasTimestamps()) {
            throw new IllegalArgumentException("the workload needs a store of snapshots: workload=" + workload
                    + " store=" + store.word() + " expected=si|ser");
        }
        if (programs.model() == DataModel.LIST
                && (!programs.isColumnar() || programs.isOfCells() || !store.hasTimestamps())) {
            throw new IllegalArgumentException("lists need the default workload and a store of snapshots: workload="
                    + workload + " store=" + store.word() + " expected=si|ser");
        }
        checkFaults(faults, programs, store);
        requireRange("transactions", transactions, 1, MAX_TRANSACTIONS);
        requireRange("sessions", sessions, 1, MAX_SESSIONS);
        requireRange("ops", programs.ops(), 1, MAX_OPS);
        if (!(programs.reads() >= 0 && programs.reads() <= 1)) {
            throw new IllegalArgumentException(
                    "out of range: reads=" + programs.reads() + " min=0 max=1; it is a share, not percent");
        }
        requireRange("keys", programs.keys(), tenants(workload, sessions), MAX_KEYS);
        if (concurrency != AUTOMATIC) {
            requireRange("concurrency", concurrency, 1, MAX_SESSIONS);
        }
        requireRange("values", programs.values(), 0, Integer.MAX_VALUE);
        boolean areRegisters = programs.isColumnar() && programs.model() == DataModel.REGISTER && store.hasTimestamps();
        boolean mayRepeat = programs.isOfCells() || workload.equals(Workloads.RANGES.word());
        if (programs.values() != UNIQUE && !mayRepeat && (!areRegisters || !faults.isEmpty())) {
            throw new IllegalArgumentException(
                    "values repeat in registers of the default workload without faults, ranges, kv, sets, counters and"
                            + " cas, and a store of snapshots only:"
                            + " workload=" + workload + " store=" + store.word());
        }
        requireRange("appendsPerKey", programs.appendsPerKey(), 1, MAX_APPENDS_PER_KEY);
        Map<Fault, Integer> wanted = new EnumMap<>(Fault.class);
        for (Map.Entry<Fault, Integer> entry : faults.entrySet()) {
            requireRange("faults of " + entry.getKey().word(), entry.getValue(), 0, Integer.MAX_VALUE);
            if (entry.getValue() > 0) {
                wanted.put(entry.getKey(), entry.getValue());
            }
        }
        faults = Map.copyOf(wanted);
    }

    private static void checkFaults(Map<Fault, Integer> faults, Programs programs, StoreKind store) {
        String workload = programs.workload();
        boolean areOfTables = workload.equals(Workloads.RANGES.word());
        if (!faults.isEmpty() && (!programs.isColumnar() && !areOfTables || !store.hasTimestamps())) {
            throw new IllegalArgumentException(
                    "faults are planted in histories of the default workload or ranges, and a store of snapshots only:"
                            + " workload=" + workload + " store=" + store.word());
        }
        for (Fault fault : faults.keySet()) {
            if (programs.isOfCells() || fault.workload() != null) {
                checkFault(fault, faults.size(), workload);
                continue;
            }
            if (fault.isOfTables() != areOfTables) {
                throw new IllegalArgumentException("fault of another workload: fault=" + fault.word() + " workload="
                        + workload + " expected=" + (fault.isOfTables() ? Workloads.RANGES.word() : DEFAULT_WORKLOAD));
            }
            if (fault == Fault.PREDICATE_WRITE_SKEW && store != StoreKind.SER) {
                throw new IllegalArgumentException("snapshot isolation allows it: fault=" + fault.word() + " store="
                        + store.word() + " expected=" + StoreKind.SER.word());
            }
        }
    }

    private static void checkFault(Fault fault, int kinds, String workload) {
        if (kinds > 1 || !workload.equals(fault.workload())) {
            throw new IllegalArgumentException("fault of another workload, or more than one: fault=" + fault.word()
                    + " workload=" + workload + " expected="
                    + (fault.workload() == null ? DEFAULT_WORKLOAD : fault.workload()));
        }
    }

    /** Returns the workload and its size, null if the columns of the default workload are made directly. */
    @Nullable
    ClientWorkload program(KeySampler sampler) {
        if (programs.isColumnar() && store.hasTimestamps()) {
            return null;
        }
        Workloads named = programs.isColumnar() ? Workloads.REGISTER : Workloads.byName(programs.workload());
        return requireNonNull(named)
                .of(new Workloads.Scale(
                        programs.keys(), programs.ops(), programs.reads(), programs.values(), sampler::sample));
    }

    /** Returns the number of tenants: parts of the sessions that share no key. */
    public int tenants() {
        return tenants(programs.workload(), sessions);
    }

    /** Returns the names of all workloads. */
    public static List<String> workloadNames() {
        List<String> names = new ArrayList<>(List.of(DEFAULT_WORKLOAD, TENANTS_WORKLOAD, LIST_WORKLOAD));
        names.addAll(CellOperations.WORKLOADS);
        for (Workloads workload : Workloads.values()) {
            names.add(workload.word());
        }
        return names;
    }

    private static int tenants(String workload, int sessions) {
        return workload.equals(TENANTS_WORKLOAD) ? Math.max(1, sessions / SESSIONS_PER_TENANT) : 1;
    }

    /** Returns the number of keys of each tenant. */
    public int keysPerTenant() {
        return programs.keys() / tenants();
    }

    public static Builder builder() {
        return new Builder();
    }

    private static void requireRange(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("out of range: " + name + "=" + value + " min=" + min + " max=" + max);
        }
    }

    /** Collects options; options that are not set keep their default. Ranges are checked by {@link #build}. */
    public static final class Builder {

        private String workload = DEFAULT_WORKLOAD;
        private DataModel model = DataModel.REGISTER;
        private StoreKind store = StoreKind.SI;
        private long transactions = 100_000;
        private int sessions = 50;
        private int ops = 15;
        private double reads = 0.5;
        private int keys = 1000;
        private KeyDistribution distribution = KeyDistribution.UNIFORM;
        private int concurrency = AUTOMATIC;
        private long seed = 1;
        private int appendsPerKey = 32;
        private boolean recordAborted = true;
        private int values = UNIQUE;
        private Map<Fault, Integer> faults = Map.of();

        private Builder() {}

        public Builder workload(String name) {
            this.workload = name;
            return this;
        }

        public Builder model(DataModel value) {
            this.model = value;
            return this;
        }

        public Builder store(StoreKind value) {
            this.store = value;
            return this;
        }

        public Builder transactions(long count) {
            this.transactions = count;
            return this;
        }

        public Builder sessions(int count) {
            this.sessions = count;
            return this;
        }

        public Builder ops(int count) {
            this.ops = count;
            return this;
        }

        public Builder reads(double share) {
            this.reads = share;
            return this;
        }

        public Builder keys(int count) {
            this.keys = count;
            return this;
        }

        public Builder distribution(KeyDistribution value) {
            this.distribution = value;
            return this;
        }

        public Builder concurrency(int count) {
            this.concurrency = count;
            return this;
        }

        public Builder seed(long value) {
            this.seed = value;
            return this;
        }

        public Builder appendsPerKey(int count) {
            this.appendsPerKey = count;
            return this;
        }

        public Builder recordAborted(boolean value) {
            this.recordAborted = value;
            return this;
        }

        public Builder values(int count) {
            this.values = count;
            return this;
        }

        public Builder faults(Map<Fault, Integer> countOf) {
            this.faults = countOf;
            return this;
        }

        public GeneratorOptions build() {
            return new GeneratorOptions(
                    new Programs(workload, model, ops, reads, keys, distribution, appendsPerKey, values),
                    store,
                    transactions,
                    sessions,
                    concurrency,
                    seed,
                    recordAborted,
                    faults);
        }
    }
}
