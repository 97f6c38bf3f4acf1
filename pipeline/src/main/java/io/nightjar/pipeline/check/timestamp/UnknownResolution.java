package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.level.IsolationLevel;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Says which unknown transactions count as committed, from what {@link UnknownReads} gathered of all lanes. */
final class UnknownResolution {

    /*
     * Every unknown transaction is IN, OUT or OPEN. What follows is done for each level:
     *
     *   1. Whatever is needed by value is IN; so is what those read that are IN.
     *   2. Statements about places are looked at until nothing changes: a read that nothing IN explains, and of the OPEN
     *      ones only one could, needs it; what would hide every explanation of a read is OUT.
     *   3. Where several could explain a read, the transactions that hang together are tried in every combination. Only
     *      the smallest sets count that explain all reads. If all of them are free of conflicts, or none is, any one will
     *      do; otherwise the choice is open, and one without a conflict is taken, so that whatever is found in spite of it
     *      is wrong with every choice.
     *   4. A read that no choice explains is wrong; who wrote its value counts all the same, so that it can be told.
     *
     * An OPEN transaction that is in nobody's way and explains nothing is left out. Step 2 goes in rounds: what follows
     * from the state at the beginning of a round is settled at its end, IN before OUT. So the outcome does not depend on
     * the order in which lanes were observed, even where reads contradict each other.
     *
     * Cost: statements are looked at again only when one of their transactions changes; combinations are bounded by
     * MOST_CHOICES, beyond which the keys concerned are not judged.
     */

    private static final int MOST_CHOICES = 12;
    private static final byte OPEN = 0;
    private static final byte IN = 1;
    private static final byte OUT = 2;

    private final UnknownReads reads;
    private final LongSet unjudged = new LongOpenHashSet();

    UnknownResolution(UnknownReads reads) {
        this.reads = reads;
    }

    CountedUnknown resolve(Iterable<IsolationLevel> levels) {
        Map<IsolationLevel, LongSet> counted = new EnumMap<>(IsolationLevel.class);
        Map<IsolationLevel, LongSet> chosen = new EnumMap<>(IsolationLevel.class);
        Map<IsolationLevel, Long> openChoices = new EnumMap<>(IsolationLevel.class);
        for (IsolationLevel level : levels) {
            OfLevel ofLevel = new OfLevel(reads.placesOf.getOrDefault(level, new LongArrayList()));
            ofLevel.run();
            counted.put(level, ofLevel.counted());
            if (!ofLevel.chosen.isEmpty()) {
                chosen.put(level, ofLevel.idsOf(ofLevel.chosen));
            }
            if (ofLevel.openChoices > 0) {
                openChoices.put(level, ofLevel.openChoices);
            }
        }
        LongSet unplaceable = new LongOpenHashSet(unjudged);
        for (LongSet ids : counted.values()) {
            ids.forEach(id -> {
                if (reads.withoutTimestamps.contains(id)) {
                    unplaceable.add(id);
                }
            });
        }
        return new CountedUnknown(counted, chosen, openChoices, unjudged, unplaceable.size());
    }

    /** What one statement about places demands. */
    private abstract static class Demand {

        final IntArrayList vars = new IntArrayList();
        boolean isPending;

        /** Settles whatever follows from what is settled. */
        abstract void propagate();

        /** Whether every read is explained when all OPEN ones are left out. */
        abstract boolean isExplained();

        /** Tells of the reads that are not: the OPEN ones that could explain them. */
        abstract void addCandidates(IntSet to);

        /** The OPEN ones that could explain a read which a transaction would leave unexplained. */
        abstract void addRescuers(int var, IntSet to);

        /** Writers without a place that could explain reads which are not explained. */
        abstract void addUnplaced(LongSet to);
    }

    /** The resolution at one level. */
    private final class OfLevel {

