package io.nightjar.jobs.cli;

import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;

/** A small random history of tables with optional evidence, and the verdicts of an enumeration of all orders. */
final class SmallEvidence {

    /*
     * Two readings of a history bound the verdicts from both sides. A level that holds must be explained by some order
     * in the loose reading: rows, answers and named versions of reads. A level that is violated must not be explained
     * in the strict reading, which also keeps every order of versions that the history gives, and every version that a
     * snapshot shows. Between the two, either verdict is accepted.
     */

    private static final int KEYS = 3;

    /** A version of a row; a null value is a deletion, a null number is not recorded. */
    private record Version(int txn, int key, Integer value, Long number) {}

    /** A read of one row: its result, and the version that it names; a {@code v} returned nothing. */
    private record PredicateRead(int key, Version seen, Integer value, Long number, Long writer, boolean isRow) {}

    /**
     * {@code w} makes a version, {@code r} reads a row, {@code p} is a predicate read, of rows or of a computed answer.
     */
    private record Op(char kind, Version made, PredicateRead predicateRead, Search search) {}

    private record Search(
            String sql,
            Predicate<Integer> condition,
            String computed,
            Integer answer,
            Long readTs,
            List<PredicateRead> looks) {

        PredicateRead of(int key) {
            return looks.stream()
                    .filter(predicateRead -> predicateRead.key == key)
                    .findFirst()
                    .orElse(null);
        }

        Integer answerOf(Version[] shown) {
            List<Integer> rows = Arrays.stream(shown)
                    .filter(version -> version != null && version.value != null && condition.test(version.value))
                    .map(Version::value)
                    .toList();
            return switch (computed) {
                case "count(*)" -> (Integer) rows.size();
                case "sum(c)" -> rows.stream().reduce(Integer::sum).orElse(null);
                default -> rows.stream().reduce(Math::max).orElse(null);
            };
        }
    }

    private static final class Txn {
        int index;
        int session;
        String status = "committed";
        Long start;
        Long commit;
        final List<Op> ops = new ArrayList<>();

        boolean isCommitted() {
            return status.equals("committed");
        }

        boolean writes(int key) {
            return ops.stream().anyMatch(op -> op.kind == 'w' && op.made.key == key);
        }

        boolean writes() {
            return ops.stream().anyMatch(op -> op.kind == 'w');
        }
    }

    private final Random random;
    private final List<Txn> txns = new ArrayList<>();
    private final List<Integer> commits = new ArrayList<>(); // the hidden order
    private final double obedience;
    private final double numbersWrites;
    private final double numbersReads;
    private final double namesWriters;
    private final boolean hasUnknown;
    private final boolean isRelational; // else names are compared only where one row is of several

    SmallEvidence(Random random) {
        this.random = random;
        obedience = pick(0.6, 0.85, 1.0);
        numbersWrites = pick(0.0, 0.7, 1.0, 1.0);
        numbersReads = pick(0.0, 0.5, 1.0);
        namesWriters = pick(0.0, 0.0, 0.5, 1.0);
        make();
        isRelational = txns.stream()
                .flatMap(txn -> txn.ops.stream())
                .anyMatch(op -> op.kind == 'p' || op.kind == 'w' && op.made.value == null);
        hasUnknown = txns.stream().anyMatch(txn -> txn.status.equals("unknown"));
    }

    private double pick(double... shares) {
        return shares[random.nextInt(shares.length)];
    }

    private boolean chance(double share) {
        return random.nextDouble() < share;
    }

    // ---------------------------------------------------------------- made

