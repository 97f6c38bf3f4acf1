package io.nightjar.pipeline.validate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.SliceBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CommitDisorderTest {

    private static final int ROWS = 12_000;

    @Test
    void rowsInOrderAreNoLint() {
        assertThat(findings(inOrder())).isEmpty();
    }

    @Test
    void fewRowsAreNoLint() {
        List<Long> commits = inOrder().subList(0, 5_000);
        Collections.reverse(commits);
        assertThat(findings(commits)).isEmpty();
    }

    @Test
    void laggingRowsAreCountedAndLargestLagIsNamed() {
        List<Long> commits = inOrder();
        commits.add(9_000, commits.remove(2_000));
        commits.add(9_500, commits.remove(9_400));

        LintFinding finding = Rows.only(LintRule.COMMIT_ORDER, findings(commits));
        assertThat(finding.count()).isEqualTo(2);
        assertThat(finding.example()).isEqualTo("[t.jsonl row=9000]");
        assertThat(finding.message()).startsWith("2 of 12,000 committed rows follow a row that commits later, up to");
    }

    @Test
    void lagIsExactToABlock() {
        for (long seed = 1; seed <= 5; seed++) {
            Random random = new Random(seed);
            List<Long> commits = inOrder();
            for (int i = 0; i < 5; i++) {
                commits.add(random.nextInt(ROWS), commits.remove(random.nextInt(ROWS)));
            }
            long lag = 0;
            long furthest = 0;
            long greatest = 0;
            for (int row = 0; row < ROWS; row++) {
                long commit = commits.get(row);
                if (commit < greatest) {
                    lag++;
                    int first = 0;
                    while (commits.get(first) < commit) {
                        first++;
                    }
                    furthest = Math.max(furthest, row - first);
                }
                greatest = Math.max(greatest, commit);
            }
            LintFinding finding = Rows.only(LintRule.COMMIT_ORDER, findings(commits));
            assertThat(finding.count()).as("seed=%d", seed).isEqualTo(lag);
            String reportedLag = finding.message().replaceAll(".*about ([0-9,]+) rows;.*", "$1");
            assertThat(Long.parseLong(reportedLag.replace(",", "")))
                    .as("seed=%d", seed)
                    .isBetween(furthest, furthest + 1_024);
        }
    }

    private static List<Long> inOrder() {
        List<Long> commits = new ArrayList<>();
        for (long commit = 1; commit <= ROWS; commit++) {
            commits.add(10 * commit);
        }
        return commits;
    }

    private static List<LintFinding> findings(List<Long> commits) {
        CommitDisorder disorder = new CommitDisorder();
        SliceBuilder builder = new SliceBuilder("t.jsonl");
        for (int row = 0; row < commits.size(); row++) {
            builder.beginTxn(row, row + 1, 1, row);
            builder.timestamps(commits.get(row) - 5, commits.get(row));
            builder.endTxn();
        }
        disorder.add(builder.build());
        return disorder.findings();
    }
}
