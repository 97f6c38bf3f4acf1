package io.nightjar.pipeline.decide;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.Contradiction.Half;
import io.nightjar.pipeline.check.Contradiction.Rule;
import io.nightjar.pipeline.check.Contradiction.Step;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.partition.Component;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;
import io.nightjar.pipeline.primitive.TextFeed;
import io.nightjar.pipeline.primitive.TextSink;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Codec for the result of a component; the component itself is not transferred. */
public final class AnswerCodec {

    /*
     * Every number a varint, signed ones zigzag, enums as ordinals, every text once:
     *
     *   id seconds
     *   levelCount { level answer }        an answer that several levels share is written once and called by number
     *
     *   answer          verdict reason states  orderCount size { snapshot } { commit }  contradictionCount { contradiction }
     *   contradiction   level anomaly algorithm txnCount { txn } stepCount { from half to half rule key because }
     *
     * Of an order without snapshots the two arrays are one, before and after.
     */

    private static final int NO_ORDER = 0;
    private static final int SERIAL = 1;
    private static final int WITH_SNAPSHOTS = 2;

    private static final IsolationLevel[] LEVELS = IsolationLevel.values();
    private static final Verdict[] VERDICTS = Verdict.values();
    private static final Anomaly[] ANOMALIES = Anomaly.values();
    private static final Half[] HALVES = Half.values();
    private static final Rule[] RULES = Rule.values();

    private AnswerCodec() {}

    public static void encode(ComponentAnswer answer, ByteWriter to) {
        to.putVarint(answer.id());
        to.putVarint(Double.doubleToLongBits(answer.seconds()));
        to.putVarint(answer.answers().size());
        TextSink texts = new TextSink(to);
        Map<LevelAnswer, Integer> numberOf = new IdentityHashMap<>();
        answer.answers().forEach((level, ofLevel) -> {
            to.putVarint(level.ordinal());
            int number = numberOf.getOrDefault(ofLevel, numberOf.size());
            to.putVarint(number);
            if (numberOf.putIfAbsent(ofLevel, number) == null) {
                put(ofLevel, to, texts);
            }
        });
    }

    /** @param component whose answer it is */
    public static ComponentAnswer decode(ByteReader from, Component component) {
        int id = from.getCount();
        double seconds = Double.longBitsToDouble(from.getVarint());
        int levelCount = from.getCount();
        TextFeed texts = new TextFeed(from);
        List<LevelAnswer> distinct = new ArrayList<>();
        Map<IsolationLevel, LevelAnswer> answers = new EnumMap<>(IsolationLevel.class);
        for (int left = levelCount; left > 0; left--) {
            IsolationLevel level = LEVELS[from.getCount()];
            int number = from.getCount();
            if (number == distinct.size()) {
                distinct.add(get(from, texts));
            }
            answers.put(level, distinct.get(number));
        }
        return new ComponentAnswer(id, component, answers, seconds);
    }

    // ---------------------------------------------------------------- one answer

    private static void put(LevelAnswer answer, ByteWriter to, TextSink texts) {
        to.putVarint(answer.verdict().ordinal());
        texts.put(answer.reason());
        to.putVarint(answer.searchStates());
        putOrder(answer.witness(), to);
        to.putVarint(answer.contradictions().size());
        for (Contradiction contradiction : answer.contradictions()) {
            put(contradiction, to, texts);
        }
    }

    private static LevelAnswer get(ByteReader from, TextFeed texts) {
        Verdict verdict = VERDICTS[from.getCount()];
        String reason = texts.get();
        long searchStates = from.getVarint();
        CommitOrder witness = getOrder(from);
        List<Contradiction> contradictions = new ArrayList<>();
        for (int left = from.getCount(); left > 0; left--) {
            contradictions.add(getContradiction(from, texts));
        }
        return new LevelAnswer(verdict, reason, witness, contradictions, searchStates);
    }

    private static void putOrder(@Nullable CommitOrder order, ByteWriter to) {
        if (order == null) {
            to.putByte(NO_ORDER);
            return;
        }
        boolean isSerial = order.snapshotOf == order.commitOf;
        to.putByte(isSerial ? SERIAL : WITH_SNAPSHOTS);
        to.putVarint(order.commitOf.length);
        PackedLongs.putInts(order.commitOf, order.commitOf.length, to);
        if (!isSerial) {
            PackedLongs.putInts(order.snapshotOf, order.snapshotOf.length, to);
        }
    }

    private static @Nullable CommitOrder getOrder(ByteReader from) {
        int shape = from.getByte();
        if (shape == NO_ORDER) {
            return null;
        }
        int[] commitOf = new int[from.getCount()];
        PackedLongs.getInts(from, commitOf, commitOf.length);
        if (shape == SERIAL) {
            return CommitOrder.serial(commitOf);
        }
        int[] snapshotOf = new int[commitOf.length];
        PackedLongs.getInts(from, snapshotOf, snapshotOf.length);
        return new CommitOrder(snapshotOf, commitOf);
    }

    private static void put(Contradiction contradiction, ByteWriter to, TextSink texts) {
        to.putVarint(contradiction.level().ordinal());
        to.putVarint(contradiction.anomaly().ordinal());
        texts.put(contradiction.algorithm());
        to.putVarint(contradiction.txns().size());
        for (int txn : contradiction.txns()) {
            to.putSigned(txn);
        }
        to.putVarint(contradiction.steps().size());
        for (Step step : contradiction.steps()) {
            to.putSigned(step.from());
            to.putVarint(step.fromHalf().ordinal());
            to.putSigned(step.to());
            to.putVarint(step.toHalf().ordinal());
            to.putVarint(step.rule().ordinal());
            to.putSigned(step.key());
            to.putSigned(step.because());
        }
    }

    private static Contradiction getContradiction(ByteReader from, TextFeed texts) {
        IsolationLevel level = LEVELS[from.getCount()];
        Anomaly anomaly = ANOMALIES[from.getCount()];
        String algorithm = requireNonNull(texts.get());
        List<Integer> txns = new ArrayList<>();
        for (int left = from.getCount(); left > 0; left--) {
            txns.add((int) from.getSigned());
        }
        List<Step> steps = new ArrayList<>();
        for (int left = from.getCount(); left > 0; left--) {
            steps.add(new Step(
                    (int) from.getSigned(),
                    HALVES[from.getCount()],
                    (int) from.getSigned(),
                    HALVES[from.getCount()],
                    RULES[from.getCount()],
                    (int) from.getSigned(),
                    (int) from.getSigned()));
        }
        return new Contradiction(level, anomaly, algorithm, txns, steps);
    }
}