        private final Long2IntOpenHashMap ordinalOf = new Long2IntOpenHashMap();
        private final LongArrayList idOf = new LongArrayList();
        private byte[] stateOf = new byte[64];
        private final List<Demand> demands = new ArrayList<>();
        private final List<IntArrayList> demandsOf = new ArrayList<>(); // by transaction
        private final List<IntArrayList> writersOf = new ArrayList<>(); // by reader
        private final List<IntArrayList> clausesOf = new ArrayList<>(); // by transaction, candidates and reader
        private final List<int[]> clauses = new ArrayList<>(); // reader or NONE, then candidates
        private final BitSet isBad = new BitSet();
        private final List<IntArrayList> conflictsOf = new ArrayList<>();
        private final ArrayDeque<Demand> pending = new ArrayDeque<>();
        private final IntSet toCount = new IntOpenHashSet(); // what follows in this round
        private final IntSet toLeaveOut = new IntOpenHashSet();
        private final IntArrayList news = new IntArrayList(); // transactions that became IN
        private final IntSet chosen = new IntOpenHashSet();
        private final BitSet isUnjudged = new BitSet();
        private long openChoices;

        OfLevel(LongArrayList words) {
            ordinalOf.defaultReturnValue(Lane.NONE);
            reads.promoted.forEach(this::var);
            for (int i = 0; i < reads.unknownReader.size(); i++) {
                int reader = var(reads.unknownReader.getLong(i));
                writersOf.get(reader).add(var(reads.unknownWriter.getLong(i)));
            }
            readClauses();
            readStatements(words.elements(), words.size());
        }

        private int var(long id) {
            int known = ordinalOf.get(id);
            if (known != Lane.NONE) {
                return known;
            }
            int var = idOf.size();
            ordinalOf.put(id, var);
            idOf.add(id);
            demandsOf.add(new IntArrayList(0));
            writersOf.add(new IntArrayList(0));
            clausesOf.add(new IntArrayList(0));
            conflictsOf.add(new IntArrayList(0));
            if (var == stateOf.length) {
                stateOf = Arrays.copyOf(stateOf, var * 2);
            }
            return var;
        }

        private void readClauses() {
            for (int at = 0; at < reads.clauses.size(); ) {
                long reader = reads.clauses.getLong(at);
                int count = (int) reads.clauses.getLong(at + 1);
                int[] clause = new int[count + 1];
                clause[0] = reader == UnknownReads.NO_READER ? Lane.NONE : var(reader);
                for (int i = 1; i <= count; i++) {
                    clause[i] = var(reads.clauses.getLong(at + 1 + i));
                }
                for (int var : clause) {
                    if (var != Lane.NONE) {
                        clausesOf.get(var).add(clauses.size());
                    }
                }
                clauses.add(clause);
                at += 2 + count;
            }
        }

        private void readStatements(long[] words, int size) {
            for (int at = 0; at < size; ) {
                switch ((int) words[at]) {
                    case PlaceDemands.OUT -> {
                        stateOf[var(words[at + 1])] = OUT;
                        at += 2;
                    }
                    case PlaceDemands.BAD -> {
                        isBad.set(var(words[at + 1]));
                        at += 2;
                    }
                    case PlaceDemands.PAIR -> {
                        conflictsOf.get(var(words[at + 1])).add(var(words[at + 2]));
                        conflictsOf.get(var(words[at + 2])).add(var(words[at + 1]));
                        at += 3;
                    }
                    default -> {
                        int end = at + 2 + (int) words[at + 1];
                        add(
                                words[at] == PlaceDemands.REGISTER
                                        ? new RegisterDemand(words, at + 2, end)
                                        : new ListDemand(words, at + 2));
                        at = end;
                    }
                }
            }
        }

        private void add(Demand demand) {
            for (int i = 0; i < demand.vars.size(); i++) {
                demandsOf.get(demand.vars.getInt(i)).add(demands.size());
            }
            demands.add(demand);
        }

        private boolean isOpen(int var) {
            return stateOf[var] == OPEN && !isUnjudged.get(var);
        }

        LongSet counted() {
            LongSet ids = new LongOpenHashSet();
            for (int var = 0; var < idOf.size(); var++) {
                if (stateOf[var] == IN && !isUnjudged.get(var)) {
                    ids.add(idOf.getLong(var));
                }
            }
            return ids;
        }

        LongSet idsOf(IntSet vars) {
            LongSet ids = new LongOpenHashSet();
            vars.forEach(var -> ids.add(idOf.getLong(var)));
            return ids;
        }

        // ------------------------------------------------------------ the steps

        void run() {
            reads.promoted.forEach(id -> settle(ordinalOf.get(id), IN));
            if (reads.lacksPlaces()) {
                leaveUnjudged(reads.ambiguousWriters);
                close();
                return;
            }
            demands.forEach(this::lookAgainAt);
            close();
            while (!pending.isEmpty() || settleSingleClauses()) {
                while (!pending.isEmpty()) {
                    Demand next = pending.poll();
                    next.isPending = false;
                    next.propagate();
                }
                settleRound();
            }
            choose();
            close();
            tellWrittenValues();
        }

