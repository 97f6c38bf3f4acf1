package io.nightjar.pipeline.check;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the transactions of a small register history saw of each other, or that one of them saw what no transaction may
 * see.
 *
 * <p>The plain way to a {@link ClientHistory}, for tests of checkers and as a second opinion on inference.
 */
public final class SmallClientHistory {

    private final SmallHistory small;
    private final Map<String, Map<String, Txn>> writers = new HashMap<>();
    private final Map<String, Integer> keys = new LinkedHashMap<>();
    private final Set<Txn> committed = new HashSet<>();
    private boolean isWellFormed = true;
    private ClientHistory history;

    private SmallClientHistory(SmallHistory small) {
        this.small = small;
    }

    public static SmallClientHistory of(SmallHistory small) {
        SmallClientHistory result = new SmallClientHistory(small);
        result.indexWriters();
        result.findCommitted();
        result.build();
        return result;
    }

    /** False if a read returned what no level lets it see; such reads are left out of the history. */
    public boolean isWellFormed() {
        return isWellFormed;
    }

    public ClientHistory history() {
        return history;
    }

    private void indexWriters() {
        for (Txn txn : small.txns()) {
            for (Op op : txn.ops()) {
                if (op.isWrite()) {
                    writers.computeIfAbsent(op.key(), key -> new HashMap<>()).put(op.value(), txn);
                }
            }
        }
    }

    private void findCommitted() {
        List<Txn> toVisit = new ArrayList<>();
        small.txns().stream().filter(txn -> txn.status() == TxnStatus.COMMITTED).forEach(toVisit::add);
        while (!toVisit.isEmpty()) {
            Txn reader = toVisit.remove(toVisit.size() - 1);
            if (committed.add(reader)) {
                Set<String> ownKeys = new HashSet<>();
                for (Op op : reader.ops()) {
                    Txn writer = op.isRead() && !ownKeys.contains(op.key()) ? writerOf(op) : null;
                    if (writer != null && writer.status() == TxnStatus.UNKNOWN) {
                        toVisit.add(writer);
                    }
                    if (op.isWrite()) {
                        ownKeys.add(op.key());
                    }
                }
            }
        }
    }

    /** Returns null if the read saw the initial state, or what no transaction wrote. */
    private Txn writerOf(Op read) {
        Txn writer = read.value() == null
                ? null
                : writers.getOrDefault(read.key(), Map.of()).get(read.value());
        boolean meansInitial = read.value() != null && read.value().equals(small.initialValue());
        return meansInitial && writer != null && writer.status() != TxnStatus.COMMITTED ? null : writer;
    }

    private void build() {
        Map<Long, TreeMap<Long, Txn>> sessions = new TreeMap<>();
        committed.forEach(txn -> sessions.computeIfAbsent(txn.session(), session -> new TreeMap<>())
                .put(txn.seq(), txn));
        Map<Txn, Integer> ordinals = new HashMap<>();
        sessions.values().forEach(session -> session.values().forEach(txn -> ordinals.put(txn, ordinals.size())));
        ClientHistory.Builder builder = new ClientHistory.Builder();
        for (TreeMap<Long, Txn> session : sessions.values()) {
            builder.beginSession();
            for (Txn txn : session.values()) {
                builder.beginTxn(txn.id());
                addOps(txn, ordinals, builder);
            }
        }
        history = builder.build();
    }

    private void addOps(Txn txn, Map<Txn, Integer> ordinals, ClientHistory.Builder builder) {
        Map<String, String> own = new LinkedHashMap<>();
        for (Op op : txn.ops()) {
            if (op.isWrite()) {
                own.put(op.key(), op.value());
            } else if (txn.status() != TxnStatus.COMMITTED) {
                continue;
            } else if (own.containsKey(op.key())) {
                isWellFormed &= own.get(op.key()).equals(op.value());
            } else {
                addRead(op, txn, ordinals, builder);
            }
        }
        own.keySet().forEach(key -> builder.write(ordinal(key)));
    }

    private void addRead(Op read, Txn reader, Map<Txn, Integer> ordinals, ClientHistory.Builder builder) {
        Txn writer = writerOf(read);
        if (writer == null) {
            boolean isInitial = read.value() == null || read.value().equals(small.initialValue());
            isWellFormed &= isInitial;
            if (isInitial) {
                builder.read(ordinal(read.key()), ClientHistory.INITIAL);
            }
            return;
        }
        String last = null;
        for (Op op : writer.opsOn(read.key())) {
            last = op.isWrite() ? op.value() : last;
        }
        if (writer == reader || !ordinals.containsKey(writer) || !read.value().equals(last)) {
            isWellFormed = false;
        } else {
            builder.read(ordinal(read.key()), ordinals.get(writer));
        }
    }

    private int ordinal(String key) {
        return keys.computeIfAbsent(key, fresh -> keys.size());
    }
}
