package io.nightjar.jobs.flink;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.check.TableRun;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.check.FindingsCodec;
import io.nightjar.pipeline.decide.ComponentRow;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.decide.ValueOutcome.Doubt;
import io.nightjar.pipeline.decide.Witness;
import io.nightjar.pipeline.infer.SharedVersion;
import io.nightjar.pipeline.predicate.TableOutcome;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Codec for the results of a task. */
final class OutcomeCodec {

    private static final IsolationLevel[] LEVELS = IsolationLevel.values();
    private static final Anomaly[] ANOMALIES = Anomaly.values();
    private static final Verdict[] VERDICTS = Verdict.values();

    private OutcomeCodec() {}

    // ---------------------------------------------------------------- values

    static void encode(ValueOutcome outcome, ByteWriter to) {
        to.putVarint(outcome.groupCount());
        FindingsCodec.encode(outcome.findings(), to);
        to.putVarint(outcome.keyCount());
        to.putByte(outcome.basis().trustsVersions() ? 1 : 0);
        putShared(outcome.basis().shared(), to);
        putIds(outcome.basis().promoted(), to);
        to.putByte(outcome.basis().hasObservedCycle() ? 1 : 0);
        putReason(outcome.basis().timestampDoubt(), to);
        to.putByte(outcome.refuted().cycles() == null ? 0 : 1);
        if (outcome.refuted().cycles() != null) {
            putAnomalies(outcome.refuted().cycles(), to);
        }
        putRefuted(outcome.refuted().levels(), to);
        putRefuted(outcome.refuted().withoutSessions(), to);
        to.putVarint(outcome.refuted().readFaults().size());
        outcome.refuted().readFaults().forEach((anomaly, count) -> {
            to.putVarint(anomaly.ordinal());
            to.putVarint(count);
        });
        putDoubts(outcome.doubts(), to);
        putComponents(outcome.components(), to);
        to.putVarint(outcome.orders().witnesses().size());
        outcome.orders().witnesses().forEach(witness -> putWitness(witness, to));
        to.putByte(outcome.orders().areChecked() ? 1 : 0);
    }

    static ValueOutcome values(ByteReader from) {
        int groupCount = from.getCount();
        Findings findings = FindingsCodec.decode(from);
        return new ValueOutcome(
                groupCount,
                from.getVarint(),
                findings,
                new ValueOutcome.Basis(from.getByte() == 1, shared(from), ids(from), from.getByte() == 1, reason(from)),
                new ValueOutcome.Refuted(
                        from.getByte() == 1 ? anomalies(from) : null, refuted(from), refuted(from), readFaults(from)),
                doubts(from),
                components(from),
                new ValueOutcome.Orders(witnesses(from), from.getByte() == 1));
    }

    private static void putRefuted(Map<IsolationLevel, Set<Anomaly>> refuted, ByteWriter to) {
        to.putVarint(refuted.size());
        refuted.forEach((level, anomalies) -> {
            to.putVarint(level.ordinal());
            putAnomalies(anomalies, to);
        });
    }

    private static Map<IsolationLevel, Set<Anomaly>> refuted(ByteReader from) {
        Map<IsolationLevel, Set<Anomaly>> refuted = new EnumMap<>(IsolationLevel.class);
        for (int count = from.getCount(); count > 0; count--) {
            refuted.put(LEVELS[from.getCount()], anomalies(from));
        }
        return refuted;
    }

    private static Map<Anomaly, Long> readFaults(ByteReader from) {
        Map<Anomaly, Long> faults = new EnumMap<>(Anomaly.class);
        for (int count = from.getCount(); count > 0; count--) {
            faults.put(ANOMALIES[from.getCount()], from.getVarint());
        }
        return faults;
    }

    private static void putDoubts(Map<IsolationLevel, Doubt> doubts, ByteWriter to) {
        to.putVarint(doubts.size());
        doubts.forEach((level, doubt) -> {
            to.putVarint(level.ordinal());
            to.putString(doubt.reason());
            to.putSigned(doubt.smallestTxnId());
            to.putVarint(doubt.groupCount());
        });
    }

    private static Map<IsolationLevel, Doubt> doubts(ByteReader from) {
        Map<IsolationLevel, Doubt> doubts = new EnumMap<>(IsolationLevel.class);
        for (int count = from.getCount(); count > 0; count--) {
            IsolationLevel level = LEVELS[from.getCount()];
            doubts.put(level, new Doubt(from.getString(), from.getSigned(), from.getCount()));
        }
        return doubts;
    }

    private static void putComponents(List<ComponentRow> components, ByteWriter to) {
        to.putVarint(components.size());
        for (ComponentRow row : components) {
            to.putVarint(row.sessionCount());
            to.putVarint(row.txnCount());
            to.putVarint(row.keyCount());
            to.putByte(row.verdict().ordinal());
            to.putVarint(row.searchStates());
            to.putSigned(Double.doubleToLongBits(row.seconds()));
            to.putSigned(row.smallestTxnId());
        }
    }