        private void settle(int var, byte state) {
            if (stateOf[var] == state || stateOf[var] == IN) {
                return;
            }
            stateOf[var] = state;
            if (state == IN) {
                news.add(var);
            }
            IntArrayList touched = demandsOf.get(var);
            for (int i = 0; i < touched.size(); i++) {
                lookAgainAt(demands.get(touched.getInt(i)));
            }
        }

        private void settleRound() {
            for (int var : toCount) {
                settle(var, IN);
            }
            for (int var : toLeaveOut) {
                settle(var, OUT);
            }
            toCount.clear();
            toLeaveOut.clear();
            close();
        }

        private void lookAgainAt(Demand demand) {
            if (!demand.isPending) {
                demand.isPending = true;
                pending.add(demand);
            }
        }

        /** Whoever was read by one that counts, and by value could be nobody else, counts. */
        private void close() {
            while (!news.isEmpty()) {
                IntArrayList writers = writersOf.get(news.popInt());
                for (int i = 0; i < writers.size(); i++) {
                    settle(writers.getInt(i), IN);
                }
            }
        }

        /** Clauses of which one candidate is left; returns whether there was one. */
        private boolean settleSingleClauses() {
            for (int[] clause : clauses) {
                int open = soleOpen(clause);
                if (open != Lane.NONE) {
                    toCount.add(open);
                }
            }
            boolean isAny = !toCount.isEmpty();
            settleRound();
            return isAny;
        }

        private int soleOpen(int[] clause) {
            if (!isActive(clause) || isMet(clause)) {
                return Lane.NONE;
            }
            int sole = Lane.NONE;
            for (int i = 1; i < clause.length; i++) {
                if (stateOf[clause[i]] == OPEN) {
                    if (sole != Lane.NONE) {
                        return Lane.NONE;
                    }
                    sole = clause[i];
                }
            }
            return sole;
        }

        private boolean isActive(int[] clause) {
            return clause[0] == Lane.NONE || stateOf[clause[0]] == IN;
        }

        private boolean isMet(int[] clause) {
            for (int i = 1; i < clause.length; i++) {
                if (stateOf[clause[i]] == IN) {
                    return true;
                }
            }
            return false;
        }

        /** A value that was read was written by somebody: where no place explains it, by all who may have. */
        private void tellWrittenValues() {
            for (int[] clause : clauses) {
                boolean isOfUnjudged = false;
                for (int i = 1; i < clause.length; i++) {
                    isOfUnjudged |= isUnjudged.get(clause[i]);
                }
                if (clause[0] == Lane.NONE && !isMet(clause) && !isOfUnjudged) {
                    for (int i = 1; i < clause.length; i++) {
                        toCount.add(clause[i]);
                    }
                }
            }
            settleRound();
        }

        private void leaveUnjudged(LongSet ids) {
            ids.forEach(id -> {
                unjudged.add(id);
                if (ordinalOf.get(id) != Lane.NONE) {
                    isUnjudged.set(ordinalOf.get(id));
                }
            });
        }

        // ------------------------------------------------------------ choices

        private void choose() {
            IntSet usable = usable();
            int[] leaderOf = new int[idOf.size()];
            Arrays.setAll(leaderOf, var -> var);
            for (int var : usable) {
                joinNeighbours(var, usable, leaderOf);
            }
            Map<Integer, IntArrayList> components = new TreeMap<>();
            for (int var : usable) {
                components
                        .computeIfAbsent(leader(var, leaderOf), absent -> new IntArrayList())
                        .add(var);
            }
            for (IntArrayList component : components.values()) {
                component.sort((a, b) -> Long.compare(idOf.getLong(a), idOf.getLong(b)));
                new Choice(component).make();
            }
            LongSet unplaced = new LongOpenHashSet();
            for (Demand demand : demands) {
                demand.addUnplaced(unplaced);
            }
            leaveUnjudged(unplaced);
        }