    private void make() {
        int count = 2 + random.nextInt(4);
        boolean isSerial = chance(0.4);
        boolean fromStart = chance(0.3);
        double deletes = pick(0, 0, 0.3);
        double computes = pick(0, 0, 0.4);
        double timed = pick(0, 1, 1, 0.8);
        double outcomes = pick(0, 0, 0.15);
        int values = 2 + random.nextInt(4);
        long[] lastNumber = new long[KEYS];
        Arrays.fill(lastNumber, fromStart ? -1 : 0);
        List<Version[]> after = new ArrayList<>();
        after.add(new Version[KEYS]);
        for (int i = 0; i < count; i++) {
            Txn txn = new Txn();
            txn.index = i;
            txn.session = random.nextInt(3);
            boolean isFirst = i == 0 && fromStart;
            txn.status = isFirst || !chance(outcomes) ? "committed" : chance(0.5) ? "aborted" : "unknown";
            int snapshot = isSerial ? after.size() - 1 : random.nextInt(after.size());
            Version[] own = new Version[KEYS];
            long readAt = 10L * (snapshot + 1) + 2;
            for (int n = isFirst ? KEYS : 1 + random.nextInt(4); n > 0; n--) {
                int at = chance(obedience) ? snapshot : random.nextInt(after.size());
                Version[] shown = after.get(at).clone();
                for (int key = 0; key < KEYS; key++) {
                    shown[key] = own[key] == null || !chance(0.97) ? shown[key] : own[key];
                }
                int key = isFirst ? n - 1 : random.nextInt(KEYS);
                if (isFirst || after.size() == 1 || chance(0.4)) {
                    boolean isDeletion = !isFirst && chance(deletes) && shown[key] != null && shown[key].value != null;
                    lastNumber[key] += chance(0.95) ? 1 : 3;
                    boolean isNumbered = isFirst || chance(numbersWrites);
                    Version made = new Version(
                            i,
                            key,
                            isDeletion ? null : (Integer) random.nextInt(values),
                            isNumbered ? lastNumber[key] : null);
                    own[key] = made;
                    txn.ops.add(new Op('w', made, null, null));
                } else if (chance(0.4)) {
                    txn.ops.add(new Op('r', null, predicateRead(key, shown[key], true), null));
                } else {
                    Long readTs = timed > 0 && chance(0.2) ? (Long) (10L * (at + 1) + 2) : null;
                    txn.ops.add(new Op('p', null, null, search(shown, values, chance(computes), readTs)));
                }
            }
            if (chance(timed)) {
                txn.start = readAt + random.nextInt(3);
            }
            if (!txn.status.equals("aborted")) {
                Version[] now = after.get(after.size() - 1).clone();
                for (int key = 0; key < KEYS; key++) {
                    now[key] = own[key] == null ? now[key] : own[key];
                }
                after.add(now);
            }
            if (txn.start != null) {
                txn.commit = Math.max(10L * after.size(), txn.start);
            }
            txns.add(txn);
            if (txn.status.equals("unknown") && chance(0.5)) {
                after.remove(after.size() - 1); // it did not happen
            }
        }
        if (chance(0.3)) {
            Collections.shuffle(txns, random); // rows and sessions in another order
        }
    }

    private PredicateRead predicateRead(int key, Version seen, boolean isRow) {
        boolean isThere = seen != null;
        Long number = isThere && chance(numbersReads) ? seen.number : null;
        Long writer = isThere && chance(namesWriters) ? (Long) (seen.txn + 1L) : null;
        return new PredicateRead(key, seen, isThere ? seen.value : null, number, writer, isRow);
    }

    private Search search(Version[] shown, int values, boolean isComputed, Long readTs) {
        int bound = random.nextInt(values);
        String sql = List.of("c >= %d", "c = %d", "c <> %d", "c IS NOT NULL")
                .get(random.nextInt(4))
                .formatted(bound);
        Predicate<Integer> condition = sql.contains(">=")
                ? value -> value >= bound
                : sql.contains("<>")
                        ? value -> value != bound
                        : sql.contains("=") ? value -> value == bound : value -> true;
        String computed = isComputed ? List.of("count(*)", "sum(c)", "max(c)").get(random.nextInt(3)) : null;
        List<PredicateRead> looks = new ArrayList<>();
        double says = pick(0, 0, 0.7);
        for (int key = 0; key < KEYS; key++) {
            Version seen = shown[key];
            boolean isMatch = seen != null && seen.value != null && condition.test(seen.value);
            if (isComputed ? isMatch && chance(0.2) : isMatch && chance(0.98)) {
                looks.add(predicateRead(key, seen, true));
            } else if (!isComputed && !isMatch && seen != null && seen.number != null && chance(says)) {
                looks.add(new PredicateRead(key, seen, null, seen.number, null, false));
            }
        }
        Search search = new Search(sql, condition, computed, null, readTs, looks);
        Integer answer = isComputed ? search.answerOf(shown) : null;
        return new Search(sql, condition, computed, answer, readTs, looks);
    }

