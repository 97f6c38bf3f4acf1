package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Courses with a number of seats, students who enroll, and courses that are removed when no student is in them and
 * offered again.
 */
final class Courseware extends Application {

    private static final int SEATS = 2;

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
        boolean enrols = random.below(4) < 3;
        return new Program((txn, step) -> {
            if (step == 0) {
                txn.read(term + course).read(enrolled + course);
                if (reads) {
                    txn.onlyReads();
                }
            } else if (step == 1 && !reads) {
                proceed(txn, course, txn.answer(0), txn.answer(1), enrols);
            }
        });
    }

    private void proceed(Program txn, int course, long now, long students, boolean enrols) {
        boolean isGiven = now > 0;
        if (enrols && isGiven && students < SEATS) {
            txn.write(enrolled + course, students + 1).tally(students(course, now), 1);
        } else if (!enrols && isGiven && students == 0) {
            txn.write(term + course, -now).tally(removed(course, now), 1);
        } else if (!enrols && (!isGiven || students == SEATS)) {
            txn.write(term + course, Math.abs(now) + 1).write(enrolled + course, 0);
        }
    }

    private static int students(int course, long ofTerm) {
        return course * TERMS + (int) (ofTerm % TERMS);
    }

    private static int removed(int course, long ofTerm) {
        return -1 - students(course, ofTerm);
    }

    @Override
    public List<Assertion> assertions() {
        return List.of(
                ofEachTerm(
                        "course-overflow",
                        "no course has more students than seats",
                        (state, course, when) -> state.tally(students(course, when)) <= SEATS),
                ofEachTerm(
                        "course-removed",
                        "no student is enrolled in a removed course",
                        (state, course, when) ->
                                state.tally(students(course, when)) == 0 || state.tally(removed(course, when)) == 0));
    }

    @FunctionalInterface
    private interface OfTerm {
        boolean holds(FinalState state, int course, int when);
    }

    private Assertion ofEachTerm(String name, String meaning, OfTerm each) {
        return Assertion.ofEach(name, meaning, courses, (state, course) -> IntStream.rangeClosed(
                        1, (int) Math.abs(state.amount(term + course)))
                .allMatch(when -> each.holds(state, course, when)));
    }

    @Override
    public boolean isJudgeable(FinalState state) {
        return courses < Integer.MAX_VALUE / TERMS && state.count(term, courses, last -> Math.abs(last) >= TERMS) == 0;
    }
}
