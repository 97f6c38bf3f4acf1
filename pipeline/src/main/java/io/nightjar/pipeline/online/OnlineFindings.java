package io.nightjar.pipeline.online;

import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;

/** Reports findings as they appear and disappear, and records which times are left to the check of a segment. */
final class OnlineFindings {

    private static final int MANY = 10_000;

    /** Nothing is left to a segment. */
    static final long NOTHING = Long.MAX_VALUE;

    private final OnlineListener listener;
    private long finalCount;
    private long provisional;
    private long flips;
    private long leftCount;
    private long leftFrom = NOTHING;
    private long leftTo = Long.MIN_VALUE;

    OnlineFindings(OnlineListener listener) {
        this.listener = listener;
    }

    /** Returns whether there are too many for a long search for each. */
    boolean areMany() {
        return finalCount > MANY;
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
        finalCount++;
        listener.changed(Change.FINAL, finding, true);
    }

    // ---------------------------------------------------------------- left to segments

    /** Records the time of a row that depends on rows no longer in the window. */
    void leaveToSegment(long time) {
        leftCount++;
        leftFrom = Math.min(leftFrom, time);
        leftTo = Math.max(leftTo, time);
    }

    /** Returns how often a row was left to a check of its segment. */
    long leftCount() {
        return leftCount;
    }

    /** The earliest time that is left to a segment, or {@link #NOTHING}. */
    long leftFrom() {
        return leftFrom;
    }

    /** A check of segments begins that has all rows up to a time. */
    void takeLeft(long upTo) {
        if (leftTo <= upTo) {
            leftFrom = NOTHING;
            leftTo = Long.MIN_VALUE;
        } else if (leftFrom <= upTo) {
            leftFrom = upTo + 1;
        }
    }

    long provisional() {
        return provisional;
    }

    long flips() {
        return flips;
    }

    // ---------------------------------------------------------------- state

    void writeCounters(ByteWriter to) {
        to.putSigned(provisional);
        to.putVarint(flips);
        to.putVarint(finalCount);
        to.putVarint(leftCount);
        to.putSigned(leftFrom);
        to.putSigned(leftTo);
    }

    void readCounters(ByteReader from) {
        provisional += from.getSigned();
        flips += from.getVarint();
        finalCount += from.getVarint();
        leftCount += from.getVarint();
        leftFrom = Math.min(leftFrom, from.getSigned());
        leftTo = Math.max(leftTo, from.getSigned());
    }
}