        /** The OPEN ones that explain reads which nothing else explains, or would if others counted. */
        private IntSet usable() {
            IntSet usable = new IntOpenHashSet();
            for (Demand demand : demands) {
                demand.addCandidates(usable);
            }
            for (int[] clause : clauses) {
                if (isActive(clause) && !isMet(clause)) {
                    addOpen(clause, usable);
                }
            }
            IntArrayList todo = new IntArrayList(usable);
            while (!todo.isEmpty()) {
                int var = todo.popInt();
                IntSet found = new IntOpenHashSet();
                IntArrayList ofVar = demandsOf.get(var);
                for (int i = 0; i < ofVar.size(); i++) {
                    demands.get(ofVar.getInt(i)).addRescuers(var, found);
                }
                IntArrayList writers = writersOf.get(var);
                for (int i = 0; i < writers.size(); i++) {
                    if (isOpen(writers.getInt(i))) {
                        found.add(writers.getInt(i));
                    }
                }
                IntArrayList ofClauses = clausesOf.get(var);
                for (int i = 0; i < ofClauses.size(); i++) {
                    int[] clause = clauses.get(ofClauses.getInt(i));
                    if (clause[0] == var) {
                        addOpen(clause, found);
                    }
                }
                for (int other : found) {
                    if (usable.add(other)) {
                        todo.add(other);
                    }
                }
            }
            return usable;
        }

        private void addOpen(int[] clause, IntSet to) {
            for (int i = 1; i < clause.length; i++) {
                if (isOpen(clause[i])) {
                    to.add(clause[i]);
                }
            }
        }

        private void joinNeighbours(int var, IntSet usable, int[] leaderOf) {
            IntArrayList ofVar = demandsOf.get(var);
            for (int i = 0; i < ofVar.size(); i++) {
                join(var, demands.get(ofVar.getInt(i)).vars, usable, leaderOf);
            }
            join(var, writersOf.get(var), usable, leaderOf);
            join(var, conflictsOf.get(var), usable, leaderOf);
            IntArrayList ofClauses = clausesOf.get(var);
            for (int i = 0; i < ofClauses.size(); i++) {
                join(var, IntArrayList.wrap(clauses.get(ofClauses.getInt(i))), usable, leaderOf);
            }
        }

        private void join(int var, IntArrayList others, IntSet usable, int[] leaderOf) {
            for (int i = 0; i < others.size(); i++) {
                if (usable.contains(others.getInt(i))) {
                    leaderOf[leader(others.getInt(i), leaderOf)] = leader(var, leaderOf);
                }
            }
        }

        private static int leader(int var, int[] leaderOf) {
            int leader = var;
            while (leaderOf[leader] != leader) {
                leaderOf[leader] = leaderOf[leaderOf[leader]];
                leader = leaderOf[leader];
            }
            return leader;
        }

        /** Transactions that hang together, of which some have to count so that reads are explained. */
        private final class Choice {

            private final IntArrayList vars;
            private final IntSet touchedDemands = new IntOpenHashSet();
            private final IntSet touchedClauses = new IntOpenHashSet();

            Choice(IntArrayList vars) {
                this.vars = vars;
                for (int i = 0; i < vars.size(); i++) {
                    touchedDemands.addAll(demandsOf.get(vars.getInt(i)));
                    touchedClauses.addAll(clausesOf.get(vars.getInt(i)));
                }
            }

            void make() {
                if (vars.size() > MOST_CHOICES) {
                    leaveUnjudged(idsOf(new IntOpenHashSet(vars)));
                    return;
                }
                int combinations = 1 << vars.size();
                IntArrayList smallest = new IntArrayList();
                for (int size = 0; size <= vars.size(); size++) {
                    for (int mask = 0; mask < combinations; mask++) {
                        if (Integer.bitCount(mask) == size && !holdsOneOf(mask, smallest) && explains(mask)) {
                            smallest.add(mask);
                        }
                    }
                }
                take(smallest);
            }

            private static boolean holdsOneOf(int mask, IntArrayList smallest) {
                for (int i = 0; i < smallest.size(); i++) {
                    if ((mask & smallest.getInt(i)) == smallest.getInt(i)) {
                        return true;
                    }
                }
                return false;
            }

