package io.nightjar.jobs.mock.replay;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.MockSession;
import io.nightjar.jobs.mock.MockStore;
import io.nightjar.jobs.mock.StatementOrder;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Scheduler that lets client steps take effect in the order of a recorded run. */
public final class StatementReplay implements StatementOrder {

    /*
     * Algorithm. A client is matched with the first unmatched session of the recording that has the same program name
     * and the same first step. A step waits for all earlier steps; the time limit restarts after each of them. When a
     * client does something else, or nothing, the recording no longer fits: this is reported once, sessions stop
     * waiting, and the mock continues freely, as it does after the end of the recording. A truncated recording may lack
     * a client's step: such a step waits for all recorded steps.
     */

    private static final int MAX_STATEMENT_LENGTH = 200;

    private final RecordedRun recorded;
    private final StatementOrder recorder;
    private final Consumer<String> notes;
    private final Map<MockSession, Integer> sessionOf = new HashMap<>();
    private final int[] nextOfSession;

    /** For each step, the next step of its session; the number of all steps if none. */
    private final int[] nextOfStep;

    private final boolean[] isTaken;
    private MockStore store;
    private Condition changed;
    private int next;
    private boolean isOver;
    private @Nullable String misfit;

    /**
     * @param recorder observer of the replayed steps
     * @param notes called if the recording does not fit
     */
    public StatementReplay(RecordedRun recorded, StatementOrder recorder, Consumer<String> notes) {
        this.recorded = recorded;
        this.recorder = recorder;
        this.notes = notes;
        this.nextOfSession = new int[recorded.sessionCount()];
        this.nextOfStep = new int[recorded.count()];
        this.isTaken = new boolean[recorded.sessionCount()];
        Arrays.fill(nextOfSession, recorded.count());
        for (int step = recorded.count() - 1; step >= 0; step--) {
            nextOfStep[step] = nextOfSession[recorded.session(step)];
            nextOfSession[recorded.session(step)] = step;
        }
    }

    /** Returns the reason why the recording did not fit, null if it has fit so far. */
    public @Nullable String misfit() {
        return misfit;
    }

    /** Returns whether all recorded statements were replayed; the last disconnections may be missing. */
    public boolean isWhole() {
        return recorded.isComplete() && hasOnlyDisconnectionsLeft();
    }

    private boolean hasOnlyDisconnectionsLeft() {
        return IntStream.range(next, recorded.count()).allMatch(step -> isAt(step, StatementRecorder.GONE, 0));
    }

    @Override
    @SetsFields
    public void begin(MockStore ofStore) throws IOException {
        store = ofStore;
        changed = store.lock().newCondition();
        recorder.begin(ofStore);
    }

    @Override
    public void step(MockSession session, String what, List<?> parameters) {
        if (isFollowed()) {
            follow(session, StatementRecorder.plain(what), StatementRecorder.number(parameters));
        }
        recorder.step(session, what, parameters);
    }

    @Override
    public void gone(MockSession session) {
        Integer known = sessionOf.get(session);
        boolean wasThere = known != null && isFollowed() && isAt(nextOfSession[known], StatementRecorder.GONE, 0);
        if (wasThere) {
            follow(session, StatementRecorder.GONE, 0);
        } else if (known != null && isFollowed() && nextOfSession[known] < recorded.count()) {
            stop("a client has gone before its time: " + expected(nextOfSession[known]));
        } else if (known != null && isFollowed() && !recorded.isComplete()) {
            await(recorded.count()); // its open transaction ends after the truncation
        }
        sessionOf.remove(session);
        recorder.gone(session);
    }

    private boolean isFollowed() {
        return misfit == null && !isOver && next < recorded.count();
    }

    private void follow(MockSession session, String text, int parameters) {
        Integer known = sessionOf.get(session);
        int recordedSession = known == null ? taken(session, text, parameters) : known;
        int step = recordedSession < 0 ? recorded.count() : nextOfSession[recordedSession];
        boolean isAfterCut = step == recorded.count() && !recorded.isComplete();
        if (!isAfterCut && !isAt(step, text, parameters)) {
            stop("a client did something else: came=" + shortened(text) + " client=" + session.client() + "; "
                    + (step < recorded.count() ? expected(step) : "nothing was expected of it"));
            return;
        }
        await(step);
        if (isFollowed()) {
            next++;
            nextOfSession[recordedSession] = nextOfStep[step];
            changed.signalAll();
        }
    }

    /** Returns the recorded session that matches a client, -1 if none. */
    private int taken(MockSession session, String text, int parameters) {
        String client = session.client() == null ? "" : session.client();
        int first = -1;
        for (int candidate = 0; candidate < isTaken.length; candidate++) {
            boolean fits = !isTaken[candidate]
                    && recorded.client(candidate).equals(client)
                    && isAt(nextOfSession[candidate], text, parameters);
            if (fits && (first < 0 || nextOfSession[candidate] < nextOfSession[first])) {
                first = candidate;
            }
        }
        if (first >= 0) {
            isTaken[first] = true;
            sessionOf.put(session, first);
        }
        return first;
    }

    private boolean isAt(int step, String text, int parameters) {
        return step < recorded.count() && recorded.text(step).equals(text) && recorded.parameters(step) == parameters;
    }

    private void await(int step) {
        long patienceNs =
                TimeUnit.MILLISECONDS.toNanos(store.options().schedule().patienceMs());
        int before = next;
        long endNs = System.nanoTime() + patienceNs;
        while (isFollowed() && next < step) {
            if (next > before) {
                before = next;
                endNs = System.nanoTime() + patienceNs;
            }
            long leftNs = endNs - System.nanoTime();
            if (leftNs <= 0) {
                stop("the expected statement has not come for " + patienceNs / 1_000_000 + " ms: " + expected(next));
                return;
            }
            try {
                changed.awaitNanos(leftNs);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new MockException("57P01", "the server ends");
            }
        }
    }

    private String expected(int step) {
        return "step=" + (step + 1) + " of=" + recorded.count() + " session=" + recorded.session(step) + " client="
                + recorded.client(recorded.session(step)) + " expected=" + shortened(recorded.text(step));
    }

    private static String shortened(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() <= MAX_STATEMENT_LENGTH ? line : line.substring(0, MAX_STATEMENT_LENGTH) + "…";
    }

    private void stop(String why) {
        misfit = why;
        changed.signalAll();
        notes.accept(
                "the replay does not match the clients; from here on statements take effect in the order of their arrival: "
                        + why);
    }

    @Override
    public void close() throws IOException {
        store.lock().lock();
        try {
            if (isFollowed() && !hasOnlyDisconnectionsLeft()) {
                notes.accept("the mock was stopped before the replay's end, the statements that came match: "
                        + expected(next));
            }
            isOver = true;
            changed.signalAll();
        } finally {
            store.lock().unlock();
        }
        recorder.close();
    }
}
