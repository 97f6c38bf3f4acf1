package io.nightjar.jobs.record;

import io.nightjar.datasets.jdbc.JdbcTables;
import io.nightjar.datasets.workload.Assertion;
import io.nightjar.datasets.workload.ClientWorkload;
import io.nightjar.datasets.workload.FinalState;
import io.nightjar.datasets.workload.Program;
import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tally of the committed programs of a workload, against which the assertions are checked at the end. */
final class AssertionEvaluator {

    private final Int2LongOpenHashMap tallies = new Int2LongOpenHashMap();
    private final Map<Long, Program> unknown = new HashMap<>(); // by transaction

    /** Adds a committed transaction. */
    synchronized void committed(Program program) {
        program.addTallies(tallies);
    }

    /** Adds an unknown transaction; if it stays unknown, no assertion can be checked. */
    synchronized void unknown(long txnId, Program program) {
        unknown.put(txnId, program);
    }

    /** Resolves unknown transactions by the server's log. */
    synchronized void resolve(OutcomeProof proof) throws IOException {
        for (long txnId : List.copyOf(unknown.keySet())) {
            byte outcome = proof.outcomeOf(txnId);
            if (outcome != TxnStatus.UNKNOWN) {
                Program program = unknown.remove(txnId);
                if (outcome == TxnStatus.COMMITTED) {
                    committed(program);
                }
            }
        }
    }

    /** Returns the assertions that do not hold for the current content of the tables; null if unknown. */
    synchronized @Nullable List<Assertion> broken(ClientWorkload workload, JdbcTables tables, Connection connection)
            throws SQLException {
        List<Assertion> assertions = workload.assertions();
        if (!unknown.isEmpty() || assertions.isEmpty()) {
            return assertions.isEmpty() ? List.of() : null;
        }
        FinalState state = new FinalState(tables.amounts(connection), tallies);
        return workload.isJudgeable(state) ? workload.broken(state) : null;
    }
}
