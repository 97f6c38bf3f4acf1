package io.nightjar.jobs.mock.explore;

import static java.util.Objects.requireNonNull;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.datasets.workload.Assertion;
import io.nightjar.datasets.workload.ClientWorkload;
import io.nightjar.datasets.workload.FinalState;
import io.nightjar.datasets.workload.Program;
import io.nightjar.datasets.workload.WorkloadKeys;
import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.CanonicalOrder;
import io.nightjar.jobs.mock.MockArchive;
import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.MockSession;
import io.nightjar.jobs.mock.MockSession.Manner;
import io.nightjar.jobs.mock.MockStore;
import io.nightjar.jobs.mock.ObjectSpace;
import io.nightjar.jobs.mock.RowObject;
import io.nightjar.jobs.mock.RunLog;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Trial that runs the transactions of a workload against a fresh mock in this thread; it breaks if an assertion fails
 * at the end.
 */
public final class WorkloadTrial implements Trial {

    /*
     * Transactions run one after the other, and each turn is a choice. All runs of one seed have the same transactions,
     * which each session draws separately. A transaction aborted by the store is not repeated.
     */

    private static final int MANY_REPLAYS = 400;

    private final Supplier<ClientWorkload> workloads;
    private final MockOptions options;
    private final int sessions;
    private final int txnsOfASession;
    private final Map<String, Integer> brokenBy = new TreeMap<>();
    private @Nullable Path archive;

    /**
     * @param workloads creates a workload for each run
     * @param txnsOfASession number of transactions of each session
     */
    public WorkloadTrial(Supplier<ClientWorkload> workloads, MockOptions options, int sessions, int txnsOfASession) {
        this.workloads = workloads;
        this.options = options.inSeries();
        this.sessions = sessions;
        this.txnsOfASession = txnsOfASession;
    }

    @Override
    public int maxReplays() {
        return MANY_REPLAYS;
    }

    /** Archives each run from now on; without an archive a run takes less than a millisecond. */
    public void archive(Path out) {
        archive = out;
    }

    /** Returns the number of runs in which each assertion failed. */
    public Map<String, Integer> brokenBy() {
        return brokenBy;
    }

    @Override
    public Result run(AnswerPolicy answers) throws IOException {
        AnswerChooser chooser = new AnswerChooser(answers.mode(), answers.seed(), true);
        chooser.follow(answers.first());
        RunLog log = new RunLog();
        CanonicalOrder order = new CanonicalOrder(true, answers.cuts(), answers.known());
        MockArchive out = archive == null ? null : MockArchive.of(archive);
        if (out != null) {
            out.begin();
        }
        MockStore store = new MockStore(options, chooser, out);
        store.log(log);
        store.order(order, 0, true);
        List<Assertion> broken;
        store.lock().lock();
        try {
            Run run = new Run(store, workloads.get(), answers.seed());
            if (!store.ordersVersions() && run.workload.assertions().isEmpty()) {
                order.forgetOrderOfWrites();
            }
            run.all(chooser, order);
            broken = order.isCut() ? List.of() : run.broken();
        } finally {
            store.lock().unlock();
        }
        store.finish();
        broken.forEach(assertion -> brokenBy.merge(assertion.name(), 1, Integer::sum));
        StringBuilder text = new StringBuilder();
        broken.forEach(assertion -> text.append("broken: ")
                .append(assertion.name())
                .append(", ")
                .append(assertion.meaning())
                .append('\n'));
        return new Result(
                !broken.isEmpty(),
                broken.isEmpty() ? 0 : 1,
                chooser.choices(),
                chooser.divergedAt(),
                order.isCut(),
                order.history(),
                log.steps(),
                text.toString());
    }

    /** A session and its progress. */
    private static final class Client {

        private final MockSession session;
        private final SeededRandom random;
        private int done;

        private Client(MockSession session, SeededRandom random) {
            this.session = session;
            this.random = random;
        }
    }

    private final class Run {

        private final ClientWorkload workload;
        private final WorkloadKeys keys;
        private final RowObject[] objects;
        private final Map<String, ObjectSpace> spaces = new TreeMap<>();
        private final Int2LongOpenHashMap tallies = new Int2LongOpenHashMap();
        private final List<Client> clients = new ArrayList<>();

