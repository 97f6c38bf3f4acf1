package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.MockArchive;
import io.nightjar.jobs.mock.MockFaults;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.server.MockDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workloads of {@code record} over a real driver on a mock: the observations of the clients, and the archive of the
 * mock.
 */
@Tag(Seeds.TAG)
class RecordedMockTest {

    private static final List<String> WORKLOADS = List.of(
            "register",
            "hot-keys",
            "smallbank",
            "bank",
            "write-skew",
            "courseware",
            "shopping-cart",
            "stack",
            "wikipedia",
            "epinions",
            "twitter",
            "tpcc");

    /**
     * Workloads in which a writing transaction that depends on another writer also writes a row that the other writes:
     * at si two of them that miss each other's writes conflict, so every history that si allows is serializable.
     */
    private static final Set<String> CONFLICTING_WHERE_THEY_DEPEND =
            Set.of("bank", "shopping-cart", "stack", "wikipedia", "epinions", "twitter");

    /**
     * Workloads that read the rows that they write, as the newest version, so that no version is overwritten twice:
     * then the versions of a row form a sequence, and the writer of a version has all previous ones in its snapshot, if
     * that is a prefix. So pc is si.
     */
    private static final Set<String> OVERWRITING_WHAT_THEY_READ = Set.of("smallbank", "epinions");

    /**
     * Workloads that change one and the same row in every transaction that writes, and lock it: each is in the past of
     * the next, as pc requires.
     */
    private static final Set<String> IN_ONE_CHAIN = Set.of("epinions");

    /** Those whose transactions read and write so much of the same that the next level is violated. */
    private static final List<String> VIOLATING = List.of("hot-keys");

    private static final int MIN_RUNS = 50;
    private static final int ENOUGH = 500;
    private static final int MAX_TRANSACTIONS = isCampaign() ? 5_000 : 300;
    private static final Pattern VALUE = Pattern.compile("\"v\":(\\d+)");

    @TempDir
    private Path directory;

    private final Map<String, int[]> violatedAndAll = new TreeMap<>();

    /**
     * Numbers of the mock's own archives for which the next level holds, is violated, or is undecided, where it can be
     * violated.
     */
    private final int[] ofOwn = new int[3];

    @Test
    void archivesKeepTheirLevelAndAgreeWithWhatClientsSaw() throws Exception {
        int archives = 0;
        long transactions = 0;
        for (long seed : Seeds.upTo(12)) {
            IsolationLevel level =
                    IsolationLevel.all().get((int) (seed % IsolationLevel.all().size()));
            String workload = WORKLOADS.get((int) (seed / 6 * 5 % WORKLOADS.size()));
            transactions += tryOne(seed, level, workload, sizeOf(seed));
            archives++;
        }
        if (isCampaign()) {
            System.out.println("archives: " + archives + ", with " + transactions + " transactions");
            int violated = violatedAndAll.values().stream()
                    .mapToInt(counts -> counts[0])
                    .sum();
            int able = violatedAndAll.values().stream()
                    .mapToInt(counts -> counts[1])
                    .sum();
            System.out.println("archives whose next level is violated: " + violated + " of " + able + " that can");
            System.out.println("archives of the mock itself, next level: violated=" + ofOwn[1] + " undecided="
                    + ofOwn[2] + " holds=" + ofOwn[0]);
            assertThat(ofOwn[1]).as("of %d", able).isGreaterThanOrEqualTo((int) Math.floor(0.95 * able));
            assertThat(violated).as("of %d", able).isGreaterThanOrEqualTo((int) Math.floor(0.95 * able));
        }
        reportNextLevel();
    }

    @Tag("slow")
    @Test
    void theNextLevelIsViolatedWhereTheWorkloadCan() throws Exception {
        for (String workload : VIOLATING) {
            int violated = 0;
            int all = 0;
            for (long seed : Seeds.upTo(1)) {
                for (IsolationLevel level : IsolationLevel.all()) {
                    if (level != IsolationLevel.SERIALIZABLE) {
                        tryOne(seed * 1_000 + level.ordinal(), level, workload, ENOUGH);
                    }
                }
            }
            for (int[] counts : violatedAndAll.values()) {
                violated += counts[0];
                all += counts[1];
            }
            assertThat(violated).as("%s of %d", workload, all).isGreaterThanOrEqualTo((int) Math.floor(0.95 * all));
            reportNextLevel();
        }
    }

