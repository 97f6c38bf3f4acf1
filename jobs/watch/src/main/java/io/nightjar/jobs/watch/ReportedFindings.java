package io.nightjar.jobs.watch;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.online.OnlineListener;
import io.nightjar.pipeline.online.OnlineTxn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a watch has said of its findings so far: passes every change on, counted, and knows which of them stand. */
public final class ReportedFindings implements OnlineListener {

    private final WatchOptions options;
    private final int maxRetained;
    private final @Nullable String runId;
    private final String historyId;
    private final WatchListener listener;
    private final LatencyStatistics times;
    private final List<Consumer<VerdictChange>> followers = new ArrayList<>();
    private final Map<String, OnlineFinding> standing = new LinkedHashMap<>();
    private long changeSeq;
    private boolean isSilent;
    private boolean isMuted;

    /** @param runId null if no tables are written */
    ReportedFindings(
            WatchOptions options,
            @Nullable String runId,
            String historyId,
            WatchListener listener,
            LatencyStatistics times) {
        this.options = options;
        this.maxRetained = new WatchMemory(options.check().memoryBytes()).findings();
        this.runId = runId;
        this.historyId = historyId;
        this.listener = listener;
        this.times = times;
    }

    /** Sets the listener for every change, final or not. */
    void addFollower(Consumer<VerdictChange> follower) {
        followers.add(follower);
    }

    /** Whether what comes next has been reported already. */
    void silence(boolean isOn) {
        isSilent = isOn;
    }

    /** Whether what comes next is for followers alone, since the listener was told before. */
    void mute(boolean isOn) {
        isMuted = isOn;
    }

    /** The number of the last change. */
    long changeSeq() {
        return changeSeq;
    }

    // ---------------------------------------------------------------- changes

    @Override
    public void changed(Change change, OnlineFinding finding, boolean isWrong) {
        changed(change, finding, isWrong, WatchClock.micros());
    }

    /** @param atMicros when it became known */
    void changed(Change change, OnlineFinding finding, boolean isWrong, long atMicros) {
        if (isSilent || !options.check().levels().contains(finding.level()) || isReportedAtWeakerLevel(finding)) {
            return;
        }
        if (change == Change.FINAL || change == Change.CORRECTED) {
            String name = name(finding);
            if (!isWrong) {
                standing.remove(name);
            } else if (standing.size() < maxRetained) {
                standing.put(name, finding);
            }
        }
        notifyFollowers(change, finding, isWrong, atMicros);
    }

    /** A read that contradicts its own transaction rules out both levels, and is one anomaly. */
    private boolean isReportedAtWeakerLevel(OnlineFinding finding) {
        return finding.anomaly() == Anomaly.INT
                && finding.level() == IsolationLevel.COMMIT_ORDER_SERIALIZABLE
                && options.check().levels().contains(IsolationLevel.SNAPSHOT_ISOLATION)
                && finding.subject().startTs() <= finding.subject().commitTs();
    }

    @Override
    public boolean wantsProvisional() {
        return options.telling().isProvisional() || options.telling().page() != null;
    }

    private void notifyFollowers(Change change, OnlineFinding finding, boolean isWrong, long atMicros) {
        changeSeq++;
        if (change == Change.WITHDRAWN) {
            times.setRight(atMicros - finding.arrived());
        }
        VerdictChange row = new VerdictChange(runId, historyId, changeSeq, change, finding, isWrong, atMicros);
        followers.forEach(follower -> follower.accept(row));
        boolean isFinal = change == Change.FINAL || change == Change.CORRECTED;
        if (!isMuted && (isFinal || options.telling().isProvisional())) {
            listener.changed(row);
        }
    }

    // ---------------------------------------------------------------- what stands

    /** Whether a finding stands all of whose transactions committed up to a time. */
    boolean hasSealed(long watermark) {
        for (OnlineFinding finding : standing.values()) {
            if (isSealed(finding, watermark)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSealed(OnlineFinding finding, long watermark) {
        OnlineTxn other = finding.other();
        return finding.subject().commitTs() <= watermark && (other == null || other.commitTs() <= watermark);
    }

    /** Tells as corrections what the check of all rows up to a time says otherwise. */
    void correct(Conclusion conclusion, long watermark) {
        if (standing.size() >= maxRetained
                || conclusion.findings().total() > conclusion.findings().limit()) {
            return; // neither side has all of them
        }
        Map<String, OnlineFinding> unconfirmed = new LinkedHashMap<>(standing);
        for (Finding found : conclusion.findings().inTime()) {
            OnlineFinding finding = online(conclusion.reported(found));
            if (unconfirmed.remove(name(finding)) == null) {
                notifyFollowers(Change.CORRECTED, finding, true, WatchClock.micros());
            }
        }
        for (OnlineFinding finding : unconfirmed.values()) {
            if (isSealed(finding, watermark)) {
                notifyFollowers(Change.CORRECTED, finding, false, WatchClock.micros());
            }
        }
    }

    private static OnlineFinding online(Finding finding) {
        List<Participant> participants = finding.participants();
        Expectation read = finding.expectation();
        return new OnlineFinding(
                requireNonNull(finding.level()), // it has none only if reads are ambiguous
                finding.anomaly(),
                finding.objectKey(),
                new OnlineFinding.Parties(online(participants.get(0)), txn(participants, 1), txn(participants, 2)),
                read == null ? OnlineFinding.Reading.NONE : new OnlineFinding.Reading(read.expected(), read.observed()),
                WatchClock.micros(),
                0);
    }

    private static @Nullable OnlineTxn txn(List<Participant> participants, int at) {
        return at < participants.size() ? online(participants.get(at)) : null;
    }

    private static OnlineTxn online(Participant txn) {
        return new OnlineTxn(txn.txnId(), txn.startTs(), txn.commitTs());
    }

    private static String name(OnlineFinding finding) {
        boolean isPair = finding.anomaly() == Anomaly.NOCONFLICT;
        String other = isPair ? Long.toString(requireNonNull(finding.other()).txnId()) : "";
        return finding.level() + " " + finding.anomaly() + " "
                + finding.subject().txnId() + " " + other + " " + finding.key();
    }
}