        private Run(MockStore store, ClientWorkload workload, long seed) {
            this.workload = workload;
            this.keys = workload.keys();
            this.objects = new RowObject[keys.count()];
            for (WorkloadKeys.Table table : keys.areNumbers()
                    ? List.of(new WorkloadKeys.Table("register", "value", 0, keys.count(), 0))
                    : keys.inTables()) {
                ObjectSpace space = store.newSpace(table.name());
                spaces.put(table.name(), space);
                for (int row = 0; row < table.rows(); row++) {
                    objects[table.first() + row] = store.newObject(space, Integer.toString(row), null);
                }
            }
            for (int session = 0; session < sessions; session++) {
                MockSession opened = store.openSession();
                opened.client("session " + session);
                clients.add(new Client(opened, new SeededRandom(new SeededRandom(seed * 31 + session).next())));
            }
        }

        private void all(AnswerChooser chooser, CanonicalOrder order) {
            List<Client> waiting = new ArrayList<>(clients);
            waiting.forEach(client -> client.session.waitForTurn());
            waiting.removeIf(client -> txnsOfASession == 0);
            while (!waiting.isEmpty() && !order.isCut()) {
                Client client = waiting.get(
                        waiting.size() == 1
                                ? 0
                                : chooser.turn(
                                        waiting.size(),
                                        next -> waiting.get(next).session.isKnown()));
                if (order.isCut()) {
                    return;
                }
                transact(client);
                client.session.waitForTurn();
                if (++client.done == txnsOfASession) {
                    waiting.remove(client);
                }
            }
        }

        private void transact(Client client) {
            Program program = workload.next(clients.indexOf(client), client.random);
            MockSession session = client.session;
            session.begin();
            try {
                while (program.hasNext()) {
                    operate(session, program);
                }
                if (program.isRolledBack()) {
                    session.rollback();
                } else {
                    session.commit();
                    program.addTallies(tallies);
                }
            } catch (MockException aborted) {
                session.rollback();
            }
        }

        private ObjectSpace space(int key) {
            return requireNonNull(spaces.get(relation(key)));
        }

        private void operate(MockSession session, Program program) {
            int key = program.key();
            if (program.selects()) {
                session.statement("select " + relation(key) + " where " + program.amount() + " <= amount and amount <= "
                        + program.greatest());
                session.scanRange(space(key), Boolean.TRUE, object -> true);
                long count = 0;
                for (int row = key; row < key + program.rowCount(); row++) {
                    long amount = amount(session.read(objects[row], Manner.WEAK), row);
                    count += amount >= program.amount() && amount <= program.greatest() ? 1 : 0;
                }
                program.done(count);
            } else if (program.reads()) {
                boolean isLocked = program.readsForUpdate() && options.reads().updatesReadNewest();
                session.statement("read " + objects[key].name() + (program.readsForUpdate() ? " for update" : ""));
                program.done(amount(session.read(objects[key], isLocked ? Manner.LOCKED : Manner.WEAK), key));
            } else if (program.deletes()) {
                session.statement("delete " + objects[key].name());
                boolean isThere = session.read(objects[key], Manner.WEAK) != null;
                if (isThere) {
                    session.write(space(key), objects[key], null, version -> "{\"_deleted\":" + version + "}");
                }
                program.done(0);
            } else {
                long amount = program.amount();
                session.statement("write " + objects[key].name() + " = " + amount);
                session.write(
                        space(key),
                        objects[key],
                        amount,
                        version -> keys.areNumbers() ? Long.toString(version) : keys.row(key, amount, version));
                program.done(0);
            }
        }

        private String relation(int key) {
            return keys.areNumbers() ? "register" : keys.relation(key);
        }

        private long amount(@Nullable Object content, int key) {
            return content == null ? keys.initial(key) : (Long) content;
        }

        private List<Assertion> broken() {
            long[] amounts = new long[objects.length];
            for (int key = 0; key < objects.length; key++) {
                amounts[key] = amount(objects[key].newestContent(), key);
            }
            FinalState state = new FinalState(amounts, tallies);
            return workload.isJudgeable(state) ? workload.broken(state) : List.of();
        }
    }
}