            private void take(IntArrayList smallest) {
                int good = Lane.NONE;
                int goodCount = 0;
                int inAll = -1;
                int inAny = 0;
                for (int i = 0; i < smallest.size(); i++) {
                    inAll &= smallest.getInt(i);
                    inAny |= smallest.getInt(i);
                    if (isFreeOfConflicts(smallest.getInt(i))) {
                        good = good == Lane.NONE ? smallest.getInt(i) : good;
                        goodCount++;
                    }
                }
                if (good == Lane.NONE && hasUnplacedWriters()) {
                    leaveUnjudged(idsOf(new IntOpenHashSet(vars)));
                    return;
                }
                openChoices += goodCount > 0 && goodCount < smallest.size() ? 1 : 0;
                int taken = good != Lane.NONE ? good : smallest.isEmpty() ? 0 : smallest.getInt(0);
                for (int i = 0; i < vars.size(); i++) {
                    if ((taken >>> i & 1) == 1) {
                        settle(vars.getInt(i), IN);
                    }
                    if ((inAny >>> i & 1) == 1 && (inAll >>> i & 1) == 0) {
                        chosen.add(vars.getInt(i));
                    }
                }
            }

            private boolean hasUnplacedWriters() {
                LongSet unplaced = new LongOpenHashSet();
                touchedDemands.forEach(demand -> demands.get(demand).addUnplaced(unplaced));
                leaveUnjudged(unplaced);
                return !unplaced.isEmpty();
            }

            private boolean explains(int mask) {
                for (int i = 0; i < vars.size(); i++) {
                    stateOf[vars.getInt(i)] = (mask >>> i & 1) == 1 ? IN : OPEN;
                }
                boolean explains = true;
                for (int demand : touchedDemands) {
                    explains = explains && demands.get(demand).isExplained();
                }
                for (int clause : touchedClauses) {
                    explains = explains && (!isActive(clauses.get(clause)) || isMet(clauses.get(clause)));
                }
                for (int i = 0; i < vars.size() && explains; i++) {
                    if ((mask >>> i & 1) == 1) {
                        IntArrayList writers = writersOf.get(vars.getInt(i));
                        for (int w = 0; w < writers.size(); w++) {
                            explains &= stateOf[writers.getInt(w)] == IN;
                        }
                    }
                }
                for (int i = 0; i < vars.size(); i++) {
                    stateOf[vars.getInt(i)] = OPEN;
                }
                return explains;
            }

            private boolean isFreeOfConflicts(int mask) {
                for (int i = 0; i < vars.size(); i++) {
                    if ((mask >>> i & 1) == 0) {
                        continue;
                    }
                    if (isBad.get(vars.getInt(i))) {
                        return false;
                    }
                    IntArrayList others = conflictsOf.get(vars.getInt(i));
                    for (int o = 0; o < others.size(); o++) {
                        int place = vars.indexOf(others.getInt(o));
                        boolean counts = place >= 0 ? (mask >>> place & 1) == 1 : stateOf[others.getInt(o)] == IN;
                        if (counts) {
                            return false;
                        }
                    }
                }
                return true;
            }
        }

        // ------------------------------------------------------------ registers

        /** Between two committed writes the last write that counts is what a read returns. */
        private final class RegisterDemand extends Demand {

            private final long[] words;
            private final int first;
            private final int end;

            RegisterDemand(long[] words, int first, int end) {
                this.words = words;
                this.first = first;
                this.end = end;
                for (int at = first + 1; at < end; at = next(at)) {
                    if (words[at] == PlaceDemands.WRITE) {
                        vars.add(var(words[at + 1]));
                    }
                }
            }

            private int next(int at) {
                return words[at] == PlaceDemands.WRITE ? at + 3 : at + 4 + (int) words[at + 3];
            }

            private int writer(int at) {
                return ordinalOf.get(words[at + 1]);
            }

            /** Where the writes before a read begin, the last one first. */
            private IntArrayList writesBefore(int read) {
                IntArrayList places = new IntArrayList();
                for (int at = first + 1; at < read; at = next(at)) {
                    if (words[at] == PlaceDemands.WRITE) {
                        places.add(at);
                    }
                }
                return places;
            }

            private boolean isBase(int read) {
                return words[first] == PlaceDemands.INITIAL ? words[read + 2] == 1 : words[first] == words[read + 1];
            }

            private boolean isExplained(int read, IntArrayList writes) {
                for (int i = writes.size() - 1; i >= 0; i--) {
                    if (stateOf[writer(writes.getInt(i))] == IN) {
                        return words[writes.getInt(i) + 2] == words[read + 1];
                    }
                }
                return isBase(read);
            }

