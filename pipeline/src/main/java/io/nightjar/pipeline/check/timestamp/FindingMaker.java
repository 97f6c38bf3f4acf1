package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.ListText;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns ordinals of a lane into findings in the names of the history, at one level. */
final class FindingMaker {

    private static final int NONE = Lane.NONE;

    private final Lane lane;
    private final IsolationLevel level;

    FindingMaker(Lane lane, IsolationLevel level) {
        this.lane = lane;
        this.level = level;
    }

    static String algorithm(IsolationLevel level) {
        return level == IsolationLevel.COMMIT_ORDER_SERIALIZABLE ? "chronos-ser" : "chronos-si";
    }

    /** Returns the finding of a wrong read, external (EXT) or internal (INT). */
    Finding wrongRead(
            Anomaly anomaly,
            int reader,
            int key,
            int expectedWriter,
            @Nullable String expected,
            int observedWriter,
            @Nullable String observed,
            @Nullable Origin origin,
            @Nullable Long slack) {
        String keyText = lane.keyText(key);
        List<Participant> participants = new ArrayList<>(3);
        List<Edge> edges = new ArrayList<>(2);
        participants.add(participant(reader, Role.READER));
        if (expectedWriter != NONE) {
            participants.add(participant(expectedWriter, Role.EXPECTED_WRITER));
        }
        if (expectedWriter != NONE && expectedWriter != reader) {
            edges.add(new Edge(
                    id(expectedWriter), id(reader), EdgeType.TS, keyText, expected, observed, EdgeEvidence.TIMESTAMP));
        }
        if (observedWriter != NONE) {
            participants.add(participant(observedWriter, Role.OBSERVED_WRITER));
        }
        if (observedWriter != NONE && observedWriter != reader) {
            EdgeEvidence evidence = lane.isList(key) ? EdgeEvidence.LIST : EdgeEvidence.VALUE;
            edges.add(new Edge(id(observedWriter), id(reader), EdgeType.WR, keyText, observed, observed, evidence));
        }
        Expectation expectation =
                new Expectation(expected, idOrNull(expectedWriter), observed, idOrNull(observedWriter), origin);
        return finding(anomaly, keyText, participants, expectation, slack, edges);
    }

    Finding conflict(int earlier, int later, int key) {
        String keyText = lane.keyText(key);
        long slack = lane.commitTs().get(earlier) - lane.startTs().get(later);
        return finding(
                Anomaly.NOCONFLICT,
                keyText,
                List.of(participant(earlier, Role.EARLIER_WRITER), participant(later, Role.LATER_WRITER)),
                null,
                slack,
                List.of(new Edge(id(earlier), id(later), EdgeType.WW, keyText, null, null, EdgeEvidence.TIMESTAMP)));
    }

    String listText(ListView list) {
        return ListText.of(list.length(), at -> lane.valueText(list.at(at)));
    }

    private Finding finding(
            Anomaly anomaly,
            String key,
            List<Participant> participants,
            @Nullable Expectation expectation,
            @Nullable Long slack,
            List<Edge> edges) {
        boolean unknown = false;
        for (Participant participant : participants) {
            unknown |= lane.isPromotedId(participant.txnId());
        }
        return new Finding(
                anomaly, null, level, algorithm(level), key, participants, expectation, slack, unknown, edges);
    }

    private Participant participant(int txn, Role role) {
        return new Participant(
                id(txn), role, lane.startTs().get(txn), lane.commitTs().get(txn));
    }

    private long id(int txn) {
        return lane.txnId().get(txn);
    }

    private @Nullable Long idOrNull(int txn) {
        return txn == NONE ? null : Long.valueOf(id(txn));
    }
}
