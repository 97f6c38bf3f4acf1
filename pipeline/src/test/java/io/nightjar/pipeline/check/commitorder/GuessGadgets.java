package io.nightjar.pipeline.check.commitorder;

import io.nightjar.pipeline.infer.ClientHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Histories made of choices that rule each other out three at a time, so that some guesses must fail. */
final class GuessGadgets {

    /*
     * A choice is three transactions: w writes a key, r reads it from w, u writes it too. So u -> w or r -> u.
     * A clause makes a cycle of three of these edges, one of each of three choices, with a read from the head of one to
     * the tail of the next: not all three can hold.
     */

    private GuessGadgets() {}

    static ClientHistory of(long seed, int choices, int clauses) {
        Random random = new Random(seed);
        List<List<int[]>> reads = new ArrayList<>();
        List<List<Integer>> writes = new ArrayList<>();
        for (int txn = 0; txn < 3 * choices; txn++) {
            reads.add(new ArrayList<>());
            writes.add(new ArrayList<>());
        }
        int keys = 0;
        for (int choice = 0; choice < choices; choice++) {
            writes.get(3 * choice).add(keys);
            reads.get(3 * choice + 1).add(new int[] {keys, 3 * choice});
            writes.get(3 * choice + 2).add(keys++);
        }
        for (int clause = 0; clause < clauses; clause++) {
            for (int[] edge : clause(random, choices)) {
                writes.get(edge[0]).add(keys);
                reads.get(edge[1]).add(new int[] {keys++, edge[0]});
            }
        }
        ClientHistory.Builder builder = new ClientHistory.Builder();
        for (int txn = 0; txn < 3 * choices; txn++) {
            builder.beginSession().beginTxn(txn);
            reads.get(txn).forEach(read -> builder.read(read[0], read[1]));
            writes.get(txn).forEach(builder::write);
        }
        return builder.build();
    }

    /** Three reads, none if they would go in a circle or a choice came twice. */
    private static int[][] clause(Random random, int choices) {
        int[] choice = {random.nextInt(choices), random.nextInt(choices), random.nextInt(choices)};
        boolean[] isSecond = {random.nextBoolean(), random.nextBoolean(), random.nextBoolean()};
        if (choice[0] == choice[1] || choice[1] == choice[2] || choice[0] == choice[2]) {
            return new int[0][];
        }
        int[][] edges = new int[3][];
        for (int i = 0; i < 3; i++) {
            int next = (i + 1) % 3;
            int head = 3 * choice[i] + (isSecond[i] ? 0 : 2);
            int tail = 3 * choice[next] + (isSecond[next] ? 2 : 1);
            if (head % 3 == 2 && tail % 3 == 2 && head > tail) {
                return new int[0][];
            }
            edges[i] = new int[] {head, tail};
        }
        return edges;
    }
}
