package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.RunResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions of a key that two transactions wrote determine nothing about their order. */
class SharedVersionsTest {

    private static final String LEVELS = "rc,ra,causal,pc,si,ser,PL-3,PL-1";

    @TempDir
    private Path directory;

    @Test
    void registersOfSharedVersionsAreUndecidedByVersionsAndDecidedByValues() throws IOException {
        Path file = Files.writeString(
                directory.resolve("h.jsonl"),
                """
                {"txn":1,"session":0,"status":"committed","ops":[["w",7,10,{"version":1}]]}
                {"txn":2,"session":1,"status":"committed","ops":[["w",7,11,{"version":1}]]}
                {"txn":3,"session":2,"status":"committed","ops":[["r",7,11,{"version":1}]]}
                """);

        checked(file, "auto").levels().values().forEach(level -> {
            assertThat(level.verdict()).isEqualTo(Verdict.UNDECIDED);
            assertThat(level.reason())
                    .startsWith("transactions 1 and 2 both wrote version 1 of key 7, so versions are no evidence; ");
        });
        assertThat(checked(file, "values").verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void rowsOfSharedVersionsAreUndecidedByVersionsAndDecidedByTimestamps() throws IOException {
        String rows =
                """
                {"txn":1,"session":0,"status":"committed",1"ops":[["w",7,10,{"version":1}],["w",8,1,{"version":1}]]}
                {"txn":2,"session":1,"status":"committed",2"ops":[["w",7,11,{"version":1}],["d",8,null,{"version":2}]]}
                {"txn":3,"session":2,"status":"committed",3"ops":[["r",7,11,{"version":1}]]}
                """;
        Path untimed = Files.writeString(directory.resolve("u.jsonl"), rows.replaceAll(",\\d\"ops", ",\"ops"));
        Path timed = Files.writeString(
                directory.resolve("t.jsonl"), rows.replaceAll(",(\\d)\"ops", ",\"start\":$10,\"commit\":$15,\"ops"));

        checked(untimed, "auto").levels().values().forEach(level -> assertThat(level.reason())
                .startsWith("transactions 1 and 2 both wrote version 1 of key 7"));
        assertThat(checked(timed, "auto").levels().values())
                .allSatisfy(level -> assertThat(level.evidence() + level.verdict())
                        .isIn("timestamps" + Verdict.HOLDS, "versions" + Verdict.UNDECIDED));
    }

    @Tag(Seeds.TAG)
    @Test
    void noHistoryHoldsBySharedVersionsAndEveryFindingIsConfirmed() throws IOException {
        Map<String, Integer> met = new TreeMap<>();
        for (long seed : Seeds.upTo(80)) {
            Written history = new Written(new Random(seed));
            Path file = Files.writeString(directory.resolve("h.jsonl"), String.join("\n", history.rows) + "\n");
            RunResult result = checked(file, "auto");
            for (LevelResult level : result.levels().values()) {
                String verdict = level.verdict().word() + " by " + level.evidence();
                met.merge((history.isShared ? "shared: " : "") + verdict, 1, Integer::sum);
                assertThat(history.isShared && verdict.equals("holds by versions"))
                        .as("seed=%d %s", seed, history.rows)
                        .isFalse();
            }
        }
        System.out.println("shared versions: " + met);
        assertThat(met).containsKeys("holds by versions", "violated by versions", "shared: undecided by versions");
    }

    private static RunResult checked(Path file, String evidence) {
        CommandRun run = CommandRun.of(
                "check", "" + file, "--level", LEVELS, "--lake", "none", "--json", "--evidence", evidence);
        assertThat(run.code()).as(run.err()).isLessThanOrEqualTo(2);
        return RunResultJson.read(run.out());
    }

    /** A history of one writer after the other, some of which do not count versions on. */
    private static final class Written {

        private final List<String> rows = new ArrayList<>();
        private boolean isShared;

        Written(Random random) {
            boolean isTimed = random.nextBoolean();
            boolean areTables = random.nextBoolean();
            int keys = 1 + random.nextInt(3);
            long[] versionOf = new long[keys];
            List<List<String>> read = new ArrayList<>(); // by key: versions that reads may name
            Map<String, Integer> txnOf = new HashMap<>(); // by key and version
            for (int key = 0; key < keys; key++) {
                read.add(new ArrayList<>(List.of("[\"r\",%d,null]".formatted(key))));
            }
            int txns = 3 + random.nextInt(6);
            for (int txn = 1; txn <= txns; txn++) {
                List<String> ops = new ArrayList<>();
                List<List<String>> added = new ArrayList<>();
                for (int op = random.nextInt(4); op >= 0; op--) {
                    int key = random.nextInt(keys);
                    List<String> seen = read.get(key);
                    if (random.nextInt(5) < 2) {
                        ops.add(seen.get(random.nextInt(3) == 0 ? random.nextInt(seen.size()) : seen.size() - 1));
                        continue;
                    }
                    versionOf[key] += versionOf[key] > 0 && random.nextInt(5) == 0 ? 0 : 1;
                    Integer before = txnOf.put(key + "@" + versionOf[key], txn);
                    isShared |= before != null && before != txn;
                    boolean isDeleted = areTables && random.nextInt(4) == 0;
                    String what = "%d,%s,{\"version\":%d"
                            .formatted(key, isDeleted ? "null" : "" + (10 * txn + op), versionOf[key]);
                    ops.add("[\"%s\",%s}]".formatted(isDeleted ? "d" : "w", what));
                    added.add(List.of(
                            "" + key,
                            "[\"r\",%s%s}]".formatted(what, random.nextBoolean() ? ",\"writer\":" + txn : "")));
                }
                added.forEach(each -> read.get(Integer.parseInt(each.get(0))).add(each.get(1)));
                String times = isTimed
                        ? "\"start\":%d,\"commit\":%d,".formatted(10 * txn - random.nextInt(15) + 15, 10 * txn + 16)
                        : "";
                rows.add("{\"txn\":%d,\"session\":%d,\"status\":\"committed\",%s\"ops\":[%s]}"
                        .formatted(txn, random.nextInt(3), times, String.join(",", ops)));
            }
        }
    }
}
