package io.nightjar.jobs.mock.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.CanonicalOrder;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.MockFaults;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.MockStore;
import io.nightjar.jobs.mock.RunLog;
import io.nightjar.jobs.mock.sql.EngineDialect;
import io.nightjar.jobs.mock.sql.EngineSession;
import io.nightjar.jobs.mock.sql.SqlEngine;
import io.nightjar.jobs.mock.sql.SqlResult;
import io.nightjar.jobs.mock.sql.StatementEffects;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that exploration of SQL statements omits no possible answer. */
@Tag(Seeds.TAG)
class SqlTrialTest {

    private static final int SESSIONS = 3;

    /** Statements that read, write, insert, delete and scan a table by its key, by an index or completely. */
    private static final List<String> STATEMENTS = List.of(
            "SELECT v FROM t WHERE id = 1",
            "SELECT v FROM t WHERE id = 2",
            "SELECT sum(v) FROM t WHERE id >= 1",
            "SELECT id FROM t WHERE v = 7",
            "SELECT count(*) FROM t",
            "UPDATE t SET v = v + 1 WHERE id = 1",
            "UPDATE t SET v = 7 WHERE id = 2",
            "UPDATE t SET v = 7 WHERE v = 1",
            "DELETE FROM t WHERE id = 2",
            "INSERT INTO t VALUES (3, 7)",
            "INSERT INTO t VALUES (2, 1) ON CONFLICT DO NOTHING");

    private MockOptions options;
    private List<List<List<String>>> program;
    private final Set<String> seen = new TreeSet<>();
    private String[] commands;

    private void draw(MockOptions drawnOptions, long seed) {
        options = drawnOptions;
        program = new ArrayList<>();
        seen.clear();
        SeededRandom random = new SeededRandom(new SeededRandom(seed).next());
        for (int session = 0; session < SESSIONS; session++) {
            List<List<String>> txns = new ArrayList<>();
            for (int txn = session == 0 ? 1 : 0; txn < 2; txn++) {
                List<String> statements = new ArrayList<>();
                for (int count = random.below(2); count >= 0; count--) {
                    statements.add(STATEMENTS.get(random.below(STATEMENTS.size())));
                }
                txns.add(statements);
            }
            program.add(txns);
        }
    }

    @Test
    void allThatClientsCanBeToldIsTriedWhereItIsForetoldHowTransactionsGoOn() throws Exception {
        long runs = 0;
        long foretoldRuns = 0;
        for (long seed : Seeds.upTo(3)) {
            for (IsolationLevel level : IsolationLevel.all()) {
                draw(optionsAt(level, seed % 2 == 0), seed);
                runs += new Exploration(without(this::run), () -> false)
                        .all(seed)
                        .runs();
                Set<String> all = Set.copyOf(seen);
                seen.clear();
                Exploration.Found foretold = new Exploration(this::run, () -> false).all(seed);

                assertThat(foretold.verdict()).isEqualTo(Exploration.Verdict.CANNOT);
                assertThat(seen)
                        .as("nightjar.seed=%d %s %s", seed, level, program)
                        .containsExactlyInAnyOrderElementsOf(all);
                foretoldRuns += foretold.runs();
            }
        }
        assertThat(foretoldRuns).isLessThan(runs);
    }

    /** Runs all orders of transactions without cuts. */
    private static Trial without(Trial trial) {
        return answers -> trial.run(new AnswerPolicy(answers.first(), answers.mode(), answers.seed(), false, null));
    }

    private static MockOptions optionsAt(IsolationLevel level, boolean readsNewest) {
        return new MockOptions(
                level,
                1,
                new MockOptions.Reads(ChoiceMode.UNIFORM, readsNewest, true, Integer.MAX_VALUE),
                new MockOptions.Schedule(true, 1_000),
                MockFaults.NONE);
    }

