package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;
import java.util.List;

/**
 * Pages with revisions, users who edit them, and the pages that users watch, each with the page where it is talked
 * about.
 */
final class Wikipedia extends Application {

    private static final int REVISIONS = 32;
    private static final int USERS = 4;

    private final int pages;
    private final int latest;
    private final int revision;
    private final int edits;
    private final int watches;
    private final int watchesTalk;

    Wikipedia(Workloads.Scale scale) {
        super(scale);
        this.pages = Math.max(1, scale.keys() / 8);
        this.latest = keys.table("page", "latest", pages, 0);
        this.revision = keys.table("revision", "author", pages * REVISIONS, -1);
        this.edits = keys.table("editor", "edits", USERS, 0);
        this.watches = keys.table("watch", "is_on", pages * USERS, 0);
        this.watchesTalk = keys.table("watch_talk", "is_on", pages * USERS, 0);
    }

    @Override
    public Program next(int session, SeededRandom random) {
        int page = scale.sample(random, pages);
        int user = random.below(USERS);
        boolean reads = random.fraction() < scale.reads();
        int kind = random.below(4);
        return new Program((txn, step) -> {
            if (reads) {
                show(txn, step, page, user);
            } else if (kind < 2) {
                edit(txn, step, page, user);
            } else {
                watch(txn, step, page * USERS + user, kind - 2);
            }
        });
    }

    private void show(Program txn, int step, int page, int user) {
        if (step == 0) {
            txn.onlyReads().read(latest + page).read(watches + page * USERS + user);
        } else if (step == 1 && txn.answer(0) > 0) {
            txn.read(revisionOf(page, txn.answer(0)));
        }
    }

    /** Edits a page; if another edit was saved in between, the editor begins again. */
    private void edit(Program txn, int step, int page, int user) {
        if (step == 0) {
            txn.read(latest + page).readForUpdate(latest + page).readForUpdate(edits + user);
        } else if (step == 1 && txn.answer(0) != txn.answer(1)) {
            txn.rollBack();
        } else if (step == 1) {
            long number = txn.answer(0) + 1;
            txn.write(revisionOf(page, number), user).write(latest + page, number);
            txn.write(edits + user, txn.answer(2) + 1).tally(user, 1);
        }
    }

    private void watch(Program txn, int step, int position, int isOn) {
        if (step == 0) {
            txn.read(watches + position).read(watchesTalk + position);
        } else if (step == 1) {
            if (txn.answer(0) != isOn) {
                txn.write(watches + position, isOn);
            }
            if (txn.answer(1) != isOn) {
                txn.write(watchesTalk + position, isOn);
            }
        }
    }

    private int revisionOf(int page, long number) {
        return revision + page * REVISIONS + (int) (number % REVISIONS);
    }

    @Override
    public List<Assertion> assertions() {
        return List.of(
                Assertion.ofEach("A15", "the latest revision of a page is its last revision", pages, (state, page) -> {
                    int last = state.last(revision + page * REVISIONS, REVISIONS, author -> author >= 0);
                    return state.amount(latest + page) == Math.max(0, last);
                }),
                Assertion.ofEach(
                        "A16",
                        "all edits of a user are counted",
                        USERS,
                        (state, user) -> state.amount(edits + user) == state.tally(user)),
                Assertion.ofEach(
                        "A17",
                        "who watches a page watches where it is talked about",
                        pages * USERS,
                        (state, position) -> state.amount(watches + position) == state.amount(watchesTalk + position)));
    }

    @Override
    public boolean isJudgeable(FinalState state) {
        return state.count(latest, pages, number -> number >= REVISIONS) == 0;
    }
}
