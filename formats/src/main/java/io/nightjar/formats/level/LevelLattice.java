package io.nightjar.formats.level;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The lattice of levels: implications between levels, and anomalies that rule levels out, from one table for all cycle
 * checks.
 */
public final class LevelLattice {

    /*
     * Definitions. A level forbids the anomalies of its row, those forbidden by the levels that it implies, and every
     * special case of one of these.
     *
     * Invariant. An anomaly rules out a level exactly if the level forbids it, and a stronger level is ruled out
     * whenever a weaker one is.
     *
     * The levels of Biswas and Enea are defined by commit order. A cycle rules them out if its ww and rw edges
     * certainly follow the commit order: edges from lists, recorded versions, the initial state, or a version that its
     * writer read. An order that was only assumed on request (of a key's sessions, of real time) proves nothing about
     * them; a checker that makes a finding from such an order must not assign one of the six to it. For that reason the
     * name cyclic-versions alone rules out none of them.
     */

    /** Kind of proof required to report that a level holds. */
    public enum ProvedBy {
        /** All versions are ordered and no forbidden anomaly occurs; or a stronger level holds. */
        ABSENCE_OF_ANOMALIES,
        /**
         * Only a stronger level or a separate theory proves it: the level forbids anomalies that are not detected here.
         */
        ANOTHER_PROOF,
        /** The level cannot be proved or ruled out. */
        NOTHING
    }

    private static final String PROCESS = "-process";
    private static final String REALTIME = "-realtime";

    /** These names mean levels of Biswas and Enea when they are requested. */
    private static final Set<String> OTHERWISE_NAMED = Set.of("read-atomic", "prefix", "causal");

    private static final Map<String, Row> ROWS = new LinkedHashMap<>();
    private static final Set<String> ELLE_LEVELS = new LinkedHashSet<>();
    private static final Map<String, Set<String>> CASES_OF = new HashMap<>();
    private static final Map<String, Set<String>> FORBIDDEN_BY = new HashMap<>();
    private static final Map<String, Set<String>> FORBIDDEN_BY_ELLE = new HashMap<>(); // by Elle's definitions alone
    private static final Map<IsolationLevel, Row> ROW_OF = new EnumMap<>(IsolationLevel.class);
    private static final Map<IsolationLevel, Set<Anomaly>> ANOMALIES_OF = new EnumMap<>(IsolationLevel.class);
    private static final Map<IsolationLevel, Row> PROVED_WITHOUT_SESSIONS = new EnumMap<>(IsolationLevel.class);
    private static final Map<IsolationLevel, List<Row>> NEEDED_WITHOUT_SESSIONS = new EnumMap<>(IsolationLevel.class);

    static {
        readRows(LatticeRows.ELLE);
        ELLE_LEVELS.addAll(ROWS.keySet());
        readAnomalies();
        ELLE_LEVELS.forEach(level -> FORBIDDEN_BY_ELLE.put(level, forbidden(known(ROWS, level))));
        readRows(LatticeRows.BISWAS_ENEA);
        for (Row row : ROWS.values()) {
            FORBIDDEN_BY.put(row.name, forbidden(row));
            if (!OTHERWISE_NAMED.contains(row.name)) {
                ROW_OF.put(IsolationLevel.byName(row.name), row);
            }
        }
        for (IsolationLevel level : IsolationLevel.values()) {
            ANOMALIES_OF.put(level, anomalies(level));
        }
        readSessionless();
    }

    private LevelLattice() {}

    /** Returns the value of a key in a table that has a row for every key. */
    private static <K, V> V known(Map<K, V> map, K key) {
        return Objects.requireNonNull(map.get(key), "no such row");
    }

    /** Returns whether every history that satisfies one level satisfies the other; a level implies itself. */
    public static boolean implies(IsolationLevel stronger, IsolationLevel weaker) {
        return implied(known(ROW_OF, stronger)).contains(known(ROW_OF, weaker));
    }

    /**
     * Returns whether a level holds in every history that satisfies one of the six when each transaction is a separate
     * session.
     */
    public static boolean isProvedWithoutSessions(IsolationLevel level, IsolationLevel ofSix) {
        return implied(known(PROVED_WITHOUT_SESSIONS, ofSix)).contains(known(ROW_OF, level));
    }