            /** The OPEN writes of the value behind which nothing counts, the last first. */
            private IntArrayList candidates(int read, IntArrayList writes) {
                IntArrayList found = new IntArrayList();
                for (int i = writes.size() - 1; i >= 0; i--) {
                    int writer = writer(writes.getInt(i));
                    if (stateOf[writer] == IN) {
                        break;
                    }
                    if (isOpen(writer) && words[writes.getInt(i) + 2] == words[read + 1]) {
                        found.add(writer);
                    }
                }
                return found;
            }

            @Override
            void propagate() {
                IntArrayList writes = new IntArrayList();
                for (int at = first + 1; at < end; at = next(at)) {
                    if (words[at] == PlaceDemands.WRITE) {
                        writes.add(at);
                        continue;
                    }
                    IntArrayList candidates = candidates(at, writes);
                    boolean isExplained = isExplained(at, writes);
                    if (!isExplained && candidates.size() == 1 && words[at + 3] == 0) {
                        toCount.add(candidates.getInt(0));
                        isExplained = true;
                    }
                    if (isExplained || !candidates.isEmpty()) {
                        leaveOutWhatHides(at, writes);
                    }
                }
            }

            private void leaveOutWhatHides(int read, IntArrayList writes) {
                for (int i = writes.size() - 1; i >= 0; i--) {
                    int writer = writer(writes.getInt(i));
                    boolean isOfValue = words[writes.getInt(i) + 2] == words[read + 1];
                    if (stateOf[writer] == IN || stateOf[writer] == OPEN && isOfValue) {
                        return;
                    }
                    if (stateOf[writer] == OPEN) {
                        toLeaveOut.add(writer);
                    }
                }
            }

            @Override
            boolean isExplained() {
                IntArrayList writes = new IntArrayList();
                for (int at = first + 1; at < end; at = next(at)) {
                    if (words[at] == PlaceDemands.WRITE) {
                        writes.add(at);
                    } else if (!isExplained(at, writes)) {
                        return false;
                    }
                }
                return true;
            }

            @Override
            void addCandidates(IntSet to) {
                for (int at = first + 1; at < end; at = next(at)) {
                    if (words[at] == PlaceDemands.READ) {
                        IntArrayList writes = writesBefore(at);
                        if (!isExplained(at, writes)) {
                            to.addAll(candidates(at, writes));
                        }
                    }
                }
            }

            @Override
            void addRescuers(int var, IntSet to) {
                for (int i = 0; i < vars.size(); i++) {
                    if (isOpen(vars.getInt(i))) {
                        to.add(vars.getInt(i));
                    }
                }
            }

            @Override
            void addUnplaced(LongSet to) {
                for (int at = first + 1; at < end; at = next(at)) {
                    if (words[at] == PlaceDemands.READ && words[at + 3] > 0 && !isExplained(at, writesBefore(at))) {
                        for (int i = 0; i < words[at + 3]; i++) {
                            to.add(words[at + 4 + i]);
                        }
                    }
                }
            }
        }

        // ------------------------------------------------------------ lists

        /** What a read returns is, one behind the other, what those appended that count. */
        private final class ListDemand extends Demand {

            private final long[] words;
            private final IntArrayList blocks = new IntArrayList(); // where each begins
            private final IntArrayList readsAt = new IntArrayList();

            ListDemand(long[] words, int first) {
                this.words = words;
                int at = first + 1;
                for (int block = 0; block < words[first]; block++) {
                    blocks.add(at);
                    if (words[at] != PlaceDemands.COMMITTED) {
                        vars.add(var(words[at]));
                    }
                    at += 2 + (int) words[at + 1];
                }
                int readCount = (int) words[at++];
                for (int read = 0; read < readCount; read++) {
                    readsAt.add(at);
                    at += 2 + (int) words[at + 1];
                    at += 1 + (int) words[at];
                }
            }

            private byte state(int block) {
                long id = words[blocks.getInt(block)];
                return id == PlaceDemands.COMMITTED ? IN : stateOf[ordinalOf.get(id)];
            }

            private boolean fits(int block, int read, int from) {
                int at = blocks.getInt(block);
                int length = (int) words[at + 1];
                if (from + length > words[read + 1]) {
                    return false;
                }
                for (int i = 0; i < length; i++) {
                    if (words[at + 2 + i] != words[read + 2 + from + i]) {
                        return false;
                    }
                }
                return true;
            }

