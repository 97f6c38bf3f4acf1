package io.nightjar.pipeline.online;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import org.jspecify.annotations.Nullable;

/** Encodes findings as bytes, to be kept or sent on. */
public final class FindingCodec {

    private static final IsolationLevel[] LEVELS = IsolationLevel.values();
    private static final Anomaly[] ANOMALIES = Anomaly.values();

    private FindingCodec() {}

    /** Appends a finding to a sink. */
    public static void encode(OnlineFinding finding, ByteWriter to) {
        to.putByte(finding.level().ordinal());
        to.putVarint(finding.anomaly().ordinal());
        putText(finding.key(), to);
        putTxn(finding.subject(), to);
        putTxn(finding.other(), to);
        putTxn(finding.parties().observedWriter(), to);
        putText(finding.reading().expected(), to);
        putText(finding.reading().observed(), to);
        to.putSigned(finding.arrived());
        to.putVarint(finding.flips());
    }

    /** Returns the next finding of a feed. */
    public static OnlineFinding decode(ByteReader from) {
        return new OnlineFinding(
                LEVELS[from.getByte()],
                ANOMALIES[from.getCount()],
                getText(from),
                new OnlineFinding.Parties(getOneTxn(from), getTxn(from), getTxn(from)),
                new OnlineFinding.Reading(getText(from), getText(from)),
                from.getSigned(),
                from.getCount());
    }

    /** Appends a text, which may be null. */
    public static void putText(@Nullable String text, ByteWriter to) {
        to.putByte(text == null ? 0 : 1);
        if (text != null) {
            to.putString(text);
        }
    }

    /** Returns the next text of a feed. */
    public static @Nullable String getText(ByteReader from) {
        return from.getByte() == 0 ? null : from.getString();
    }

    static void putTxn(@Nullable OnlineTxn txn, ByteWriter to) {
        to.putByte(txn == null ? 0 : 1);
        if (txn != null) {
            to.putSigned(txn.txnId());
            to.putSigned(txn.startTs());
            to.putSigned(txn.commitTs());
        }
    }

    static @Nullable OnlineTxn getTxn(ByteReader from) {
        return from.getByte() == 0 ? null : new OnlineTxn(from.getSigned(), from.getSigned(), from.getSigned());
    }

    /** Returns the next transaction of a feed, where there always is one. */
    static OnlineTxn getOneTxn(ByteReader from) {
        return requireNonNull(getTxn(from));
    }
}