    private static boolean isCampaign() {
        return Seeds.areOfCampaign();
    }

    private void reportNextLevel() {
        if (isCampaign()) {
            System.out.println("next level violated:");
            violatedAndAll.forEach(
                    (what, counts) -> System.out.println("  " + what + " " + counts[0] + " of " + counts[1]));
        }
    }

    /** Over a driver: as in the paper at read committed assertions break, at serializable none does. */
    @Test
    void assertionsOfWorkloadsAreJudged() throws Exception {
        Map<String, Integer> broken = new TreeMap<>();
        for (long seed : Seeds.upTo(2)) {
            for (String workload : List.of("smallbank", "voter", "wikipedia", "tpcc")) {
                broken.merge(
                        workload,
                        judged(workload, seed, IsolationLevel.READ_COMMITTED, true) == 1 ? 1 : 0,
                        Integer::sum);
                assertThat(judged(workload, seed, IsolationLevel.SERIALIZABLE, false))
                        .as(workload)
                        .isZero();
                if (workload.equals("smallbank")) {
                    assertThat(judged(workload, seed, IsolationLevel.READ_COMMITTED, false))
                            .isZero();
                }
            }
        }
        assertThat(broken)
                .allSatisfy((workload, runs) -> assertThat(runs).as(workload).isPositive());
        if (isCampaign()) {
            System.out.println("as in the paper at rc, over JDBC, runs in which an assertion broke: " + broken);
        }
    }

    private int judged(String workload, long seed, IsolationLevel level, boolean isAsInThePaper) throws IOException {
        MockOptions options = new MockOptions(
                level,
                seed,
                new MockOptions.Reads(ChoiceMode.UNIFORM, !isAsInThePaper, !isAsInThePaper, Integer.MAX_VALUE),
                new MockOptions.Schedule(isAsInThePaper, 10_000),
                MockFaults.NONE);
        Path archive = directory.resolve("judged.jsonl");
        Path seen = directory.resolve("judged-seen.jsonl");
        Recorded recorded = record(options, workload, 120, 3, archive, seen);
        Files.delete(archive);
        Files.delete(seen);
        return recorded.run().code();
    }

    private static int sizeOf(long seed) {
        double fraction = new SeededRandom(new SeededRandom(seed * 43).next()).fraction();
        return (int) (MIN_RUNS * Math.pow((double) MAX_TRANSACTIONS / MIN_RUNS, fraction));
    }

    private long tryOne(long seed, IsolationLevel level, String workload, int size) throws Exception {
        SeededRandom random = new SeededRandom(new SeededRandom(seed * 41).next());
        boolean updatesReadNewest = random.below(3) > 0;
        Path archive = directory.resolve("mock.jsonl");
        Path seen = directory.resolve("seen.jsonl");
        MockOptions options = new MockOptions(
                level,
                seed,
                new MockOptions.Reads(ChoiceMode.MIXED, updatesReadNewest, true, Integer.MAX_VALUE),
                new MockOptions.Schedule(random.below(4) == 0, 10_000),
                MockFaults.NONE);
        String what = "nightjar.seed=" + seed + " " + level + " " + workload + " transactions=" + size + " " + options;
        Recorded recorded = record(options, workload, size, 3 + random.below(4), archive, seen);
        assertThat(recorded.run().code()).as("%s %s", what, recorded).isLessThanOrEqualTo(2);

        assertHolds(what, seen, level, "--evidence", "values");
        if (level.compareTo(IsolationLevel.SNAPSHOT_ISOLATION) < 0) {
            // above, predicate reads are checked by timestamps
            assertHolds(what, archive, level, "--evidence", "values");
        }
        assertHolds(what, archive, level);
        assertThat(operations(seen)).as(what).isNotEmpty().isEqualTo(operations(archive));
        recordNextLevel(what, seen, archive, level, workload, updatesReadNewest);
        Files.delete(archive);
        Files.delete(seen);
        return recorded.archived();
    }