    private Trial.Result run(AnswerPolicy answers) throws IOException {
        AnswerChooser chooser = new AnswerChooser(answers.mode(), answers.seed(), true);
        chooser.follow(answers.first());
        CanonicalOrder order = new CanonicalOrder(true, answers.cuts(), answers.known());
        MockStore store = new MockStore(options, chooser, null);
        SqlEngine engine = new SqlEngine(store);
        RunLog log = new RunLog();
        try {
            load(engine);
            store.log(log);
            store.order(order, 0, true);
            runAll(engine, chooser, order);
            if (!order.isCut()) {
                seen.add(String.join("\n", commands) + "\n" + atTheEnd(engine));
            }
        } finally {
            store.finish();
            engine.close();
        }
        return new Trial.Result(
                false, 0, chooser.choices(), chooser.divergedAt(), order.isCut(), order.history(), log.steps(), "");
    }

    private static void load(SqlEngine engine) {
        try (EngineSession loader = engine.openSession(EngineDialect.POSTGRES)) {
            loader.alone(() -> {
                engine.store().enter(MockStore.Phase.LOAD, loader.mock());
                return null;
            });
            for (String sql : List.of(
                    "CREATE TABLE t(id INT PRIMARY KEY, v INT)",
                    "CREATE INDEX of_v ON t(v)",
                    "INSERT INTO t VALUES (1, 1), (2, 2)")) {
                execute(loader, sql);
            }
            loader.alone(() -> loader.mock().commit());
            loader.alone(() -> {
                engine.store().enter(MockStore.Phase.RUN, loader.mock());
                return null;
            });
        }
    }

    private static SqlResult execute(EngineSession session, String sql) {
        return session.execute(session.prepare(sql, kindOf(sql)), List.of(), sql);
    }

    private static StatementEffects kindOf(String sql) {
        if (sql.startsWith("SELECT") || sql.startsWith("CREATE")) {
            return StatementEffects.OTHER;
        }
        return StatementEffects.changing("t", sql.equals("UPDATE t SET v = 7 WHERE id = 2") ? Set.of("id") : null);
    }

    private void runAll(SqlEngine engine, AnswerChooser chooser, CanonicalOrder order) {
        List<EngineSession> sessions = new ArrayList<>();
        List<Integer> waiting = new ArrayList<>();
        int[] done = new int[SESSIONS];
        commands = new String[SESSIONS];
        Arrays.fill(commands, "");
        for (int session = 0; session < SESSIONS; session++) {
            EngineSession opened = engine.openSession(EngineDialect.POSTGRES);
            opened.mock().client("session " + session);
            opened.mock().waitForTurn();
            sessions.add(opened);
            waiting.add(session);
        }
        while (!waiting.isEmpty() && !order.isCut()) {
            int session = waiting.get(
                    waiting.size() == 1
                            ? 0
                            : chooser.turn(waiting.size(), next -> sessions.get(waiting.get(next))
                                    .mock()
                                    .isKnown()));
            if (order.isCut()) {
                return;
            }
            commands[session] +=
                    transact(sessions.get(session), program.get(session).get(done[session]++));
            sessions.get(session).mock().waitForTurn();
            if (done[session] == program.get(session).size()) {
                waiting.remove((Integer) session);
            }
        }
    }

    /** Returns the answers to the client as text. */
    private static String transact(EngineSession session, List<String> statements) {
        StringBuilder answers = new StringBuilder();
        session.alone(() -> {
            session.mock().begin();
            return null;
        });
        try {
            for (String sql : statements) {
                answers.append(textOf(execute(session, sql)));
            }
            session.alone(() -> session.mock().commit());
        } catch (MockException failed) {
            answers.append(failed.sqlState());
            session.alone(() -> {
                session.mock().rollback();
                return null;
            });
        }
        return answers.append("; ").toString();
    }

    private static String atTheEnd(SqlEngine engine) {
        try (EngineSession session = engine.openSession(EngineDialect.POSTGRES)) {
            session.mock().readNewest(true);
            return textOf(execute(session, "SELECT id, v FROM t ORDER BY id"));
        }
    }

    private static String textOf(SqlResult result) {
        return result.count() + Arrays.deepToString(result.rows().toArray());
    }
}
