package io.nightjar.jobs.watch;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.online.OnlineListener;
import io.nightjar.pipeline.online.OnlineTxn;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The findings that a watch has reported: passes every change on, counts changes, and retains final findings. */
public final class ReportedFindings implements OnlineListener {

    private final WatchOptions options;
    private final int maxRetained;
    private final @Nullable String runId;
    private final String historyId;
    private final WatchListener listener;
    private final List<Consumer<VerdictChange>> followers = new ArrayList<>();
    private final Map<String, OnlineFinding> standing = new LinkedHashMap<>();
    private final Map<IsolationLevel, Map<Anomaly, Long>> counts = new EnumMap<>(IsolationLevel.class);
    private long correctedCount;
    private long changeSeq;
    private boolean isMuted;

    /**
     * @param runId null without tables
     * @param page null for none
     */
    ReportedFindings(
            WatchOptions options,
            @Nullable String runId,
            String historyId,
            WatchListener listener,
            LiveTables tables,
            @Nullable WatchPage page) {
        this.options = options;
        this.maxRetained = new WatchMemory(options.check().memoryBytes()).findings();
        this.runId = runId;
        this.historyId = historyId;
        this.listener = listener;
        followers.add(tables::add);
        if (page != null) {
            followers.add(page::add);
        }
    }

    /** Adds a listener for every change, final or not. */
    void addFollower(Consumer<VerdictChange> follower) {
        followers.add(follower);
    }

    /** Sets whether changes go to followers only, since an earlier process passed them to the listener. */
    void mute(boolean isOn) {
        isMuted = isOn;
    }

    // ---------------------------------------------------------------- changes

    @Override
    public void changed(Change change, OnlineFinding finding, boolean isWrong) {
        changed(change, finding, isWrong, WatchClock.micros());
    }

    /** @param atMicros time of the change */
    void changed(Change change, OnlineFinding finding, boolean isWrong, long atMicros) {
        boolean isFinal = change == Change.FINAL || change == Change.CORRECTED;
        String name = isFinal ? finding.name() : "";
        if (change == Change.FINAL && standing.containsKey(name)) {
            return; // a check of its segment reported it already
        }
        if (isFinal && (isWrong != standing.containsKey(name))) {
            counts.computeIfAbsent(finding.level(), absent -> new EnumMap<>(Anomaly.class))
                    .merge(finding.anomaly(), isWrong ? 1L : -1L, ReportedFindings::sum);
        }
        if (!isAskedFor(finding)) {
            return;
        }
        if (isFinal && !isWrong) {
            standing.remove(name);
        } else if (isFinal && standing.size() < maxRetained) {
            standing.put(name, finding);
        }
        notifyFollowers(change, finding, isWrong, atMicros);
    }

    private static @Nullable Long sum(long one, long other) {
        return one + other == 0 ? null : (Long) (one + other);
    }

    /** Returns the numbers of final findings that were not withdrawn, by type. */
    Map<Anomaly, Long> counts(IsolationLevel level) {
        return counts.getOrDefault(level, Map.of());
    }

    /** Returns whether nothing is reported against these levels. */
    boolean isEmpty(List<IsolationLevel> levels) {
        return levels.stream().allMatch(level -> counts(level).isEmpty());
    }

    /** Returns the number of final verdicts that changed. */
    long correctedCount() {
        return correctedCount;
    }

    /**
     * Returns whether a finding is reported at the weaker level: a read that contradicts its own transaction rules out
     * both levels, and is one anomaly.
     */
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
        correctedCount += change == Change.CORRECTED ? 1 : 0;
        VerdictChange row = new VerdictChange(runId, historyId, changeSeq, change, finding, isWrong, atMicros);
        followers.forEach(follower -> follower.accept(row));
        boolean isFinal = change == Change.FINAL || change == Change.CORRECTED;
        if (!isMuted && (isFinal || options.telling().isProvisional())) {
            listener.changed(row);
        }
    }

    // ---------------------------------------------------------------- final findings

    /** Returns whether a final finding exists whose transactions all committed up to a time. */
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

    /** Reports, as corrections, differences from the check of all rows up to a time. */
    void correct(Conclusion conclusion, long watermark) {
        correct(conclusion.findings(), conclusion::reported, Long.MIN_VALUE, watermark, finding -> true);
    }

    /** Reports, as corrections, differences from a check of the commits after one time and up to another. */
    void correct(Findings findings, long after, long upTo) {
        correct(findings, finding -> finding, after, upTo, this::isAskedFor);
    }

    private boolean isAskedFor(OnlineFinding finding) {
        return options.check().levels().contains(finding.level()) && !isReportedAtWeakerLevel(finding);
    }

    private void correct(
            Findings findings, UnaryOperator<Finding> naming, long after, long upTo, Predicate<OnlineFinding> choice) {
        if (standing.size() >= maxRetained || findings.total() > findings.limit()) {
            return; // neither side has all of them
        }
        Map<String, OnlineFinding> unconfirmed = new LinkedHashMap<>(standing);
        for (Finding found : findings.inTime()) {
            OnlineFinding finding = online(naming.apply(found));
            if (unconfirmed.remove(finding.name()) == null && choice.test(finding)) {
                correct(finding, true);
            }
        }
        for (OnlineFinding finding : unconfirmed.values()) {
            if (isSealed(finding, upTo) && !isSealed(finding, after)) {
                correct(finding, false);
            }
        }
    }

    private void correct(OnlineFinding finding, boolean isWrong) {
        counts.computeIfAbsent(finding.level(), absent -> new EnumMap<>(Anomaly.class))
                .merge(finding.anomaly(), isWrong ? 1L : -1L, ReportedFindings::sum);
        if (isWrong) {
            standing.put(finding.name(), finding);
        } else {
            standing.remove(finding.name());
        }
        notifyFollowers(Change.CORRECTED, finding, isWrong, WatchClock.micros());
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
}
