package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;
import java.util.List;

/** Courses with so many places, students who enrol, and courses that are removed when nobody is in them and given again. */
final class Courseware extends Application {

    private static final int PLACES = 2;

    /** A course is given for the {@code n}-th time if its term is {@code n}, and is removed if it is {@code -n}. */
    private static final int TERMS = 1 << 16;

    private final int courses;
    private final int term;
    private final int enrolled;

    Courseware(Workloads.Scale scale) {
        super(scale);
        this.courses = Math.max(1, scale.keys() / 10);
        this.term = keys.table("course", "term", courses, 1);
        this.enrolled = keys.table("enrolled", "students", courses, 0);
    }

    @Override
    public Program next(int session, SeededRandom random) {
        int course = scale.sample(random, courses);
        boolean reads = random.fraction() < scale.reads();
        boolean enrols = random.below(3) < 2;
        return new Program((txn, step) -> {
            if (step == 0) {
                txn.read(term + course).read(enrolled + course);
            } else if (step == 1 && !reads) {
                proceed(txn, course, txn.answer(0), txn.answer(1), enrols);
            }
        });
    }

    private void proceed(Program txn, int course, long now, long students, boolean enrols) {
        boolean isGiven = now > 0;
        if (enrols && isGiven && students < PLACES) {
            txn.write(enrolled + course, students + 1).tally(slot(course, now), 1);
        } else if (!enrols && isGiven && students == 0) {
            txn.write(term + course, -now);
        } else if (!enrols && (!isGiven || students == PLACES)) {
            txn.write(term + course, Math.abs(now) + 1).write(enrolled + course, 0);
        }
    }

    private static int slot(int course, long ofTerm) {
        return course * TERMS + (int) (ofTerm % TERMS);
    }

    @Override
    public List<Assertion> assertions() {
        return List.of(
                new Assertion(
                        "course-overflow",
                        "no course has more students than places",
                        state -> state.allTallies(students -> students <= PLACES)),
                Assertion.ofEach(
                        "course-removed", "nobody is enrolled in a removed course", courses, (state, course) -> {
                            long last = state.amount(term + course);
                            return last > 0 || state.tally(slot(course, -last)) == 0;
                        }));
    }

    @Override
    public boolean isJudgeable(FinalState state) {
        return courses < Integer.MAX_VALUE / TERMS && state.count(term, courses, last -> Math.abs(last) >= TERMS) == 0;
    }
}
