package io.nightjar.pipeline.online;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Counts findings as they come and go, keeps the final ones, and tells of every change. */
final class OnlineFindings {

    private static final int MANY = 10_000;

    private final OnlineListener listener;
    private final int limit;
    private final Map<IsolationLevel, Map<Anomaly, Long>> counts = new EnumMap<>(IsolationLevel.class);
    private final Map<String, List<OnlineFinding>> finalOfKey = new HashMap<>();
    private int kept;
    private long provisional;
    private long flips;
    private long corrected;

    /** @param limit how many final findings are kept, to be taken back if they must */
    OnlineFindings(OnlineListener listener, int limit) {
        this.listener = listener;
        this.limit = limit;
    }

    /** Returns whether there are too many for a long search for each. */
    boolean areMany() {
        return kept > MANY;
    }

    boolean wantsProvisional() {
        return listener.wantsProvisional();
    }

    /** Counts a verdict that has turned before it was final. */
    void countFlip(boolean isWrong) {
        flips++;
        provisional += isWrong ? 1 : -1;
    }

    /** Counts a read that is wrong by what is known so far. */
    void countRaised() {
        provisional++;
    }

    /** A read that was counted as wrong is so for good, or is not counted any more. */
    void settleRaised() {
        provisional--;
    }

    void notifyListener(Change change, OnlineFinding finding, boolean isWrong) {
        listener.changed(change, finding, isWrong);
    }

    void addFinal(OnlineFinding finding) {
        add(finding);
        listener.changed(Change.FINAL, finding, true);
    }

    /** Adds a final finding unless the same is known. */
    void addFinalOnce(OnlineFinding finding) {
        if (finalOfKey.getOrDefault(finding.key(), List.of()).stream().noneMatch(finding::isSameAs)) {
            addFinal(finding);
        }
    }

    /** Adds a correction: something final turned out wrong, or to be another anomaly than was said. */
    void addCorrected(OnlineFinding finding, boolean wasWrong) {
        corrected++;
        if (wasWrong) {
            remove(finding);
        }
        add(finding);
        listener.changed(Change.CORRECTED, finding, true);
    }

    void withdraw(OnlineFinding finding) {
        corrected++;
        remove(finding);
        listener.changed(Change.CORRECTED, finding, false);
    }

    /** Takes back everything final that concerns a key. */
    void takeBackKey(String key) {
        for (OnlineFinding finding : List.copyOf(finalOfKey.getOrDefault(key, List.of()))) {
            withdraw(finding);
        }
    }

    private void add(OnlineFinding finding) {
        count(finding, 1);
        if (kept < limit) {
            kept++;
            finalOfKey
                    .computeIfAbsent(finding.key(), absent -> new ArrayList<>(2))
                    .add(finding);
        }
    }

    private void remove(OnlineFinding finding) {
        List<OnlineFinding> ofKey = finalOfKey.get(finding.key());
        for (Iterator<OnlineFinding> each =
                        ofKey == null ? List.<OnlineFinding>of().iterator() : ofKey.iterator();
                each.hasNext(); ) {
            OnlineFinding known = each.next();
            if (known.isSameAs(finding)) {
                each.remove();
                kept--;
                break;
            }
        }
        count(finding, -1);
    }

    private void count(OnlineFinding finding, long more) {
        counts.computeIfAbsent(finding.level(), absent -> new EnumMap<>(Anomaly.class))
                .merge(finding.anomaly(), more, (one, other) -> one + other == 0 ? null : one + other);
    }

    Map<Anomaly, Long> counts(IsolationLevel level) {
        return counts.getOrDefault(level, Map.of());
    }

    /** All final findings that are kept. */
    List<OnlineFinding> all() {
        List<OnlineFinding> all = new ArrayList<>();
        finalOfKey.values().forEach(all::addAll);
        return all;
    }

    long provisional() {
        return provisional;
    }

    long flips() {
        return flips;
    }

    long corrected() {
        return corrected;
    }

    // ---------------------------------------------------------------- state

    void forEachFinal(Consumer<OnlineFinding> to) {
        finalOfKey.values().forEach(findings -> findings.forEach(to));
    }

    /** Takes a finding that is counted already. */
    void restore(OnlineFinding finding) {
        kept++;
        finalOfKey.computeIfAbsent(finding.key(), absent -> new ArrayList<>(2)).add(finding);
    }

    void writeCounters(ByteWriter to) {
        to.putSigned(provisional);
        to.putVarint(flips);
        to.putVarint(corrected);
        counts.forEach((level, types) -> types.forEach((type, count) -> {
            to.putByte(1);
            to.putByte(level.ordinal());
            to.putVarint(type.ordinal());
            to.putSigned(count);
        }));
        to.putByte(0);
    }

    void readCounters(ByteReader from) {
        provisional += from.getSigned();
        flips += from.getVarint();
        corrected += from.getVarint();
        while (from.getByte() != 0) {
            IsolationLevel level = IsolationLevel.values()[from.getByte()];
            Anomaly type = Anomaly.values()[from.getCount()];
            counts.computeIfAbsent(level, absent -> new EnumMap<>(Anomaly.class))
                    .merge(type, from.getSigned(), Long::sum);
        }
    }
}
