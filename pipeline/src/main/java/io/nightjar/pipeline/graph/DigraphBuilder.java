package io.nightjar.pipeline.graph;

import java.util.Arrays;

/** Collects edges in any order, and sorts them by tail. */
public final class DigraphBuilder {

    private static final int FIRST_CAPACITY = 16;

    private final boolean hasKinds;
    private final boolean hasLabels;
    private int vertexCount;
    private int edgeCount;
    private int[] tails = new int[FIRST_CAPACITY];
    private int[] heads = new int[FIRST_CAPACITY];
    private byte[] kinds;
    private int[] labels;

    private DigraphBuilder(int vertexCount, boolean hasKinds, boolean hasLabels) {
        if (vertexCount < 0) {
            throw new IllegalArgumentException("no such number of vertices: vertexCount=" + vertexCount);
        }
        this.vertexCount = vertexCount;
        this.hasKinds = hasKinds;
        this.hasLabels = hasLabels;
        kinds = new byte[hasKinds ? FIRST_CAPACITY : 0];
        labels = new int[hasLabels ? FIRST_CAPACITY : 0];
    }

    /** Returns a builder of edges without kinds and labels. */
    public static DigraphBuilder plain(int vertexCount) {
        return new DigraphBuilder(vertexCount, false, false);
    }

    public static DigraphBuilder withKinds(int vertexCount) {
        return new DigraphBuilder(vertexCount, true, false);
    }

    public static DigraphBuilder withLabels(int vertexCount) {
        return new DigraphBuilder(vertexCount, false, true);
    }

    public static DigraphBuilder withKindsAndLabels(int vertexCount) {
        return new DigraphBuilder(vertexCount, true, true);
    }

    /** Makes room for a number of edges in all. */
    public DigraphBuilder ensureCapacity(int capacity) {
        if (capacity > tails.length) {
            tails = Arrays.copyOf(tails, capacity);
            heads = Arrays.copyOf(heads, capacity);
            kinds = hasKinds ? Arrays.copyOf(kinds, capacity) : kinds;
            labels = hasLabels ? Arrays.copyOf(labels, capacity) : labels;
        }
        return this;
    }

    /** Adds a vertex; returns its number, the next one. */
    public int addVertex() {
        return vertexCount++;
    }

    public void add(int tail, int head) {
        add(tail, head, 0);
    }

    /** @param kindSet a bit for each kind; ignored if the graph has no kinds */
    public void add(int tail, int head, int kindSet) {
        if (edgeCount == tails.length) {
            ensureCapacity(Math.addExact(edgeCount, edgeCount >> 1));
        }
        tails[edgeCount] = tail;
        heads[edgeCount] = head;
        if (hasKinds) {
            kinds[edgeCount] = (byte) kindSet;
        }
        edgeCount++;
    }

    /** @param label ignored if the graph has no labels */
    public void add(int tail, int head, int kindSet, int label) {
        add(tail, head, kindSet);
        if (hasLabels) {
            labels[edgeCount - 1] = label;
        }
    }

    /** Adds the edges of a graph between the same vertices, if both have kinds and no labels. */
    public void addAll(DigraphBuilder others) {
        ensureCapacity(Math.addExact(edgeCount, others.edgeCount));
        System.arraycopy(others.tails, 0, tails, edgeCount, others.edgeCount);
        System.arraycopy(others.heads, 0, heads, edgeCount, others.edgeCount);
        System.arraycopy(others.kinds, 0, kinds, edgeCount, others.edgeCount);
        edgeCount += others.edgeCount;
    }

    /** Returns the graph; further edges may be added for another one. */
    public Digraph build() {
        int[] first = new int[vertexCount + 1];
        for (int edge = 0; edge < edgeCount; edge++) {
            first[tails[edge]]++;
        }
        endsFromCounts(first, vertexCount);
        int[] headOf = new int[edgeCount];
        byte[] kindsOf = new byte[hasKinds ? edgeCount : 0];
        int[] labelOf = new int[hasLabels ? edgeCount : 0];
        for (int edge = edgeCount - 1; edge >= 0; edge--) {
            int to = --first[tails[edge]];
            headOf[to] = heads[edge];
            if (hasKinds) {
                kindsOf[to] = kinds[edge];
            }
            if (hasLabels) {
                labelOf[to] = labels[edge];
            }
        }
        return new Digraph(vertexCount, first, headOf, kindsOf, labelOf);
    }

    /** Turns counts by vertex into where each one's row ends; filling rows from their ends makes them starts. */
    static void endsFromCounts(int[] counts, int vertexCount) {
        int end = 0;
        for (int vertex = 0; vertex < vertexCount; vertex++) {
            end = Math.addExact(end, counts[vertex]);
            counts[vertex] = end;
        }
        counts[vertexCount] = end;
    }
}