    /**
     * Returns whether a level holds in no history that violates one of the six when each transaction is a separate
     * session, if its reads are well-formed.
     */
    public static boolean needsWithoutSessions(IsolationLevel level, IsolationLevel ofSix) {
        return needsWithoutSessions(known(ROW_OF, level), ofSix);
    }

    private static boolean needsWithoutSessions(Row row, IsolationLevel ofSix) {
        return known(NEEDED_WITHOUT_SESSIONS, ofSix).stream().anyMatch(implied(row)::contains);
    }

    /**
     * Returns the levels, of the six, that decide some levels when each transaction is a separate session: per level,
     * the weakest that proves it and the strongest that it requires.
     */
    public static Set<IsolationLevel> askedWithoutSessions(Set<IsolationLevel> levels) {
        Set<IsolationLevel> asked = EnumSet.noneOf(IsolationLevel.class);
        for (IsolationLevel level : levels) {
            IsolationLevel strongestNeeded = null;
            IsolationLevel weakestProof = null;
            for (IsolationLevel ofSix : IsolationLevel.all()) {
                strongestNeeded = needsWithoutSessions(level, ofSix) ? ofSix : strongestNeeded;
                boolean isFirstProof = weakestProof == null && isProvedWithoutSessions(level, ofSix);
                weakestProof = isFirstProof ? ofSix : weakestProof;
            }
            if (weakestProof != null) {
                asked.add(weakestProof);
                asked.add(strongestNeeded == null ? weakestProof : strongestNeeded);
            }
        }
        return asked;
    }

    /**
     * Returns whether the level forbids every anomaly of this type. For types whose findings have individual levels
     * (the search anomalies, and reads that disagree within a transaction) only the levels that all such findings rule
     * out are included; a finding rules out its own level and all that imply it.
     */
    public static boolean rulesOut(Anomaly anomaly, IsolationLevel level) {
        return known(ANOMALIES_OF, level).contains(anomaly);
    }

    /** Returns every anomaly that rules the level out. */
    public static Set<Anomaly> forbiddenBy(IsolationLevel level) {
        return EnumSet.copyOf(known(ANOMALIES_OF, level));
    }

    /** Returns the weakest of the requested levels that the anomaly rules out, or null. */
    public static @Nullable IsolationLevel weakestRuledOut(Anomaly anomaly, Collection<IsolationLevel> asked) {
        for (IsolationLevel level : sorted(asked)) {
            if (rulesOut(anomaly, level)) {
                return level;
            }
        }
        return null;
    }

    /** Returns the anomalies to search for, so that every requested level can be ruled out. */
    public static Set<Anomaly> searchedFor(Collection<IsolationLevel> asked) {
        Set<Anomaly> anomalies = EnumSet.noneOf(Anomaly.class);
        for (IsolationLevel level : asked) {
            anomalies.addAll(known(ANOMALIES_OF, level));
        }
        return anomalies;
    }

    /** Returns whether one of the levels forbids cycles with edges of session order. */
    public static boolean needsSessionOrder(Collection<IsolationLevel> asked) {
        return forbidsOneThatEndsWith(PROCESS, asked);
    }

    /** Returns whether one of the levels forbids cycles with edges of real time. */
    public static boolean needsRealTime(Collection<IsolationLevel> asked) {
        return forbidsOneThatEndsWith(REALTIME, asked);
    }

    public static ProvedBy provedBy(IsolationLevel level) {
        return known(ROW_OF, level).provedBy;
    }

    /**
     * Returns the reason why a level is undecided although no anomaly rules it out and all versions are ordered; null
     * if that proves it.
     */
    public static @Nullable String doubt(IsolationLevel level) {
        if (level == IsolationLevel.COMMIT_ORDER_SERIALIZABLE) {
            return "only start and commit timestamps prove " + level.longName();
        }
        return switch (provedBy(level)) {
            case ABSENCE_OF_ANOMALIES -> null;
            case ANOTHER_PROOF ->
                "no anomaly that rules out " + level.longName()
                        + " was found, but it also forbids undetectable anomalies;"
                        + " it holds where a stronger level does";
            case NOTHING -> "no anomaly proves or rules out " + level.longName();
        };
    }

