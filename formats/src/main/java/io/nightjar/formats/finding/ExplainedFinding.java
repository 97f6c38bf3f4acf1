package io.nightjar.formats.finding;

import io.nightjar.formats.finding.Finding.Participant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An anomaly with its transactions and edge reasons, the source of text, drawings, tables and JSON. Its finding was
 * just made or is read from the tables.
 *
 * @param finding the anomaly: its parts, the steps with their reasons, the expected value
 * @param actors the participants of the finding, in its order
 */
public record ExplainedFinding(Finding finding, List<Actor> actors) {

    public ExplainedFinding {
        actors = List.copyOf(actors);
        if (actors.size() != finding.participants().size()) {
            throw new IllegalArgumentException("actors are not the participants: actors=" + actors.size()
                    + " participants=" + finding.participants().size());
        }
    }

    /**
     * A participant with its transaction.
     *
     * @param txn null for a transaction that cannot be shown
     * @param opIndex the operation by which it participates, from 0; negative if none is known
     */
    public record Actor(Participant participant, @Nullable TxnRow txn, int opIndex) {

        public long txnId() {
            return participant.txnId();
        }
    }

    /**
     * Creates the explanation of a finding that was just made.
     *
     * @param txns the transactions; null for one that cannot be shown
     * @param opIndexOf the operation by which a participant takes part, negative if none is known
     */
    public static ExplainedFinding of(
            Finding finding, LongFunction<@Nullable TxnRow> txns, ToIntFunction<Participant> opIndexOf) {
        List<Actor> actors = new ArrayList<>();
        for (Participant participant : finding.participants()) {
            actors.add(new Actor(participant, txns.apply(participant.txnId()), opIndexOf.applyAsInt(participant)));
        }
        return new ExplainedFinding(finding, actors);
    }

    /**
     * Returns a transaction of the finding, or null if the id is not a participant's or the transaction cannot be
     * shown.
     */
    public @Nullable TxnRow txn(long txnId) {
        for (Actor actor : actors) {
            if (actor.txnId() == txnId) {
                return actor.txn();
            }
        }
        return null;
    }
}