    // ---------------------------------------------------------------- as text

    String text() {
        StringBuilder text = new StringBuilder();
        for (Txn txn : txns) {
            String times = txn.start == null ? "" : ",\"start\":" + txn.start + ",\"commit\":" + txn.commit;
            String status = txn.isCommitted() ? "" : ",\"status\":\"" + txn.status + "\"";
            text.append("{\"txn\":%d,\"session\":%d%s%s,\"ops\":[%s]}\n"
                    .formatted(
                            txn.index + 1,
                            txn.session,
                            status,
                            times,
                            String.join(
                                    ",",
                                    txn.ops.stream().map(SmallEvidence::text).toList())));
        }
        return text.toString();
    }

    private static String text(Op op) {
        return switch (op.kind) {
            case 'w' ->
                op.made.value == null
                        ? "[\"d\",\"t/%d\"%s]".formatted(op.made.key, named(op.made.number, null, ",null"))
                        : "[\"w\",\"t/%d\",%s%s]"
                                .formatted(op.made.key, row(op.made.value), named(op.made.number, null, ""));
            case 'r' -> text(op.predicateRead);
            default -> text(op.search);
        };
    }

    private static String row(Integer value) {
        return value == null ? "null" : "{\"c\":%d}".formatted(value);
    }

    private static String named(Long number, Long writer, String before) {
        List<String> members = new ArrayList<>();
        if (number != null) {
            members.add("\"version\":" + number);
        }
        if (writer != null) {
            members.add("\"writer\":" + writer);
        }
        return members.isEmpty() ? "" : before + ",{" + String.join(",", members) + "}";
    }

    private static String text(PredicateRead predicateRead) {
        return "[\"%s\",\"t/%d\",%s%s]"
                .formatted(
                        predicateRead.isRow ? "r" : "v",
                        predicateRead.key,
                        row(predicateRead.value),
                        named(predicateRead.number, predicateRead.writer, ""));
    }

    private static String text(Search search) {
        String rows =
                String.join(",", search.looks.stream().map(SmallEvidence::text).toList());
        String more = search.readTs == null ? "" : ",\"read_ts\":" + search.readTs;
        if (search.computed != null) {
            more += ",\"value\":" + (search.answer == null ? "null" : "\"" + search.answer + "\"");
        }
        String of = search.computed == null ? "" : search.computed + " WHERE ";
        return "[\"p\",\"%s%s\",[],[%s],{\"relation\":\"t\"%s}]".formatted(of, search.sql, rows, more);
    }

    // ---------------------------------------------------------------- readings

    /** The constraints on an explanation. */
    private record Reading(
            boolean keepsSessions,
            boolean names,
            boolean searches,
            boolean isStrict,
            boolean keepsOrder,
            int snapshots) {}

    private static final int SERIAL = 0;
    private static final int SNAPSHOTS = 1;
    private static final int PREFIXES = 2;