    private static List<ComponentRow> components(ByteReader from) {
        int count = from.getCount();
        List<ComponentRow> components = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            components.add(new ComponentRow(
                    from.getCount(),
                    from.getCount(),
                    from.getCount(),
                    VERDICTS[from.getByte()],
                    from.getVarint(),
                    Double.longBitsToDouble(from.getSigned()),
                    from.getSigned()));
        }
        return components;
    }

    private static void putWitness(Witness witness, ByteWriter to) {
        to.putVarint(witness.level().ordinal());
        to.putSigned(witness.smallestTxnId());
        to.putVarint(witness.txnIds().length);
        long before = 0;
        for (int txn = 0; txn < witness.txnIds().length; txn++) {
            to.putSigned(witness.txnIds()[txn] - before);
            to.putVarint(witness.snapshotOf()[txn]);
            to.putVarint(witness.commitOf()[txn]);
            before = witness.txnIds()[txn];
        }
    }

    private static List<Witness> witnesses(ByteReader from) {
        int count = from.getCount();
        List<Witness> witnesses = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            IsolationLevel level = LEVELS[from.getCount()];
            long smallestTxnId = from.getSigned();
            int txnCount = from.getCount();
            Witness witness =
                    new Witness(level, smallestTxnId, new long[txnCount], new int[txnCount], new int[txnCount]);
            long before = 0;
            for (int txn = 0; txn < txnCount; txn++) {
                before += from.getSigned();
                witness.txnIds()[txn] = before;
                witness.snapshotOf()[txn] = from.getCount();
                witness.commitOf()[txn] = from.getCount();
            }
            witnesses.add(witness);
        }
        return witnesses;
    }

    // ---------------------------------------------------------------- tables

    static void encode(TableRun.Decided decided, ByteWriter to) {
        to.putByte(decided.unfit() == null ? 0 : 1);
        to.putVarint(decided.keyCount());
        to.putByte(decided.tables() == null ? 0 : 1);
        if (decided.tables() != null) {
            putTables(decided.tables(), to);
        }
        to.putByte(decided.values() == null ? 0 : 1);
        if (decided.values() != null) {
            encode(decided.values(), to);
        }
    }

    /** @param unfit the undecided reason if memory was insufficient */
    static TableRun.Decided decided(ByteReader from, @Nullable String unfit) {
        String reason = from.getByte() == 1 ? unfit : null;
        long keyCount = from.getVarint();
        TableOutcome tables = from.getByte() == 1 ? tables(from) : null;
        ValueOutcome values = from.getByte() == 1 ? values(from) : null;
        return new TableRun.Decided(tables, values, reason, keyCount);
    }

    private static void putTables(TableOutcome outcome, ByteWriter to) {
        FindingsCodec.encode(outcome.findings(), to);
        to.putVarint(outcome.answers().size());
        outcome.answers().forEach((level, answer) -> {
            to.putVarint(level.ordinal());
            to.putByte(answer.isByTimestamps() ? 1 : 0);
            to.putByte(answer.isForItems() ? 1 : 0);
            to.putByte(answer.isByValues() ? 1 : 0);
            putReason(answer.doubt(), to);
        });
        putAnomalies(outcome.anomalies(), to);
        to.putVarint(outcome.keyCount());
        to.putByte(outcome.serialOrder() == null ? 0 : 1);
        if (outcome.serialOrder() != null) {
            to.putVarint(outcome.serialOrder().length);
            for (long id : outcome.serialOrder()) {
                to.putSigned(id);
            }
        }
        putReason(outcome.malformed(), to);
        putReason(outcome.contradicted(), to);
        putShared(outcome.shared(), to);
    }

    private static TableOutcome tables(ByteReader from) {
        Findings findings = FindingsCodec.decode(from);
        Map<IsolationLevel, TableOutcome.Answer> answers = new EnumMap<>(IsolationLevel.class);
        for (int count = from.getCount(); count > 0; count--) {
            IsolationLevel level = LEVELS[from.getCount()];
            boolean isByTimestamps = from.getByte() == 1;
            boolean isForItems = from.getByte() == 1;
            boolean isByValues = from.getByte() == 1;
            answers.put(level, new TableOutcome.Answer(isByTimestamps, reason(from), isForItems, isByValues));
        }
        return new TableOutcome(
                findings,
                answers,
                anomalies(from),
                from.getCount(),
                serialOrder(from),
                reason(from),
                reason(from),
                shared(from));
    }

    private static void putShared(@Nullable SharedVersion shared, ByteWriter to) {
        to.putByte(shared == null ? 0 : 1);
        if (shared != null) {
            to.putString(shared.key());
            to.putSigned(shared.version());
            to.putSigned(shared.oneTxnId());
            to.putSigned(shared.otherTxnId());
        }
    }

    private static @Nullable SharedVersion shared(ByteReader from) {
        return from.getByte() == 0
                ? null
                : new SharedVersion(from.getString(), from.getSigned(), from.getSigned(), from.getSigned());
    }

    private static void putReason(@Nullable String reason, ByteWriter to) {
        to.putByte(reason == null ? 0 : 1);
        if (reason != null) {
            to.putString(reason);
        }
    }

    private static @Nullable String reason(ByteReader from) {
        return from.getByte() == 1 ? from.getString() : null;
    }

    private static long @Nullable [] serialOrder(ByteReader from) {
        if (from.getByte() == 0) {
            return null;
        }
        long[] ids = new long[from.getCount()];
        for (int position = 0; position < ids.length; position++) {
            ids[position] = from.getSigned();
        }
        return ids;
    }

    // ---------------------------------------------------------------- sets

    private static void putAnomalies(Set<Anomaly> anomalies, ByteWriter to) {
        to.putVarint(anomalies.size());
        anomalies.forEach(anomaly -> to.putVarint(anomaly.ordinal()));
    }

    private static Set<Anomaly> anomalies(ByteReader from) {
        Set<Anomaly> anomalies = EnumSet.noneOf(Anomaly.class);
        for (int count = from.getCount(); count > 0; count--) {
            anomalies.add(ANOMALIES[from.getCount()]);
        }
        return anomalies;
    }

    private static void putIds(LongSet ids, ByteWriter to) {
        to.putVarint(ids.size());
        ids.forEach(to::putSigned);
    }

    private static LongSet ids(ByteReader from) {
        int count = from.getCount();
        LongSet ids = new LongOpenHashSet(count);
        for (int i = 0; i < count; i++) {
            ids.add(from.getSigned());
        }
        return ids;
    }
}
