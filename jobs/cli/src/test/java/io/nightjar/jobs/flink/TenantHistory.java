package io.nightjar.jobs.flink;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** A history of tenants that share no key, without timestamps; some of them lose an update. */
final class TenantHistory {

    private static final int SESSIONS = 3;
    private static final int KEYS = 10;
    private static final int OPS = 4;
    private static final int LOSES_AN_UPDATE = 10;

    private final Random random = new Random(1);
    private final long[][] seqs;
    private final long[][] stored;
    private long value;

    private TenantHistory(int tenants) {
        this.seqs = new long[tenants][SESSIONS];
        this.stored = new long[tenants][KEYS];
    }

    /**
     * Writes a history in which tenants take turns at random, and each transaction reads and writes the current values.
     */
    static void write(Path file, int tenants, int txns) throws IOException {
        TenantHistory history = new TenantHistory(tenants);
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int txn = 0; txn < txns; txn++) {
                int tenant = history.random.nextInt(tenants);
                out.write(history.row(tenant));
            }
            for (int tenant = 0; tenant < tenants; tenant += LOSES_AN_UPDATE) {
                out.write(history.lostUpdate(tenant, 0));
                out.write(history.lostUpdate(tenant, 1));
                history.stored[tenant][0] = history.value;
            }
        }
    }

    private String row(int tenant) {
        StringBuilder ops = new StringBuilder();
        for (int op = 0; op < OPS; op++) {
            int key = random.nextInt(KEYS);
            ops.append(op == 0 ? "" : ",").append(random.nextBoolean() ? read(tenant, key) : write(tenant, key));
        }
        return line(tenant, random.nextInt(SESSIONS), ops.toString());
    }

    /** Reads the value that the other also reads, and overwrites it. */
    private String lostUpdate(int tenant, int session) {
        return line(tenant, session, read(tenant, 0) + ",[\"w\"," + name(tenant, 0) + "," + ++value + "]");
    }

    private String read(int tenant, int key) {
        long found = stored[tenant][key];
        return "[\"r\"," + name(tenant, key) + "," + (found == 0 ? "null" : found) + "]";
    }

    private String write(int tenant, int key) {
        stored[tenant][key] = ++value;
        return "[\"w\"," + name(tenant, key) + "," + value + "]";
    }

    private static int name(int tenant, int key) {
        return tenant * KEYS + key;
    }

    private String line(int tenant, int session, String ops) {
        return "{\"session\":" + (tenant * SESSIONS + session) + ",\"seq\":" + seqs[tenant][session]++ + ",\"ops\":["
                + ops + "]}\n";
    }
}
