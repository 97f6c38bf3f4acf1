package io.nightjar.pipeline.check.commitorder;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.infer.Answers;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;

/** The versions on which a computed answer depends, and the current ones among them in an order. */
final class AnswerVersions {

    private static final int NONE = -1;

    final int reader;
    private final ChainedHistory history;
    private final Answers answers;
    private final int answer;
    private final int[] currentOf; // by key of the answer: a version, or INITIAL
    private final Int2LongOpenHashMap partOf = new Int2LongOpenHashMap(); // by version, 0 if it adds nothing
    private int key; // of the answer, whose versions are visited

    /**
     * @param reader slot of the transaction with the answer, whose own writes are no versions
     * @param positionOf by node
     */
    AnswerVersions(OrderGraph graph, int answer, int reader, int[] positionOf) {
        this.reader = reader;
        this.history = graph.history;
        this.answers = requireNonNull(history.source.observations).answers;
        this.answer = answer;
        int first = answers.firstKeyOf[answer];
        this.currentOf = new int[answers.firstKeyOf[answer + 1] - first];
        for (int i = 0; i < currentOf.length; i++) {
            int ofKey = answers.keys[first + i];
            int current = ChainedHistory.INITIAL;
            int latest = NONE;
            for (int version = history.firstVersionOf[ofKey]; version < history.firstVersionOf[ofKey + 1]; version++) {
                int position = positionOf[graph.commitOf(history.writerOfVersion[version])];
                if (position > latest && position < positionOf[graph.snapshotOf(reader)]) {
                    latest = position;
                    current = version;
                }
            }
            currentOf[i] = current;
        }
        for (int i = answers.firstPartOf[answer]; i < answers.firstPartOf[answer + 1]; i++) {
            partOf.put(history.versionOf(history.slotOf[answers.writerOf[i]], answers.keyOf[i]), answers.part[i]);
        }
    }

    /** Returns the version to visit after another one; NONE before the first one and after the last one. */
    int next(int version) {
        key = version == NONE ? 0 : key;
        int next = version == NONE ? firstOf(key) : version + 1;
        while (key < currentOf.length) {
            if (next == history.firstVersionOf[answers.keys[answers.firstKeyOf[answer] + key] + 1]) {
                next = firstOf(++key);
            } else if (history.writerOfVersion[next] == reader) {
                next++;
            } else {
                return next;
            }
        }
        return NONE;
    }

    private int firstOf(int ofAnswer) {
        return ofAnswer < currentOf.length
                ? history.firstVersionOf[answers.keys[answers.firstKeyOf[answer] + ofAnswer]]
                : NONE;
    }

    /** Returns the current version of the key of the version visited; INITIAL if none is. */
    int currentOf(int version) {
        return currentOf[key];
    }

    /** Returns the number that a version adds. */
    long part(int version) {
        return version == ChainedHistory.INITIAL ? 0 : partOf.get(version);
    }
}