    /** Returns why a verdict is wrong; null if it may be right. */
    String refuted(String question, IsolationLevel level, String evidence, String verdict) {
        boolean holds = verdict.equals("holds");
        if (!holds && !verdict.equals("violated")) {
            return null;
        }
        boolean isOrdered = question.contains("--order");
        boolean isElles = level.longName().startsWith("PL") || level.shortName().startsWith("PL");
        boolean areTimed = txns.stream().noneMatch(txn -> txn.isCommitted() && txn.start == null);
        if (isOrdered && !isRelational) {
            return null; // names count in given orders, and by timestamps they do not
        }
        if (evidence.equals("timestamps") || isOrdered && areTimed) {
            String wrong = areTimed ? byTime(level, holds) : "there are no timestamps";
            boolean isAnyOrder = areTimed && !isOrdered && (isElles || holds && level == IsolationLevel.SERIALIZABLE);
            if (wrong != null && isAnyOrder) { // timestamps order versions only
                return holds ? whyNotHeld(level, isElles, true) : whyNotViolated(level, isElles, true);
            }
            return wrong;
        }
        boolean isOfValues = evidence.equals("values");
        return holds ? whyNotHeld(level, isElles, isOfValues) : whyNotViolated(level, isElles, isOfValues);
    }

    private String whyNotHeld(IsolationLevel level, boolean isElles, boolean isOfValues) {
        boolean isSerial = level == IsolationLevel.SERIALIZABLE || level == IsolationLevel.PL_3;
        if (isSerial || level == IsolationLevel.SNAPSHOT_ISOLATION) {
            Reading loose = new Reading(
                    !isElles,
                    isRelational && !isOfValues,
                    isSerial || !isOfValues,
                    false,
                    false,
                    isSerial ? SERIAL : SNAPSHOTS);
            if (!isExplained(loose)) {
                return "no order explains it";
            }
        } else if (level == IsolationLevel.PREFIX) {
            return isExplained(new Reading(true, false, false, false, false, PREFIXES))
                    ? null
                    : "no order explains its items";
        }
        if (isSerial && isElles && isRelational && !isExplained(new Reading(false, true, true, false, true, SERIAL))) {
            return "no order that versions have explains it";
        }
        return null;
    }

    private String whyNotViolated(IsolationLevel level, boolean isElles, boolean isOfValues) {
        if (isOfValues && hasUnknown) {
            return null; // they are omitted unless read from
        }
        Reading strict = new Reading(!isElles, true, true, !isOfValues, !isOfValues || isElles, SERIAL);
        if (isExplained(strict)) {
            return "an order explains it";
        }
        boolean isWeaker = level != IsolationLevel.SERIALIZABLE && level != IsolationLevel.PL_3 && !isElles;
        Reading snapshots = new Reading(true, true, true, !isOfValues, !isOfValues, SNAPSHOTS);
        return isWeaker && isExplained(snapshots) ? "snapshots explain it" : null;
    }

    private boolean areTimesComplete() {
        return txns.stream().allMatch(txn -> txn.status.equals("aborted") || txn.start != null);
    }

    /** Replays by timestamps: all reads at the start, or in the order of commits. */
    private String byTime(IsolationLevel level, boolean holds) {
        boolean isSerial = level == IsolationLevel.SERIALIZABLE;
        boolean isWeaker = !isSerial && level != IsolationLevel.SNAPSHOT_ISOLATION;
        boolean isExplained = false;
        for (List<Txn> counting : choices()) {
            if (counting.stream().allMatch(txn -> txn.start != null)) {
                List<Txn> inSessions = holds ? committed(counting) : counting;
                isExplained |= isSerial ? replays(counting, inSessions) : areSnapshots(counting, inSessions);
            }
        }
        if (holds) {
            return isExplained ? null : "timestamps do not explain it";
        }
        return isExplained && !isWeaker ? "timestamps explain it" : null;
    }

    /** Returns the commit; of a read-only transaction, its start. */
    private static long commit(Txn txn) {
        return txn.commit;
    }

    private static List<Txn> committed(List<Txn> counting) {
        return counting.stream().filter(Txn::isCommitted).toList();
    }