    /**
     * Returns Elle's result if levels were also refuted by methods that Elle does not have.
     *
     * @param refuted levels that do not hold, each with the anomalies found at it
     * @param withoutSessions levels, of the six, that do not even hold when each transaction is a separate session
     */
    public static ElleRuledOutLevels ruledOut(
            Set<Anomaly> anomalies,
            Map<IsolationLevel, Set<Anomaly>> refuted,
            Map<IsolationLevel, Set<Anomaly>> withoutSessions) {
        Set<String> spellings = new TreeSet<>();
        for (Anomaly anomaly : anomalies) {
            spellings.add(anomaly.spelling());
        }
        return ruledOutBy(spellings, refuted, withoutSessions);
    }

    /**
     * Returns the levels that anomalies rule out, given by their spelling; also accepts names that only Elle reports.
     */
    static ElleRuledOutLevels ruledOutBy(
            Collection<String> spellings,
            Map<IsolationLevel, Set<Anomaly>> refuted,
            Map<IsolationLevel, Set<Anomaly>> withoutSessions) {
        Map<Row, Set<String>> causesOf = new LinkedHashMap<>();
        for (String level : ELLE_LEVELS) {
            Set<String> causes = causes(known(ROWS, level), spellings, refuted, withoutSessions);
            if (!causes.isEmpty()) {
                causesOf.put(known(ROWS, level), causes);
            }
        }
        Map<String, List<String>> not = new TreeMap<>();
        Set<String> alsoNot = new TreeSet<>();
        causesOf.forEach((row, causes) -> {
            if (isWeakest(row, causesOf.keySet())) {
                not.put(row.friendlyName, List.copyOf(causes));
            } else {
                alsoNot.add(row.friendlyName);
            }
        });
        return new ElleRuledOutLevels(List.copyOf(not.keySet()), List.copyOf(alsoNot), not);
    }

    private static Set<String> causes(
            Row row,
            Collection<String> spellings,
            Map<IsolationLevel, Set<Anomaly>> refuted,
            Map<IsolationLevel, Set<Anomaly>> withoutSessions) {
        Set<String> causes = new LinkedHashSet<>();
        for (String spelling : spellings) {
            boolean isElles = FORBIDDEN_BY_ELLE.values().stream().anyMatch(names -> names.contains(spelling));
            if (known(isElles ? FORBIDDEN_BY_ELLE : FORBIDDEN_BY, row.name).contains(spelling)) {
                causes.add(spelling);
            }
        }
        Set<Row> implied = refuted.isEmpty() ? Set.of() : implied(row);
        refuted.forEach((level, anomalies) -> {
            if (implied.contains(ROW_OF.get(level))) {
                anomalies.forEach(anomaly -> causes.add(anomaly.spelling()));
            }
        });
        withoutSessions.forEach((ofSix, anomalies) -> {
            if (needsWithoutSessions(row, ofSix)) {
                anomalies.forEach(anomaly -> causes.add(anomaly.spelling()));
            }
        });
        return causes;
    }

    private static boolean isWeakest(Row row, Set<Row> among) {
        for (Row weaker : implied(row)) {
            if (weaker != row && ELLE_LEVELS.contains(weaker.name) && among.contains(weaker)) {
                return false;
            }
        }
        return true;
    }

    private static Set<IsolationLevel> sorted(Collection<IsolationLevel> levels) {
        return levels.isEmpty() ? Set.of() : EnumSet.copyOf(levels);
    }

    private static boolean forbidsOneThatEndsWith(String ending, Collection<IsolationLevel> asked) {
        for (Anomaly anomaly : searchedFor(asked)) {
            if (anomaly.spelling().endsWith(ending)) {
                return true;
            }
        }
        return false;
    }

