package io.nightjar.formats.arrow;

import java.util.Arrays;

/** The nodes and buffers of a record batch being written, in the order of the schema. */
final class ArrowLayout {

    private long[] rowsOfNode = new long[24];
    private long[] nullsOfNode = new long[24];
    private int nodeCount;
    private long[] offsetOfBuffer = new long[48];
    private long[] bytesOfBuffer = new long[48];
    private int bufferCount;

    void node(long rows, long nulls) {
        if (nodeCount == rowsOfNode.length) {
            rowsOfNode = Arrays.copyOf(rowsOfNode, 2 * nodeCount);
            nullsOfNode = Arrays.copyOf(nullsOfNode, 2 * nodeCount);
        }
        rowsOfNode[nodeCount] = rows;
        nullsOfNode[nodeCount++] = nulls;
    }

    void buffer(long offset, long bytes) {
        if (bufferCount == offsetOfBuffer.length) {
            offsetOfBuffer = Arrays.copyOf(offsetOfBuffer, 2 * bufferCount);
            bytesOfBuffer = Arrays.copyOf(bytesOfBuffer, 2 * bufferCount);
        }
        offsetOfBuffer[bufferCount] = offset;
        bytesOfBuffer[bufferCount++] = bytes;
    }

    int nodeCount() {
        return nodeCount;
    }

    long rowsOfNode(int node) {
        return rowsOfNode[node];
    }

    long nullsOfNode(int node) {
        return nullsOfNode[node];
    }

    int bufferCount() {
        return bufferCount;
    }

    long offsetOfBuffer(int buffer) {
        return offsetOfBuffer[buffer];
    }

    long bytesOfBuffer(int buffer) {
        return bytesOfBuffer[buffer];
    }
}