    /** The output of the command, and the number of transactions that the mock archived. */
    private record Recorded(CommandRun run, long archived) {}

    private static Recorded record(
            MockOptions options, String workload, int size, int sessions, Path archive, Path seen) throws IOException {
        AnswerChooser chooser = new AnswerChooser(options.reads().choice(), options.seed(), false);
        try (MockDatabase database =
                new MockDatabase(options, chooser, MockArchive.of(archive), "127.0.0.1", 0, 0, note -> {})) {
            boolean isPostgres = options.seed() / IsolationLevel.all().size() % 2 == 0;
            String url = isPostgres
                    ? "jdbc:postgresql://127.0.0.1:" + database.port() + "/any?user=any"
                    : "jdbc:mariadb://127.0.0.1:" + database.mysqlPort() + "/any?user=any&sslMode=disable";
            CommandRun run = CommandRun.of(
                    "record",
                    seen.toString(),
                    "--jdbc",
                    url,
                    "--workload",
                    workload,
                    "--certify",
                    "none",
                    "--isolation",
                    "read-committed",
                    "--transactions",
                    Integer.toString(size),
                    "--sessions",
                    Integer.toString(sessions),
                    "--keys",
                    workload.equals("register") ? "4" : "12",
                    "--seed",
                    Long.toString(options.seed()),
                    "--for-update",
                    "--assert");
            database.finish();
            return new Recorded(run, database.store().archive().txnCount());
        }
    }

    private void assertHolds(String what, Path history, IsolationLevel level, String... more) {
        List<String> args = new ArrayList<>(List.of("--level", level.shortName()));
        args.addAll(List.of(more));
        CommandRun run = CommandRun.check(history, directory.resolve("lake"), args.toArray(new String[0]));
        assertThat(run.code())
                .as("%s %s %s%n%s", what, history, args, run.out())
                .isZero();
    }

    private void recordNextLevel(
            String what, Path seen, Path archive, IsolationLevel level, String workload, boolean updatesReadNewest)
            throws IOException {
        int next = IsolationLevel.all().indexOf(level) + 1;
        if (next == IsolationLevel.all().size()) {
            return;
        }
        CommandRun run = CommandRun.check(
                seen,
                directory.resolve("lake"),
                "--level",
                IsolationLevel.all().get(next).shortName(),
                "--evidence",
                "values");
        if (canViolateNext(what, seen, level, workload, updatesReadNewest)) {
            int[] counts = violatedAndAll.computeIfAbsent(workload + " at " + level.shortName(), none -> new int[2]);
            counts[0] += run.code() == 1 ? 1 : 0;
            counts[1]++;
            ofOwn[codeOfNext(archive, next)]++;
        } else {
            assertThat(run.code())
                    .as("can it violate the next level after all: %s%n%s", what, run)
                    .isZero();
        }
    }

    /** Returns the exit code for the mock's own archive, which contains the predicate reads too. */
    private int codeOfNext(Path archive, int next) {
        String level = IsolationLevel.all().get(next).shortName();
        return CommandRun.check(archive, directory.resolve("lake"), "--level", level)
                .code();
    }

    /**
     * Returns whether some history that the level allows for this workload violates the next one; if not, its history
     * shows why.
     */
    private static boolean canViolateNext(
            String what, Path seen, IsolationLevel level, String workload, boolean updatesReadNewest)
            throws IOException {
        boolean followsVersions = updatesReadNewest && OVERWRITING_WHAT_THEY_READ.contains(workload);
        switch (level) {
            case SNAPSHOT_ISOLATION:
                if (CONFLICTING_WHERE_THEY_DEPEND.contains(workload)) {
                    assertThat(readWithoutConflict(writers(seen))).as(what).isEmpty();
                    return false;
                }
                return true;
            case PREFIX:
                if (followsVersions) {
                    assertThat(overwrittenUnseenOrTwice(writers(seen))).as(what).isEmpty();
                }
                return !followsVersions;
            case CAUSAL:
                return !(followsVersions && IN_ONE_CHAIN.contains(workload));
            default:
                return true;
        }
    }

