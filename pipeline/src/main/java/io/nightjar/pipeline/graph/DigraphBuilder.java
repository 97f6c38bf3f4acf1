package io.nightjar.pipeline.graph;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.primitive.ByteColumn;
import io.nightjar.pipeline.primitive.IntColumn;
import org.jspecify.annotations.Nullable;

/** Collects edges in any order, and sorts them by tail. */
public final class DigraphBuilder {

    private int vertexCount;
    private final IntColumn tails = new IntColumn();
    private final IntColumn heads = new IntColumn();
    private final @Nullable ByteColumn kinds;
    private final @Nullable IntColumn labels;

    private DigraphBuilder(int vertexCount, boolean withKinds, boolean withLabels) {
        if (vertexCount < 0) {
            throw new IllegalArgumentException("no such number of vertices: vertexCount=" + vertexCount);
        }
        this.vertexCount = vertexCount;
        this.kinds = withKinds ? new ByteColumn() : null;
        this.labels = withLabels ? new IntColumn() : null;
    }

    /** Edges without kinds and labels. */
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

    /** Adds a vertex; returns its number, the next one. */
    public int addVertex() {
        return vertexCount++;
    }

    public void add(int tail, int head) {
        add(tail, head, 0, 0);
    }

    public void add(int tail, int head, int kindSet) {
        add(tail, head, kindSet, 0);
    }

    /**
     * @param kindSet a bit for each kind; ignored if the graph has no kinds
     * @param label ignored if the graph has no labels
     */
    public void add(int tail, int head, int kindSet, int label) {
        assert tail >= 0 && tail < vertexCount && head >= 0 && head < vertexCount : tail + " -> " + head;
        tails.add(tail);
        heads.add(head);
        if (kinds != null) {
            kinds.add((byte) kindSet);
        }
        if (labels != null) {
            labels.add(label);
        }
    }

    /** Adds the edges of a graph between the same vertices, if both have kinds and no labels. */
    public void addAll(DigraphBuilder others) {
        tails.addAll(others.tails);
        heads.addAll(others.heads);
        requireNonNull(kinds).addAll(requireNonNull(others.kinds));
    }

    /** Returns the graph; further edges may be added for another one. */
    public Digraph build() {
        int count = tails.size();
        int[] first = new int[vertexCount + 1];
        for (int edge = 0; edge < count; edge++) {
            first[tails.get(edge)]++;
        }
        endsFromCounts(first, vertexCount);
        int[] headOf = new int[count];
        byte[] kindsOf = new byte[kinds == null ? 0 : count];
        int[] labelOf = new int[labels == null ? 0 : count];
        for (int edge = count - 1; edge >= 0; edge--) {
            int to = --first[tails.get(edge)];
            headOf[to] = heads.get(edge);
            if (kinds != null) {
                kindsOf[to] = kinds.get(edge);
            }
            if (labels != null) {
                labelOf[to] = labels.get(edge);
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