    /** @param inSessions the transactions that must keep the order of sessions */
    private boolean replays(List<Txn> counting, List<Txn> inSessions) {
        List<Txn> order = new ArrayList<>(counting);
        order.sort(java.util.Comparator.comparingLong(SmallEvidence::commit)
                .thenComparing(txn -> !txn.writes())
                .thenComparing(txn -> txn.index));
        Version[] current = new Version[KEYS];
        for (Txn txn : order) {
            if (txn.isCommitted()
                    && !sees(
                            txn,
                            current,
                            new Reading(true, isRelational, true, false, false, SERIAL),
                            counting,
                            true)) {
                return false;
            }
            write(txn, current);
        }
        for (int i = 0; i < txns.size(); i++) {
            Txn before = before(i, inSessions);
            if (before != null && inSessions.contains(txns.get(i))) {
                boolean isEqual =
                        commit(txns.get(i)) == commit(before) && !txns.get(i).writes();
                if (commit(txns.get(i)) < commit(before) || commit(txns.get(i)) == commit(before) && !isEqual) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the preceding transaction of the session; null if none exists. */
    private Txn before(int position, List<Txn> inSessions) {
        Txn before = null;
        for (Txn txn : txns.subList(0, position)) {
            before = txn.session == txns.get(position).session && inSessions.contains(txn) ? txn : before;
        }
        return before;
    }

    private boolean areSnapshots(List<Txn> counting, List<Txn> inSessions) {
        for (int i = 0; i < txns.size(); i++) {
            Txn txn = txns.get(i);
            if (!counting.contains(txn)) {
                continue;
            }
            Version[] shown = shownAt(txn.start, txn, counting);
            Reading reading = new Reading(true, isRelational, true, false, false, SNAPSHOTS);
            if (txn.isCommitted() && !sees(txn, shown, reading, counting, false)) {
                return false;
            }
            Txn before = before(i, inSessions);
            if (before != null && inSessions.contains(txn) && txn.start < commit(before)) {
                return false;
            }
            for (Txn other : counting) {
                boolean overlap = other != txn && other.start < commit(txn) && txn.start < commit(other);
                for (int key = 0; overlap && key < KEYS; key++) {
                    if (txn.writes(key) && other.writes(key)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private Version[] shownAt(long time, Txn self, List<Txn> counting) {
        List<Txn> order = new ArrayList<>(counting);
        order.sort(java.util.Comparator.comparingLong(SmallEvidence::commit).thenComparing(txn -> txn.index));
        Version[] shown = new Version[KEYS];
        for (Txn txn : order) {
            if (txn != self && commit(txn) <= time) {
                write(txn, shown);
            }
        }
        return shown;
    }

    private static void write(Txn txn, Version[] into) {
        txn.ops.stream().filter(op -> op.kind == 'w').forEach(op -> into[op.made.key] = op.made);
    }

    // ---------------------------------------------------------------- all orders

    /** Returns the transactions that may have committed: each of unknown outcome did or did not. */
    private List<List<Txn>> choices() {
        List<List<Txn>> choices = new ArrayList<>(List.of(new ArrayList<>()));
        for (Txn txn : txns) {
            List<List<Txn>> more = new ArrayList<>();
            for (List<Txn> choice : choices) {
                if (!txn.isCommitted()) {
                    more.add(choice);
                }
                if (!txn.status.equals("aborted")) {
                    List<Txn> with = new ArrayList<>(choice);
                    with.add(txn);
                    more.add(with);
                }
            }
            choices = more;
        }
        return choices;
    }

    private boolean isExplained(Reading reading) {
        return choices().stream().anyMatch(counting -> isExplained(reading, counting, new ArrayList<>()));
    }

    private boolean isExplained(Reading reading, List<Txn> counting, List<Txn> order) {
        if (order.size() == counting.size()) {
            return true;
        }
        for (Txn next : counting) {
            if (!order.contains(next)
                    && mayFollow(reading, counting, order, next)
                    && hasSnapshot(reading, counting, order, next)) {
                order.add(next);
                if (isExplained(reading, counting, order)) {
                    return true;
                }
                order.remove(order.size() - 1);
            }
        }
        return false;
    }

    private boolean mayFollow(Reading reading, List<Txn> counting, List<Txn> order, Txn next) {
        for (Txn other : counting) {
            boolean isLater = other != next && !order.contains(other);
            boolean isOfSession = other.session == next.session && txns.indexOf(other) < txns.indexOf(next);
            boolean areKnown = next.isCommitted() && other.isCommitted() || reading.isStrict;
            if (isLater && reading.keepsSessions && isOfSession && areKnown
                    || isLater && reading.keepsOrder && comesBefore(reading, counting, other, next)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether the history orders the writes of some key by the first transaction before those by the second.
     */
    private boolean comesBefore(Reading reading, List<Txn> counting, Txn one, Txn other) {
        for (int key = 0; key < KEYS; key++) {
            if (!one.writes(key) || !other.writes(key)) {
                continue;
            }
            int of = key;
            List<Version> made = counting.stream()
                    .flatMap(txn -> txn.ops.stream())
                    .filter(op -> op.kind == 'w' && op.made.key == of)
                    .map(Op::made)
                    .toList();
            boolean areNumbered = made.stream().allMatch(version -> version.number != null)
                    && made.stream().map(Version::number).distinct().count() == made.size();
            long first = first(made, one);
            long second = first(made, other);
            if (areNumbered
                    ? first < second
                    : made.stream().allMatch(version -> commitOf(version) != null) && commit(one) < commit(other)) {
                return true;
            }
            Long left = last(made, one);
            Long leftByOther = last(made, other);
            if ((reading.isStrict || !isRelational) && left != null && leftByOther != null && left < leftByOther) {
                return true; // the versions that others observe have an order, independently of replaced ones
            }
            if (isRelational && first(made, one) == 0) {
                return true; // there from the start
            }
        }
        return false;
    }

    private Long commitOf(Version version) {
        return byIndex(version.txn).commit;
    }

    private Txn byIndex(int index) {
        return txns.stream().filter(txn -> txn.index == index).findFirst().orElseThrow();
    }

    /** Returns the number of a transaction's last version; null if it has none. */
    private static Long last(List<Version> made, Txn txn) {
        Version last = null;
        for (Version version : made) {
            last = version.txn == txn.index ? version : last;
        }
        return last == null ? null : last.number;
    }

    private static long first(List<Version> made, Txn txn) {
        return made.stream()
                .filter(version -> version.txn == txn.index && version.number != null)
                .mapToLong(Version::number)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private boolean hasSnapshot(Reading reading, List<Txn> counting, List<Txn> order, Txn next) {
        if (!next.isCommitted()) {
            return true;
        }
        for (int snapshot = reading.snapshots == SERIAL ? order.size() : 0; snapshot <= order.size(); snapshot++) {
            boolean isFree = true;
            for (Txn other : order.subList(snapshot, order.size())) {
                isFree &= !reading.keepsSessions
                        || other.session != next.session
                        || !other.isCommitted() && !reading.isStrict;
                for (int key = 0; reading.snapshots == SNAPSHOTS && key < KEYS; key++) {
                    isFree &= !other.writes(key) || !next.writes(key) || !other.isCommitted() && !reading.isStrict;
                }
            }
            Version[] shown = new Version[KEYS];
            order.subList(0, snapshot).forEach(other -> write(other, shown));
            if (isFree && sees(next, shown, reading, counting, true)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a transaction observed the current versions, and its own writes. */
    private boolean sees(Txn txn, Version[] current, Reading reading, List<Txn> counting, boolean isSerial) {
        Version[] shown = current.clone();
        boolean[] isOwn = new boolean[KEYS];
        for (Op op : txn.ops) {
            if (op.kind == 'w') {
                shown[op.made.key] = op.made;
                isOwn[op.made.key] = true;
            } else if (op.kind == 'r') {
                if (isTooEarly(op.predicateRead.key, shown, reading)
                        || !fits(op.predicateRead, shown[op.predicateRead.key], reading, counting)
                        || !isOwn[op.predicateRead.key]
                                && !isShown(
                                        txn, null, op.predicateRead, shown[op.predicateRead.key], reading, counting)) {
                    return false;
                }
            } else if (!sees(txn, op.search, shown, isOwn, reading, counting)) {
                return false;
            }
        }
        return true;
    }

    private boolean sees(
            Txn txn, Search search, Version[] shown, boolean[] isOwn, Reading reading, List<Txn> counting) {
        for (int key = 0; key < KEYS; key++) {
            PredicateRead predicateRead = search.of(key);
            Version version = shown[key];
            if (isTooEarly(key, shown, reading)) {
                return false;
            }
            boolean isMatch = version != null && version.value != null && search.condition.test(version.value);
            boolean isRow = predicateRead != null && predicateRead.isRow;
            if (isRow
                    && (!fits(predicateRead, version, reading, counting)
                            || !isOwn[key]
                                    && !isShown(txn, search.readTs, predicateRead, version, reading, counting))) {
                return false;
            }
            if (!reading.searches) {
                continue;
            }
            if (isRow && !isMatch || !isRow && isMatch && search.computed == null) {
                return false;
            }
            if (reading.isStrict
                    && predicateRead != null
                    && !predicateRead.isRow
                    && !isOwn[key]
                    && version != predicateRead.seen) {
                return false;
            }
            boolean isAsked = reading.isStrict && predicateRead == null && !isOwn[key] && areTimesComplete();
            if (isAsked) {
                Version expected = shownAt(search.readTs != null ? search.readTs : txn.start, txn, counting, key);
                boolean isLeftOut = search.computed == null
                        && expected != null
                        && expected.value != null
                        && search.condition.test(expected.value);
                if (!isLeftOut && expected != version) {
                    return false;
                }
            }
        }
        return !reading.searches || search.computed == null || Objects.equals(search.answerOf(shown), search.answer);
    }

    /** Returns whether a row that existed from the start, by its version 0, is missing. */
    private boolean isTooEarly(int key, Version[] shown, Reading reading) {
        return reading.isStrict
                && shown[key] == null
                && txns.stream()
                        .flatMap(txn -> txn.ops.stream())
                        .anyMatch(op -> op.kind == 'w' && op.made.key == key && Objects.equals(op.made.number, 0L));
    }

    private Version shownAt(long time, Txn txn, List<Txn> counting, int key) {
        return shownAt(time, txn, counting)[key];
    }

    /**
     * Returns whether a row that several versions have, and that names none, is the version that the snapshot shows.
     */
    private boolean isShown(
            Txn txn, Long at, PredicateRead predicateRead, Version version, Reading reading, List<Txn> counting) {
        boolean isAsked = reading.isStrict && predicateRead.number == null && predicateRead.writer == null;
        if (!isAsked || !areTimesComplete()) {
            return true;
        }
        Version expected = shownAt(at != null ? at : txn.start, txn, counting, predicateRead.key);
        Integer shown = expected == null ? null : expected.value;
        return !Objects.equals(shown, predicateRead.value) || expected == version;
    }

    private boolean fits(PredicateRead predicateRead, Version version, Reading reading, List<Txn> counting) {
        if (!Objects.equals(predicateRead.value, version == null ? null : version.value)) {
            return false;
        }
        boolean isNumber = predicateRead.number == null
                || version != null
                        && (version.number == null
                                ? !isNumbered(predicateRead, counting)
                                : version.number.equals(predicateRead.number))
                || isShared(predicateRead, counting);
        boolean isWriter = predicateRead.writer == null || version != null && version.txn + 1 == predicateRead.writer;
        return !reading.names || isNumber && isWriter;
    }

    private static boolean isNumbered(PredicateRead predicateRead, List<Txn> counting) {
        return counting.stream()
                .flatMap(txn -> txn.ops.stream())
                .anyMatch(op -> op.kind == 'w'
                        && op.made.key == predicateRead.key
                        && predicateRead.number.equals(op.made.number));
    }

    private boolean isShared(PredicateRead predicateRead, List<Txn> counting) {
        return counting.stream()
                        .filter(txn -> txn.ops.stream()
                                .anyMatch(op -> op.kind == 'w'
                                        && op.made.key == predicateRead.key
                                        && predicateRead.number.equals(op.made.number)))
                        .count()
                > 1;
    }
}