    /**
     * A transaction that writes.
     *
     * @param reads its reads of other transactions' writes, by key
     */
    private record Writer(Map<String, String> reads, Set<String> writes) {}

    private static List<Writer> writers(Path history) throws IOException {
        List<Writer> writers = new ArrayList<>();
        for (Map<String, Object> txn : JsonTree.lines(Files.readString(history).strip())) {
            Writer writer = new Writer(new TreeMap<>(), new TreeSet<>());
            for (Object op : (List<?>) txn.get("ops")) {
                List<?> parts = (List<?>) op;
                String key = parts.get(1).toString();
                if (parts.get(0).equals("w")) {
                    writer.writes().add(key);
                } else if (!writer.writes().contains(key)) {
                    writer.reads().putIfAbsent(key, String.valueOf(parts.get(2)));
                }
            }
            if (!"aborted".equals(txn.get("status")) && !writer.writes().isEmpty()) {
                writers.add(writer);
            }
        }
        return writers;
    }

    /** Returns keys that a writer reads of which some writer writes nothing that the first one writes. */
    private static List<String> readWithoutConflict(List<Writer> writers) {
        Map<String, Set<String>> writtenWith = new TreeMap<>();
        for (Writer writer : writers) {
            for (String key : writer.writes()) {
                writtenWith
                        .computeIfAbsent(key, first -> new TreeSet<>(writer.writes()))
                        .retainAll(writer.writes());
            }
        }
        return writers.stream()
                .flatMap(writer -> writer.reads().keySet().stream()
                        .filter(key -> writtenWith.containsKey(key)
                                && Collections.disjoint(writtenWith.get(key), writer.writes())))
                .toList();
    }

    /**
     * Returns keys that a transaction wrote without having read them, or of which two writers have read the same
     * version.
     */
    private static List<String> overwrittenUnseenOrTwice(List<Writer> writers) {
        Set<String> overwritten = new TreeSet<>();
        return writers.stream()
                .flatMap(writer -> writer.writes().stream()
                        .filter(key -> !writer.reads().containsKey(key)
                                || !overwritten.add(key + "=" + writer.reads().get(key))))
                .toList();
    }

    /**
     * Returns each committed transaction's reads and writes of the workload's rows, identified by the numbers that
     * clients gave their writes.
     */
    private static List<String> operations(Path history) throws IOException {
        List<String> transactions = new ArrayList<>();
        for (Map<String, Object> txn : JsonTree.lines(Files.readString(history).strip())) {
            StringBuilder text = new StringBuilder();
            for (Object op : (List<?>) txn.get("ops")) {
                List<?> parts = (List<?>) op;
                String key =
                        String.valueOf(parts.get(1)).replace("nightjar_", "").replace("register/", "");
                if (!key.startsWith("tables/") && !parts.get(0).equals("p")) {
                    text.append(parts.get(0))
                            .append(' ')
                            .append(key)
                            .append('=')
                            .append(number(parts.get(2)));
                    text.append(' ');
                }
            }
            boolean isFinalRead =
                    String.valueOf(txn.get("statements")).contains("SELECT id, amount FROM"); // at the end
            boolean isLoad = "initial state".equals(txn.get("client"));
            if (!"aborted".equals(txn.get("status")) && text.length() > 0 && !isFinalRead && !isLoad) {
                transactions.add(text.toString());
            }
        }
        Collections.sort(transactions);
        return transactions;
    }

    private static String number(Object value) {
        if (value instanceof Number) {
            return value.toString();
        }
        Matcher number = VALUE.matcher(String.valueOf(value));
        return number.find() && !number.group(1).equals("0") ? number.group(1) : "nothing";
    }
}
