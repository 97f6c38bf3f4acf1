package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.Shrinker;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From values, the verdicts of the six levels agree with all assignments of outcomes to unknown transactions. */
@Tag(Seeds.TAG)
class UnknownValuesTest {

    private static final int SEEDS = 1_200;
    private static final int MAX_TXNS = 7;
    private static final String INITIAL_VALUE = "0";

    @TempDir
    private Path folder;

    /** A history with its permitted verdicts. */
    private record Case(SmallHistory history, UnknownAssignments all) {

        /** Returns null if a history has no transaction of unknown outcome, or has too many assignments. */
        static Case of(SmallHistory history) {
            UnknownAssignments all = isFit(history) ? UnknownAssignments.of(history) : null;
            return all == null ? null : new Case(history, all);
        }
    }

    @Test
    void levelIsViolatedIfNoOutcomeExplainsIt() throws IOException {
        String three =
                """
                {"txn":1,"session":0,"seq":0,"status":"committed","ops":[["w","x",1],["w","y",1]]}
                {"txn":2,"session":1,"seq":0,"status":"unknown","ops":[["w","x",2]]}
                {"txn":3,"session":2,"seq":0,"status":"committed","ops":[["r","y",1],["cas","x",3,{"params":[1],"done":false}]]}
                """;
        String fourth =
                """
                {"txn":4,"session":2,"seq":1,"status":"committed","ops":[["r","x",1]]}
                """;

        CommandRun explained = checkedAtSer(three);
        CommandRun contradicted = checkedAtSer(three + fourth);

        assertThat(explained.out()).contains("holds      by values");
        assertThat(contradicted.out())
                .contains("violated   by values")
                .contains("Whether T2 committed makes no difference.");
    }

    private CommandRun checkedAtSer(String history) throws IOException {
        Path file = Files.writeString(folder.resolve("unknown.jsonl"), history);
        return CommandRun.of("check", "--level", "ser", "--lake", "none", file.toString());
    }

    @Test
    void everyWayInWhichUnknownTransactionsMayHaveEndedAgrees() {
        List<Case> cases = new ArrayList<>();
        for (long seed : Seeds.upTo(SEEDS)) {
            SmallHistory history = seed % 2 == 0 ? RandomReads.of(seed) : RandomHistory.of(seed, MAX_TXNS);
            Case drawn = Case.of(seed % 3 == 0 ? history : withLostAnswers(history, new Random(seed)));
            if (drawn != null) {
                cases.add(drawn);
            }
        }
        Map<String, Integer> seen = new TreeMap<>();

        for (boolean hasInitialValue : new boolean[] {false, true}) {
            List<Case> some = cases.stream()
                    .filter(one -> (one.history.initialValue() != null) == hasInitialValue)
                    .toList();
            List<String> lines = check(some.stream().map(Case::history).toList(), hasInitialValue);
            for (int i = 0; i < some.size(); i++) {
                count(some.get(i), lines.get(i), seen);
            }
        }

        assertThat(seen).containsKeys("register HOLDS", "register VIOLATED");
        if (Seeds.areAll()) {
            for (String what :
                    List.of("register HOLDS", "register VIOLATED", "list HOLDS", "list VIOLATED", "UNDECIDED")) {
                assertThat(seen.getOrDefault(what, 0))
                        .as("%s of %s", what, seen)
                        .isGreaterThan(20);
            }
        }
    }

    /** Returns the same history in which clients did not learn the outcome of every other commit. */
    private static SmallHistory withLostAnswers(SmallHistory history, Random random) {
        List<Txn> txns = new ArrayList<>();
        for (Txn txn : history.txns()) {
            boolean isLost = txn.status() == TxnStatus.COMMITTED && !txn.isReadOnly() && random.nextInt(2) == 0;
            byte status = isLost ? TxnStatus.UNKNOWN : txn.status();
            txns.add(new Txn(txn.id(), txn.session(), txn.seq(), status, txn.start(), txn.commit(), txn.ops()));
        }
        return history.withTxns(txns);
    }

    private void count(Case one, String line, Map<String, Integer> seen) {
        if (difference(one, line) != null) {
            SmallHistory smaller = Shrinker.shrink(one.history, small -> difference(small) != null);
            assertThat(difference(smaller)).as("shrunk to%n%s", smaller).isNull();
        }
        String model = hasLists(one.history) ? "list " : "register ";
        for (IsolationLevel level : IsolationLevel.all()) {
            Verdict verdict = verdict(line, level);
            String what = verdict == Verdict.UNDECIDED ? verdict.name() : model + verdict;
            seen.merge(one.all.hasUnknownThatCounts() ? what : "nothing to tell", 1, Integer::sum);
        }
    }

    private String difference(SmallHistory small) {
        Case one = Case.of(small);
        return one == null
                ? null
                : difference(
                        one, check(List.of(small), small.initialValue() != null).get(0));
    }

    /** Returns null if the definition allows every verdict. */
    private static String difference(Case one, String line) {
        for (IsolationLevel level : IsolationLevel.all()) {
            Verdict verdict = verdict(line, level);
            if (!one.all.allowed(level).contains(verdict)) {
                return "%s: allowed=%s decided=%s ways=%d%n%s"
                        .formatted(level.longName(), one.all.allowed(level), verdict, one.all.wayCount(), line);
            }
        }
        return null;
    }

    private static boolean isFit(SmallHistory history) {
        boolean hasUnknown =
                history.txns().stream().anyMatch(txn -> txn.status() == TxnStatus.UNKNOWN && !txn.isReadOnly());
        boolean isPlain = history.txns().stream()
                .flatMap(txn -> txn.ops().stream())
                .noneMatch(op -> op.kind() == OpKind.ADD
                        || op.kind() == OpKind.INCREMENT
                        || op.isWrite() && op.value().startsWith("v"));
        boolean isKnownInitial =
                history.initialValue() == null || history.initialValue().equals(INITIAL_VALUE);
        return hasUnknown && isPlain && isKnownInitial && history.txns().size() <= MAX_TXNS;
    }

    private static boolean hasLists(SmallHistory history) {
        return history.txns().stream()
                .flatMap(txn -> txn.ops().stream())
                .anyMatch(op -> op.kind() == OpKind.READ_LIST || op.kind() == OpKind.APPEND);
    }

    private static Verdict verdict(String line, IsolationLevel level) {
        String word = JsonTree.at(JsonTree.object(line), "levels", level.longName(), "verdict");
        return Verdict.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private List<String> check(List<SmallHistory> histories, boolean hasInitialValue) {
        List<String> arguments =
                new ArrayList<>(List.of("check", "--json", "--level", "all", "--evidence", "values", "--lake", "none"));
        if (hasInitialValue) {
            arguments.addAll(List.of("--initial-value", INITIAL_VALUE));
        }
        for (int i = 0; i < histories.size(); i++) {
            arguments.add(write(folder.resolve("h" + i + ".txt"), histories.get(i)));
        }
        return CommandRun.of(arguments.toArray(String[]::new)).out().lines().toList();
    }

    private static String write(Path file, SmallHistory history) {
        try {
            return Files.writeString(file, history.toText()).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
