package io.nightjar.pipeline.online;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What keys held before the first write may be nothing, learned, or what another history left. */
class InitialStatesTest {

    private static final long FIRST_SEED = Long.getLong("nightjar.seed", 1);
    private static final int HISTORIES = Seeds.rounds(300);
    private static final List<IsolationLevel> BOTH =
            List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);

    private FinalFindings findings = new FinalFindings();

    @Test
    void firstSealedReadDeterminesInitialState() {
        assertThat(
                        learned(
                                """
                s1 T1 [1,2]: r(x,7) r(y,_)
                s2 T2 [3,4]: r(x,7) r(y,_)
                s1 T3 [5,6]: r(x,6) r(y,1)
                """))
                .containsExactly("x T3 7/6", "y T3 null/1");
    }

    @Test
    void lateReadIsCheckedAgainstLearnedState() {
        OnlineCheck check = learning();
        add(check, "s1 T2 [3,4]: r(x,7)\n");
        check.seal(10);
        add(check, "s2 T1 [1,2]: r(x,8)\n");
        check.seal(20);

        assertThat(texts()).containsExactly("x T1 7/8");
        assertThat(check.learnedKeys()).isEqualTo(1);
    }

    @Test
    void elementsBeforeFirstAppendBecomeInitialList() {
        assertThat(
                        learned(
                                """
                s1 T1 [1,2]: append(l,3)
                s2 T2 [3,4]: r(l,[1,2,3])
                s1 T3 [5,6]: r(l,[2,3])
                """))
                .containsExactly("l T3 [1,2,3]/[2,3]");
    }

    @Test
    void aHistoryLeavesItsLastVersions() {
        OnlineCheck before = new OnlineCheck(BOTH.subList(0, 1), null, OnlineListener.NONE);
        add(before, "s1 T1 [1,2]: w(x,1) append(l,1)\ns1 T2 [3,4]: w(x,2) append(l,2) w(z,9)\n");
        before.seal(Long.MAX_VALUE);
        OnlineCheck check = new OnlineCheck(BOTH.subList(0, 1), null, findings);
        check.startFrom(before);
        add(check, "s1 T1 [1,2]: r(x,2) r(l,[1,2]) r(y,_)\ns1 T2 [3,4]: r(x,1) r(l,[2]) append(l,3)\n");
        check.seal(Long.MAX_VALUE);

        assertThat(texts()).containsExactly("l T2 [1,2]/[2]", "x T2 2/1");
        assertThat(HistoryRows.of(check.initialState()))
                .as("of keys that something arrived of")
                .singleElement()
                .asString()
                .contains(Long.toString(Long.MIN_VALUE + 1))
                .doesNotContain("z");
    }

    @Tag(Seeds.TAG)
    @Test
    void watchAttachedLateFindsLaterAnomalies() {
        int found = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            Random random = new Random(seed);
            List<String> rows = rows(random);
            int from = random.nextInt(rows.size());
            List<String> whole = found(check(), rows);
            whole.removeIf(text -> Integer.parseInt(text.replaceAll(".*T(\\d+) .*", "$1")) <= 2 * from);
            List<String> attached = found(learning(), rows.subList(from, rows.size()));

            found += whole.size();
            assertThat(attached)
                    .as("seed=%d from=%d%n%s", seed, from, String.join("", rows))
                    .isEqualTo(whole);
        }
        assertThat(found).isGreaterThan(HISTORIES);
    }

    /** One after another; a read that is wrong comes right behind one of its key that is not. */
    private static List<String> rows(Random random) {
        int[] held = new int[4];
        List<String> rows = new ArrayList<>();
        for (int txn = 1; txn <= 60; txn += 2) {
            int key = random.nextInt(4);
            String right = "r(%d,%s)".formatted(key, held[key] == 0 ? "_" : "" + held[key]);
            if (random.nextInt(3) == 0) {
                held[key] = txn;
                right += " w(%d,%d)".formatted(key, txn);
            }
            String next =
                    "r(%d,%s)".formatted(key, random.nextInt(4) == 0 ? "999" : held[key] == 0 ? "_" : "" + held[key]);
            rows.add("s%d T%d [%d,%d]: %s%n".formatted(txn % 3, txn, 2 * txn, 2 * txn + 1, right)
                    + "s%d T%d [%d,%d]: %s%n".formatted((txn + 1) % 3, txn + 1, 2 * txn + 2, 2 * txn + 3, next));
        }
        return rows;
    }

    private List<String> found(OnlineCheck check, List<String> rows) {
        for (String row : rows) {
            add(check, row);
        }
        check.seal(Long.MAX_VALUE);
        return texts();
    }

    private OnlineCheck check() {
        findings = new FinalFindings();
        return new OnlineCheck(BOTH, null, findings);
    }

    private OnlineCheck learning() {
        OnlineCheck check = check();
        check.learnInitial();
        return check;
    }

    private List<String> learned(String rows) {
        OnlineCheck check = learning();
        add(check, rows);
        check.seal(Long.MAX_VALUE);
        return texts();
    }

    private List<String> texts() {
        return new ArrayList<>(findings.all().stream()
                .filter(finding -> finding.level() == IsolationLevel.SNAPSHOT_ISOLATION)
                .map(finding -> "%s T%d %s/%s"
                        .formatted(
                                finding.key(),
                                finding.subject().txnId(),
                                finding.reading().expected(),
                                finding.reading().observed()))
                .sorted()
                .toList());
    }

    private static void add(OnlineCheck check, String rows) {
        for (HistorySlice slice : SmallHistory.parse(rows).slices(100)) {
            check.add(slice, 0);
        }
    }
}
