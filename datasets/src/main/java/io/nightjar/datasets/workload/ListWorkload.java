package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Reads of lists and appends to them. Sessions may be threads. */
final class ListWorkload implements ClientWorkload {

    /*
     * Each slot has one list at a time: the key of a slot's list number n is n * slots + slot. Keys always exist for
     * the list after the current one of any slot, so that their rows are there long before they are used.
     */

    private static final int LISTS_AHEAD = 2;

    private final Workloads.Scale scale;
    private final int appendsPerKey;
    private final WorkloadKeys keys;
    private final AtomicIntegerArray appendsOf;

    ListWorkload(Workloads.Scale scale, int appendsPerKey) {
        this.scale = scale;
        this.appendsPerKey = appendsPerKey;
        this.keys = WorkloadKeys.lists(Math.multiplyExact(LISTS_AHEAD, scale.keys()));
        this.appendsOf = new AtomicIntegerArray(scale.keys());
    }

    @Override
    public WorkloadKeys keys() {
        return keys;
    }

    @Override
    public Program next(int session, SeededRandom random) {
        return new Program((txn, step) -> {
            for (int op = 0; step == 0 && op < scale.ops(); op++) {
                int slot = scale.sample(random, scale.keys());
                if (random.fraction() < scale.reads()) {
                    txn.read(keyOf(slot, appendsOf.get(slot) / appendsPerKey));
                } else {
                    txn.append(keyOf(slot, appendsOf.getAndIncrement(slot) / appendsPerKey));
                }
            }
            if (step == 0) {
                txn.isAllPlanned();
            }
        });
    }

    private int keyOf(int slot, int list) {
        keys.grow(Math.multiplyExact(list + LISTS_AHEAD, scale.keys()));
        return list * scale.keys() + slot;
    }
}
