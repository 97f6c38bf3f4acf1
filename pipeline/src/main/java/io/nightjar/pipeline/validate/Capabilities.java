package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.validate.Capability.Evidence;
import io.nightjar.pipeline.validate.Capability.Extent;
import java.util.List;

/** Evidence of a history, by the data that its source provides. */
public final class Capabilities {

    private static final List<IsolationLevel> BY_TIMESTAMPS = List.of(
            IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
    private static final List<IsolationLevel> BY_REALTIME = List.of(IsolationLevel.STRICT_SERIALIZABLE);

    private Capabilities() {}

    /**
     * Returns one entry for each kind of evidence.
     *
     * @param mixedKeyCount keys used in two ways
     * @param listKeyCount keys used as lists
     * @param duplicateWriteCount values written more than once to a key
     * @param comparedShare share of all values among which duplicates were searched
     */
    public static List<Capability> of(
            HistoryFacts facts, long mixedKeyCount, long listKeyCount, long duplicateWriteCount, double comparedShare) {
        Capability timestamps = timestamps(facts, mixedKeyCount);
        Capability versions = versions(facts, listKeyCount, duplicateWriteCount);
        Capability values = values(facts, mixedKeyCount, duplicateWriteCount, comparedShare);
        boolean isOrderKnown = timestamps.extent() == Extent.YES || values.extent() == Extent.YES;
        return List.of(timestamps, versions, values, realtime(facts, isOrderKnown));
    }

    private static Capability timestamps(HistoryFacts facts, long mixedKeyCount) {
        if (facts.committedCount() == 0) {
            return byTimestamps(Extent.YES, "without committed transactions every level holds");
        }
        if (facts.areTimestampsAbsent()) {
            return byTimestamps(Extent.NO, "no committed transaction has timestamps; start_ts and commit_ts would do");
        }
        if (!facts.areTimestampsComplete()) {
            long missing = facts.committedCount() - facts.timestampedCount();
            return byTimestamps(
                    Extent.NO,
                    CountFormat.number(missing) + " of "
                            + CountFormat.of(facts.committedCount(), "committed transaction")
                            + " lack a timestamp, and all must have them");
        }
        if (facts.committedReadCount() == 0) {
            return byTimestamps(
                    Extent.PARTLY,
                    "every writer has timestamps but nothing was read: SESSION and NOCONFLICT are decided,"
                            + " nothing about reads");
        }
        long setsAndCounters = facts.committedOpCount(OpKind.ADD) + facts.committedOpCount(OpKind.INCREMENT);
        if (setsAndCounters > 0 || mixedKeyCount > 0) {
            return byTimestamps(
                    Extent.PARTLY,
                    "violations on registers and lists are found, but sets, counters and keys of mixed use"
                            + " stay open");
        }
        return byTimestamps(Extent.YES, "every committed transaction has a start and a commit timestamp");
    }

    private static Capability byTimestamps(Extent extent, String why) {
        return new Capability(Evidence.TIMESTAMPS, BY_TIMESTAMPS, extent, extent != Extent.NO, why);
    }

    private static Capability versions(HistoryFacts facts, long listKeyCount, long duplicateWriteCount) {
        long opCount = facts.committedReadCount() + facts.committedWriteCount();
        if (opCount > 0 && facts.versionedCount() == opCount && duplicateWriteCount > 0) {
            return byVersions(
                    Extent.PARTLY,
                    "every committed operation has a version, but " + CountFormat.of(duplicateWriteCount, "value")
                            + " written more than once, so reads of it may be of several writes");
        }
        if (opCount > 0 && facts.versionedCount() == opCount) {
            return byVersions(Extent.YES, "every committed operation has a version");
        }
        if (facts.versionedCount() > 0) {
            return byVersions(
                    Extent.PARTLY,
                    CountFormat.number(facts.versionedCount()) + " of " + CountFormat.of(opCount, "committed operation")
                            + " have a version, which orders these and no others");
        }
        if (listKeyCount > 0 && facts.committedOpCount(OpKind.READ_LIST) > 0) {
            boolean isAllLists = facts.committedWriteCount() == facts.committedOpCount(OpKind.APPEND);
            return byVersions(
                    isAllLists ? Extent.YES : Extent.PARTLY,
                    isAllLists
                            ? "list reads show the order of appends"
                            : "list reads show the order of appends; registers have no order");
        }
        return byVersions(Extent.NO, "neither versions nor list reads determine the order of writes");
    }

    private static Capability byVersions(Extent extent, String why) {
        return new Capability(Evidence.VERSIONS, IsolationLevel.all(), extent, extent != Extent.NO, why);
    }

    private static Capability values(
            HistoryFacts facts, long mixedKeyCount, long duplicateWriteCount, double comparedShare) {
        if (facts.committedReadCount() == 0) {
            return facts.committedCount() == 0
                    ? byValues(Extent.YES, "without committed transactions every level holds")
                    : byValues(Extent.PARTLY, "nothing was read, so any order of commits will do and shows little");
        }
        if (facts.predicateCount() > 0) {
            return byValues(
                    Extent.PARTLY,
                    CountFormat.of(facts.predicateCount(), "predicate read")
                            + " decided by versions and timestamps only, so serializable is undecided");
        }
        if (facts.committedOpCount(OpKind.INCREMENT) > 0) {
            return byValues(Extent.PARTLY, "a counter's value does not identify the increments observed");
        }
        if (facts.committedOpCount(OpKind.ADD) > 0 || mixedKeyCount > 0) {
            return byValues(
                    Extent.PARTLY,
                    "violations on registers and lists are found, but sets and keys of mixed use stay open");
        }
        if (duplicateWriteCount > 0) {
            return byValues(
                    Extent.PARTLY,
                    CountFormat.of(duplicateWriteCount, "value") + " written more than once, so reads of it may be of"
                            + " several writes");
        }
        if (comparedShare < 1) {
            return byValues(
                    Extent.PARTLY,
                    "no value is written twice to a key among the " + CountFormat.percent(comparedShare)
                            + " that were compared; more --memory compares all");
        }
        return byValues(
                Extent.YES,
                "every value is written once to its key, so each read identifies its writer; the stronger levels require a"
                        + " search");
    }

    private static Capability byValues(Extent extent, String why) {
        return new Capability(Evidence.VALUES, IsolationLevel.all(), extent, extent != Extent.NO, why);
    }

    private static Capability realtime(HistoryFacts facts, boolean isOrderKnown) {
        if (facts.clientTimedCount() < facts.committedCount()) {
            String why = facts.clientTimedCount() == 0
                    ? "no committed transaction has the client's times; invoke_ns and complete_ns would do"
                    : CountFormat.number(facts.clientTimedCount()) + " of "
                            + CountFormat.of(facts.committedCount(), "committed transaction")
                            + " have the client's times, and all must have them";
            return byRealtime(Extent.NO, why);
        }
        return isOrderKnown
                ? byRealtime(Extent.YES, "every committed transaction has the client's times")
                : byRealtime(
                        Extent.PARTLY, "the client's times are present, but other evidence for serializability is not");
    }

    private static Capability byRealtime(Extent extent, String why) {
        return new Capability(Evidence.REALTIME, BY_REALTIME, extent, extent != Extent.NO, why);
    }
}
