package io.nightjar.formats.finding;

import io.nightjar.formats.finding.Finding.Participant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An anomaly with all that there is to tell of it: text, drawings, tables and JSON are made from a story, whether its finding
 * was just made or is read back from the tables.
 *
 * @param finding what happened: its parts, the steps with their reasons, what should have been read
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
     * @param opIndex the operation by which it takes part, from 0; negative if there is none
     */
    public record Actor(Participant participant, @Nullable TxnRow txn, int opIndex) {

        public long txnId() {
            return participant.txnId();
        }
    }

    /**
     * The story of a finding that was just made.
     *
     * @param txns the transactions; null for one that cannot be shown
     * @param opIndexOf the operation by which one takes part, negative if there is none
     */
    public static ExplainedFinding of(
            Finding finding, LongFunction<@Nullable TxnRow> txns, ToIntFunction<Participant> opIndexOf) {
        List<Actor> actors = new ArrayList<>();
        for (Participant participant : finding.participants()) {
            actors.add(new Actor(participant, txns.apply(participant.txnId()), opIndexOf.applyAsInt(participant)));
        }
        return new ExplainedFinding(finding, actors);
    }

    /** A transaction of the story, or null if there is none of this id or it cannot be shown. */
    public @Nullable TxnRow txn(long txnId) {
        for (Actor actor : actors) {
            if (actor.txnId() == txnId) {
                return actor.txn();
            }
        }
        return null;
    }
}