    private static void readRows(String table) {
        table.lines().skip(1).forEach(line -> {
            String[] cells = line.split("\\|", -1);
            String name = cells[0].strip();
            String friendlyName = cells[1].isBlank() ? name : cells[1].strip();
            ProvedBy provedBy =
                    switch (cells[2].strip()) {
                        case "all" -> ProvedBy.ABSENCE_OF_ANOMALIES;
                        case "some" -> ProvedBy.ANOTHER_PROOF;
                        case "none" -> ProvedBy.NOTHING;
                        default -> throw new AssertionError("bug: unknown word: line=" + line);
                    };
            Row row = ROWS.computeIfAbsent(name, unseen -> new Row(name, friendlyName, provedBy));
            row.implied.addAll(words(cells[3]));
            row.forbidden.addAll(words(cells[4]));
        });
    }

    private static void readSessionless() {
        LatticeRows.WITHOUT_SESSIONS.lines().skip(1).forEach(line -> {
            String[] cells = line.split("\\|", -1);
            IsolationLevel ofSix = IsolationLevel.byName(cells[0]);
            PROVED_WITHOUT_SESSIONS.put(ofSix, ROWS.get(cells[1].strip()));
            NEEDED_WITHOUT_SESSIONS.put(ofSix, new ArrayList<>());
            List<Row> needed = words(cells[2]).stream().map(ROWS::get).toList();
            NEEDED_WITHOUT_SESSIONS.values().forEach(ofWeaker -> ofWeaker.addAll(needed)); // all read so far are weaker
        });
    }

    private static void readAnomalies() {
        LatticeRows.ANOMALIES.lines().skip(1).forEach(line -> {
            String[] cells = line.split("\\|", -1);
            for (String wider : words(cells[1])) {
                CASES_OF.computeIfAbsent(wider, unseen -> new LinkedHashSet<>()).add(cells[0].strip());
            }
        });
    }

    private static List<String> words(String cell) {
        return cell.isBlank() ? List.of() : List.of(cell.strip().split(" +"));
    }

    /** Returns a row and all that it implies; rows may imply each other. */
    private static Set<Row> implied(Row row) {
        Set<Row> reached = new LinkedHashSet<>();
        List<Row> open = new ArrayList<>(List.of(row));
        while (!open.isEmpty()) {
            Row next = open.remove(open.size() - 1);
            if (reached.add(next)) {
                for (String weaker : next.implied) {
                    open.add(known(ROWS, weaker));
                }
            }
        }
        return reached;
    }

    private static Set<String> forbidden(Row row) {
        List<String> open = new ArrayList<>();
        for (Row weaker : implied(row)) {
            open.addAll(weaker.forbidden);
        }
        Set<String> forbidden = new LinkedHashSet<>();
        while (!open.isEmpty()) {
            String next = open.remove(open.size() - 1);
            if (forbidden.add(next)) {
                open.addAll(CASES_OF.getOrDefault(next, Set.of()));
            }
        }
        return forbidden;
    }

    private static Set<Anomaly> anomalies(IsolationLevel level) {
        Set<Anomaly> anomalies = EnumSet.noneOf(Anomaly.class);
        for (String spelling : known(FORBIDDEN_BY, known(ROW_OF, level).name)) {
            Anomaly anomaly = Anomaly.bySpelling(spelling);
            if (anomaly != null) {
                anomalies.add(anomaly);
            }
        }
        if (IsolationLevel.all().contains(level)) {
            anomalies.remove(Anomaly.CYCLIC_VERSIONS);
        }
        return anomalies;
    }

    /** Returns Elle's levels, by the names of its tables; for tests and documents. */
    static Set<String> elleLevels() {
        return Set.copyOf(ELLE_LEVELS);
    }

    static Set<String> forbiddenNames(String level) {
        return Set.copyOf(FORBIDDEN_BY_ELLE.get(level));
    }

    /** A line of the tables, identified by its name. */
    private static final class Row {

        final String name;
        final String friendlyName;
        final ProvedBy provedBy;
        final List<String> implied = new ArrayList<>();
        final List<String> forbidden = new ArrayList<>();

        Row(String name, String friendlyName, ProvedBy provedBy) {
            this.name = name;
            this.friendlyName = friendlyName;
            this.provedBy = provedBy;
        }
    }
}