            private boolean isExplained(int read) {
                int from = 0;
                for (int block = 0; block < words[read]; block++) {
                    if (state(block) == IN) {
                        if (!fits(block, read, from)) {
                            return false;
                        }
                        from += (int) words[blocks.getInt(block) + 1];
                    }
                }
                return from == words[read + 1];
            }

            /** By block, how much of the list may stand before it. */
            private BitSet[] reachable(int read) {
                int count = (int) words[read];
                BitSet[] reachable = new BitSet[count + 1];
                for (int block = 0; block <= count; block++) {
                    reachable[block] = new BitSet();
                }
                reachable[0].set(0);
                for (int block = 0; block < count; block++) {
                    byte state = state(block);
                    int length = (int) words[blocks.getInt(block) + 1];
                    for (int at = reachable[block].nextSetBit(0); at >= 0; at = reachable[block].nextSetBit(at + 1)) {
                        if (state != OUT && fits(block, read, at)) {
                            reachable[block + 1].set(at + length);
                        }
                        if (state != IN) {
                            reachable[block + 1].set(at);
                        }
                    }
                }
                return reachable;
            }

            /**
             * For each OPEN block whether some way through the list takes it, and whether some way passes it over; false
             * if there is no way.
             */
            private boolean findWays(int read, BitSet canCount, BitSet canBeOut) {
                BitSet[] reachable = reachable(read);
                BitSet useful = new BitSet();
                useful.set((int) words[read + 1]);
                for (int block = (int) words[read] - 1; block >= 0; block--) {
                    byte state = state(block);
                    int length = (int) words[blocks.getInt(block) + 1];
                    BitSet before = new BitSet();
                    for (int at = reachable[block].nextSetBit(0); at >= 0; at = reachable[block].nextSetBit(at + 1)) {
                        if (state != OUT && useful.get(at + length) && fits(block, read, at)) {
                            canCount.set(block);
                            before.set(at);
                        }
                        if (state != IN && useful.get(at)) {
                            canBeOut.set(block);
                            before.set(at);
                        }
                    }
                    useful = before;
                }
                return useful.get(0);
            }

            @Override
            void propagate() {
                for (int i = 0; i < readsAt.size(); i++) {
                    int read = readsAt.getInt(i);
                    BitSet canCount = new BitSet();
                    BitSet canBeOut = new BitSet();
                    if (!findWays(read, canCount, canBeOut) || hasUnplaced(read) && !isExplained(read)) {
                        continue;
                    }
                    for (int block = 0; block < words[read]; block++) {
                        if (state(block) == OPEN && canCount.get(block) != canBeOut.get(block)) {
                            (canCount.get(block) ? toCount : toLeaveOut)
                                    .add(ordinalOf.get(words[blocks.getInt(block)]));
                        }
                    }
                }
            }

            @Override
            boolean isExplained() {
                for (int i = 0; i < readsAt.size(); i++) {
                    if (!isExplained(readsAt.getInt(i))) {
                        return false;
                    }
                }
                return true;
            }

            @Override
            void addCandidates(IntSet to) {
                for (int i = 0; i < readsAt.size(); i++) {
                    int read = readsAt.getInt(i);
                    BitSet canCount = new BitSet();
                    if (!isExplained(read) && findWays(read, canCount, new BitSet())) {
                        for (int block = 0; block < words[read]; block++) {
                            if (canCount.get(block) && state(block) == OPEN) {
                                to.add(ordinalOf.get(words[blocks.getInt(block)]));
                            }
                        }
                    }
                }
            }

            @Override
            void addRescuers(int var, IntSet to) {
                for (int i = 0; i < vars.size(); i++) {
                    if (isOpen(vars.getInt(i))) {
                        to.add(vars.getInt(i));
                    }
                }
            }

            private int unplacedAt(int read) {
                return read + 2 + (int) words[read + 1];
            }

            private boolean hasUnplaced(int read) {
                return words[unplacedAt(read)] > 0;
            }

            @Override
            void addUnplaced(LongSet to) {
                for (int i = 0; i < readsAt.size(); i++) {
                    int read = readsAt.getInt(i);
                    if (hasUnplaced(read) && !isExplained(read)) {
                        for (int at = 0; at < words[unplacedAt(read)]; at++) {
                            to.add(words[unplacedAt(read) + 1 + at]);
                        }
                    }
                }
            }
        }
    }
}
